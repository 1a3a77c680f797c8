import { useEffect, useState } from "preact/hooks";
import type { Info } from "../api";
import { AnyBoard, type Mark, turns } from "../boards/board";
import { gameOf } from "../games";
import { say, sayLevel, saySide, sayStyle } from "../words";
import { ChancesGraph, type GraphLine } from "./graph";
import { curvesOf, type Job, NOTABLE, numbered, textOf } from "./review_job";
import { PieceSetButton } from "./piece_set";
import { Players, StepFigures } from "./review_figures";
import { MoveList, NotableMoves, Phases } from "./review_lists";
import { follow } from "./route";
import { Steps } from "./steps";

const COSTLY = 0.02;
const LARGEST_RANK = 100, FAR_RATING = 100, FAR_RANKS = 2;

/** A review to walk through: the board, the curve, the move and the lists. `gameId` is the game's own page, where it has one. */
export function Reviewed({ job, info, gameId, firstAt, onStep }: { job: Job; info: Info; gameId: string; firstAt: number; onStep: (at: number) => void }) {
  const [at, setAt] = useState(firstAt);
  const [bottom, setBottom] = useState(0);
  const [held, setHeld] = useState<string | null>(null);
  const { start, steps, boards, summary } = job;
  const game = start!.game;
  const { sides, scale: { kind } } = info.games.find((each) => each.name === game)!;
  const last = Math.max(boards.length - 1, 0), here = Math.min(at, last);
  const step = here > 0 ? steps[here - 1] : undefined;
  const go = (ply: number) => { const to = Math.min(Math.max(ply, 0), last); setHeld(null); setAt(to); onStep(to); };
  const notable = steps.flatMap(({ label, ply }) => (NOTABLE.includes(label) ? [ply + 1] : []));
  const toNotable = () => { const next = notable.find((ply) => ply > here) ?? notable[0]; if (next !== undefined) go(next); };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.target instanceof HTMLElement && event.target.closest("input, textarea, select"))) return;
      if (event.key === "n" || event.key === "N") toNotable();
      if (event.key === "f" || event.key === "F") setBottom((before) => 1 - before);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const candidate = step?.candidates.find(({ move }) => move === held);
  const better = step && step.best_move && step.best_move !== step.move && (step.loss ?? 0) >= COSTLY;
  const marks: Mark[] = candidate ? [{ move: candidate.move, share: candidate.probability, squares: candidate.squares }] : better ? [{ move: step.best_move, share: 0.4, sign: "★", squares: step.best_squares }] : [];
  const curves = curvesOf(job), told = start!.told, far = told !== null && Math.abs(told[0] - told[1]) >= (Math.max(...told) > LARGEST_RANK ? FAR_RATING : FAR_RANKS);
  const lines: GraphLine[] = [{ kind: "people", name: told === null ? sayStyle(start!.mind) : say(far ? "betweenThese" : "people"), scores: curves.people }];
  if (far) lines.push({ kind: "equals", name: `${say("betweenEquals")} ${sayLevel(kind, start!.equal_rating!)}`, scores: curves.equals });
  if (curves.judge.length > 0) lines.push({ kind: "judge", name: say("byJudge"), scores: curves.judge });
  const label = `${say("chancesGraph")} — ${saySide(game, sides[0])}`;
  const text = textOf(job);
  return (
    <section class={`table reviewed ${game}-table`} aria-label={say("review")} data-done={summary ? "yes" : "no"} data-at={here} data-bottom={bottom}>
      <div class="board-column">
        <AnyBoard game={game} board={boards[candidate ? here - 1 : here]!} bottom={bottom} movable={false} onMove={() => undefined} marks={marks} label={step ? `${numbered(game, step)} ${step.name}` : say("start_")} />
        <Steps at={here} last={last} onStep={go}>
          <button type="button" class="to-notable" disabled={notable.length === 0} onClick={toNotable}>{say("nextNotable")}</button>
          {turns(boards[here]!) && <button type="button" class="flip" aria-label={say("flip")} title={say("flip")} onClick={() => setBottom(1 - bottom)}>⇅</button>}
          {gameOf(game)?.board === "sfen" && <PieceSetButton />}
        </Steps>
        <section class="curve-card"><h2>{label}</h2><ChancesGraph lines={lines} last={start!.moves} at={here} marked={(summary?.turning_points ?? []).map((ply) => ply + 1)} notable={notable} label={label} onPick={go} /></section>
      </div>
      <div class="panel side">
        <Players job={job} game={game} kind={kind} sides={sides} />
        {job.wrong && <p class="wrong" role="alert">{job.wrong}</p>}
        {!summary && !job.wrong && <p role="status"><progress max={start!.moves || 1} value={steps.length} aria-label={say("reviewing")} /> {say("reviewing")} {steps.length} / {start!.moves}</p>}
        <StepFigures step={step} start={start!} kind={kind} onHover={setHeld} />
        <MoveList steps={steps} game={game} at={here} onPick={go} />
        {summary?.broken && <p class="note broken">{say("brokenOff")}</p>}
        {summary && <NotableMoves steps={steps} game={game} sides={sides} onPick={go} />}
        <p class="links">
          {gameId && <a class="to-game" href={`/game/${gameId}`} onClick={follow}>{say("backToGame")}</a>}
          {(gameId || text) && <a class="to-predict" href={gameId ? `/predict?game=${gameId}&ply=${here}` : `/predict?kind=${game}&ply=${here}#${encodeURIComponent(text)}`} onClick={follow}>{say("predictHere")}</a>}
        </p>
        <p class="keys">{say("reviewKeys")}</p>
      </div>
      {summary && <Phases summary={summary} game={game} />}
    </section>
  );
}
