import { useEffect, useRef } from "preact/hooks";

/** The arrow keys, Home and End go through the moves of a game, where nothing else wants them. Keys may come faster than the page is drawn. */
export function useStepKeys(at: number, last: number, onStep: (at: number) => void): void {
  const here = useRef({ at, last, onStep });
  here.current = { at, last, onStep };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select")) return;
      const now = here.current;
      const next = { ArrowLeft: now.at - 1, ArrowRight: now.at + 1, Home: 0, End: now.last }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      if (next < 0 || next > now.last || next === now.at) return;
      now.at = next;
      now.onStep(next);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
