import { useEffect, useState } from "preact/hooks";
import { say } from "../words";

export type PieceSet = "kanji" | "international";
let chosen: PieceSet = localStorage.getItem("pieces") === "international" ? "international" : "kanji";
const CHANGED = "pieces-changed";

/** The set of shogi pieces that this browser's visitor has chosen. */
export function usePieceSet(): PieceSet {
  const [set, show] = useState(chosen);
  useEffect(() => {
    const look = () => show(chosen);
    look();
    addEventListener(CHANGED, look);
    return () => removeEventListener(CHANGED, look);
  }, []);
  return set;
}

/** Changes the set of all shogi boards on the page, and keeps the choice. */
export function PieceSetButton() {
  const set = usePieceSet();
  const swap = () => {
    chosen = set === "kanji" ? "international" : "kanji";
    localStorage.setItem("pieces", chosen);
    dispatchEvent(new Event(CHANGED));
  };
  return <button type="button" data-pieces={set} onClick={swap}>{say("pieceSet")}: {say(set)}</button>;
}
