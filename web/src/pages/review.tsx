import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Board, type GameName, type Info, recordAddress, review, type ReviewPlayer, type ReviewStep, type ReviewSummary } from "../api";
import { AnyBoard } from "../boards/board";
import { Bars } from "../parts/bars";
import { Choices } from "../parts/choices";
import { GameIcon } from "../parts/game_icon";
import { ChancesGraph } from "../parts/graph";
import { Steps } from "../parts/steps";
import { percent, say, sayLevel, saySide, sayTerm } from "../words";

interface Job { name: string; content: BodyInit; boards: Board[]; steps: ReviewStep[]; total: number; summary: ReviewSummary | null; broken: string; wrong: string }
const GAME_OF: Record<string, GameName> = { pgn: "chess", kif: "shogi", kifu: "shogi", ki2: "shogi", csa: "shogi", sgf: "go" };
const NOTABLE = ["rare blunder", "blunder", "typical mistake", "mistake", "missed chance"];
const RECORD_KIND = { chess: "pgn", shogi: "kif", go: "sgf" } as const;

export function ReviewPage({ info }: { info: Info }) {
  const [game, setGame] = useState<GameName>("chess");
  const [judge, setJudge] = useState(true);
  const [rating, setRating] = useState("");
  const [text, setText] = useState("");
  const [jobs, setJobs] = useState<Job[]>([]);
  const [chosen, setChosen] = useState(0);
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState(false);
  const stopper = useRef<AbortController | null>(null);

  const begin = useCallback(async (kind: GameName, records: { name: string; content: BodyInit }[]) => {
    stopper.current?.abort();
    const stop = (stopper.current = new AbortController());
    setGame(kind);
    setChosen(0);
    setOpen(false);
    setBusy(true);
    setJobs(records.map((record) => ({ ...record, boards: [], steps: [], total: 0, summary: null, broken: "", wrong: "" })));
    const change = (at: number, part: (job: Job) => Partial<Job>) => setJobs((before) => before.map((job, place) => (place === at ? { ...job, ...part(job) } : job)));
    for (const [at, record] of records.entries()) {
      try {
        for await (const event of review(kind, record.name, record.content, { rating: rating ? Number(rating) : undefined, judge, number: 1 }, stop.signal)) {
          if (event.kind === "start") change(at, () => ({ boards: [event.board], total: event.moves, broken: event.broken }));
          else if (event.kind === "step") change(at, (job) => ({ steps: [...job.steps, event], boards: [...job.boards, event.board] }));
          else if (event.kind === "summary") change(at, () => ({ summary: event }));
          else change(at, () => ({ wrong: event.error }));
        }
      } catch (problem) {
        if (stop.signal.aborted) break;
        change(at, () => ({ wrong: (problem as Error).message }));
      }
    }
    if (stopper.current === stop) setBusy(false);
  }, [judge, rating]);

  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const id = query.get("game"), kind = query.get("kind") as GameName | null;
    if (id && kind && kind in RECORD_KIND) {
      fetch(recordAddress(id, RECORD_KIND[kind])).then((answer) => answer.arrayBuffer()).then((content) => begin(kind, [{ name: `game.${RECORD_KIND[kind]}`, content }]), () => undefined);
    }
    return () => stopper.current?.abort();
  }, []);

  const take = (files: FileList | null) => {
    const list = [...(files ?? [])];
    if (list.length === 0) return;
    const kind = GAME_OF[list[0]!.name.split(".").at(-1)!.toLowerCase()] ?? game;
    void begin(kind, list.map((file) => ({ name: file.name, content: file })));
  };
  const scale = info.games.find((each) => each.name === game)!.scale;
  const job = jobs[chosen];
  return (
    <main class="review" id="content">
      {jobs.length > 0 && !open && <div class="buttons"><button type="button" onClick={() => setOpen(true)}>{say("another")}</button>
        {busy && <button type="button" onClick={() => { stopper.current?.abort(); setBusy(false); }}>{say("stop")}</button>}</div>}
      {(jobs.length === 0 || open) && <form class="panel upload" onSubmit={(event) => { event.preventDefault(); if (text.trim()) void begin(game, [{ name: "", content: text }]); }}
        onDragOver={(event) => event.preventDefault()} onDrop={(event) => { event.preventDefault(); take(event.dataTransfer?.files ?? null); }}>
        <h1 class="small">{say("review")}</h1>
        <p class="note">{say("reviewIntro")}</p>
        <div class="pair">
          <Choices label={say("game")} value={game} options={info.games.map((each) => ({ value: each.name, name: say(each.name), sign: <GameIcon game={each.name} /> }))} onChoose={setGame} />
          <label>{say("ratingOf")}
            <select value={rating} onChange={(event) => setRating(event.currentTarget.value)}>
              <option value="">{say("asRecorded")}</option>
              {levels(scale.low, scale.high, scale.kind === "rating" ? 100 : 1).map((level) => <option key={level} value={level}>{sayLevel(scale.kind, level)}</option>)}
            </select></label>
        </div>
        <label class="dropzone"><input type="file" multiple accept=".pgn,.kif,.kifu,.ki2,.csa,.sgf" onChange={(event) => take(event.currentTarget.files)} /><span>{say("drop")}</span></label>
        <label>{say("orPaste")}<textarea rows={3} spellcheck={false} value={text} placeholder={{ chess: "PGN", shogi: "KIF, KI2, CSA", go: "SGF" }[game]} onInput={(event) => setText(event.currentTarget.value)} /></label>
        <label class="check"><input type="checkbox" checked={judge} onChange={(event) => setJudge(event.currentTarget.checked)} /> {say("withJudge")}</label>
        <div class="buttons"><button class="main" type="submit" disabled={!text.trim()}>{say("begin")}</button></div>
      </form>}
      {jobs.length > 1 && <ol class="jobs">{jobs.map((each, at) => (
        <li key={at}><button type="button" aria-current={at === chosen} onClick={() => setChosen(at)}><b>{each.name}</b> <span>{each.wrong || (each.summary ? each.summary.players.map((player) => tell(player, scale.kind)).join(" · ") : each.total ? `${each.steps.length} / ${each.total}` : "…")}</span></button></li>
      ))}</ol>}
      {job && <Reviewed key={chosen} job={job} game={game} info={info} />}
    </main>
  );
}

/** A move's number as its people count: chess counts both sides' moves as one. */
const numbered = (game: GameName, ply: number) => (game === "chess" ? `${Math.floor(ply / 2) + 1}${ply % 2 ? "…" : "."}` : `${ply + 1}.`);
const levels = (low: number, high: number, step: number) => Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, at) => Math.ceil(low / step) * step + at * step).filter((level) => level <= high);
const tell = (player: ReviewPlayer, kind: "rating" | "rank") => (player.estimate ? `${player.name || player.side} ${sayLevel(kind, player.estimate.rating)}` : player.name || player.side);

function Reviewed({ job, game, info }: { job: Job; game: GameName; info: Info }) {
  const [at, setAt] = useState(0);
  const { kind } = info.games.find((each) => each.name === game)!.scale;
  const sides = info.games.find((each) => each.name === game)!.sides;
  const step = at > 0 ? job.steps[at - 1] : undefined;
  const own = (each: ReviewStep, chance: number | null) => (chance === null ? null : each.side === 0 ? chance : 1 - chance);
  const scores = job.boards.map((_, ply) => (ply === 0 ? (job.steps[0] ? own(job.steps[0], job.steps[0].chance_before) : null) : own(job.steps[ply - 1]!, job.steps[ply - 1]!.chance_after)));
  const board = job.boards[Math.min(at, job.boards.length - 1)];
  const label = `${say("chancesGraph")} — ${saySide(game, sides[0])}`;
  return (
    <section class="table reviewed" aria-label={say("review")} data-done={job.summary ? "yes" : "no"}>
      <div class="board-column">
        {board && <AnyBoard game={game} board={board} bottom={0} movable={false} onMove={() => undefined}
          marks={[]} />}
        {board && <Steps at={at} last={job.boards.length - 1} onStep={setAt} />}
      </div>
      <div class="panel side">
        {job.wrong && <p class="wrong" role="alert">{job.wrong}</p>}
        {!job.summary && !job.wrong && <p role="status"><progress max={job.total || 1} value={job.steps.length} aria-label={say("reviewing")} /> {say("reviewing")} {job.steps.length} / {job.total}</p>}
        {job.broken && <p class="note">{say("brokenAfter")} {job.broken}</p>}
        {job.summary && <Players summary={job.summary} game={game} kind={kind} />}
        <section><h2>{label}</h2><ChancesGraph scores={scores} at={at} marked={(job.summary?.turning_points ?? []).map((ply) => ply + 1)} label={label} onPick={(ply) => setAt(Math.min(Math.max(ply, 0), job.boards.length - 1))} /></section>
        {step && <StepFigures step={step} game={game} kind={kind} />}
        {job.summary && <Mistakes steps={job.steps} game={game} sides={sides} onPick={(ply) => setAt(ply + 1)} />}
      </div>
    </section>
  );
}

function Players({ summary, game, kind }: { summary: ReviewSummary; game: GameName; kind: "rating" | "rank" }) {
  return (
    <section class="players">
      {summary.games > 1 && <p class="note">{summary.games} {say("manyGames")} {summary.number}</p>}
      {summary.players.map((player) => {
        const all = player.phases.find(({ phase }) => phase === "all");
        return (
          <div key={player.side} class="rated">
            <h2>{player.name || saySide(game, player.side)} <small>{player.name && player.name !== player.side ? saySide(game, player.side) : ""} {player.rating === null ? "" : sayLevel(kind, player.rating)}</small></h2>
            {player.estimate && <p><small>{say("estimate")}</small> <span class="estimate">{sayLevel(kind, player.estimate.rating)}</span></p>}
            {player.estimate && <p class="note">{sayLevel(kind, player.estimate.low)} – {sayLevel(kind, player.estimate.high)} {summary.pool}</p>}
            {all && all.matched !== null && <p class="note">{say("matched")} {percent(all.matched)}</p>}
            {all && all.mean_loss !== null && <p class="note">{say("meanLoss")} {percent(all.mean_loss, 1)} · {say("blunders")} {all.blunders}</p>}
          </div>
        );
      })}
    </section>
  );
}

function StepFigures({ step, game, kind }: { step: ReviewStep; game: GameName; kind: "rating" | "rank" }) {
  const bars = step.candidates.map(({ move, name, probability }) => ({ key: move, name, share: probability, ...(move === step.move ? { note: say("played") } : {}) }));
  return (
    <section class="step">
      <h2>{numbered(game, step.ply)} {step.name} {step.label && <span class={`label ${step.label.replaceAll(" ", "-")}`}>{sayTerm(step.label)}</span>}</h2>
      <p class="note">{percent(step.probability, 1)} {say("likely")} ({sayLevel(kind, step.rating)}){step.loss !== null && ` · ${say("loss")} ${percent(step.loss, 1)}`}
        {step.best_name && step.best_move !== step.move && <> · {say("bestMove")} <b>{step.best_name}</b></>}
        {step.main_from !== null && <> · {say("mainFrom")} {sayLevel(kind, step.main_from)}{step.main_to !== null && step.main_to !== step.main_from ? `–${sayLevel(kind, step.main_to)}` : ""}</>}</p>
      <Bars bars={bars} />
    </section>
  );
}

function Mistakes({ steps, game, sides, onPick }: { steps: ReviewStep[]; game: GameName; sides: [string, string]; onPick: (ply: number) => void }) {
  const found = steps.filter(({ label }) => NOTABLE.includes(label));
  return (
    <section>
      <h2>{say("mistakes")}</h2>
      {found.length === 0 && <p class="note">{say("noMistakes")}</p>}
      <ul class="mistakes">{found.map((step) => (
        <li key={step.ply}><button type="button" onClick={() => onPick(step.ply)}><span>{numbered(game, step.ply)} <b>{step.name}</b> <small>{saySide(game, sides[step.side]!)}</small></span>
          <span class={`label ${step.label.replaceAll(" ", "-")}`}>{sayTerm(step.label)}</span><span class="cost">{step.loss === null ? percent(step.probability) : `−${percent(step.loss)}`}</span></button></li>
      ))}</ul>
    </section>
  );
}
