import { useEffect, useMemo, useState } from "preact/hooks";
import type { DrawnMove, Drawing, Square } from "../api";
import { Choice } from "../parts/choice";
import { Heard, useCursor } from "../parts/cursor";
import { percent, say, sayGame, saySide } from "../words";
import { gameOf } from "../games";
import { type BoardProps, heatOf, labelsOf, roleOf } from "./board";
import { Geometry } from "./drawn_geometry";
import { DrawnPiece, Lights, toneOf } from "./drawn_piece";

/** How far the wood goes beyond the outer squares, with the names of lines on it. */
const FRAMES = { checkered: 0.58, grid: 0.58, points: 0.38, hexagons: 0.78, text: 0 } as const;

/** Whether a board looks different from the other side: not where pieces fall, or are all alike on both sides. */
export function isTurnable({ style, ground, pieces }: Drawing): boolean {
  if (style === "text" || ground !== "wood") return false;
  return style === "checkered" || style === "grid" || pieces.some(({ glyph, side }) => glyph !== "" && side !== null);
}
const sayMove = ({ name }: DrawnMove) => (name.toLowerCase() === "pass" ? say("pass") : name);

/** Any game's diagram. A move is a click on each of its squares; where several have the same the visitor is asked which, and those without any are buttons. */
export function DrawnBoard(props: BoardProps) {
  const drawing = props.board.drawing!;
  return drawing.style === "text" ? <TextBoard {...props} drawing={drawing} /> : <SquareBoard {...props} drawing={drawing} />;
}

/** Moves that touch no square. */
function MoveButtons({ drawing, movable, onMove }: { drawing: Drawing; movable: boolean; onMove: (move: string) => void }) {
  const found = drawing.moves.filter(({ path }) => path.length === 0);
  if (found.length === 0) return null;
  return <div class="buttons move-buttons">{found.map((each) => <button key={each.move} type="button" data-move={each.move} disabled={!movable} onClick={() => onMove(each.move)}>{sayMove(each)}</button>)}</div>;
}

function TextBoard({ game, drawing, movable, onMove, label }: BoardProps & { drawing: Drawing }) {
  return (
    <div class="drawn board as-text">
      <pre role="img" aria-label={label ?? sayGame(game)}>{drawing.text}</pre>
      {!label && <MoveButtons drawing={drawing} movable={movable} onMove={onMove} />}
    </div>
  );
}

/** Where a move starts and where it lands, or where it lands alone. */
const endsOf = (squares: Square[]): Square[] => (squares.length > 1 ? [squares[0]!, squares.at(-1)!] : squares);

function SquareBoard({ game, board, bottom, movable, marks, onMove, heat, label, sent, drawing }: BoardProps & { drawing: Drawing }) {
  const turned = bottom === 1 && isTurnable(drawing);
  const space = useMemo(() => new Geometry(drawing, turned), [drawing, turned]);
  const [picked, setPicked] = useState(-1);
  const [choice, setChoice] = useState<DrawnMove[]>([]);
  const [hovered, setHovered] = useState(-1);
  useEffect(() => { setPicked(-1); setChoice([]); setHovered(-1); }, [board]);
  const pieces = new Map(drawing.pieces.map((piece) => [piece.at, piece]));
  const open = movable ? drawing.moves : [];
  const origins = new Set(open.flatMap(({ path }) => (path.length === 2 ? [path[0]!] : [])));
  const single = new Map<number, DrawnMove[]>();
  for (const move of open) if (move.path.length === 1) single.set(move.path[0]!, [...(single.get(move.path[0]!) ?? []), move]);
  const targets = new Set(picked < 0 ? [] : open.filter(({ path }) => path.length === 2 && path[0] === picked).map(({ path }) => path[1]!));
  /** In a rack a piece falls: anywhere above is as good. */
  const landing = (square: number) => (drawing.ground === "rack" && !single.has(square) ? [...single.keys()].find((at) => at % space.columns === square % space.columns) ?? square : square);
  const finish = (found: DrawnMove[]) => { if (found.length === 1) onMove(found[0]!.move); else setChoice(found); };
  const pick = (square: number) => {
    if (!movable) return;
    const meant = open.filter(({ path }) => path.length === 2 && path[0] === picked && path[1] === square);
    if (meant.length > 0) finish(meant);
    else if (single.has(landing(square))) finish(single.get(landing(square))!);
    else { setChoice([]); setPicked(origins.has(square) && picked !== square ? square : -1); }
  };
  const { cursor, keys } = useCursor(space.columns, space.rows, (column, row) => pick(space.seen(column, row)));
  const under = cursor ? space.seen(...cursor) : -1;
  const stones = drawing.pieces.every(({ glyph, side }) => glyph === "" || side === null);
  const empty = space.squares.length - drawing.pieces.length;
  const few = single.size > 0 && single.size <= empty / 2;
  const way = sent ? drawing.moves.find(({ move }) => move === sent)?.path.at(-1) ?? -1 : -1;
  const ghost = way >= 0 ? way : hovered >= 0 && single.has(landing(hovered)) ? landing(hovered) : -1;
  const touched = new Map(marks.map(({ move, squares }) => [move, endsOf(squares ?? []).map(([row, column]) => row * drawing.columns.length + column)]));
  const placeOf = (move: string) => drawing.moves.find((each) => each.move === move)?.path ?? touched.get(move) ?? [];
  const drawn = marks.filter(({ move }) => placeOf(move).length > 0), lands = (move: string) => placeOf(move).at(-1)!;
  const margin = FRAMES[drawing.style] + 0.01, own = gameOf(game);
  const tell = (square: number) => { const piece = pieces.get(square); return piece ? `${piece.side === null ? "" : saySide(game, own?.sides[piece.side] ?? "")} ${piece.glyph}` : ""; };
  return (
    <div class={`drawn board ${drawing.style} on-${drawing.ground}`} {...roleOf(`${sayGame(game)}: ${say("boardKeys")}`, keys, label)}>
      <Hand text={drawing.hands[turned ? 0 : 1]} side={saySide(game, own?.sides[turned ? 0 : 1] ?? "")} />
      <svg viewBox={`${-margin} ${-margin} ${space.width + 2 * margin} ${space.height + 2 * margin}`} aria-hidden="true" onMouseLeave={() => setHovered(-1)}>
        <defs><Lights /></defs>
        <Ground drawing={drawing} space={space} game={game} />
        <g class="names" font-size={space.columns > 13 ? 0.36 : 0.28}>{space.names().map(({ text, x, y }, at) => text && <text key={at} x={x} y={y}>{text}</text>)}</g>
        {drawing.marked.filter((at) => pieces.get(at)?.glyph !== "").map((at) => <path key={at} class="last" d={space.outline(at)} />)}
        {picked >= 0 && <path class="picked" d={space.outline(picked)} />}
        {heat && [...heatOf(drawn, lands)].map(([at, share]) => <path key={at} class="heat" d={space.outline(at)} fill-opacity={0.12 + 0.68 * share} />)}
        {drawing.pieces.map(({ at, glyph, side }) => <DrawnPiece key={at} game={game} drawing={drawing} glyph={glyph} side={side} {...space.at(at)} turned={turned} />)}
        {drawing.marked.filter((at) => pieces.get(at)?.glyph === "").map((at) => <circle key={at} class={`last-stone on-${toneOf(game, pieces.get(at)!.side ?? 0)}`} cx={space.at(at).x} cy={space.at(at).y} r={0.18} />)}
        {few && [...single.keys()].map((at) => <circle key={at} class="dest faint" cx={space.at(at).x} cy={space.at(at).y} r={0.1} />)}
        {[...targets].map((at) => <circle key={at} class={`dest ${pieces.has(at) ? "taken" : ""}`} cx={space.at(at).x} cy={space.at(at).y} r={pieces.has(at) ? 0.45 : 0.15} />)}
        {ghost >= 0 && stones && !pieces.has(ghost) && <DrawnPiece game={game} drawing={drawing} glyph="" side={board.to_move} {...space.at(ghost)} turned={turned} faint />}
        {!heat && drawn.map(({ move, share, sign }) => placeOf(move).length === 2 && <g key={move} class={`mark ${sign ? "signed" : ""}`}><path d={space.line(placeOf(move)[0]!, lands(move))} stroke-width={0.06 + 0.14 * Math.sqrt(share)} /></g>)}
        {!heat && labelsOf(drawn, lands).map(({ move, share, sign, dx, dy, r }) => (
          <g key={move} class={`mark ${sign ? "signed" : ""}`} transform={`translate(${space.at(lands(move)).x + dx} ${space.at(lands(move)).y + dy})`}>
            <circle r={r} fill-opacity={0.55 + 0.45 * Math.sqrt(share)} /><text font-size={0.8 * r}>{sign ?? percent(share)}</text>
          </g>
        ))}
        {movable && space.squares.map((at) => <path key={at} class={`target ${origins.has(at) || single.has(landing(at)) || targets.has(at) ? "" : "idle"}`} data-square={space.nameOf(at)} d={space.outline(at)} onMouseEnter={() => setHovered(at)} onClick={() => { setHovered(-1); pick(at); }} />)}
        {cursor && <path class="cursor" d={space.outline(under, 0.04)} />}
      </svg>
      <Hand text={drawing.hands[turned ? 1 : 0]} side={saySide(game, own?.sides[turned ? 1 : 0] ?? "")} />
      {cursor && <Heard text={`${space.nameOf(under)} ${tell(under)}`} />}
      {!label && <MoveButtons drawing={drawing} movable={movable} onMove={onMove} />}
      {choice.length > 0 && (
        <Choice label={say("whichMove")} onCancel={() => { setChoice([]); setPicked(-1); }}>
          <div class="named-moves">{choice.map((each) => <button key={each.move} type="button" data-move={each.move} onClick={() => onMove(each.move)}>{sayMove(each)}</button>)}</div>
        </Choice>
      )}
    </div>
  );
}

/** What a side holds, above or below the board. */
function Hand({ text, side }: { text: string; side: string }) {
  return text === "" ? null : <p class="in-hand"><small>{side}</small> {text}</p>;
}

/** The board without its pieces. */
function Ground({ drawing, space, game }: { drawing: Drawing; space: Geometry; game: string }) {
  const { style, ground } = drawing, { width, height } = space;
  const dark = (at: number) => (Math.floor(at / space.columns) + (at % space.columns)) % 2 === 1;
  const framed = FRAMES[style];
  return (
    <>
      {style !== "hexagons" && <rect class={`frame frame-${ground}`} x={-framed} y={-framed} width={width + 2 * framed} height={height + 2 * framed} rx={0.16} />}
      {style === "checkered" && space.squares.map((at) => <path key={at} class={dark(at) ? "dark" : "light"} d={space.outline(at)} />)}
      {style === "grid" && ground !== "rack" && <g class={`plain ${ground}`}>{space.squares.map((at) => <path key={at} d={space.outline(at)} />)}</g>}
      {ground === "rack" && <><rect class="rack" x={-0.12} y={-0.12} width={width + 0.24} height={height + 0.24} rx={0.25} />{space.squares.map((at) => <circle key={at} class="hole" cx={space.at(at).x} cy={space.at(at).y} r={0.43} />)}</>}
      {style === "points" && <path class="lines" d={space.lines()} />}
      {style === "hexagons" && <g class="plain cells">{space.squares.map((at) => <path key={at} d={space.outline(at)} />)}</g>}
      {drawing.lines.map(([one, other]) => <path key={`${one} ${other}`} class="lines" d={space.line(one, other)} />)}
      {drawing.dots.map((at) => <circle key={at} class="star" cx={space.at(at).x - (style === "grid" ? (space.turned ? -0.5 : 0.5) : 0)} cy={space.at(at).y - (style === "grid" ? (space.turned ? -0.5 : 0.5) : 0)} r={style === "grid" ? 0.07 : 0.09} />)}
      {drawing.edges.map((side, at) => side !== null && <path key={at} class={`edge of-${toneOf(game, side)}`} d={space.edge(at)} />)}
    </>
  );
}
