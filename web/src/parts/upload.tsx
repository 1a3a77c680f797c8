import { useState } from "preact/hooks";
import type { GameName, Info } from "../api";
import { formatNames } from "../games";
import { say, sayGame, sayLevel, sayStyle } from "../words";
import { Choices } from "./choices";
import { GameIcon } from "./game_icon";

/** What is to be reviewed: a record with its name, "" for pasted text. */
export interface Upload { name: string; content: BodyInit }
export interface Wish { game: GameName; rating: number | undefined; judge: boolean; eyes: string }

const levels = (low: number, high: number, step: number) => Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, at) => Math.ceil(low / step) * step + at * step).filter((level) => level <= high);

/** The form that takes records. Which game a record belongs to is found out; the choice here is for text that does not tell. */
export function UploadForm({ info, wish, onWish, onBegin }: { info: Info; wish: Wish; onWish: (wish: Wish) => void; onBegin: (uploads: Upload[]) => void }) {
  const [text, setText] = useState("");
  const { scale, styles } = info.games.find((each) => each.name === wish.game)!;
  const twins = styles.filter(({ name }) => name.startsWith("twin:"));
  const take = (files: FileList | null) => { if (files?.length) onBegin([...files].map((file) => ({ name: file.name, content: file }))); };
  return (
    <form class="panel upload" onSubmit={(event) => { event.preventDefault(); if (text.trim()) onBegin([{ name: "", content: text }]); }}
      onDragOver={(event) => event.preventDefault()} onDrop={(event) => { event.preventDefault(); take(event.dataTransfer?.files ?? null); }}>
      <h1 class="small">{say("review")}</h1>
      <p class="note">{say("reviewIntro")}</p>
      <label class="dropzone"><input type="file" multiple accept=".pgn,.kif,.kifu,.ki2,.ki2u,.csa,.usi,.sgf,.plain" onChange={(event) => take(event.currentTarget.files)} /><span>{say("drop")}<small>PGN · KIF · KI2 · CSA · SGF</small></span></label>
      <label>{say("orPaste")}<textarea rows={3} spellcheck={false} value={text} placeholder={formatNames(wish.game).join(", ") || say("savedGame")} onInput={(event) => setText(event.currentTarget.value)} /></label>
      <div class="pair">
        <Choices label={say("game")} value={wish.game} below={say("moreGames")} options={info.games.map((each) => ({ value: each.name, name: sayGame(each.name), sign: <GameIcon game={each.name} />, small: !each.large }))} onChoose={(game) => onWish({ ...wish, game, rating: undefined, eyes: "" })} />
        {twins.length > 0 && <label>{say("throughEyes")}
          <select name="eyes" value={wish.eyes} onChange={(event) => onWish({ ...wish, eyes: event.currentTarget.value, rating: undefined })}>
            <option value="">{say("peopleOfLevel")}</option>
            {twins.map(({ name }) => <option key={name} value={name}>{sayStyle(name)}</option>)}
          </select></label>}
        {!wish.eyes && styles[0]?.follows_level && <label>{say("ratingOf")}
          <select value={wish.rating ?? ""} onChange={(event) => onWish({ ...wish, rating: event.currentTarget.value ? Number(event.currentTarget.value) : undefined })}>
            <option value="">{say("asRecorded")}</option>
            {levels(scale.low, scale.high, scale.kind === "rating" ? 100 : 1).map((level) => <option key={level} value={level}>{sayLevel(scale.kind, level)}</option>)}
          </select></label>}
      </div>
      <label class="check"><input type="checkbox" checked={wish.judge} onChange={(event) => onWish({ ...wish, judge: event.currentTarget.checked })} /> {say("withJudge")}</label>
      <div class="buttons"><button class="main" type="submit" disabled={!text.trim()}>{say("begin")}</button></div>
    </form>
  );
}
