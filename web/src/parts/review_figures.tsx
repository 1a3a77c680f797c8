import type { GameName, ReviewStart, ReviewStep } from "../api";
import { percent, say, sayLevel, saySide, sayStyle, sayTerm } from "../words";
import { Bars } from "./bars";
import { Curves } from "./curves";
import { type Job, numbered } from "./review_job";

type Kind = "rating" | "rank";
const EXPERT_HEAD = "the expert head of the packaged network";
const COSTLY = 0.02;

/** Who judged, and how long for each move. */
const sayJudge = ({ judge, judge_nodes }: ReviewStart) => (judge ? `${judge === EXPERT_HEAD ? say("expertHead") : sayStyle(judge)}${judge_nodes ? ` · ${judge_nodes.toLocaleString()} ${say("nodes")}` : ""}` : say("nobodyJudges"));

/** Both players, what their moves look like, and who judged them. */
export function Players({ job, game, kind, sides }: { job: Job; game: GameName; kind: Kind; sides: [string, string] }) {
  const start = job.start!;
  return (
    <section class="players">
      {start.players.map((player, side) => {
        const found = job.summary?.players[side]!, all = found?.phases.find(({ phase }) => phase === "all");
        return (
          <div key={side} class="rated">
            <h2><i class={`stone ${sides[0] === "White" ? "white-first" : ""} of-${side}`} aria-hidden="true" />{player.name || saySide(game, sides[side]!)} <small>{player.name ? saySide(game, sides[side]!) : ""} {player.rating === null || !start.told ? "" : sayLevel(kind, player.rating)}</small></h2>
            {found?.estimate ? <p><small>{say("estimate")}</small> <span class="estimate">{sayLevel(kind, found.estimate.rating)}</span> <small class="span">{sayLevel(kind, found.estimate.low)} – {sayLevel(kind, found.estimate.high)}</small></p>
              : start.told && <p class="note">{say("takenAs")} {sayLevel(kind, start.told[side]!)}</p>}
            {all && all.matched !== null && <p class="note">{say("matched")} {percent(all.matched)}{all.mean_loss !== null && ` · ${say("meanLoss")} ${percent(all.mean_loss, 1)}`}</p>}
          </div>
        );
      })}
      {!start.told && <p class="note asked">{start.mind.startsWith("twin:") ? say("throughEyes") : `${say("noHuman")} ${say("askedInstead")}`}: {sayStyle(start.mind)}</p>}
      <p class="note judge">{start.pool && `${start.pool} · `}{say("judgedBy")}: {sayJudge(start)}</p>
    </section>
  );
}

/** The move that was just played: how many play it, what it cost, what else there was, and who plays it by level. */
export function StepFigures({ step, start, kind, onHover }: { step: ReviewStep | undefined; start: ReviewStart; kind: Kind; onHover: (move: string | null) => void }) {
  if (!step) return <section class="step"><h2>{say("start_")}</h2></section>;
  const bars = step.candidates.map(({ move, name, probability }) => ({ key: move, name, share: probability, ...(move === step.move ? { note: say("played") } : {}) }));
  const span = step.main_from === null ? "" : `${say("mainFrom")} ${sayLevel(kind, step.main_from)}${step.main_to !== null && step.main_to !== step.main_from ? `–${sayLevel(kind, step.main_to)}` : ""}`;
  const cost = step.loss === null ? "" : step.loss < COSTLY ? say("nothingBetter") : `${say("loss")} ${percent(step.loss)}`;
  return (
    <section class="step">
      <h2>{numbered(start.game, step)} {step.name} {step.label && <span class={`label ${step.label.replaceAll(" ", "-")}`}>{sayTerm(step.label)}</span>}</h2>
      <p class="note">{percent(step.probability, step.probability < 0.1 ? 1 : 0)} {step.rating === null ? sayStyle(start.mind) : `${say("likely")} (${sayLevel(kind, step.rating)})`}{span && ` · ${span}`}</p>
      {cost && <p class="note">{cost}{step.best_name && step.best_move !== step.move && step.loss! >= COSTLY && <> · <span class="best-key">★</span> {say("bestMove")} <b>{step.best_name}</b></>}</p>}
      {step.chance_before !== null && step.chance_after !== null && <p class="note">{say(start.told ? "peopleScore" : "expectedScore")} {percent(step.chance_before)} → {percent(step.chance_after)}</p>}
      <Bars bars={bars} onHover={onHover} />
      {start.ratings.length > 1 && <details class="by-level" open><summary>{say("everyLevel")}</summary>
        <Curves xs={start.ratings} labels={start.ratings.map((rating) => sayLevel(kind, rating))} caption={say("everyLevel")} series={[{ name: step.name, values: step.by_rating }]} /></details>}
    </section>
  );
}
