import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Key } from "@lichess-org/chessground/types";
import { useEffect, useRef, useState } from "preact/hooks";
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { Heard, useCursor } from "../parts/cursor";
import { percent, say } from "../words";
import { type BoardProps, heatOf, type Mark } from "./board";

const colour = (side: number) => (side === 0 ? "white" : "black");
const PIECES = { q: "queen", r: "rook", b: "bishop", n: "knight" } as const;

function destinations(legal: string[]): Map<Key, Key[]> {
  const found = new Map<Key, Key[]>();
  for (const move of legal) {
    const from = move.slice(0, 2) as Key;
    found.set(from, [...(found.get(from) ?? []), move.slice(2, 4) as Key]);
  }
  return found;
}

/** What stands on a square of a FEN, in words for a screen reader. */
function pieceAt(fen: string, square: string): string {
  const row = fen.split(" ")[0]!.split("/")[8 - Number(square[1])]!.replace(/[1-8]/g, (count) => " ".repeat(Number(count)));
  const letter = row[square.charCodeAt(0) - 97] ?? " ";
  const name = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" }[letter.toLowerCase()];
  return name ? `${letter === letter.toLowerCase() ? say("Black") : say("White")} ${name}` : "";
}

function Heat({ square, share, bottom }: { square: string; share: number; bottom: number }) {
  const x = square.charCodeAt(0) - 97, y = 8 - Number(square[1]);
  return <rect class="heat" x={bottom === 0 ? x : 7 - x} y={bottom === 0 ? y : 7 - y} width={1} height={1} fill-opacity={0.12 + 0.68 * share} />;
}

/** Arrows of our own: chessground's carry a style attribute, which the page's content policy refuses. */
function Arrow({ mark: { move, share }, bottom }: { mark: Mark; bottom: number }) {
  const at = (file: string, rank: string) => {
    const x = file.charCodeAt(0) - 97 + 0.5, y = 8.5 - Number(rank);
    return bottom === 0 ? [x, y] as const : [8 - x, 8 - y] as const;
  };
  const [x1, y1] = at(move[0]!, move[1]!), [x2, y2] = at(move[2]!, move[3]!);
  const length = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const width = 0.07 + 0.15 * Math.sqrt(share);
  return (
    <g class="mark">
      <path d={`M${x1} ${y1}L${x2 - 0.3 * ux} ${y2 - 0.3 * uy}`} stroke-width={width} />
      <circle cx={x2} cy={y2} r={0.3} fill-opacity={0.6 + 0.4 * Math.sqrt(share)} />
      <text x={x2} y={y2} font-size={0.22}>{percent(share)}</text>
    </g>
  );
}

/** Chessground draws and drags; the server's list of legal moves says what may be dragged where. */
export function ChessBoard({ board, bottom, movable, marks, onMove, heat }: BoardProps) {
  const nameAt = (column: number, row: number) => (bottom === 0 ? `${"abcdefgh"[column]}${8 - row}` : `${"hgfedcba"[column]}${row + 1}`);
  const { cursor, keys } = useCursor(8, 8, (column, row) => { if (movable) ground.current?.selectSquare(nameAt(column, row) as Key); });
  const place = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const [choice, setChoice] = useState<string[]>([]);

  useEffect(() => {
    ground.current = Chessground(place.current!, { coordinates: true, animation: { duration: 180 }, drawable: { enabled: false, visible: false } });
    const watcher = new ResizeObserver(() => ground.current?.redrawAll());
    watcher.observe(place.current!);
    return () => {
      watcher.disconnect();
      ground.current?.destroy();
    };
  }, []);
  useEffect(() => {
    const finish = (from: string, to: string) => {
      const meant = board.legal.filter((move) => move.startsWith(from + to));
      if (meant.length === 1) onMove(meant[0]!);
      else setChoice(meant);
    };
    setChoice([]);
    ground.current?.set({
      fen: board.text,
      orientation: colour(bottom),
      turnColor: colour(board.to_move),
      lastMove: board.last ? [board.last.slice(0, 2) as Key, board.last.slice(2, 4) as Key] : [],
      check: board.check,
      viewOnly: false,
      movable: { free: false, color: movable ? colour(board.to_move) : undefined, dests: movable ? destinations(board.legal) : new Map(), events: { after: finish } },
    });
  }, [board, bottom, movable, onMove]);

  const letters = choice.map((move) => move[4]! as keyof typeof PIECES);
  return (
    <div class="chess board" role="application" aria-label={`${say("chess")}: ${say("boardKeys")}`} {...keys}>
      <div ref={place} class="ground" />
      <svg class="arrows" viewBox="0 0 8 8" aria-hidden="true">
        {heat ? [...heatOf(marks, (move) => move.slice(2, 4))].map(([square, share]) => <Heat key={square} square={square} share={share} bottom={bottom} />)
          : [...marks].reverse().map((mark) => <Arrow key={mark.move} mark={mark} bottom={bottom} />)}
        {cursor && <rect class="cursor" x={cursor[0] + 0.04} y={cursor[1] + 0.04} width={0.92} height={0.92} />}
      </svg>
      {cursor && <Heard text={`${nameAt(...cursor)} ${pieceAt(board.text, nameAt(...cursor))}`} />}
      {choice.length > 0 && (
        <div class="choice" role="dialog" aria-label="promotion">
          {(["q", "n", "r", "b"] as const).filter((letter) => letters.includes(letter)).map((letter) => (
            <button key={letter} class="cg-wrap" aria-label={PIECES[letter]} onClick={() => onMove(choice.find((move) => move.endsWith(letter))!)}>
              <piece class={`${PIECES[letter]} ${colour(board.to_move)}`} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements { piece: { class: string } }
  }
}
