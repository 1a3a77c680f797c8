import type { Drawing } from "../api";

/** Half the height of a hexagon that is one wide, and how far its rows lie apart. */
const HEXAGON_SIDE = 1 / Math.sqrt(3);
const ROW_STEP = 1.5 * HEXAGON_SIDE;
const CORNERS = [[0, -HEXAGON_SIDE], [0.5, -HEXAGON_SIDE / 2], [0.5, HEXAGON_SIDE / 2], [0, HEXAGON_SIDE], [-0.5, HEXAGON_SIDE / 2], [-0.5, -HEXAGON_SIDE / 2]] as const;
/** The corners along each side of a board of hexagons: top, right, bottom, left. */
const SIDES = [[5, 0, 1], [0, 1, 2], [4, 3, 2], [5, 4, 3]] as const;
const TURNED_SIDES = [2, 3, 0, 1] as const;

export interface Point { x: number; y: number }

/** Where everything of a drawing stands, in units of a square; turned by half a turn for the second side. */
export class Geometry {
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  readonly squares: number[];
  private readonly left: number;
  private readonly top: number;

  constructor(readonly drawing: Drawing, readonly turned: boolean) {
    this.columns = drawing.columns.length;
    this.rows = drawing.ranks.length;
    const off = new Set(drawing.off);
    this.squares = Array.from({ length: this.columns * this.rows }, (_, at) => at).filter((at) => !off.has(at));
    const plain = this.squares.map((at) => this.plain(at)), half = this.hexagonal ? HEXAGON_SIDE : 0.5;
    this.left = Math.min(...plain.map(({ x }) => x)) - 0.5;
    this.top = Math.min(...plain.map(({ y }) => y)) - half;
    this.width = Math.max(...plain.map(({ x }) => x)) + 0.5 - this.left;
    this.height = Math.max(...plain.map(({ y }) => y)) + half - this.top;
  }

  private get beside(): number {
    return this.drawing.style === "points" ? 0.66 : 0.79;
  }
  get hexagonal(): boolean {
    return this.drawing.style === "hexagons";
  }
  private plain(at: number): Point {
    const row = Math.floor(at / this.columns), column = at % this.columns;
    return this.hexagonal ? { x: column + 0.5 * row, y: row * ROW_STEP } : { x: column, y: row };
  }
  /** The middle of a square. */
  at(square: number): Point {
    const { x, y } = this.plain(square);
    return this.turned ? { x: this.width - (x - this.left), y: this.height - (y - this.top) } : { x: x - this.left, y: y - this.top };
  }
  /** The square that is seen in this column and row. */
  seen(column: number, row: number): number {
    const at = row * this.columns + column;
    return this.turned ? this.columns * this.rows - 1 - at : at;
  }
  place(square: number): [number, number] {
    const at = this.turned ? this.columns * this.rows - 1 - square : square;
    return [at % this.columns, Math.floor(at / this.columns)];
  }
  nameOf(square: number): string {
    return `${this.drawing.columns[square % this.columns]}${this.drawing.ranks[Math.floor(square / this.columns)]}`;
  }
  /** The outline of a square, a little smaller by `inset`. */
  outline(square: number, inset = 0): string {
    const { x, y } = this.at(square), part = 1 - 2 * inset;
    if (!this.hexagonal) return `M${x - part / 2} ${y - part / 2}h${part}v${part}h${-part}Z`;
    return `M${CORNERS.map(([dx, dy]) => `${x + part * dx} ${y + part * dy}`).join("L")}Z`;
  }
  /** The lines of a board of points: between neighbours that are both there. */
  lines(): string {
    const there = new Set(this.squares), gaps = new Set(this.drawing.gaps.map(String));
    return this.squares.flatMap((at) => [...((at + 1) % this.columns ? [at + 1] : []), at + this.columns]
      .filter((next) => there.has(next) && !gaps.has(String([at, next]))).map((next) => this.line(at, next))).join("");
  }
  line(one: number, other: number): string {
    const from = this.at(one), to = this.at(other);
    return `M${from.x} ${from.y}L${to.x} ${to.y}`;
  }
  /** One side of the board, as far as there are squares at it: 0 is the top one of the diagram, and then round. */
  edge(side: number): string {
    const along = this.squares.filter((at) => [at < this.columns, at % this.columns === this.columns - 1, at >= this.columns * (this.rows - 1), at % this.columns === 0][side]);
    const seen = this.turned ? TURNED_SIDES[side]! : side;
    return along.map((at) => {
      const { x, y } = this.at(at);
      const corners = this.hexagonal ? SIDES[seen]!.map((corner) => CORNERS[corner]!) : [[[-0.5, -0.5], [0.5, -0.5]], [[0.5, -0.5], [0.5, 0.5]], [[-0.5, 0.5], [0.5, 0.5]], [[-0.5, -0.5], [-0.5, 0.5]]][seen]!;
      return `M${corners.map(([dx, dy]) => `${x + dx!} ${y + dy!}`).join("L")}`;
    }).join("");
  }
  /** Where the names of columns and rows stand: below and left as it is seen; of hexagons above and left. */
  names(): { text: string; x: number; y: number }[] {
    const { columns, ranks } = this.drawing;
    const along = columns.map((text, column) => {
      const row = this.hexagonal ? 0 : this.turned ? 0 : this.rows - 1;
      const { x, y } = this.at(row * this.columns + column);
      return this.hexagonal ? { text, x: x + (this.turned ? 0.4 : -0.4), y: y + (this.turned ? 0.84 : -0.84) } : { text, x, y: y + this.beside };
    });
    const down = ranks.map((text, row) => {
      const { x, y } = this.at(row * this.columns + (this.hexagonal || !this.turned ? 0 : this.columns - 1));
      return this.hexagonal ? { text, x: x + (this.turned ? 0.84 : -0.84), y: y + (this.turned ? -0.16 : 0.16) } : { text, x: x - this.beside, y };
    });
    return [...along, ...down];
  }
}
