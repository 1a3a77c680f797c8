import { useState } from "preact/hooks";
import { forgetTwin, type Info, type ShownTwin, turnTwin } from "../api";
import { say, sayGame, sayLevel, sayRefusal, type Word } from "../words";
import { GameIcon } from "./game_icon";
import { follow } from "./route";

const filled = (word: Word, values: Record<string, string>) => say(word).replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");

/** One twin: how far it is, or what it is worth and what can be done with it. */
export function TwinCard({ twin, info, onTold, onGone }: { twin: ShownTwin; info: Info; onTold: (twins: ShownTwin[]) => void; onGone: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const [wrong, setWrong] = useState("");
  const turn = (what: "stop" | "resume") => turnTwin(twin.name, what).then(onTold, (problem: Error) => setWrong(problem.message));
  const forget = () => forgetTwin(twin.name).then(onGone, (problem: Error) => setWrong(problem.message));
  const scale = info.games.find(({ name }) => name === twin.game)?.scale;
  const place = `kind=${twin.game}&`;
  return (
    <li class="panel twin" data-state={twin.state} data-name={twin.name}>
      <header><GameIcon game={twin.game} /><h3>{twin.name}</h3><span class="note">{sayGame(twin.game)}{scale && twin.rating !== null ? ` · ${sayLevel(scale.kind, Math.round(twin.rating))}` : ""}</span></header>
      {(twin.state === "waiting" || twin.state === "working") && <Progress twin={twin} />}
      {twin.state === "stopped" && <p class="note">{say("twinStopped")}</p>}
      {twin.state === "failed" && <p class="wrong" role="alert">{say("twinFailed")} {sayRefusal(twin)}</p>}
      {twin.state === "done" && <Worth twin={twin} />}
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {asking ? (
        <div class="buttons sure" role="group" aria-label={say("sureForget")}><span>{say("sureForget")}</span>
          <button type="button" class="danger" onClick={forget}>{say("yes")}</button><button type="button" onClick={() => setAsking(false)}>{say("no")}</button></div>
      ) : (
        <div class="buttons">
          {twin.state === "done" && <a class="button main play" href={`/?${place}style=${encodeURIComponent(twin.style)}`} onClick={follow}>{say("twinPlay")}</a>}
          {twin.state === "done" && <a class="button eyes" href={`/review?${place}eyes=${encodeURIComponent(twin.style)}`} onClick={follow}>{say("twinEyes")}</a>}
          {(twin.state === "waiting" || twin.state === "working") && <button type="button" class="stop" onClick={() => turn("stop")}>{say("twinStop")}</button>}
          {twin.state === "stopped" && <button type="button" class="main resume" onClick={() => turn("resume")}>{say("twinResume")}</button>}
          <button type="button" class="forget" onClick={() => setAsking(true)}>{say("twinForget")}</button>
        </div>
      )}
    </li>
  );
}

/** The stages stand in a row, the present one fills. */
function Progress({ twin }: { twin: ShownTwin }) {
  const stages = ["games", "decisions", "fits"] as const;
  const now = stages.indexOf(twin.stage as (typeof stages)[number]);
  const share = (at: number) => (at < now ? 1 : at > now || twin.total === 0 ? 0 : Math.min(twin.done / twin.total, 1));
  const whole = Math.round(100 * (0.1 * share(0) + 0.75 * share(1) + 0.15 * share(2)));
  const counted = twin.stage === "decisions" ? ` ${twin.done.toLocaleString()} / ${twin.total.toLocaleString()}` : "";
  const told = twin.state === "waiting" ? `${say("twinWaiting")}${twin.ahead ? ` · ${twin.ahead} ${say("twinAhead")}` : ""}` : `${say(`stage_${twin.stage}`)}${counted}`;
  return (
    <div class="making">
      <progress max={100} value={whole} aria-label={twin.name} />
      <p class="note" aria-live="polite">{told}</p>
    </div>
  );
}

function Worth({ twin }: { twin: ShownTwin }) {
  const [points, low, high] = twin.points.map((each) => each.toFixed(1));
  const values = { points: points ?? "", low: low ?? "", high: high ?? "" };
  const told = twin.is_base ? say("twinIsBase") : twin.points.length < 3 ? "" : filled((twin.points[1] ?? 0) > 0 ? "twinGain" : "twinLess", values);
  return (
    <>
      <p class="figures"><b>{twin.games.toLocaleString()}</b> {say("gamesInFile")} <b>{twin.decisions.toLocaleString()}</b> {say("moves")} <b>{Math.max(1, Math.round(twin.size_bytes / 1000))}</b> KB</p>
      {told && <p class="note worth">{told}</p>}
    </>
  );
}
