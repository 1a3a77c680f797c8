import { useRef, useState } from "preact/hooks";

const STEPS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Arrow keys walk over a board of so many columns and rows, as it is seen; Enter or space picks. A board that a mouse has touched leaves the keys to the page. */
export function useCursor(columns: number, rows: number, onPick: (column: number, row: number) => void) {
  const [at, setAt] = useState<[number, number]>([Math.floor(columns / 2), Math.floor(rows / 2)]);
  const [shown, setShown] = useState(false);
  const byKeys = useRef(false);
  const press = (event: KeyboardEvent) => {
    if (!byKeys.current || event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) {
      setShown(true);
      setAt([Math.min(Math.max(at[0] + step[0], 0), columns - 1), Math.min(Math.max(at[1] + step[1], 0), rows - 1)]);
    } else if (event.key === "Enter" || event.key === " ") onPick(at[0], at[1]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const arrive = (event: FocusEvent) => {
    const board = event.currentTarget as HTMLElement;
    if (event.target !== board) return;
    byKeys.current = board.matches(":focus-visible:not(.quiet)");
    board.classList.toggle("quiet", !byKeys.current);  // no frame around it at the next key, either
  };
  const leave = (event: FocusEvent) => { (event.currentTarget as HTMLElement).classList.remove("quiet"); setShown(false); };
  return { cursor: shown ? at : null, keys: { tabIndex: 0, onKeyDown: press, onFocus: arrive, onBlur: leave } };
}

/** What a screen reader hears of the cursor. */
export function Heard({ text }: { text: string }) {
  return <span class="unseen" aria-live="polite">{text}</span>;
}
