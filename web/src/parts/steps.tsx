import type { ComponentChildren } from "preact";
import { say } from "../words";
import { useStepKeys } from "./step_keys";

/** Buttons through the moves of a game; keys do the same. */
export function Steps({ at, last, onStep, children }: { at: number; last: number; onStep: (at: number) => void; children?: ComponentChildren }) {
  useStepKeys(at, last, onStep);
  return (
    <div class="buttons steps">
      <button type="button" aria-label={say("first")} disabled={at === 0} onClick={() => onStep(0)}><Sign d="M5 5v14M19 5 8 12l11 7Z" /></button>
      <button type="button" aria-label={say("back")} disabled={at === 0} onClick={() => onStep(at - 1)}><Sign d="M17 5 6 12l11 7Z" /></button>
      <span>{at} / {last}</span>
      <button type="button" aria-label={say("forward")} disabled={at >= last} onClick={() => onStep(at + 1)}><Sign d="M7 5l11 7-11 7Z" /></button>
      <button type="button" aria-label={say("last")} disabled={at >= last} onClick={() => onStep(last)}><Sign d="M19 5v14M5 5l11 7-11 7Z" /></button>
      {children}
    </div>
  );
}

function Sign({ d }: { d: string }) {
  return <svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d={d} /></svg>;
}
