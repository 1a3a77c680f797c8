import type { Drawing } from "../api";
import { gameOf } from "../games";
import { Shape } from "./shogi_piece";

/** Colours of pieces, by what their side is called. */
const TONES = ["black", "white", "red", "blue", "yellow", "green"];
export function toneOf(game: string, side: number): string {
  const name = gameOf(game)?.sides[side]?.toLowerCase() ?? "";
  return TONES.includes(name) ? name : ["black", "white"][side]!;
}

/** The light on round pieces, once for a drawing. */
export function Lights() {
  return <>{TONES.map((tone) => <radialGradient key={tone} id={`light-${tone}`} cx="35%" cy="30%" r="80%"><stop class={`${tone} near`} offset="0" /><stop class={`${tone} mid`} offset="0.6" /><stop class={`${tone} far`} offset="1" /></radialGradient>)}</>;
}

type Look = "stone" | "figure" | "tile" | "token" | "bare";
const FIGURE = /^[\u2654-\u265f]$/;
const IDEOGRAPH = /^\p{Script=Han}|^\p{Script=Hiragana}/u;
/** What a piece is drawn as: a plain stone, a chess figure, a tile that points (on squares), a round one with a letter, or a bare sign of nobody's. */
function lookOf(drawing: Drawing, glyph: string, side: number | null): Look {
  if (side === null) return "bare";
  if (glyph === "") return "stone";
  if (FIGURE.test(glyph)) return "figure";
  return IDEOGRAPH.test(glyph) && drawing.style === "grid" ? "tile" : "token";
}

export function DrawnPiece({ game, drawing, glyph, side, x, y, turned, faint = false }: {
  game: string; drawing: Drawing; glyph: string; side: number | null; x: number; y: number; turned: boolean; faint?: boolean;
}) {
  const letter = gameOf(game)?.letters[glyph];
  if (letter && side !== null) return <g class="drawn-piece"><Shape piece={{ letter, side, sign: glyph }} x={x} y={y} turned={(side === 1) !== turned} /></g>;
  const look = lookOf(drawing, glyph, side), tone = side === null ? "nobody" : toneOf(game, side);
  const size = [...glyph].length > 1 ? 0.36 : 0.54;
  return (
    <g class={`drawn-piece ${look} of-${tone} ${faint ? "ghost" : ""}`} transform={`translate(${x} ${y})`}>
      {look === "stone" && <><circle class="shadow" cx={0.02} cy={0.05} r={0.42} /><circle class="body" r={0.42} fill={`url(#light-${tone})`} /></>}
      {look === "token" && <><circle class="shadow" cx={0.02} cy={0.05} r={0.43} />
        {IDEOGRAPH.test(glyph) ? <><circle class="rim" r={0.43} /><circle class="ring" r={0.36} /></> : <circle class="body" r={0.43} fill={`url(#light-${tone})`} />}<text font-size={size}>{glyph}</text></>}
      {look === "tile" && <g transform={(side === 1) !== turned ? "rotate(180)" : ""}><path class="shade" d="M0-.43.29-.32.39.42H-.39L-.29-.32Z" transform="translate(.02 .035)" /><path class="wood-piece" d="M0-.43.29-.32.39.42H-.39L-.29-.32Z" /><text font-size={size * 0.85} y={0.07}>{glyph}</text></g>}
      {(look === "figure" || look === "bare") && <text font-size={look === "figure" ? 0.86 : size}>{glyph}</text>}
    </g>
  );
}
