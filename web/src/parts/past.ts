import { useEffect, useState } from "preact/hooks";
import { type Board, fetchPast, type GameState } from "../api";

export interface Past {
  /** The number of moves made in the position that is looked at; null is the present. */
  at: number | null;
  /** It as a board, once it is here. */
  board: Board | null;
  /** Look at a position; the last one is the present. */
  look: (ply: number) => void;
}

/** Looking back at earlier positions of a game. The server knows them: all are fetched at the first look, and again when the game went on. */
export function usePast(state: GameState | null): Past {
  const [at, setAt] = useState<number | null>(null);
  const [known, setKnown] = useState<{ moves: string[]; boards: Board[] }>({ moves: [], boards: [] });
  const last = state?.ply ?? 0;
  const line = (moves: string[]) => moves.slice(0, at ?? 0).join(" ");
  const here = at !== null && state && at < known.boards.length && line(known.moves) === line(state.moves) ? known.boards[at]! : null;
  const missing = at !== null && here === null;
  useEffect(() => {
    if (!missing || state === null) return;
    let wanted = true;
    fetchPast(state.id).then((boards) => { if (wanted) setKnown({ moves: state.moves, boards }); }, () => { if (wanted) setAt(null); });
    return () => { wanted = false; };
  }, [missing, state]);
  useEffect(() => { if (at !== null && at >= last) setAt(null); }, [at, last]);
  return { at, board: here, look: (ply) => setAt(ply >= last ? null : Math.max(ply, 0)) };
}
