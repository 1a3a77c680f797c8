import { useEffect, useRef, useState } from "preact/hooks";
import { fetchPeople, type FoundPeople, type Info, makeTwin, sendGames, type ShownTwin } from "../api";
import { say, sayGame } from "../words";
import { GameIcon } from "./game_icon";

const LEAST = 10;
interface Sending { bytes: number; total: number }
/** A person's name as a twin may be called. */
const asName = (text: string) => text.trim().replace(/\s+/g, "-").replace(/[^\p{L}\p{N}._-]/gu, "").replace(/^[^\p{L}\p{N}]+/u, "").slice(0, 30);
/** Who has games enough; where nobody has, all of them, to be seen. */
const shown = ({ people }: FoundPeople) => (people.some(({ games }) => games >= LEAST) ? people.filter(({ games }) => games >= LEAST) : people);
function free(name: string, taken: string[]): string {
  for (let count = 2, found = name; ; found = `${name}-${count++}`) if (!taken.includes(found)) return found;
}

/** Games first, then whose they are, a name, and a word of consent. */
export function TwinForm({ info, taken, onMade }: { info: Info; taken: string[]; onMade: (twins: ShownTwin[]) => void }) {
  const [sending, setSending] = useState<Sending | null>(null);
  const [draft, setDraft] = useState("");
  const [found, setFound] = useState<FoundPeople | null>(null);
  const [player, setPlayer] = useState("");
  const [name, setName] = useState("");
  const [consent, setConsent] = useState(false);
  const [wrong, setWrong] = useState("");
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);

  const again = () => { setFound(null); setDraft(""); setConsent(false); setWrong(""); setSending(null); };
  const choose = (who: string) => { setPlayer(who); setName(free(asName(who) || "twin", taken)); };
  const take = async (files: FileList | null) => {
    if (!files?.length) return;
    again();
    stopper.current?.abort();
    const stop = (stopper.current = new AbortController()), total = [...files].reduce((sum, { size }) => sum + size, 0);
    setSending({ bytes: 0, total });
    try {
      const id = await sendGames([...files], info.games[0]!.name, (bytes) => setSending({ bytes, total }), stop.signal);
      setSending({ bytes: total, total });
      const people = await fetchPeople(id);
      setDraft(id);
      setFound(people);
      choose(people.likely || (people.people.length === 1 ? people.people[0]!.name : ""));
    } catch (problem) {
      if (!stop.signal.aborted) setWrong((problem as Error).message);
    }
    setSending(null);
  };
  const make = async (event: Event) => {
    event.preventDefault();
    setWrong("");
    try {
      onMade(await makeTwin({ draft, name, player, consent }));
      again();
    } catch (problem) {
      setWrong((problem as Error).message);
    }
  };
  const dropped = (event: DragEvent) => { event.preventDefault(); void take(event.dataTransfer?.files ?? null); };
  return (
    <form class="panel twin-form" onSubmit={make} onDragOver={(event) => event.preventDefault()} onDrop={dropped} data-step={found ? "whose" : sending ? "sending" : "files"}>
      {!found && <label class="dropzone"><input type="file" multiple disabled={sending !== null} accept=".pgn,.kif,.kifu,.ki2,.ki2u,.csa,.usi,.sgf,.plain" onChange={(event) => void take(event.currentTarget.files)} />
        <span>{say("twinDrop")}<small>PGN · KIF · KI2 · CSA · SGF — {say("twinDropNote")}</small></span></label>}
      {sending && <div class="making"><progress max={sending.total || 1} value={sending.bytes} aria-label={say("sendingFiles")} /><p class="note" aria-live="polite">{sending.bytes < sending.total ? `${say("sendingFiles")} ${Math.round((100 * sending.bytes) / sending.total)}%` : say("readingGames")}</p></div>}
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {found && <>
        <p class="found"><GameIcon game={found.game} /><b>{sayGame(found.game)}</b> {found.games.toLocaleString()} {say("gamesFound")}{found.unread > 0 && <span class="note"> · {found.unread.toLocaleString()} {say("unreadGames")}</span>}
          <button type="button" class="copy" onClick={again}>{say("otherFiles")}</button></p>
        <fieldset class="whose"><legend>{say("whoseGames")}</legend>
          <div class="people">{shown(found).map((each) => (
            <label key={each.name} class="check"><input type="radio" name="player" required checked={each.name === player} disabled={each.games < LEAST} onChange={() => choose(each.name)} /><span>{each.name}</span><small>{each.games.toLocaleString()} {say("gamesInFile")}</small></label>
          ))}</div></fieldset>
        <label>{say("twinName")}<input type="text" name="name" required maxLength={40} spellcheck={false} autocomplete="off" value={name} placeholder={say("twinNameHint")} onInput={(event) => setName(event.currentTarget.value)} /></label>
        <div class="consent-card"><h3>{say("consentTitle")}</h3>
          <label class="check"><input type="checkbox" name="consent" checked={consent} onChange={(event) => setConsent(event.currentTarget.checked)} /><span>{say("twinConsent")}</span></label>
          <p class="note">{say("twinConsentNote")}</p></div>
        <button class="main" type="submit" disabled={!consent || !player || !name.trim()}>{say("makeTwin")}</button>
      </>}
    </form>
  );
}
