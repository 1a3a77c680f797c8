import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { awaitTrial, fetchTrial, fetchVisit, Refused, type Revealed, sendTrialMove, sendVerdict, type TrialState, type Verdict, type Visit } from "../api";
import { AnyBoard } from "../boards/board";
import { gameOf } from "../games";
import { Choices } from "../parts/choices";
import { LineNote } from "../parts/line_note";
import { useLive } from "../parts/live";
import { follow } from "../parts/route";
import { Steps } from "../parts/steps";
import { currentLanguage, say, saySide } from "../words";

const SCALES = ["likeness", "aggressive", "careful", "consistent", "strong"] as const;
type Scale = (typeof SCALES)[number];
const MOVE_MILLISECONDS = 900;

/** A visitor's way through a test: a game, a judgement, the next game. */
export function VisitPage({ id }: { id: string }) {
  const { state: visit, line, wrong, look } = useLive<Visit>(id, () => fetchVisit(id), () => null);
  return (
    <main id="content" data-done={visit?.done}>
      <LineNote line={line} onRetry={look} />
      {wrong && <p class="wrong" role="alert">{wrong.message}</p>}
      {visit && visit.trial !== null && (
        <>
          <p class="note progress-line">{say("gameOf")} {visit.done + 1} {say("of")} {visit.total} <progress max={visit.total} value={visit.done} aria-label={visit.study.title} /></p>
          <Trial key={visit.trial} id={visit.trial} plies={visit.study.plies} onJudged={look} />
        </>
      )}
      {visit && visit.trial === null && <section class="home"><h1>{say("thanks")}</h1>{visit.revealed.length > 0 && <Reveal rows={visit.revealed} />}<p><a href="/bot-or-not" onClick={follow}>{say("botOrNot")}</a></p></section>}
    </main>
  );
}

function Reveal({ rows }: { rows: Revealed[] }) {
  return (
    <div class="panel scroll"><table><thead><tr><th>{say("gameOf")}</th><th>{say("itWas")}</th><th>{say("youSaid")}</th><th>{say("likenessMean")}</th><th /></tr></thead>
      <tbody>{rows.map((row) => <tr key={row.number}><td>{row.number}</td><td>{row.opponent}</td><td>{say(row.called_human ? "aPerson" : "aProgram")}</td><td>{row.likeness ?? "–"}</td><td>{say(row.called_human === row.is_human ? "right" : "wrongGuess")}</td></tr>)}</tbody></table></div>
  );
}

function Trial({ id, plies, onJudged }: { id: string; plies: number; onJudged: () => void }) {
  const live = useLive<TrialState>(id, () => fetchTrial(id), (now) => (now.mode === "play" && !now.over && !now.your_turn && !now.done ? () => awaitTrial(id) : null));
  const { state, sent } = live;
  const [wrong, setWrong] = useState("");
  const [at, setAt] = useState(0);
  const [running, setRunning] = useState(true);
  const [seen, setSeen] = useState(0);
  const busy = useRef(false);
  const isJudged = useRef(false);
  /** One at a time, and once. An answer that is there already, sent before the line broke, is as good. */
  const judge = useCallback(async (verdict: Verdict) => {
    if (busy.current) return;
    busy.current = true;
    setWrong("");
    try {
      if (!isJudged.current) await sendVerdict(id, verdict);
      isJudged.current = true;
      onJudged();
    } catch (problem) {
      isJudged.current = problem instanceof Refused && problem.status === 409;
      if (isJudged.current) onJudged();
      else setWrong(problem instanceof Refused ? problem.message : say("lineGone"));
    } finally {
      busy.current = false;
    }
  }, [id, onJudged]);
  useEffect(() => { if (state?.done) onJudged(); }, [state]);  // judged in another tab, or it cannot go on: there may be another
  const last = (state?.boards.length ?? 1) - 1;
  useEffect(() => { setSeen((before) => Math.max(before, at)); }, [at]);
  useEffect(() => {
    if (state?.mode !== "watch" || !running || at >= last) return;
    const timer = setTimeout(() => setAt(at + 1), MOVE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [state, running, at, last]);
  const play = useCallback((move: string) => { if (state) void live.change(() => sendTrialMove(id, move, state.ply), move); }, [state]);
  const problem = wrong || live.wrong?.message;
  if (state === null) return <><LineNote line={live.line} onRetry={live.look} /><p class="wrong" role="alert">{problem}</p></>;
  const watching = state.mode === "watch";
  const board = state.boards[watching ? at : 0]!;
  const judged = saySide(state.game, state.sides[state.side]!);
  const ready = watching ? seen >= last : state.judgeable;
  return (
    <div class="table" data-turn={state.waiting ? "nobody" : state.over ? "over" : state.your_turn ? "you" : "them"} data-ply={state.ply}>
      <div class="board-column">
        <AnyBoard game={state.game} board={board} bottom={watching ? state.side : 1 - state.side} movable={state.your_turn && sent === null} sent={sent} marks={[]} onMove={play} />
        {watching && <Steps at={at} last={last} onStep={(ply) => { setRunning(false); setAt(ply); }} />}
        {!watching && !state.over && gameOf(state.game)?.passes && board.kind !== "drawing" && <div class="buttons steps"><button type="button" disabled={!state.your_turn || sent !== null} onClick={() => play("pass")}>{say("pass")}</button></div>}
      </div>
      <div class="panel side">
        <LineNote line={live.line} onRetry={live.look} />
        {problem && <p class="wrong" role="alert">{problem}</p>}
        <h1 class="small">{say("judgeThis")} <mark>{judged}</mark>{currentLanguage() === "ja" ? "" : "?"}</h1>
        {!watching && !state.over && <p class="status" role="status">{say(state.waiting ? "seeking" : state.your_turn ? "yourTurn" : "thinking")}</p>}
        {!ready && <p class="note">{watching ? say("keepWatching") : `${say("playAndJudge")} ${plies}`}</p>}
        {ready && <Judging onSend={(verdict) => void judge(verdict)} />}
      </div>
    </div>
  );
}

function Judging({ onSend }: { onSend: (verdict: Verdict) => void }) {
  const [human, setHuman] = useState<"yes" | "no" | "">("");
  const [values, setValues] = useState<Partial<Record<Scale, number>>>({});
  return (
    <form class="judging" onSubmit={(event) => { event.preventDefault(); if (human) onSend({ called_human: human === "yes", ...values }); }}>
      <Choices label={say("humanOrBot")} value={human} onChoose={setHuman} options={[{ value: "yes", name: say("aPerson") }, { value: "no", name: say("aProgram") }]} />
      {SCALES.map((name) => <Slider key={name} name={name} value={values[name]} onChange={(value) => setValues({ ...values, [name]: value })} />)}
      <p class="note">{say("leftOut")}</p>
      <button class="main" type="submit" disabled={human === ""}>{say("submit")}</button>
    </form>
  );
}

/** A figure from 0 to 100 that has to be chosen: what nobody touched is no answer, and one that was given can be taken away again. */
function Slider({ name, value, onChange }: { name: Scale; value: number | undefined; onChange: (value: number | undefined) => void }) {
  const choose = (event: Event) => onChange(Number((event.currentTarget as HTMLInputElement).value));
  const press = (event: KeyboardEvent) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(event); } };
  return (
    <div class={`slider ${value === undefined ? "unset" : ""}`} data-scale={name}>
      <label><span>{say(name)}</span><input type="range" name={name} min={0} max={100} value={value ?? 50} aria-valuetext={value === undefined ? say("notAnswered") : String(value)} onInput={choose} onPointerUp={choose} onKeyDown={press} /></label>
      <span class="given">{value === undefined ? <small>{say("notAnswered")}</small> : <><output>{value}</output><button type="button" aria-label={`${say("leaveOut")}: ${say(name)}`} title={say("leaveOut")} onClick={() => onChange(undefined)}>✕</button></>}</span>
    </div>
  );
}
