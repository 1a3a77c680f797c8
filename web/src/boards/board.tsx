import type { Board, BoardKind, GameName, Square } from "../api";
import { ChessBoard } from "./chess";
import { DrawnBoard, isTurnable } from "./drawn";
import { GoBoard } from "./go";
import { ShogiBoard } from "./shogi";

/** A move to show on the board, with its share of 0..1. A `sign` stands in for the share's figure, in another colour. */
export interface Mark {
  move: string; share: number; sign?: string;
  /** The squares of the diagram that it touches, row and column: for a board on which it cannot be made. */
  squares?: Square[];
}
export interface BoardProps {
  game: GameName;
  board: Board;
  /** The side at the bottom. */
  bottom: number;
  movable: boolean;
  marks: Mark[];
  onMove: (move: string) => void;
  /** The move that is on its way to the server: shown, and nothing else can be moved meanwhile. */
  sent?: string | null;
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

export interface MarkLabel extends Mark { dx: number; dy: number; r: number }
/** Where the figures of marks stand on their squares: in the middle, and side by side where several moves end on one. */
export function labelsOf<T>(marks: Mark[], place: (move: string) => T): MarkLabel[] {
  const met = new Map<T, Mark[]>();
  for (const mark of marks) met.set(place(mark.move), [...(met.get(place(mark.move)) ?? []), mark]);
  return [...met.values()].flatMap((together) => together.map((mark, at) => {
    const angle = Math.PI * (1 + (2 * at) / together.length), far = together.length === 1 ? 0 : 0.25;
    return { ...mark, dx: far * Math.cos(angle), dy: far * Math.sin(angle), r: [0.3, 0.3, 0.24, 0.21][together.length] ?? 0.17 };
  })).reverse();
}

/** What a board is to a reader: something that keys move on, or a picture. */
export const roleOf = (own: string, keys: object, label?: string) => (label ? { role: "img" as const, "aria-label": label } : { role: "application" as const, "aria-label": own, ...keys });

/** The board of each kind of position. */
const BOARDS = { fen: ChessBoard, sfen: ShogiBoard, stones: GoBoard, drawing: DrawnBoard } satisfies Record<BoardKind, (props: BoardProps) => unknown>;

export function AnyBoard({ marks, ...rest }: BoardProps) {
  const Own = BOARDS[rest.board.kind];
  return <Own {...rest} marks={marks.filter(({ share }) => share >= SMALLEST_SHARE)} />;
}

/** Whether it makes a difference from which side a board is seen. */
export const turns = ({ kind, drawing }: Board): boolean => (drawing ? isTurnable(drawing) : kind !== "stones");
