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

export function AnyBoard({ game, ...props }: BoardProps & { game: GameName }) {
  if (game === "chess") return <ChessBoard {...props} />;
  return game === "go" ? <GoBoard {...props} /> : <ShogiBoard {...props} />;
}
