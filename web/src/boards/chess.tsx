import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import { useEffect, useRef, useState } from "preact/hooks";
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import type { BoardProps, Mark } from "./board";

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

const arrow = ({ move, share }: Mark): DrawShape => ({
  orig: move.slice(0, 2) as Key,
  dest: move.slice(2, 4) as Key,
  brush: "green",
  modifiers: { lineWidth: 3 + 11 * Math.sqrt(share) },
});

/** Chessground draws and drags; the server's list of legal moves says what may be dragged where. */
export function ChessBoard({ board, bottom, movable, marks, onMove }: BoardProps) {
  const place = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const [choice, setChoice] = useState<string[]>([]);

  useEffect(() => {
    ground.current = Chessground(place.current!, { coordinates: true, animation: { duration: 180 }, drawable: { enabled: false } });
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
    ground.current?.setAutoShapes(marks.map(arrow));
  }, [board, bottom, movable, marks, onMove]);

  const letters = choice.map((move) => move[4]! as keyof typeof PIECES);
  return (
    <div class="chess board">
      <div ref={place} class="ground" />
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
