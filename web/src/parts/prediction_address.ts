import { type AskedPrediction, fetchGame, fetchRecord, type GameName, type Info } from "../api";
import { mainFormat } from "../games";

/** A prediction with what its address says beside it: a game of this server, and the level that is looked at. */
export interface Addressed { asked: AskedPrediction; gameId: string; level: number | null }

export function firstOf(info: Info, name: GameName): AskedPrediction {
  const game = info.games.find((each) => each.name === name)!;
  return { game: name, text: "", ply: null, moves: "", pool: game.scale.pools[0]!, style: game.styles[0]!.name };
}

/** What the address asks for: `?game=ID&ply=N` is a game of this server, `?kind=chess&ply=N#…` a game or position as text. Unknown words are left out. */
export async function readAddress(info: Info): Promise<Addressed> {
  const query = new URLSearchParams(location.search), gameId = query.get("game") ?? "";
  const number = (name: string) => { const text = query.get(name); return text !== null && /^-?[0-9]{1,6}$/.test(text) ? Number(text) : null; };
  const wanted = gameId ? (await fetchGame(gameId)).game : query.get("kind");
  const game = info.games.find((each) => each.name === wanted) ?? info.games[0]!, usual = firstOf(info, game.name);
  const text = gameId ? await fetchRecord(gameId, mainFormat(game.name)) : decodeURIComponent(location.hash.slice(1));
  const among = (known: string[], name: string, other: string) => { const given = query.get(name); return given !== null && known.includes(given) ? given : other; };
  const asked = {
    ...usual, text, ply: number("ply"), moves: query.get("moves") ?? "",
    pool: among(game.scale.pools, "pool", usual.pool), style: among(game.styles.map(({ name }) => name), "style", usual.style),
  };
  return { asked, gameId, level: number("level") };
}

/** The address that shows this prediction again, here or to somebody else. */
export function addressOf({ asked, gameId, level }: Addressed): string {
  const query = new URLSearchParams(gameId ? { game: gameId } : { kind: asked.game });
  if (asked.ply !== null) query.set("ply", String(asked.ply));
  if (asked.moves) query.set("moves", asked.moves);
  query.set("pool", asked.pool);
  query.set("style", asked.style);
  if (level !== null) query.set("level", String(level));
  return `/predict?${query}${gameId || !asked.text ? "" : `#${encodeURIComponent(asked.text)}`}`;
}
