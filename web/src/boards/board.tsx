import type { Board, GameName } from "../api";
import { ChessBoard } from "./chess";
import { GoBoard } from "./go";
import { ShogiBoard } from "./shogi";

/** A move to show on the board, with its share of 0..1. */
export interface Mark { move: string; share: number }
export interface BoardProps {
  board: Board;
  /** The side at the bottom. */
  bottom: number;
  movable: boolean;
  marks: Mark[];
  onMove: (move: string) => void;
  /** Shares as colour on the squares where moves end, without arrows and figures. */
  heat?: boolean;
  /** A board to look at: a picture of this name instead of something to operate. */
  label?: string;
  /** Go: a click on a stone of a counted board. */
  onStone?: ((vertex: string) => void) | undefined;
}

const SMALLEST_SHARE = 0.005;

/** Marks of moves that end on one square, added up, as parts of the largest. */
export function heatOf<T>(marks: Mark[], place: (move: string) => T): Map<T, number> {
  const sums = new Map<T, number>();
  for (const { move, share } of marks) sums.set(place(move), (sums.get(place(move)) ?? 0) + share);
  const most = Math.max(0.01, ...sums.values());
  return new Map([...sums].map(([key, share]) => [key, share / most]));
}

/** What a board is to a reader: something that keys move on, or a picture. */
export const roleOf = (own: string, keys: object, label?: string) => (label ? { role: "img" as const, "aria-label": label } : { role: "application" as const, "aria-label": own, ...keys });

export function AnyBoard({ game, marks, ...rest }: BoardProps & { game: GameName }) {
  const props = { ...rest, marks: marks.filter(({ share }) => share >= SMALLEST_SHARE) };
  if (game === "chess") return <ChessBoard {...props} />;
  return game === "go" ? <GoBoard {...props} /> : <ShogiBoard {...props} />;
}
