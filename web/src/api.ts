/** The JSON interface of the server, typed by hand after /api/openapi.json. Rules are the server's: nothing here knows a game. */

export type GameName = "chess" | "shogi" | "go";
export type Pace = "human" | "instant";
export interface Scale { kind: "rating" | "rank"; pools: string[]; low: number; high: number; step: number; default: number }
export interface Style { name: string; mind: string; follows_level: boolean }
export interface ShownGame { name: GameName; sides: [string, string]; sizes: number[]; formats: string[]; scale: Scale; styles: Style[] }
export interface Info { version: string; games: ShownGame[] }
export interface Board {
  text: string; size: number; stones: string; captures: [number, number]; to_move: number; legal: string[];
  last: string | null; check: boolean;
}
export interface Outcome { score: number; reason: string }
export interface GameState {
  id: string; game: GameName; sides: [string, string]; you: number; your_turn: boolean; ply: number; board: Board;
  moves: string[]; outcome: Outcome | null; claim: string | null; style: Style; rating: number | null; pool: string; pace: Pace; judge: Style;
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
}
export interface NewGame {
  game: GameName; size?: number; side: "first" | "second" | "random"; rating: number; pool: string; style: string; pace: Pace;
}
export interface AskedPrediction { game: GameName; text: string; ply: number | null; pool: string; style: string }

/** A refusal, with the server's sentence for the visitor. */
export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

async function ask<T>(path: string, body?: unknown, method = body === undefined ? "GET" : "POST"): Promise<T> {
  const answer = await fetch(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  });
  if (!answer.ok) {
    const told = (await answer.json().catch(() => ({}))) as { error?: string };
    throw new Refused(answer.status, told.error ?? answer.statusText);
  }
  return (await answer.json()) as T;
}

export const fetchInfo = () => ask<Info>("/api/info");
export const fetchRecent = () => ask<GameLine[]>("/api/games?count=8");
export const beginGame = (wanted: NewGame) => ask<GameState>("/api/games", wanted);
export const fetchGame = (id: string) => ask<GameState>(`/api/games/${id}`);
export const sendMove = (id: string, move: string, ply: number) => ask<GameState>(`/api/games/${id}/moves`, { move, ply });
export const act = (id: string, what: "answer" | "undo" | "resign" | "draw") => ask<GameState>(`/api/games/${id}/${what}`, undefined, "POST");
export const fetchHint = (id: string) => ask<Hint>(`/api/games/${id}/hint`);
export const fetchChances = (id: string) => ask<Chances>(`/api/games/${id}/chances`);
export const foretell = (asked: AskedPrediction) => ask<Foretold>("/api/predict", asked);
export const recordAddress = (id: string, kind: string) => `/api/games/${id}/record?kind=${kind}`;
