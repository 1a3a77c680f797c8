import { usePieceSet } from "../parts/piece_set";
import { DRAWINGS } from "./shogi_drawings";

/** `sign` is what stands on it in kanji, where that is not the usual one. */
export interface Piece { letter: string; side: number; sign?: string }
export const KANJI: Record<string, string> = {
  K: "玉", R: "飛", B: "角", G: "金", S: "銀", N: "桂", L: "香", P: "歩",
  "+R": "龍", "+B": "馬", "+S": "全", "+N": "圭", "+L": "杏", "+P": "と",
};
const SCALES: Record<string, number> = { K: 1, R: 0.98, B: 0.98, G: 0.95, S: 0.95, N: 0.91, L: 0.9, P: 0.86, E: 0.95 };
const OUTLINE = "M0-.43.29-.32.39.42H-.39L-.29-.32Z";

/** Where each direction's sign stands on a piece: forward, forward right and so on round. */
const PLACES: [number, number][] = [[0, -0.325], [0.19, -0.25], [0.275, 0.05], [0.29, 0.335], [0, 0.345], [-0.29, 0.335], [-0.275, 0.05], [-0.19, -0.25]];
/** For each of the eight directions: 0 none, 1 a step, 2 as far as it goes. */
const MOVES: Record<string, number[]> = {
  K: [1, 1, 1, 1, 1, 1, 1, 1], G: [1, 1, 1, 0, 1, 0, 1, 1], S: [1, 1, 0, 1, 0, 1, 0, 1], R: [2, 0, 2, 0, 2, 0, 2, 0], B: [0, 2, 0, 2, 0, 2, 0, 2],
  L: [2, 0, 0, 0, 0, 0, 0, 0], P: [1, 0, 0, 0, 0, 0, 0, 0], N: [0, 0, 0, 0, 0, 0, 0, 0], "+R": [2, 1, 2, 1, 2, 1, 2, 1], "+B": [1, 2, 1, 2, 1, 2, 1, 2], E: [1, 1, 1, 1, 0, 1, 1, 1],
};

/** A letter of our own drawings, so that no font of the visitor's machine is needed. `size` is the side of its square. */
export function Letter({ letter, x = 0, y = 0, size }: { letter: string; x?: number; y?: number; size: number }) {
  return <path class="letter" d={DRAWINGS[letter]!} transform={`translate(${x} ${y}) scale(${size / 250})`} />;
}

/** A piece that shows how it moves: dots are steps, bars go on, the knight's angles jump. */
function Signs({ letter }: { letter: string }) {
  const moves = MOVES[letter] ?? (letter === "N" ? MOVES["N"]! : MOVES["G"]!);
  return (
    <g class="signs">
      {moves.map((kind, at) => {
        const [x, y] = PLACES[at]!;
        if (kind === 1) return <circle key={at} cx={x} cy={y} r={0.038} />;
        return kind === 2 && <rect key={at} x={-0.03} y={-0.07} width={0.06} height={0.14} rx={0.03} transform={`translate(${x} ${y}) rotate(${45 * at})`} />;
      })}
      {letter === "N" && <path d="M-.2-.2V-.3H-.1M.2-.2V-.3H.1" />}
    </g>
  );
}

/** A piece with its tip at the top, in the set that the visitor has chosen. */
export function Shape({ piece, x, y, turned }: { piece: Piece; x: number; y: number; turned: boolean }) {
  const set = usePieceSet();
  const { letter, side, sign } = piece, scale = SCALES[letter.at(-1)!] ?? 1;
  return (
    <g class={`piece ${letter.startsWith("+") ? "promoted" : ""}`} transform={`translate(${x} ${y})${turned ? " rotate(180)" : ""} scale(${scale})`}>
      <path class="shade" d={OUTLINE} transform="translate(.02 .035)" />
      <path class="wood-piece" d={OUTLINE} />
      {set === "kanji" ? <Letter letter={sign ?? (letter === "K" && side === 1 ? "王" : KANJI[letter]!)} y={0.06} size={0.54} />
        : <><Letter letter={letter.at(-1)!} y={0.07} size={0.46} /><Signs letter={letter} /></>}
    </g>
  );
}
