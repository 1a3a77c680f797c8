import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Key } from "@lichess-org/chessground/types";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { Choice } from "../parts/choice";
import { Heard, useCursor } from "../parts/cursor";
import { percent, say, sayGame, sayPiece } from "../words";
import { type BoardProps, heatOf, labelsOf, type MarkLabel, roleOf } from "./board";

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
  return name ? `${letter === letter.toLowerCase() ? say("Black") : say("White")} ${sayPiece(name)}` : "";
}

function Heat({ square, share, bottom }: { square: string; share: number; bottom: number }) {
  const x = square.charCodeAt(0) - 97, y = 8 - Number(square[1]);
  return <rect class="heat" x={bottom === 0 ? x : 7 - x} y={bottom === 0 ? y : 7 - y} width={1} height={1} fill-opacity={0.12 + 0.68 * share} />;
}

/** Names of lines in the corners of the outer squares. Chessground's own are set by a font's size, and slip on a small board. */
function Coordinates({ bottom }: { bottom: number }) {
  const tone = (sum: number) => (sum % 2 ? "on-dark" : "on-light");
  return (
    <g class="coordinates" font-size={0.16}>
      {[0, 1, 2, 3, 4, 5, 6, 7].map((at) => (
        <>
          <text class={tone(at + 7)} x={at + 0.95} y={7.95} text-anchor="end">{(bottom === 0 ? "abcdefgh" : "hgfedcba")[at]}</text>
          <text class={tone(at)} x={0.05} y={at + 0.17}>{bottom === 0 ? 8 - at : at + 1}</text>
        </>
      ))}
    </g>
  );
}

/** Arrows of our own: chessground's carry a style attribute, which the page's content policy refuses. All figures are drawn over all lines. */
function Arrow({ mark: { move, share, sign, dx, dy, r }, bottom, part }: { mark: MarkLabel; bottom: number; part: "line" | "end" }) {
  const at = (file: string, rank: string) => {
    const x = file.charCodeAt(0) - 97 + 0.5, y = 8.5 - Number(rank);
    return bottom === 0 ? [x, y] as const : [8 - x, 8 - y] as const;
  };
  const [x1, y1] = at(move[0]!, move[1]!), [x2, y2] = at(move[2]!, move[3]!);
  const length = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const width = 0.07 + 0.15 * Math.sqrt(share);
  if (part === "line") return <g class={`mark ${sign ? "signed" : ""}`}><path d={`M${x1} ${y1}L${x2 - 0.3 * ux} ${y2 - 0.3 * uy}`} stroke-width={width} /></g>;
  return (
    <g class={`mark ${sign ? "signed" : ""}`} transform={`translate(${x2 + dx} ${y2 + dy})`}>
      <circle r={r} fill-opacity={0.6 + 0.4 * Math.sqrt(share)} />
      <text font-size={0.74 * r}>{sign ?? percent(share)}</text>
    </g>
  );
}

/** Chessground draws and drags; the server's list of legal moves says what may be dragged where. */
export function ChessBoard({ game, board, bottom, movable, marks, onMove, heat, label, sent }: BoardProps) {
  const nameAt = (column: number, row: number) => (bottom === 0 ? `${"abcdefgh"[column]}${8 - row}` : `${"hgfedcba"[column]}${row + 1}`);
  const { cursor, keys } = useCursor(8, 8, (column, row) => { if (movable) ground.current?.selectSquare(nameAt(column, row) as Key); });
  const place = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const [choice, setChoice] = useState<string[]>([]);
  const [calledOff, setCalledOff] = useState(0);

  useLayoutEffect(() => {
    ground.current = Chessground(place.current!, { coordinates: false, animation: { duration: 180 }, drawable: { enabled: false, visible: false } });
    const watcher = new ResizeObserver(() => ground.current?.redrawAll());
    watcher.observe(place.current!);
    return () => {
      watcher.disconnect();
      ground.current?.destroy();
    };
  }, []);
  useLayoutEffect(() => {  // before the page says whose turn it is: a quick key must find the pieces movable
    const finish = (from: string, to: string) => {
      const meant = board.legal.filter((move) => move.startsWith(from + to));
      if (meant.length === 1) onMove(meant[0]!);
      else setChoice(meant);
    };
    setChoice([]);
    ground.current?.set({
      ...(sent ? {} : { fen: board.text }),  // a move on its way stays where it was put
      orientation: colour(bottom),
      turnColor: colour(board.to_move),
      ...(sent ? {} : { lastMove: board.last ? [board.last.slice(0, 2) as Key, board.last.slice(2, 4) as Key] : [] }),
      check: board.check,
      viewOnly: false,
      movable: { free: false, color: movable ? colour(board.to_move) : undefined, dests: movable ? destinations(board.legal) : new Map(), events: { after: finish } },
    });
  }, [board, bottom, movable, onMove, calledOff, sent]);

  const letters = choice.map((move) => move[4]! as keyof typeof PIECES);
  return (
    <div class="chess board" {...roleOf(`${sayGame(game)}: ${say("boardKeys")}`, keys, label)}>
      <div ref={place} class="ground" />
      <svg class="arrows" viewBox="0 0 8 8" aria-hidden="true">
        <Coordinates bottom={bottom} />
        {heat ? [...heatOf(marks, (move) => move.slice(2, 4))].map(([square, share]) => <Heat key={square} square={square} share={share} bottom={bottom} />)
          : (["line", "end"] as const).flatMap((part) => labelsOf(marks, (move) => move.slice(2, 4)).map((mark) => <Arrow key={`${part} ${mark.move}`} part={part} mark={mark} bottom={bottom} />))}
        {cursor && <rect class="cursor" x={cursor[0] + 0.04} y={cursor[1] + 0.04} width={0.92} height={0.92} />}
      </svg>
      {cursor && <Heard text={`${nameAt(...cursor)} ${pieceAt(board.text, nameAt(...cursor))}`} />}
      {choice.length > 0 && (
        <Choice label={say("promote")} onCancel={() => setCalledOff(calledOff + 1)}>
          {(["q", "n", "r", "b"] as const).filter((letter) => letters.includes(letter)).map((letter) => (
            <button key={letter} type="button" class="cg-wrap" aria-label={sayPiece(PIECES[letter])} onClick={() => onMove(choice.find((move) => move.endsWith(letter))!)}>
              <piece class={`${PIECES[letter]} ${colour(board.to_move)}`} />
            </button>
          ))}
        </Choice>
      )}
    </div>
  );
}

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements { piece: { class: string } }
  }
}
