import { useEffect, useState } from "preact/hooks";
import { Choice } from "../parts/choice";
import { Heard, useCursor } from "../parts/cursor";
import { currentLanguage, percent, say, sayGame } from "../words";
import { usePieceSet } from "../parts/piece_set";
import { type BoardProps, heatOf, labelsOf, roleOf } from "./board";
import { KANJI, Letter, type Piece, Shape } from "./shogi_piece";

const ENGLISH: Record<string, string> = { K: "king", R: "rook", B: "bishop", G: "gold", S: "silver", N: "knight", L: "lance", P: "pawn" };
/** A piece for a screen reader. */
const heardAs = (letter: string) => (currentLanguage() === "ja" ? KANJI[letter]! : `${letter.startsWith("+") ? "promoted " : ""}${ENGLISH[letter.at(-1)!]}`);
const HELD = ["R", "B", "G", "S", "N", "L", "P"];
const RANKS = "一二三四五六七八九";
/** SFEN's board as 81 squares, 9a (top left) first, and both hands. */
function readSfen(sfen: string): { squares: (Piece | null)[]; hands: [Record<string, number>, Record<string, number>] } {
  const [rows = "", , held = "-"] = sfen.split(" ");
  const squares: (Piece | null)[] = [];
  for (const [, plus, letter, empty] of rows.matchAll(/(\+?)([A-Za-z])|([1-9])/g)) {
    if (empty) squares.push(...Array<null>(Number(empty)).fill(null));
    else squares.push({ letter: plus! + letter!.toUpperCase(), side: letter! === letter!.toUpperCase() ? 0 : 1 });
  }
  const hands: [Record<string, number>, Record<string, number>] = [{}, {}];
  for (const [, count, letter] of held.matchAll(/([0-9]*)([A-Za-z])/g)) {
    hands[letter === letter!.toUpperCase() ? 0 : 1]![letter!.toUpperCase()] = Number(count || 1);
  }
  return { squares, hands };
}
/** "7f" as a place among the 81. */
const squareOf = (text: string) => (text.charCodeAt(1) - 97) * 9 + 9 - Number(text[0]);
const nameOf = (square: number) => `${9 - (square % 9)}${String.fromCharCode(97 + Math.floor(square / 9))}`;

/** A board, both hands and the choice of promotion in one SVG; a move is a click on its origin and one on its target. */
export function ShogiBoard({ game, board, bottom, movable, marks, onMove, heat, label, sent }: BoardProps) {
  const set = usePieceSet();
  const [picked, setPicked] = useState<string | null>(null);
  const [choice, setChoice] = useState<string[]>([]);
  useEffect(() => { setPicked(null); setChoice([]); }, [board]);
  const { squares, hands } = readSfen(board.text);
  const turned = bottom === 1;
  const at = (square: number) => {
    const shown = turned ? 80 - square : square;
    return { x: (shown % 9) + 0.5, y: Math.floor(shown / 9) + 0.5 };
  };
  const origin = (move: string) => move.slice(0, 2);
  const target = (move: string) => squareOf(move.slice(2, 4));
  const mine = movable && picked !== null ? board.legal.filter((move) => origin(move) === picked) : [];
  const targets = new Set(mine.map(target));
  const origins = new Set(movable ? board.legal.map(origin) : []);
  const last = board.last;
  const checked = board.check ? squares.findIndex((piece) => piece?.letter === "K" && piece.side === board.to_move) : -1;
  const onWay = sent && board.legal.includes(sent) ? target(sent) : -1;

  const click = (square: number) => {
    if (!movable) return;
    const meant = mine.filter((move) => target(move) === square);
    if (meant.length === 1) onMove(meant[0]!);
    else if (meant.length === 2) setChoice(meant);
    else { setChoice([]); setPicked(origins.has(nameOf(square)) && picked !== nameOf(square) ? nameOf(square) : null); }
  };
  const hold = (side: number, drop: string) => { if (movable && side === board.to_move && origins.has(drop)) { setChoice([]); setPicked(picked === drop ? null : drop); } };
  // Keys walk over eleven rows: the upper hand, the board, the lower hand. In a hand every place stands for a piece that is there.
  const squareAt = (column: number, row: number) => (turned ? 80 - ((row - 1) * 9 + column) : (row - 1) * 9 + column);
  const heldAt = (column: number, row: number) => {
    const top = row === 0, side = top === turned ? 0 : 1;
    const letters = HELD.filter((letter) => hands[side]![letter]), place = Math.min(top ? 8 - column : column, Math.max(letters.length - 1, 0));
    return { side, letter: letters[place], x: top ? 8.4 - place * 1.2 : 0.6 + place * 1.2, y: top ? -1.62 : 9.28 };
  };
  const inHand = (row: number) => row === 0 || row === 10;
  const { cursor, keys } = useCursor(9, 11, (column, row) => {
    if (!inHand(row)) click(squareAt(column, row));
    else { const { side, letter } = heldAt(column, row); if (letter) hold(side, `${letter}*`); }
  });
  const under = cursor && !inHand(cursor[1]) ? squareAt(...cursor) : null;
  const held = cursor && inHand(cursor[1]) ? heldAt(...cursor) : null;
  const heard = under !== null ? `${nameOf(under)} ${squares[under] ? heardAs(squares[under].letter) : ""}`
    : held ? `${say("hand")}: ${held.letter ? `${heardAs(held.letter)} ${hands[held.side]![held.letter]}` : "–"}` : "";
  const hand = (side: number, top: boolean) => (
    <g transform={`translate(0 ${top ? -1.62 : 9.28})`} class="hand">
      <rect class="stand" x={-0.15} y={0} width={9.3} height={1} rx={0.08} />
      {HELD.filter((letter) => hands[side]![letter]).map((letter, place) => {
        const x = top ? 8.4 - place * 1.2 : 0.6 + place * 1.2;
        const drop = `${letter}*`;
        return (
          <g key={letter} data-hand={drop} class={side === board.to_move && origins.has(drop) ? "holdable" : ""} onClick={() => hold(side, drop)}>
            {picked === drop && side === board.to_move && <rect class="picked" x={x - 0.5} y={0} width={1} height={1} />}
            <Shape piece={{ letter, side }} x={x} y={0.5} turned={top} />
            {hands[side]![letter]! > 1 && <text class="count" x={x + 0.45} y={0.82} font-size={0.3}>{hands[side]![letter]}</text>}
          </g>
        );
      })}
    </g>
  );
  const chosen = choice.length > 0 ? squares[squareOf(origin(choice[0]!))] : null;
  const lines = Array.from({ length: 10 }, (_, line) => line);
  return (
    <div class="shogi board" {...roleOf(`${sayGame(game)}: ${say("boardKeys")}`, keys, label)}>
      <svg viewBox="-0.15 -1.65 9.6 11.98" aria-hidden="true">
        <defs><radialGradient id="in-check"><stop offset="0.3" stop-color="#d2281e" stop-opacity="0.9" /><stop offset="1" stop-color="#d2281e" stop-opacity="0.12" /></radialGradient></defs>
        <rect class="wood" x={-0.15} y={-0.15} width={9.3} height={9.3} />
        {last && <rect class="last" x={at(target(last)).x - 0.5} y={at(target(last)).y - 0.5} width={1} height={1} />}
        {last && last[1] !== "*" && <rect class="last faint" x={at(squareOf(last)).x - 0.5} y={at(squareOf(last)).y - 0.5} width={1} height={1} />}
        {checked >= 0 && <rect class="in-check" x={at(checked).x - 0.5} y={at(checked).y - 0.5} width={1} height={1} fill="url(#in-check)"><title>{say("inCheck")}</title></rect>}
        {onWay >= 0 && <rect class="last" x={at(onWay).x - 0.5} y={at(onWay).y - 0.5} width={1} height={1} />}
        {picked && picked[1] !== "*" && <rect class="picked" x={at(squareOf(picked)).x - 0.5} y={at(squareOf(picked)).y - 0.5} width={1} height={1} />}
        <g class="lines">{lines.map((line) => <path key={line} d={`M0 ${line}H9M${line} 0V9`} />)}</g>
        {[[3, 3], [6, 3], [3, 6], [6, 6]].map(([x, y]) => <circle class="star" cx={x} cy={y} r={0.06} />)}
        <g class="names" font-size={0.24}>
          {lines.slice(1).map((line) => (
            <>
              <text x={turned ? line - 0.5 : 9.5 - line} y={-0.36}>{line}</text>
              {set === "kanji" ? <Letter letter={RANKS[line - 1]!} x={9.29} y={turned ? 9.5 - line : line - 0.5} size={0.25} /> : <text x={9.29} y={turned ? 9.5 - line : line - 0.5}>{line}</text>}
            </>
          ))}
        </g>
        {squares.map((piece, square) => piece && <Shape key={square} piece={piece} {...at(square)} turned={(piece.side === 1) !== turned} />)}
        {[...targets].map((square) => <circle key={square} class="dest" cx={at(square).x} cy={at(square).y} r={squares[square] ? 0.46 : 0.14} />)}
        {heat && [...heatOf(marks, target)].map(([square, share]) => <rect key={square} class="heat" x={at(square).x - 0.5} y={at(square).y - 0.5} width={1} height={1} fill-opacity={0.12 + 0.6 * share} />)}
        {!heat && [...marks].reverse().map(({ move, share, sign }) => move[1] !== "*" && (
          <g key={`line ${move}`} class={`mark ${sign ? "signed" : ""}`}><path d={`M${at(squareOf(move)).x} ${at(squareOf(move)).y}L${at(target(move)).x} ${at(target(move)).y}`} stroke-width={0.06 + 0.16 * Math.sqrt(share)} /></g>
        ))}
        {!heat && labelsOf(marks, target).map(({ move, share, sign, dx, dy, r }) => (
          <g key={move} class={`mark ${sign ? "signed" : ""}`} transform={`translate(${at(target(move)).x + dx} ${at(target(move)).y + dy})`}>
            <circle r={r} fill-opacity={0.55 + 0.45 * Math.sqrt(share)} />
            <text font-size={0.8 * r}>{sign ?? percent(share)}</text>
          </g>
        ))}
        {movable && squares.map((_, square) => <rect key={square} class="target" data-square={nameOf(square)} x={at(square).x - 0.5} y={at(square).y - 0.5} width={1} height={1} onClick={() => click(square)} />)}
        {hand(turned ? 0 : 1, true)}
        {hand(turned ? 1 : 0, false)}
        {cursor && !held && <rect class="cursor" x={cursor[0] + 0.04} y={cursor[1] - 0.96} width={0.92} height={0.92} />}
        {held && <rect class="cursor" x={held.x - 0.46} y={held.y + 0.04} width={0.92} height={0.92} />}
      </svg>
      {cursor && <Heard text={heard} />}
      {chosen && (
        <Choice label={say("promote")} onCancel={() => { setChoice([]); setPicked(null); }}>
          {[true, false].map((promotes) => (
            <button key={String(promotes)} type="button" data-promote={promotes ? "yes" : "no"} aria-label={heardAs(promotes ? `+${chosen.letter}` : chosen.letter)} onClick={() => onMove(choice.find((move) => move.endsWith("+") === promotes)!)}>
              <svg viewBox="-0.5 -0.5 1 1" aria-hidden="true"><Shape piece={promotes ? { ...chosen, letter: `+${chosen.letter}` } : chosen} x={0} y={0} turned={false} /></svg>
            </button>
          ))}
        </Choice>
      )}
    </div>
  );
}
