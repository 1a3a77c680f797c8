import { useState } from "preact/hooks";
import { type Info, type Mode, type NewHidden, type NewStudy, Refused, setUpStudy, type ShownGame } from "../api";
import { Choices } from "../parts/choices";
import { GameIcon } from "../parts/game_icon";
import { holdKey } from "../parts/keys";
import { visit } from "../parts/route";
import { say, sayGame, sayLevel, sayStyle } from "../words";

/** The experimenter's page: who hides, how many games, what visitors agree to. */
export function NewTestPage({ info }: { info: Info }) {
  const [wanted, setWanted] = useState<NewStudy>(() => usual(info.games[0]!));
  const [wrong, setWrong] = useState("");
  const [creating, setCreating] = useState(false);
  const game = info.games.find((each) => each.name === wanted.game)!;
  const change = (part: Partial<NewStudy>) => setWanted({ ...wanted, ...part });
  const changeOne = (at: number, part: Partial<NewHidden>) => change({ opponents: wanted.opponents.map((each, place) => (place === at ? { ...each, ...part } : each)) });
  const count = (name: "games_per_visitor" | "games_per_opponent" | "plies", label: string, most: number) => (
    <label>{label}<input type="number" min={1} max={most} required value={wanted[name] || ""} onInput={(event) => change({ [name]: Number(event.currentTarget.value) })} /></label>
  );
  const create = async (event: Event) => {
    event.preventDefault();
    if (creating) return;
    setCreating(true);
    try {
      const made = await setUpStudy(wanted);
      holdKey({ ...made, title: wanted.title });
      visit(`/bot-or-not/results/${made.id}`);
    } catch (problem) {
      setWrong(problem instanceof Refused ? problem.message : say("lineGone"));
      setCreating(false);
    }
  };
  return (
    <main class="home" id="content">
      <h1>{say("setUp")}</h1>
      <form class="panel" onSubmit={create}>
        <label>{say("title")}<input type="text" name="title" required maxLength={120} value={wanted.title} onInput={(event) => change({ title: event.currentTarget.value })} /></label>
        <Choices label={say("game")} value={wanted.game} below={say("moreGames")} options={info.games.map((each) => ({ value: each.name, name: sayGame(each.name), sign: <GameIcon game={each.name} />, small: !each.large }))} onChoose={(name) => setWanted({ ...usual(info.games.find((each) => each.name === name)!), title: wanted.title, consent: wanted.consent })} />
        {game.sizes.length > 0 && <Choices label={say("board")} value={wanted.size} options={game.sizes.map((size) => ({ value: size, name: `${size}×${size}` }))} onChoose={(size) => change({ size })} />}
        <Choices<Mode> label={say("mode")} value={wanted.mode} options={[{ value: "watch", name: say("watch") }, { value: "play", name: say("playMode") }]} onChoose={(mode) => change({ mode, opponents: wanted.opponents.filter((each) => mode === "watch" || each.records === undefined).filter((each) => mode === "play" || !each.person) })} />
        <fieldset class="opponents"><legend>{say("opponents")}</legend>
          {wanted.opponents.map((each, at) => <Opponent key={at} game={game} hidden={each} onChange={(part) => changeOne(at, part)} onRemove={() => change({ opponents: wanted.opponents.filter((_, place) => place !== at) })} />)}
          <div class="buttons">
            <button type="button" onClick={() => change({ opponents: [...wanted.opponents, styled(game, game.styles[0]!.name, wanted.opponents.length)] })}>{say("addOpponent")}</button>
            {wanted.mode === "watch" && <button type="button" onClick={() => change({ opponents: [...wanted.opponents, { label: "people", records: "" }] })}>{say("addRecords")}</button>}
            {wanted.mode === "play" && !wanted.opponents.some((each) => each.person) && <button type="button" onClick={() => change({ opponents: [...wanted.opponents, { label: "person", person: true }] })}>{say("addPerson")}</button>}
          </div>
        </fieldset>
        <div class="pair numbers">
          {count("games_per_visitor", say("gamesEach"), 50)}
          {wanted.mode === "watch" && count("games_per_opponent", say("gamesMade"), 50)}
          {count("plies", say(wanted.mode === "watch" ? "pliesShown" : "pliesBefore"), 300)}
        </div>
        <label>{say("consentText")}<textarea rows={4} maxLength={5000} name="consent" value={wanted.consent} onInput={(event) => change({ consent: event.currentTarget.value })} /></label>
        <label class="check"><input type="checkbox" checked={wanted.reveal} onChange={(event) => change({ reveal: event.currentTarget.checked })} /> {say("reveal")}</label>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <button class="main" type="submit" disabled={creating}>{say("create")}</button>
      </form>
    </main>
  );
}

function usual(game: ShownGame): NewStudy {
  const styles = game.styles.filter(({ name }) => name !== "random").slice(0, 3);
  return {
    title: "", game: game.name, size: game.sizes[0] ?? 0, mode: "watch", opponents: (styles.length ? styles : game.styles).map(({ name }, at) => styled(game, name, at)),
    games_per_visitor: 6, games_per_opponent: 6, plies: 40, consent: "", reveal: true,
  };
}
const styled = (game: ShownGame, style: string, at: number): NewHidden => ({ label: `${style} ${at + 1}`, style, rating: game.scale.default, pool: game.scale.pools[0]! });

function Opponent({ game, hidden, onChange, onRemove }: { game: ShownGame; hidden: NewHidden; onChange: (part: Partial<NewHidden>) => void; onRemove: () => void }) {
  const { scale } = game;
  const read = async (files: FileList | null) => onChange({ records: (await Promise.all([...(files ?? [])].map((file) => file.text()))).join("\n\n") });
  return (
    <div class="opponent">
      <label>{say("label")}<input type="text" required maxLength={60} value={hidden.label} onInput={(event) => onChange({ label: event.currentTarget.value })} /></label>
      {hidden.person ? <p class="note fixed">{say("personNote")}</p> : hidden.records === undefined ? (
        <>
          <label>{say("style")}<select value={hidden.style} onChange={(event) => onChange({ style: event.currentTarget.value, label: hidden.label.replace(new RegExp(`^${hidden.style} `), `${event.currentTarget.value} `) })}>{game.styles.map(({ name }) => <option key={name} value={name}>{sayStyle(name)}</option>)}</select></label>
          {game.styles.find(({ name }) => name === hidden.style)?.follows_level === false ? <p class="note fixed">{say("engineLevel")}</p> : <label>{say("level")}<input type="range" min={scale.low} max={scale.high} step={scale.step} value={hidden.rating} aria-valuetext={sayLevel(scale.kind, hidden.rating!)} onInput={(event) => onChange({ rating: Number(event.currentTarget.value) })} /><small>{sayLevel(scale.kind, hidden.rating!)} {hidden.pool}</small></label>}
        </>
      ) : (
        <label class="wide">{say("records")}<textarea rows={3} required spellcheck={false} value={hidden.records} onInput={(event) => onChange({ records: event.currentTarget.value })} /><input type="file" multiple aria-label={say("records")} onChange={(event) => void read(event.currentTarget.files)} /></label>
      )}
      <button type="button" aria-label={`${say("remove")} ${hidden.label}`} onClick={onRemove}>✕</button>
    </div>
  );
}
