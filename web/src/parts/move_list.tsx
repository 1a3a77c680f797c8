import { useEffect, useRef } from "preact/hooks";
import { say } from "../words";

/** The moves of a game, as buttons that go to the position after each; `at` moves have been made in the one that is shown. One of them takes the Tab key. */
export function MoveList({ moves, at, pairs, onPick }: { moves: string[]; at: number; pairs: boolean; onPick: (ply: number) => void }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {  // within the list alone: the page stays where it is
    const box = list.current, row = box?.querySelector<HTMLElement>("[aria-current]");
    if (!box) return;
    const top = row ? row.offsetTop - box.offsetTop : 0;
    if (top < box.scrollTop || top + (row?.offsetHeight ?? 0) > box.scrollTop + box.clientHeight) box.scrollTo({ top: top - box.clientHeight / 2 });
  }, [moves.length, at]);
  return (
    <ol class={`moves ${pairs ? "pairs" : ""}`} ref={list} aria-label={say("moves")}>
      {moves.map((move, place) => (
        <li key={place}>
          {(!pairs || place % 2 === 0) && <i>{pairs ? place / 2 + 1 : place + 1}</i>}
          <button type="button" data-ply={place + 1} aria-current={place + 1 === at ? "step" : undefined} tabIndex={place + 1 === Math.max(at, 1) ? 0 : -1} onClick={() => onPick(place + 1)}>{move === "pass" ? say("pass").toLowerCase() : move}</button>
        </li>
      ))}
    </ol>
  );
}
