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
}

const SMALLEST_SHARE = 0.005;

export function AnyBoard({ game, marks, ...rest }: BoardProps & { game: GameName }) {
  const props = { ...rest, marks: marks.filter(({ share }) => share >= SMALLEST_SHARE) };
  if (game === "chess") return <ChessBoard {...props} />;
  return game === "go" ? <GoBoard {...props} /> : <ShogiBoard {...props} />;
}
