import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { fetchGame, fetchRecord, type GameName, type Info, type ListedGame } from "../api";
import { gameOf, mainFormat } from "../games";
import { GameIcon } from "../parts/game_icon";
import { type Job, lookInto, newJob, reviewOne } from "../parts/review_job";
import { Reviewed } from "../parts/reviewed";
import { type Upload, UploadForm, type Wish } from "../parts/upload";
import { say, sayGame, sayLevel, sayMoves } from "../words";

/** What the address asks for: a game of this server, or a game as text after the #. */
function addressed() {
  const query = new URLSearchParams(location.search), kind = query.get("kind");
  return { id: query.get("game") ?? "", kind: kind && gameOf(kind) ? kind : null, ply: Number(query.get("ply") ?? 0) || 0, text: decodeURIComponent(location.hash.slice(1)), eyes: query.get("eyes") ?? "" };
}

/** Records, reviewed one after the other; each of its own game, and one with several games by the visitor's choice. */
export function ReviewPage({ info }: { info: Info }) {
  const [asked] = useState(addressed);
  const [wish, setWish] = useState<Wish>({ game: asked.kind ?? info.games[0]!.name, rating: undefined, judge: true, eyes: asked.eyes });
  const [jobs, setJobs] = useState<Job[]>([]);
  const [chosen, setChosen] = useState(0);
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState(false);
  const [gameId, setGameId] = useState(asked.id);
  const [wrong, setWrong] = useState("");
  const stopper = useRef<AbortController | null>(null);

  const change = (at: number) => (part: (job: Job) => Partial<Job>) => setJobs((before) => before.map((job, place) => (place === at ? { ...job, ...part(job) } : job)));
  const work = useCallback(async (tasks: [number, (stop: AbortSignal) => Promise<void>][]) => {
    stopper.current?.abort();
    const stop = (stopper.current = new AbortController());
    setOpen(false);
    setBusy(true);
    for (const [at, task] of tasks) {
      try {
        await task(stop.signal);
      } catch (problem) {
        if (stop.signal.aborted) break;
        change(at)(() => ({ wrong: (problem as Error).message }));
      }
    }
    if (stopper.current === stop) setBusy(false);
  }, []);
  const begin = (uploads: Upload[], wanted: Wish) => {
    setChosen(0);
    setJobs(uploads.map(newJob));
    void work(uploads.map((upload, at) => [at, (stop) => lookInto(upload, wanted, change(at), stop)]));
  };
  const choose = (at: number, number: number) => {
    const { upload, listed } = jobs[at]!;
    void work([[at, (stop) => reviewOne(upload, listed!.game, number, wish, change(at), stop)]]);
  };

  useEffect(() => {
    const load = async () => {
      const kind = asked.kind ?? (await fetchGame(asked.id)).game;
      const content = await fetchRecord(asked.id, mainFormat(kind));
      begin([{ name: `game.${mainFormat(kind)}`, content }], { ...wish, game: kind });
    };
    if (asked.id) load().catch((problem: Error) => setWrong(problem.message));
    else if (asked.text) begin([{ name: "", content: asked.text }], wish);
    return () => stopper.current?.abort();
  }, []);

  const job = jobs[chosen];
  const step = (ply: number) => { if (gameId && job?.start) history.replaceState(null, "", `/review?game=${gameId}&kind=${job.start.game}&ply=${ply}`); };
  const fresh = (uploads: Upload[]) => { setGameId(""); setWrong(""); history.replaceState(null, "", wish.eyes ? `/review?kind=${wish.game}&eyes=${encodeURIComponent(wish.eyes)}` : "/review"); begin(uploads, wish); };
  return (
    <main class="review" id="content">
      {jobs.length > 0 && !open && <div class="buttons"><button type="button" onClick={() => setOpen(true)}>{say("another")}</button>
        {busy && <button type="button" onClick={() => { stopper.current?.abort(); setBusy(false); }}>{say("stop")}</button>}</div>}
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {(jobs.length === 0 || open) && <UploadForm info={info} wish={wish} onWish={setWish} onBegin={fresh} />}
      {jobs.length > 1 && <ol class="jobs">{jobs.map((each, at) => <JobLine key={at} job={each} info={info} current={at === chosen} onChoose={() => setChosen(at)} />)}</ol>}
      {job?.listed && job.listed.total > 1 && <GameChooser key={`list ${chosen}`} job={job} info={info} onChoose={(number) => choose(chosen, number)} />}
      {job?.wrong && !job.start && <p class="wrong" role="alert">{job.wrong}</p>}
      {job?.start && <Reviewed key={`${chosen} ${job.start.number}`} job={job} info={info} gameId={gameId} firstAt={gameId ? asked.ply : 0} onStep={step} />}
    </main>
  );
}

const kindOf = (info: Info, game: GameName) => info.games.find((each) => each.name === game)!.scale.kind;
const levelText = (kind: "rating" | "rank", rating: number | null) => (rating === null ? "" : ` ${sayLevel(kind, rating)}`);

/** One of several records: its name, its game, and how far its review is. */
function JobLine({ job, info, current, onChoose }: { job: Job; info: Info; current: boolean; onChoose: () => void }) {
  const { start, steps, summary, listed } = job;
  const told = summary && start ? summary.players.map((player, side) => `${player.name || start.players[side]!.name || player.side}${levelText(kindOf(info, start.game), player.estimate?.rating ?? null)}`).join(" · ")
    : start ? `${steps.length} / ${start.moves}` : listed && listed.total > 1 ? `${listed.total} ${say("gamesInFile")}` : "…";
  return <li><button type="button" aria-current={current} onClick={onChoose}>{listed && <GameIcon game={listed.game} />}<b>{job.upload.name || (listed ? sayGame(listed.game) : say("game"))}</b> <span class={job.wrong ? "wrong" : ""}>{job.wrong || told}</span></button></li>;
}

/** The games of one file; the one under review is marked. */
function GameChooser({ job, info, onChoose }: { job: Job; info: Info; onChoose: (number: number) => void }) {
  const { game, games, total } = job.listed!;
  const kind = kindOf(info, game);
  const line = ({ number, players, ratings, moves, result, date }: ListedGame) => (
    <li key={number}><button type="button" disabled={moves === 0} aria-current={job.start?.number === number} onClick={() => onChoose(number)}>
      <i>{number}</i><b>{moves === 0 ? say("cannotBeRead") : players.map((name, side) => `${name || "?"}${levelText(kind, ratings[side]!)}`).join(" – ")}</b> <span>{result}</span> <span>{moves > 0 && sayMoves(moves)}</span> <time>{date}</time></button></li>
  );
  return (
    <section class="panel chooser">
      <h2>{say("chooseGame")} <small>{total} {say("gamesInFile")}{total > games.length && ` · ${say("firstShown")}`}</small></h2>
      <ol tabIndex={0} aria-label={say("chooseGame")}>{games.map(line)}</ol>
    </section>
  );
}
