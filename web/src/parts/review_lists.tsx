import { useLayoutEffect, useRef } from "preact/hooks";
import type { GameName, ReviewStep, ReviewSummary } from "../api";
import { gameOf } from "../games";
import { percent, say, saySide, sayTerm } from "../words";
import { NOTABLE, numbered } from "./review_job";

/** Every move to click on; those of note carry their colour. The list scrolls by itself, the page does not. */
export function MoveList({ steps, game, at, onPick }: { steps: ReviewStep[]; game: GameName; at: number; onPick: (at: number) => void }) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const box = list.current, chosen = box?.querySelector<HTMLElement>("[aria-current]");
    if (box) box.scrollTop = chosen ? chosen.offsetTop - box.offsetTop - box.clientHeight / 2 : 0;
  }, [at]);
  return (
    <ol class={`review-moves ${gameOf(game)?.pairs ? "pairs" : ""}`} ref={list} aria-label={say("moves")} tabIndex={0}>
      {steps.map((step) => (
        <li key={step.ply}><button type="button" class={NOTABLE.includes(step.label) ? step.label.replaceAll(" ", "-") : ""} aria-current={step.ply + 1 === at ? "step" : undefined}
          title={step.label ? sayTerm(step.label) : undefined} onClick={() => onPick(step.ply + 1)}>{(!gameOf(game)?.pairs || step.side === 0) && <i>{numbered(game, step)}</i>}{step.name}</button></li>
      ))}
    </ol>
  );
}

/** The moves that stand out, with what they cost. */
export function NotableMoves({ steps, game, sides, onPick }: { steps: ReviewStep[]; game: GameName; sides: [string, string]; onPick: (at: number) => void }) {
  const found = steps.filter(({ label }) => NOTABLE.includes(label));
  return (
    <section>
      <h2>{say("notableMoves")}</h2>
      {found.length === 0 && <p class="note">{say("noMistakes")}</p>}
      <ul class="mistakes">{found.map((step) => (
        <li key={step.ply}><button type="button" onClick={() => onPick(step.ply + 1)}><span>{numbered(game, step)} <b>{step.name}</b> <small>{saySide(game, sides[step.side]!)}</small></span>
          <span class={`label ${step.label.replaceAll(" ", "-")}`}>{sayTerm(step.label)}</span><span class="cost">{step.loss === null || step.label === "hard to find" ? percent(step.probability) : `−${percent(step.loss)}`}</span></button></li>
      ))}</ul>
    </section>
  );
}

/** Both players by phase of the game. */
export function Phases({ summary, game }: { summary: ReviewSummary; game: GameName }) {
  const judged = summary.judge !== "";
  return (
    <details class="phases" open>
      <summary>{say("phases")}</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={say("phases")}>
        <table>
          <thead><tr><th /><th>{say("movesCount")}</th><th>{say("matched")}</th>{judged && <><th>{say("meanLoss")}</th><th>{say("inaccuracies")}</th><th>{say("mistakesCount")}</th><th>{say("blunders")}</th></>}</tr></thead>
          <tbody>{summary.players.flatMap((player) => player.phases.map((part) => (
            <tr key={`${player.side} ${part.phase}`} class={part.phase === "all" ? "sum" : ""}><th scope="row">{saySide(game, player.side)}, {sayTerm(part.phase)}</th><td>{part.moves}</td><td>{part.matched === null ? "–" : percent(part.matched)}</td>
              {judged && <><td>{part.mean_loss === null ? "–" : percent(part.mean_loss, 1)}</td><td>{part.inaccuracies}</td><td>{part.mistakes}</td><td>{part.blunders}</td></>}</tr>
          )))}</tbody>
        </table>
      </div>
    </details>
  );
}
