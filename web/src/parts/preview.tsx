import { useEffect, useState } from "preact/hooks";
import { type Beginning, type Board, fetchStart, type Foretold, foretell, type NewGame, type ShownGame, type Style } from "../api";
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

/** Who says what is played first: people, whoever the opponent is; where there are none, the opponent if it has levels and knows the board. */
function adviser(game: ShownGame, wanted: NewGame): Style | undefined {
  const people = game.styles.find((each) => each.name === "human");
  const chosen = game.styles.find((each) => each.name === wanted.style && each.follows_level);
  return people ?? (chosen?.name === "expert" && wanted.variant ? undefined : chosen);
}

/** How games begin, those that were looked at. */
const starts = new Map<string, Board>();

/** How the game would begin, and what people of the chosen level play there: it follows the dial. */
export function Preview({ game, wanted }: { game: ShownGame; wanted: NewGame }) {
  const [answer, setAnswer] = useState<{ key: string; told: Foretold } | null>(null);
  const [, setSeen] = useState("");
  const { size = 0, variant = "", handicap = "", opening = "", start = "" } = wanted;
  const beginning: Beginning = { game: game.name, size, variant, handicap, opening, start };
  const begun = JSON.stringify(beginning), whose = adviser(game, wanted), style = whose?.name ?? "", key = `${begun} ${style}`;
  const patience = start ? PATIENCE_MILLISECONDS : 0;
  useEffect(() => {
    if (starts.has(begun)) return;
    const ask = () => fetchStart(beginning).then((board) => { starts.set(begun, board); setSeen(begun); }, () => undefined);
    const timer = setTimeout(() => void ask(), patience);
    return () => clearTimeout(timer);
  }, [begun]);
  useEffect(() => {
    if (!style) return;
    let awaited = true;
    const moves = game.openings.find(({ name }) => name === opening)?.moves ?? "";
    const ask = () => foretell({ game: game.name, size, variant, handicap, text: start, ply: null, moves, pool: wanted.pool, style })
      .then((told) => { if (awaited) setAnswer({ key, told }); }, () => undefined);
    const timer = setTimeout(() => void ask(), patience);
    return () => { awaited = false; clearTimeout(timer); };
  }, [key, wanted.pool]);
  const board = starts.get(begun), told = answer?.key === key ? answer.told : null;
  const marks = (told?.candidates ?? []).map(({ move, probabilities }) => ({ move, share: shareAt(told!.ratings, probabilities, wanted.rating) }));
  marks.sort((one, other) => other.share - one.share);
  return (
    <figure class={`preview ${game.name}`}>
      {board && <AnyBoard game={game.name} board={told?.board ?? board} bottom={wanted.side === "second" ? 1 : 0} movable={false} onMove={() => undefined} marks={marks.slice(0, ARROWS)} label={say("previewBoard")} />}
      {board && told && <figcaption class="note">{!whose!.follows_level ? say("previewPeople") : <>{say(style === "human" ? "previewNote" : "previewExpert")} <b>{sayLevel(game.scale.kind, wanted.rating)}</b></>} {style === "human" && wanted.pool}</figcaption>}
    </figure>
  );
}
