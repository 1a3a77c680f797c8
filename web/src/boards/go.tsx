import { useState } from "preact/hooks";
import { Heard, useCursor } from "../parts/cursor";
import { percent, say, sayGame } from "../words";
import { type BoardProps, heatOf, roleOf } from "./board";

const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const STARS: Record<number, number[]> = { 9: [2, 4, 6], 13: [3, 6, 9], 19: [3, 9, 15] };

/** "D4" as a place in `stones`; -1 for a pass. */
function pointOf(vertex: string, size: number): number {
  if (vertex.toLowerCase() === "pass") return -1;
  return (size - Number(vertex.slice(1))) * size + LETTERS.indexOf(vertex[0]!.toUpperCase());
}
const isStar = (size: number, row: number, column: number) => {
  const stars = STARS[size] ?? [];
  if (!stars.includes(row) || !stars.includes(column)) return false;
  const middle = (size - 1) / 2;
  return size === 19 || (row === middle) === (column === middle);
};

/** A wooden board in one SVG; stones stand on whole coordinates, and the names of lines left and above of them. */
export function GoBoard({ game, board, movable, marks, onMove, heat, onStone, label, sent }: BoardProps) {
  const { size, stones } = board;
  const nameOf = (point: number) => `${LETTERS[point % size]}${size - Math.floor(point / size)}`;
  const [hovered, setHovered] = useState(-1);
  const legal = new Map(board.legal.map((move) => [pointOf(move, size), move]));
  const last = board.last === null ? -1 : pointOf(board.last, size);
  const at = (point: number) => ({ x: (point % size) + 1, y: Math.floor(point / size) + 1 });
  const inner = Array.from({ length: size }, (_, line) => line + 1);
  const onWay = sent ? pointOf(sent, size) : -1;
  const ghost = onWay >= 0 && stones[onWay] === "." ? at(onWay) : movable && legal.has(hovered) && hovered >= 0 ? at(hovered) : null;
  const stroke = size > 13 ? 0.035 : 0.03;
  const pick = (point: number) => { if (movable && legal.has(point)) onMove(legal.get(point)!); else if (stones[point] !== ".") onStone?.(nameOf(point)); };
  const { cursor, keys } = useCursor(size, size, (column, row) => pick(row * size + column));
  const dead = new Set(board.dead.map((vertex) => pointOf(vertex, size)));
  const ko = board.ko === null ? null : at(pointOf(board.ko, size));
  const warm = heat ? heatOf(marks, (move) => pointOf(move, size)) : null;
  return (
    <div class="go board" {...roleOf(`${sayGame(game)} ${size}×${size}: ${say("boardKeys")}`, keys, label)}>
      <svg viewBox={`-0.15 -0.15 ${size + 0.85} ${size + 0.85}`} aria-hidden="true" onMouseLeave={() => setHovered(-1)}>
        <defs>
          <radialGradient id="black-stone" cx="35%" cy="30%" r="75%"><stop offset="0" stop-color="#5a5a5c" /><stop offset="0.55" stop-color="#1c1c1e" /><stop offset="1" stop-color="#0b0b0c" /></radialGradient>
          <radialGradient id="white-stone" cx="35%" cy="30%" r="80%"><stop offset="0" stop-color="#ffffff" /><stop offset="0.6" stop-color="#f1efe9" /><stop offset="1" stop-color="#c9c4b8" /></radialGradient>
        </defs>
        <rect class="wood" x={-0.15} y={-0.15} width={size + 1} height={size + 1} />
        <g class="lines" stroke-width={stroke}>
          {inner.map((line) => <path key={line} d={`M1 ${line}H${size}M${line} 1V${size}`} />)}
        </g>
        {inner.flatMap((row) => inner.filter((column) => isStar(size, row - 1, column - 1)).map((column) => <circle key={`${row} ${column}`} class="star" cx={column} cy={row} r={0.1} />))}
        <g class="names" font-size={size > 13 ? 0.4 : size > 9 ? 0.34 : 0.28}>
          {inner.map((line) => (
            <>
              <text x={line} y={0.2}>{LETTERS[line - 1]}</text>
              <text x={0.17} y={line}>{size + 1 - line}</text>
            </>
          ))}
        </g>
        {warm && [...warm].map(([point, share]) => point >= 0 && <rect key={point} class="heat" x={at(point).x - 0.5} y={at(point).y - 0.5} width={1} height={1} fill-opacity={0.12 + 0.68 * share} />)}
        {[...stones].map((stone, point) => stone !== "." && (
          <g key={point} class={dead.has(point) ? "dead" : ""}>
            <circle class="shadow" cx={at(point).x + 0.03} cy={at(point).y + 0.06} r={0.47} />
            <circle cx={at(point).x} cy={at(point).y} r={0.475} fill={`url(#${stone === "B" ? "black" : "white"}-stone)`} />
          </g>
        ))}
        {last >= 0 && <circle class={`last ${stones[last] === "B" ? "on-black" : "on-white"}`} cx={at(last).x} cy={at(last).y} r={0.22} stroke-width={0.07} />}
        {ko && <rect class="ko" x={ko.x - 0.22} y={ko.y - 0.22} width={0.44} height={0.44}><title>{say("ko")}</title></rect>}
        {[...board.owners].map((owner, point) => owner !== "." && (stones[point] === "." || dead.has(point)) && (
          <rect key={point} class={owner === "B" ? "of-black" : "of-white"} x={at(point).x - 0.16} y={at(point).y - 0.16} width={0.32} height={0.32} />
        ))}
        {!heat && marks.map(({ move, share, sign }) => {
          const point = pointOf(move, size);
          return point >= 0 && (
            <g key={move} class={`mark ${sign ? "signed" : ""}`}>
              <circle cx={at(point).x} cy={at(point).y} r={0.44} fill-opacity={0.35 + 0.6 * Math.sqrt(share)} />
              <text x={at(point).x} y={at(point).y} font-size={0.3}>{sign ?? percent(share)}</text>
            </g>
          );
        })}
        {ghost && <circle class="ghost" cx={ghost.x} cy={ghost.y} r={0.475} fill={`url(#${board.to_move === 0 ? "black" : "white"}-stone)`} />}
        {movable && [...legal].map(([point, move]) => point >= 0 && (
          <rect key={move} class="target" data-move={move} x={at(point).x - 0.5} y={at(point).y - 0.5} width={1} height={1}
            onMouseEnter={() => setHovered(point)} onClick={() => { setHovered(-1); onMove(move); }} />
        ))}
        {onStone && [...stones].map((stone, point) => stone !== "." && <rect key={point} class="target" data-stone={nameOf(point)} x={at(point).x - 0.5} y={at(point).y - 0.5} width={1} height={1} onClick={() => onStone(nameOf(point))} />)}
        {cursor && <rect class="cursor" x={cursor[0] + 0.54} y={cursor[1] + 0.54} width={0.92} height={0.92} />}
      </svg>
      {cursor && <Heard text={`${nameOf(cursor[1] * size + cursor[0])} ${{ B: say("Black"), W: say("White"), ".": "" }[stones[cursor[1] * size + cursor[0]]!]}`} />}
    </div>
  );
}
