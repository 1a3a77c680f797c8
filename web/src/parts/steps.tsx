import { useEffect } from "preact/hooks";
import { say } from "../words";

/** Buttons through the moves of a game; the arrow keys do the same where nothing else wants them. */
export function Steps({ at, last, onStep }: { at: number; last: number; onStep: (at: number) => void }) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [role=application]")) return;
      if (event.key === "ArrowLeft" && at > 0) onStep(at - 1);
      if (event.key === "ArrowRight" && at < last) onStep(at + 1);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  return (
    <div class="buttons steps">
      <button type="button" aria-label={say("first")} disabled={at === 0} onClick={() => onStep(0)}>|◀</button>
      <button type="button" aria-label={say("back")} disabled={at === 0} onClick={() => onStep(at - 1)}>◀</button>
      <span>{at} / {last}</span>
      <button type="button" aria-label={say("forward")} disabled={at >= last} onClick={() => onStep(at + 1)}>▶</button>
      <button type="button" aria-label={say("last")} disabled={at >= last} onClick={() => onStep(last)}>▶|</button>
    </div>
  );
}
