import type { BoardKind, ShownGame } from "./api";
import { learnWords } from "./words";

const known = new Map<string, ShownGame>();

/** What the server has told of its games, for every page. */
export function learnGames(games: ShownGame[]): void {
  for (const game of games) {
    known.set(game.name, game);
    learnWords(game.name, game);
  }
}
export const gameOf = (name: string): ShownGame | undefined => known.get(name);
export const allGames = (): ShownGame[] => [...known.values()];
/** The format that a game is handed on in from page to page. */
export const mainFormat = (name: string): string => gameOf(name)?.formats[0] ?? "plain";

const POSITIONS: Partial<Record<BoardKind, string>> = { fen: "FEN", sfen: "SFEN" };
/** Formats by their names for people. */
export const formatNames = (name: string): string[] => (gameOf(name)?.formats ?? []).map((kind) => kind.toUpperCase()).filter((kind) => kind !== "PLAIN");
/** What may be pasted: positions first. */
export const pastedNames = (name: string): string[] => [POSITIONS[gameOf(name)?.board ?? "drawing"], ...formatNames(name)].filter((each) => each !== undefined);
/** Whether the first side is the dark one. */
export const darkFirst = (name: string): boolean => { const game = gameOf(name); return game?.called[game.sides[0]] === "Black"; };
