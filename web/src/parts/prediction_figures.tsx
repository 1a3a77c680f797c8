import type { Foretold } from "../api";
import { percent, say, sayLevel, saySide, sayStyle } from "../words";
import { Bars } from "./bars";
import { Curves } from "./curves";

const CURVES = 6;
/** Styles that play as people of the level do; others are called by their names. */
const PEOPLE = ["human", "blend", "search"];

/** The moves at one level, and moves and chances over all levels. */
export function PredictionFigures({ answer, at, setAt, onHover, onPick, kind, sides }: {
  answer: Foretold; at: number; setAt: (at: number) => void; onHover: (move: string | null) => void; onPick: (move: string) => void; kind: "rating" | "rank"; sides: [string, string];
}) {
  const labels = answer.ratings.map((rating) => sayLevel(kind, rating));
  const { expert } = answer;
  const bars = answer.candidates
    .map(({ move, name, probabilities }, place) => ({
      key: move, name, share: probabilities[at] ?? 0, ...(expert ? { other: expert.probabilities[place] ?? 0 } : {}), ...(move === answer.played ? { note: say("played") } : {}),
    }))
    .sort((one, other) => Math.max(other.share, other.other ?? 0) - Math.max(one.share, one.other ?? 0)).slice(0, 8).sort((one, other) => other.share - one.share);
  const rest = Math.max(0, 1 - bars.reduce((sum, bar) => sum + bar.share, 0));
  const follows = answer.style.follows_level;
  const side = saySide(answer.game, sides[0]);
  const whose = PEOPLE.includes(answer.style.name) ? say("people") : sayStyle(answer.style.name);
  const chances = [{ name: whose, values: answer.scores }, ...(expert && expert.score !== null ? [{ name: say("expertView"), values: answer.ratings.map(() => expert.score) }] : [])];
  return (
    <>
      <section>
        <h2>{follows ? `${say("moveChances")} ${labels[at]}` : sayStyle(answer.style.name)} <small>{follows ? answer.pool : ""}</small></h2>
        {follows ? <input type="range" name="level" min={0} max={answer.ratings.length - 1} value={at} aria-label={say("level")} aria-valuetext={labels[at]} onInput={(event) => setAt(Number(event.currentTarget.value))} />
          : <p class="note">{say("oneLevel")}{answer.scores[at] != null && <> {side}: {say("expectedScore")} <b>{percent(answer.scores[at]!)}</b></>}</p>}
        {expert && <p class="legend"><span class="key-people">{whose}</span> <span class="key-expert">{say("expertView")}</span></p>}
        <Bars bars={bars} onHover={onHover} onPick={onPick} />
        <p class="note">{say("others")}: {(100 * rest).toFixed(1)}%</p>
      </section>
      {follows && (
        <section>
          <h2>{say("byLevel")}</h2>
          <Curves xs={answer.ratings} labels={labels} caption={say("byLevel")} series={answer.candidates.slice(0, CURVES).map(({ name, probabilities }) => ({ name, values: probabilities }))} />
        </section>
      )}
      {follows && answer.scores.some((score) => score !== null) && (
        <section>
          <h2>{side} {say("scoreByLevel")} {expert && expert.score !== null && <small>{say("expertView")} {percent(expert.score)}</small>}</h2>
          <Curves xs={answer.ratings} labels={labels} most={1} caption={say("winsByLevel")} series={chances} />
        </section>
      )}
    </>
  );
}
