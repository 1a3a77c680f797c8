import { useEffect, useState } from "preact/hooks";
import { type Board, fetchStart, type Foretold, foretell, type NewGame, type ShownGame } from "../api";
import { AnyBoard } from "../boards/board";
import { say, sayLevel } from "../words";

const ARROWS = 4;
const PATIENCE_MILLISECONDS = 350;

/** A share at a level between those that were asked for. */
function shareAt(ratings: number[], shares: number[], level: number): number {
  const next = ratings.findIndex((rating) => rating >= level);
  if (next <= 0) return shares[next === 0 ? 0 : shares.length - 1]!;
  const part = (level - ratings[next - 1]!) / (ratings[next]! - ratings[next - 1]!);
  return shares[next - 1]! + part * (shares[next]! - shares[next - 1]!);
}

/** How games begin, those that were looked at. */
const starts = new Map<string, Board>();

/** How the game would begin, and what people of the chosen level play there: it follows the dial. */
export function Preview({ game, wanted }: { game: ShownGame; wanted: NewGame }) {
  const [answer, setAnswer] = useState<Foretold | null>(null);
  const variant = wanted.variant ?? "";
  const style = variant ? undefined : game.styles.find((each) => each.follows_level)?.name;
  const opening = game.openings.find(({ name }) => name === wanted.opening);
  const text = wanted.start || (wanted.size && game.board === "stones" ? `(;SZ[${wanted.size}])` : "");
  useEffect(() => {
    let awaited = true;
    const ask = () => foretell({ game: game.name, text, ply: null, moves: opening?.moves ?? "", pool: wanted.pool, style: style ?? "" })
      .then((next) => { if (awaited) setAnswer(next); }, () => { if (awaited) setAnswer(null); });
    const timer = style && !wanted.handicap ? setTimeout(() => void ask(), wanted.start ? PATIENCE_MILLISECONDS : 0) : 0;
    return () => { awaited = false; clearTimeout(timer); };
  }, [game.name, text, opening, wanted.pool, wanted.handicap, style]);
  const [, setSeen] = useState("");
  const begun = `${game.name} ${variant}`;
  useEffect(() => {
    if (!style && !starts.has(begun)) fetchStart(game.name, variant).then((board) => { starts.set(begun, board); setSeen(begun); }, () => undefined);
  }, [begun, style]);
  const start = style ? undefined : starts.get(begun);
  const shown = answer?.game === game.name && !wanted.handicap && style ? answer : null;
  const marks = (shown?.candidates ?? []).map(({ move, probabilities }) => ({ move, share: shareAt(shown!.ratings, probabilities, wanted.rating) }));
  marks.sort((one, other) => other.share - one.share);
  return (
    <figure class={`preview ${game.name}`}>
      {start && <AnyBoard game={game.name} board={start} bottom={wanted.side === "second" ? 1 : 0} movable={false} onMove={() => undefined} marks={[]} label={say("previewBoard")} />}
      {shown && <AnyBoard game={game.name} board={shown.board} bottom={wanted.side === "second" ? 1 : 0} movable={false} onMove={() => undefined} marks={marks.slice(0, ARROWS)} label={say("previewBoard")} />}
      {shown && <figcaption class="note">{say(style === "human" ? "previewNote" : "previewExpert")} <b>{sayLevel(game.scale.kind, wanted.rating)}</b> {wanted.pool}</figcaption>}
    </figure>
  );
}
