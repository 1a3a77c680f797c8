import { useEffect, useState } from "preact/hooks";
import { beginGame, fetchRecent, type GameLine, type GameName, type Info, type NewGame, type Pace, type ShownGame, type Style } from "../api";
import { Choices } from "../parts/choices";
import { sayControl } from "../parts/clock";
import { GameIcon } from "../parts/game_icon";
import { LevelDial } from "../parts/level_dial";
import { Preview } from "../parts/preview";
import { Rules } from "../parts/rules";
import { StrengthDial } from "../parts/strength_dial";
import { pastedNames } from "../games";
import { follow, visit } from "../parts/route";
import { currentLanguage, say, sayGame, sayHandicap, sayLevel, sayMoves, saySide, sayStyle, sayStyleNote, type Word } from "../words";

/** What was chosen last, for this browser. A choice that no longer exists is replaced by the game's usual one. */
function remembered(info: Info): NewGame {
  const asked = new URLSearchParams(location.search), kept = JSON.parse(localStorage.getItem("newGame") ?? "{}") as Partial<NewGame>;
  if (asked.get("style")) return usual(info, asked.get("kind") ?? info.games[0]!.name, { ...kept, style: asked.get("style")! });
  return usual(info, kept.game ?? info.games[0]!.name, kept);
}
/** A style with strengths is asked for by one of them: `playout-4`. */
const styleOf = (game: ShownGame, name = "") => game.styles.find((style) => style.name === name || (style.strengths > 0 && name.startsWith(`${style.name}-`)));
const named = ({ name, strengths, usual_strength }: Style) => (strengths > 0 ? `${name}-${usual_strength}` : name);
/** Learned from the rules alone, with levels that were measured in games: there are no people behind them. */
const selfTaught = ({ name, follows_level }: Style) => follows_level && (name === "expert" || name === "dual");
const firstStyle = (game: ShownGame) => named(game.styles[0]!);
function usual(info: Info, name: GameName, kept: Partial<NewGame> = {}): NewGame {
  const game = info.games.find((each) => each.name === name) ?? info.games[0]!;
  const { scale } = game;
  const fits = kept.rating !== undefined && kept.rating >= scale.low && kept.rating <= scale.high;
  return {
    game: game.name,
    size: game.sizes.includes(kept.size ?? 0) ? kept.size : game.sizes[0] ?? 0,
    variant: game.variants.some(({ name: each }) => each === kept.variant) ? kept.variant : "",
    side: kept.side ?? "first",
    rating: fits ? kept.rating! : scale.default,
    pool: scale.pools.includes(kept.pool ?? "") ? kept.pool! : scale.pools[0]!,
    style: styleOf(game, kept.style) ? kept.style! : firstStyle(game),
    pace: kept.pace ?? "human",
    time_control: game.controls.includes(kept.time_control ?? "") ? kept.time_control! : "",
    opening: "",
    handicap: "",
    start: "",
  };
}

export function HomePage({ info }: { info: Info }) {
  const [wanted, setWanted] = useState(() => remembered(info));
  useEffect(() => setWanted(remembered(info)), [info]);  // a twin that was just made is told of a moment later
  const [recent, setRecent] = useState<GameLine[]>([]);
  const [wrong, setWrong] = useState("");
  useEffect(() => { fetchRecent().then(setRecent).catch(() => setRecent([])); }, []);
  const game = info.games.find((each) => each.name === wanted.game)!;
  const style = styleOf(game, wanted.style)!;
  const other = game.styles.find(({ strengths }) => strengths > 0);  // who plays on boards that an expert never saw
  const wide = useWide();
  const change = (part: Partial<NewGame>) => setWanted({ ...wanted, ...part });
  const start = async (event: Event) => {
    event.preventDefault();
    localStorage.setItem("newGame", JSON.stringify(wanted));
    setWrong("");
    try {
      visit(`/game/${(await beginGame(wanted)).id}`);
    } catch (problem) {
      setWrong((problem as Error).message);
    }
  };
  return (
    <main class="start">
      <h1>{say("tagline")}</h1>
      <form class="panel" onSubmit={start} aria-label={say("newGame")}>
        <div class="beside">
          <Choices label={say("game")} value={wanted.game} below={say("moreGames")} options={info.games.map((each) => ({ value: each.name, name: sayGame(each.name), sign: <GameIcon game={each.name} />, small: !each.large }))} onChoose={(name) => setWanted(usual(info, name, { side: wanted.side, pace: wanted.pace }))} />
          {game.sizes.length > 0 && <Choices label={say("board")} value={wanted.size!} options={game.sizes.map((size) => ({ value: size, name: `${size}×${size}` }))} onChoose={(size) => change({ size, opening: "", handicap: "" })} />}
          {game.variants.length > 0 && <Choices label={say("board")} value={wanted.variant!} options={game.variants.map((each) => ({ value: each.name, name: (currentLanguage() === "ja" && each.japanese) || each.title }))} onChoose={(variant) => change({ variant, opening: "", handicap: "", ...(variant && style.name === "expert" && other ? { style: named(other) } : {}) })} />}
        </div>
        {game.styles.some((each) => each.follows_level) && <LevelDial scale={game.scale} value={wanted.rating} pool={wanted.pool} held={style.held[game.sizes.length ? `${wanted.pool}:${wanted.size}` : wanted.pool]} turns={style.follows_level} people={!selfTaught(style)} onChange={(rating) => change({ rating })} onPool={(pool) => change({ pool })} />}
        <Choices label={say("style")} value={style.name} options={game.styles.map((each) => ({ value: each.name, name: sayStyle(each.name) }))} onChoose={(name) => change({ style: named(styleOf(game, name)!) })} />
        {style.strengths > 0 && <StrengthDial most={style.strengths} value={Number(wanted.style.split("-").at(-1))} onChange={(strength) => change({ style: `${style.name}-${strength}` })} />}
        <p class="note style-note">{game.styles.some((each) => each.name === "human") ? "" : `${say("noHuman")} `}{style.name === "human" && !style.follows_level ? say("notePeople") : style.name === "expert" && selfTaught(style) ? "" : sayStyleNote(style.name)} {selfTaught(style) && say("noteSelfTaught")} {!style.follows_level && style.strengths === 0 && <>{game.styles.some((each) => each.follows_level) ? say("noLevel") : ""} {style.mind !== style.name && <code>{style.mind}</code>}</>}</p>
        <div class="pair">
          <Choices label={say("side")} value={wanted.side} onChoose={(side) => change({ side })} options={[
            { value: "first", name: saySide(game.name, game.sides[0]) }, { value: "second", name: saySide(game.name, game.sides[1]) }, { value: "random", name: say("random") },
          ]} />
          <Choices<Pace> label={say("pace")} value={wanted.pace} onChoose={(pace) => change({ pace })} options={[{ value: "human", name: say("paceHuman") }, { value: "instant", name: say("paceInstant") }]} />
        </div>
        <Rules game={game} />
        <MoreChoices game={game} wanted={wanted} change={change} />
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <button class="main" type="submit">{say("start")}</button>
      </form>
      <aside>
        {wide && <Preview game={game} wanted={wanted} />}
        {recent.length > 0 && (
          <section class="recent">
            <h2>{say("recent")}</h2>
            <ul>{recent.map((line) => <RecentGame key={line.id} line={line} info={info} />)}</ul>
          </section>
        )}
      </aside>
    </main>
  );
}

/** Whether there is room beside the form. On a phone the picture of the start would only stand in the way. */
function useWide(): boolean {
  const [query] = useState(() => matchMedia("(min-width: 821px)"));
  const [wide, setWide] = useState(query.matches);
  useEffect(() => {
    const look = () => setWide(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return wide;
}

/** Clock, opening, handicap, a line of one's own: closed until somebody wants them. */
function MoreChoices({ game, wanted, change }: { game: ShownGame; wanted: NewGame; change: (part: Partial<NewGame>) => void }) {
  const openings = game.openings.filter(({ size }) => size === 0 || size === wanted.size);
  const handicap = game.handicaps.find(({ name }) => name === wanted.handicap);
  return (
    <details class="more" open={Boolean(wanted.time_control)}>
      <summary>{say("more")}</summary>
      <div class="pair">
        <label>{say("clock")}
          <select name="clock" value={wanted.time_control} onChange={(event) => change({ time_control: event.currentTarget.value })}>
            <option value="">{say("noClock")}</option>
            {game.controls.map((control) => <option key={control} value={control}>{sayControl(control)}</option>)}
          </select></label>
        {openings.length > 0 && <label>{say("opening")}
          <select name="opening" value={wanted.opening} disabled={Boolean(wanted.handicap || wanted.start)} onChange={(event) => change({ opening: event.currentTarget.value })}>
            <option value="">{say("freeOpening")}</option>
            {openings.map(({ name, japanese }) => <option key={name} value={name}>{currentLanguage() === "ja" ? japanese : name}</option>)}
          </select></label>}
        {game.handicaps.length > 0 && <label>{say("handicap")}
          <select name="handicap" value={wanted.handicap} disabled={Boolean(wanted.opening || wanted.start)} onChange={(event) => change({ handicap: event.currentTarget.value })}>
            <option value="">{say("noHandicap")}</option>
            {game.handicaps.map((each) => <option key={each.name} value={each.name}>{sayHandicap(each)}</option>)}
          </select>
          {handicap && <small>{saySide(game.name, game.sides[handicap.giver]!)} {say("gives")}</small>}</label>}
      </div>
      <label>{say("startFrom")}
        <textarea rows={2} spellcheck={false} name="start" value={wanted.start} placeholder={pastedNames(game.name).length > 0 ? say("startHint") : say("savedGame")} disabled={Boolean(wanted.opening || wanted.handicap)} onInput={(event) => change({ start: event.currentTarget.value })} /></label>
      <label class="file">{say("openFile")} <input type="file" accept=".plain,.txt,.pgn,.kif,.kifu,.ki2,.csa,.usi,.sgf" disabled={Boolean(wanted.opening || wanted.handicap)} onChange={(event) => void event.currentTarget.files?.[0]?.text().then((start) => change({ start: start.trim() }))} /></label>
    </details>
  );
}

function RecentGame({ line, info }: { line: GameLine; info: Info }) {
  const game = info.games.find((each) => each.name === line.game);
  const level = game && line.rating !== null && styleOf(game, line.style)?.follows_level ? ` · ${sayLevel(game.scale.kind, line.rating)}` : "";
  const ending: Word | null = line.outcome === null ? null : line.outcome.score === 0.5 ? "drawn" : (line.outcome.score > 0.5) === (line.you === 0) ? "won" : "lost";
  return (
    <li>
      <a href={`/game/${line.id}`} onClick={follow}>
        <b>{sayGame(line.game)}{line.size ? ` ${line.size}×${line.size}` : ""}</b>
        <span>{sayStyle(line.style)}{level}</span>
        <span class="end">{sayMoves(line.ply)} · {ending ? say(ending) : say("resume")}</span>
      </a>
    </li>
  );
}
