import { type Board, type GameName, type ListedGames, listRecords, review, type ReviewCurves, type ReviewStart, type ReviewStep, type ReviewSummary } from "../api";
import { gameOf } from "../games";
import { sayRefusal } from "../words";
import type { Upload, Wish } from "./upload";

/** One record under review. With several games in it, `listed` waits for a choice. */
export interface Job {
  upload: Upload; listed: ListedGames | null; start: ReviewStart | null; boards: Board[]; steps: ReviewStep[]; summary: ReviewSummary | null; wrong: string;
}
export const newJob = (upload: Upload): Job => ({ upload, listed: null, start: null, boards: [], steps: [], summary: null, wrong: "" });
export type Change = (part: (job: Job) => Partial<Job>) => void;

export const NOTABLE = ["rare blunder", "blunder", "typical mistake", "mistake", "missed chance", "hard to find"];
/** A move's number as its people count: some count both sides' moves as one. */
export const numbered = (game: GameName, { ply, side }: ReviewStep) => (gameOf(game)?.pairs ? `${Math.floor(ply / 2) + 1}${side ? "…" : "."}` : `${ply + 1}.`);

/** Look what the record holds, and review it where it is one game. */
export async function lookInto(upload: Upload, wish: Wish, change: Change, stop: AbortSignal): Promise<void> {
  const listed = await listRecords(wish.game, upload.name, upload.content, stop);
  change(() => ({ listed }));
  if (listed.total === 1) await reviewOne(upload, listed.game, 1, wish, change, stop);
}

/** Review one game of a record; the job follows event by event. */
export async function reviewOne(upload: Upload, game: GameName, number: number, wish: Wish, change: Change, stop: AbortSignal): Promise<void> {
  change(() => ({ start: null, boards: [], steps: [], summary: null, wrong: "" }));
  const rating = wish.game === game ? wish.rating : undefined;  // a level of another game is on another scale
  for await (const event of review(game, upload.name, upload.content, { rating, judge: wish.judge, number, eyes: wish.game === game ? wish.eyes : "" }, stop)) {
    if (event.kind === "start") change(() => ({ start: event, boards: [event.board] }));
    else if (event.kind === "step") change((job) => ({ steps: [...job.steps, event], boards: [...job.boards, event.board] }));
    else if (event.kind === "summary") change(() => ({ summary: event }));
    else change(() => ({ wrong: sayRefusal(event) }));
  }
}

/** The first player's chances: the summary's at the end, before that what the moves so far tell. */
export function curvesOf({ steps, summary }: Job): ReviewCurves {
  if (summary) return summary.curves;
  const own = (step: ReviewStep, chance: number | null) => (chance === null ? null : step.side === 0 ? chance : 1 - chance);
  const begin = steps[0] ? own(steps[0], steps[0].chance_before) : null;
  const judged = steps.some((step) => step.judge_after !== null);
  return {
    people: [begin, ...steps.map((step) => own(step, step.chance_after))],
    equals: [null, ...steps.map((step) => own(step, step.equal_after))],
    judge: judged ? [null, ...steps.map((step) => own(step, step.judge_after))] : [],
  };
}

/** The reviewed game as text that a prediction takes: moves from its start, short where programs write them so. */
export function textOf({ start, steps }: Job): string {
  const kind = start?.board.kind;
  if (!start || (kind !== "fen" && kind !== "sfen")) return start?.text ?? "";
  const moves = steps.map((step) => (kind === "fen" ? step.name : step.move)).join(" ");
  return kind === "fen" ? `[FEN "${start.board.text}"]\n\n${moves} *` : `position sfen ${start.board.text} moves ${moves}`;
}
