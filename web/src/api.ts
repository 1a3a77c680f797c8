/** The JSON interface of the server, typed by hand after /api/openapi.json. Rules are the server's: nothing here knows a game. */

import { sayRefusal } from "./words";

export type GameName = string;
export type Pace = "human" | "instant";
export interface Scale { kind: "rating" | "rank"; pools: string[]; low: number; high: number; step: number; default: number }
export interface Style { name: string; mind: string; follows_level: boolean; strengths: number; usual_strength: number; held: Record<string, [number, number]> }
export interface Rule { text: string; japanese: string; source: string; source_japanese: string }
export interface Opening { name: string; japanese: string; moves: string; size: number }
export interface Variant { name: string; title: string; japanese: string }
export interface Handicap { name: string; title: string; japanese: string; giver: number }
/** Which board draws a position: a game's own, or the one for any diagram. */
export type BoardKind = "drawing" | "fen" | "sfen" | "stones";
export interface DrawnMove { move: string; name: string; path: number[] }
export type DiagramStyle = "checkered" | "grid" | "points" | "hexagons" | "text";
/** A diagram; squares are counted row by row, the top row first. */
export interface Drawing {
  style: DiagramStyle; ground: "wood" | "felt" | "rack"; text: string; columns: string[]; ranks: string[];
  pieces: { at: number; glyph: string; side: number | null }[]; off: number[]; marked: number[]; hands: [string, string];
  edges: (number | null)[]; dots: number[]; lines: [number, number][]; gaps: [number, number][]; moves: DrawnMove[];
}
export interface ShownGame {
  name: GameName; title: string; japanese: Record<string, string>; board: BoardKind; diagram_style: DiagramStyle; middle: string[]; large: boolean; pairs: boolean; passes: boolean; draws: boolean;
  sides: [string, string]; called: Record<string, string>; sizes: number[]; variants: Variant[]; formats: string[]; scale: Scale; styles: Style[]; rules: Rule[]; letters: Record<string, string>; openings: Opening[];
  handicaps: Handicap[]; controls: string[];
}
export interface Info { version: string; games: ShownGame[] }
export interface Board {
  kind: BoardKind; drawing: Drawing | null; text: string; size: number; stones: string; captures: [number, number]; to_move: number; legal: string[];
  last: string | null; check: boolean; ko: string | null; owners: string; dead: string[];
}
export interface ShownClock { seconds: [number, number]; running: boolean; increment_seconds: number; byoyomi_seconds: number }
export interface Outcome { score: number; reason: string }
export interface Count { black: number; white: number; komi: number }
export interface GameState {
  id: string; game: GameName; sides: [string, string]; you: number; your_turn: boolean; ply: number; board: Board;
  moves: string[]; outcome: Outcome | null; count: Count | null; undoable: boolean; claim: string | null; style: Style; rating: number | null; pool: string; pace: Pace; judge: Style;
  clock: ShownClock | null; offered: boolean;
}
export interface GameLine {
  id: string; game: GameName; size: number; you: number; style: string; rating: number | null; ply: number;
  outcome: Outcome | null; changed_at: number;
}
export interface LikelyMove { move: string; name: string; probability: number }
export interface Hint { rating: number | null; pool: string; mind: string; moves: LikelyMove[] }
export interface Chances { score: number | null; win: number | null; draw: number | null; loss: number | null }
export interface Candidate { move: string; name: string; probabilities: number[] }
export interface Foretold {
  game: GameName; board: Board; ply: number; plies: number; moves: string[]; played: string | null; ratings: number[];
  pool: string; style: Style; candidates: Candidate[]; others: number[]; scores: (number | null)[];
  expert: { probabilities: number[]; score: number | null } | null; ended: string | null;
}
/** How a game begins; what is left out is the game's usual one. */
export interface Beginning { game: GameName; size?: number; variant?: string; handicap?: string; opening?: string; start?: string }
export interface NewGame extends Beginning {
  side: "first" | "second" | "random"; rating: number; pool: string; style: string; pace: Pace; time_control?: string;
}
export interface AskedPrediction { game: GameName; size?: number; variant?: string; handicap?: string; text: string; ply: number | null; moves: string; pool: string; style: string }
export interface Report { id: string; name: string; title: string; kind: "page" | "data"; changed_at: number; sample: boolean }

export type Mode = "watch" | "play";
export interface Study {
  id: string; title: string; game: GameName; mode: Mode; status: "preparing" | "open" | "closed" | "failed"; games_per_visitor: number;
  plies: number; consent: string;
}
export interface NewHidden { label: string; style?: string; rating?: number; pool?: string; records?: string; person?: boolean }
export interface NewStudy {
  title: string; game: GameName; size: number; mode: Mode; opponents: NewHidden[]; games_per_visitor: number; games_per_opponent: number;
  plies: number; consent: string; reveal: boolean;
}
export interface Revealed { number: number; opponent: string; is_human: boolean; called_human: boolean; likeness: number | null }
export interface Visit { study: Study; done: number; total: number; trial: string | null; revealed: Revealed[] }
export interface TrialState {
  id: string; game: GameName; mode: Mode; sides: [string, string]; side: number; boards: Board[]; moves: string[]; ply: number;
  waiting: boolean; your_turn: boolean; over: boolean; judgeable: boolean; done: boolean;
}
/** What is left out was not answered. */
export interface Verdict { called_human: boolean; likeness?: number; aggressive?: number; careful?: number; consistent?: number; strong?: number }
/** Without bounds where one judge alone gave the figure. */
export interface Interval { value: number; low: number | null; high: number | null }
export interface Seeming {
  opponent: string; is_human: boolean; answers: number; judges: number; called_human: Interval; called_human_by_judge: Interval; p_value: number;
  likeness: Interval | null; scales: Record<string, Interval>; likeness_against_people: Interval | null;
}
export interface StudyResults { study: Study; note: string; visits: number; answers: number; prepared: number; opponents: string[]; seemings: Seeming[] }

export interface QuizLine { id: string; game: GameName; size: number }
export interface QuizGame extends QuizLine { sides: [string, string]; side: number; boards: Board[]; moves: string[] }
export interface Party { kind: "person" | "program"; rating: number | null; pool: string; style: string }
export interface QuizTruth { right: boolean; is_human: boolean; players: Party[]; score: number | null; source: string; licence: string }

/** Row and column of a diagram, the top row first. */
export type Square = [number, number];
export interface ReviewCandidate { move: string; name: string; probability: number; squares: Square[]; loss: number | null }
export interface ReviewStep {
  kind: "step"; ply: number; side: number; move: string; name: string; rating: number | null; probability: number; rank: number;
  by_rating: number[]; main_from: number | null; main_to: number | null; candidates: ReviewCandidate[]; chance_before: number | null;
  chance_after: number | null; equal_after: number | null; loss: number | null; judge_after: number | null; best_move: string; best_name: string; best_squares: Square[];
  phase: string; label: string; board: Board;
}
/** The first player's chances in every position, the start first; the judge's are empty where nobody judged. */
export interface ReviewCurves { people: (number | null)[]; equals: (number | null)[]; judge: (number | null)[] }
export interface PhaseSummary {
  phase: string; moves: number; mean_probability: number | null; matched: number | null; mean_loss: number | null; inaccuracies: number;
  mistakes: number; blunders: number;
}
export interface ReviewPlayer { side: string; name: string; rating: number | null; estimate: { rating: number; low: number; high: number } | null; phases: PhaseSummary[] }
export interface ReviewSummary {
  kind: "summary"; pool: string; ratings: number[]; told: [number, number] | null; told_because: string; sides: [string, string]; judge: string;
  result: string; broken: string; number: number; games: number; unfinished: boolean; players: [ReviewPlayer, ReviewPlayer]; turning_points: number[];
  curves: ReviewCurves;
}
/** Without levels (`told` is null) the mind that is named was asked in place of people. */
export interface ReviewStart {
  kind: "start"; game: GameName; moves: number; board: Board; broken: boolean; text: string; number: number; games: number; players: { name: string; rating: number | null }[];
  pool: string; ratings: number[]; told: [number, number] | null; equal_rating: number | null; mind: string; judge: string; judge_nodes: number | null;
}
export type ReviewEvent = ReviewStart | ReviewStep | ReviewSummary | ({ kind: "failed" } & Told);
export interface ListedGame { number: number; players: [string, string]; ratings: [number | null, number | null]; moves: number; result: string; event: string; date: string }
export interface ListedGames { game: GameName; total: number; games: ListedGame[] }

/** Who played the games that were sent; `likely` is whose they are by all looks, "" where nobody is. */
export interface FoundPeople { game: GameName; games: number; unread: number; people: { name: string; games: number }[]; likely: string }
export interface ShownTwin extends Told {
  name: string; style: string; game: GameName; state: "waiting" | "working" | "stopped" | "failed" | "done"; stage: "" | "games" | "decisions" | "fits"; done: number; total: number; ahead: number;
  rating: number | null; pool: string; games: number; decisions: number; size_bytes: number; points: number[]; is_base: boolean;
}

/** A refusal as the server tells it: a sentence in English, and the code of the page's own. */
export interface Told { error: string; code?: string; values?: Record<string, string | number> }
/** A refusal, with a sentence for the visitor. */
export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

async function send(path: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(path, options);
  if (answer.ok) return answer;
  const told = (await answer.json().catch(() => ({ error: answer.statusText }))) as Told;
  throw new Refused(answer.status, sayRefusal(told));
}
async function ask<T>(path: string, body?: unknown, method = body === undefined ? "GET" : "POST", headers: Record<string, string> = {}): Promise<T> {
  const sent = body === undefined ? { headers } : { body: JSON.stringify(body), headers: { "Content-Type": "application/json", ...headers } };
  const answer = await send(path, { method, ...sent });
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

export const fetchInfo = () => ask<Info>("/api/info");
/** How a game begins; the server opens its rules for this. */
export const fetchStart = (wanted: Beginning) => ask<Board>("/api/start", wanted);
export const fetchRecent = () => ask<GameLine[]>("/api/games?count=8");
export const beginGame = (wanted: NewGame) => ask<GameState>("/api/games", wanted);
export const beginAgain = (id: string) => ask<GameState>(`/api/games/${id}/again`, undefined, "POST");
export const fetchGame = (id: string) => ask<GameState>(`/api/games/${id}`);
export const fetchPast = (id: string) => ask<Board[]>(`/api/games/${id}/boards`);
export const sendMove = (id: string, move: string, ply: number) => ask<GameState>(`/api/games/${id}/moves`, { move, ply });
export const act = (id: string, what: "answer" | "undo" | "resign" | "draw") => ask<GameState>(`/api/games/${id}/${what}`, undefined, "POST");
export const fetchHint = (id: string) => ask<Hint>(`/api/games/${id}/hint`);
export const fetchChances = (id: string) => ask<Chances>(`/api/games/${id}/chances`);
export const foretell = async (asked: AskedPrediction, signal?: AbortSignal) => {
  const answer = await send("/api/predict", { method: "POST", body: JSON.stringify(asked), headers: { "Content-Type": "application/json" }, ...(signal ? { signal } : {}) });
  return (await answer.json()) as Foretold;
};
export const fetchRecord = async (id: string, kind: string) => (await send(recordAddress(id, kind), {})).text();
export const recordAddress = (id: string, kind: string) => `/api/games/${id}/record?kind=${kind}`;
export const setPace = (id: string, pace: Pace) => ask<GameState>(`/api/games/${id}/pace`, { pace });
export const markDead = (id: string, dead: string[]) => ask<GameState>(`/api/games/${id}/dead`, { dead });
export const fetchReports = () => ask<Report[]>("/api/reports");
export const fetchReport = (id: string) => ask<unknown>(`/api/reports/${id}`);
export const reportAddress = (id: string) => `/reports/${id}/page`;

const withKey = (key: string) => ({ "X-Study-Key": key });
export const fetchStudies = () => ask<Study[]>("/api/studies");
export const fetchStudy = (id: string) => ask<Study>(`/api/studies/${id}`);
export const setUpStudy = (wanted: NewStudy) => ask<{ id: string; key: string }>("/api/studies", wanted);
export const enterStudy = (id: string) => ask<{ id: string }>(`/api/studies/${id}/visits`, { agreed: true });
export const closeStudy = (id: string, key: string) => ask<Study>(`/api/studies/${id}/close`, undefined, "POST", withKey(key));
export const fetchResults = (id: string, key: string) => ask<StudyResults>(`/api/studies/${id}/results`, undefined, "GET", withKey(key));
export const fetchAnswers = async (id: string, key: string) => (await send(`/api/studies/${id}/answers.csv`, { headers: withKey(key) })).blob();
export const fetchVisit = (id: string) => ask<Visit>(`/api/visits/${id}`);
export const fetchTrial = (id: string) => ask<TrialState>(`/api/trials/${id}`);
export const sendTrialMove = (id: string, move: string, ply: number) => ask<TrialState>(`/api/trials/${id}/moves`, { move, ply });
export const awaitTrial = (id: string) => ask<TrialState>(`/api/trials/${id}/answer`, undefined, "POST");
export const fetchQuiz = () => ask<QuizLine[]>("/api/quiz");
export const fetchQuizGame = (id: string) => ask<QuizGame>(`/api/quiz/${id}`);
export const guessQuiz = (id: string, human: boolean) => ask<QuizTruth>(`/api/quiz/${id}`, { called_human: human });
export const sendVerdict = (id: string, verdict: Verdict) => ask<void>(`/api/trials/${id}/verdict`, verdict);

export const fetchTwins = () => ask<ShownTwin[]>("/api/twins");
const twinAddress = (name: string) => `/api/twins/${encodeURIComponent(name)}`;
export const makeTwin = (wanted: { draft: string; name: string; player: string; consent: boolean }) => ask<ShownTwin[]>("/api/twins", wanted);
export const turnTwin = (name: string, what: "stop" | "resume") => ask<ShownTwin[]>(`${twinAddress(name)}/${what}`, undefined, "POST");
export const forgetTwin = (name: string) => ask<void>(twinAddress(name), undefined, "DELETE");
const PIECE_BYTES = 256 * 1024;
/** Send files in pieces, each again where the line broke; tells how many bytes are there. Returns what they were sent to. */
export async function sendGames(files: File[], game: GameName, told: (bytes: number) => void, stop: AbortSignal): Promise<string> {
  const { id } = await ask<{ id: string }>("/api/twins/drafts", undefined, "POST");
  let before = 0;
  for (const [at, file] of files.entries()) {
    for (let offset = 0; offset < file.size || offset === 0; offset += PIECE_BYTES) {
      const query = new URLSearchParams({ file: String(at), name: file.name.slice(-200), offset: String(offset), game });
      await sendPiece(`/api/twins/drafts/${id}/pieces?${query}`, file.slice(offset, offset + PIECE_BYTES), stop);
      told(before + Math.min(offset + PIECE_BYTES, file.size));
    }
    before += file.size;
  }
  return id;
}
/** A piece that was sent twice counts once, so a line that broke is tried again. */
async function sendPiece(path: string, piece: Blob, stop: AbortSignal): Promise<void> {
  for (let pause = 500; ; pause *= 2) {
    try {
      await send(path, sent(piece, stop));
      return;
    } catch (problem) {
      if (problem instanceof Refused || stop.aborted || pause > 8000) throw problem;
      await new Promise((done) => setTimeout(done, pause));
    }
  }
}
export const fetchPeople = (draft: string) => ask<FoundPeople>(`/api/twins/drafts/${draft}/people`);

const sent = (body: BodyInit, signal: AbortSignal) => ({ method: "POST", body, headers: { "Content-Type": "application/octet-stream" }, signal });
/** The games of a record; `game` is taken where neither its name nor its looks tell. */
export async function listRecords(game: GameName, name: string, content: BodyInit, stop: AbortSignal): Promise<ListedGames> {
  return (await send(`/api/records?${new URLSearchParams({ game, name: name.slice(-200) })}`, sent(content, stop))).json() as Promise<ListedGames>;
}
/** A review, event by event, until it ends or the caller stops it. */
export async function* review(game: GameName, name: string, content: BodyInit, options: { rating?: number | undefined; judge: boolean; number: number; eyes: string }, stop: AbortSignal): AsyncGenerator<ReviewEvent> {
  const query = new URLSearchParams({ game, name: name.slice(-200), judge: String(options.judge), number: String(options.number) });
  if (options.rating !== undefined) query.set("rating", String(options.rating));
  if (options.eyes) query.set("eyes", options.eyes);
  const answer = await send(`/api/reviews?${query}`, sent(content, stop));
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (held + value).split("\n\n");
    held = parts.pop()!;
    for (const part of parts) yield JSON.parse(part.slice("data: ".length)) as ReviewEvent;
  }
}
