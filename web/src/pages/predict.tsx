import { useEffect, useState } from "preact/hooks";
import { type AskedPrediction, type Foretold, foretell, type GameName, type Info } from "../api";
import { AnyBoard } from "../boards/board";
import { Choices } from "../parts/choices";
import { GameIcon } from "../parts/game_icon";
import { PieceSetButton } from "../parts/piece_set";
import { addressOf, firstOf, readAddress } from "../parts/prediction_address";
import { PredictionFigures } from "../parts/prediction_figures";
import { follow } from "../parts/route";
import { Steps } from "../parts/steps";
import { pastedNames } from "../games";
import { say, sayGame, sayStyle } from "../words";

const ARROWS = 4;
/** Keys that are held down ask for many positions: only where they rest for so long is one asked for. */
const REST_MILLISECONDS = 70;
type Show = "arrows" | "heat" | "off";

export function PredictPage({ info }: { info: Info }) {
  const [asked, setAsked] = useState<AskedPrediction | null>(null);
  const [gameId, setGameId] = useState("");
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<Foretold | null>(null);
  const [wrong, setWrong] = useState("");
  const [level, setLevel] = useState<number | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [show, setShow] = useState<Show>("arrows");
  useEffect(() => {
    readAddress(info).then(
      (found) => { setLevel(found.level); setGameId(found.gameId); setText(found.gameId ? "" : found.asked.text); setAsked(found.asked); },
      (problem: Error) => { setWrong(problem.message); setAsked(firstOf(info, info.games[0]!.name)); },
    );
  }, []);
  useEffect(() => {
    if (!asked) return;
    const stop = new AbortController();
    const ask = () => foretell(asked, stop.signal).then(
      (next) => { setAnswer(next); setWrong(""); },
      (problem: Error) => { if (!stop.signal.aborted) setWrong(problem.message); },
    );
    const timer = setTimeout(() => void ask(), answer ? REST_MILLISECONDS : 0);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [asked]);
  useEffect(() => { if (asked && answer) history.replaceState(null, "", addressOf({ asked, gameId, level })); }, [asked, gameId, level, answer]);
  if (!asked) return <main class="table predict" id="content"><p role="status">…</p></main>;

  const game = info.games.find((each) => each.name === asked.game)!;
  const choose = (name: GameName) => { setText(""); setGameId(""); setAnswer(null); setAsked(firstOf(info, name)); };
  const playOn = (move: string) => setAsked({ ...asked, ply: asked.ply ?? answer?.ply ?? null, moves: `${asked.moves} ${move}`.trim() });
  const shown = answer && answer.game === asked.game ? answer : null;
  const at = shown ? placeOf(shown.ratings, level) : 0;
  const marks = shown && show !== "off"
    ? shown.candidates.filter(({ move }) => hovered === null || move === hovered).slice(0, show === "heat" ? undefined : ARROWS).map(({ move, probabilities }) => ({ move, share: probabilities[at] ?? 0 }))
    : [];
  const review = gameId ? `/review?game=${gameId}&kind=${asked.game}` : asked.text.trim() && shown && shown.plies > 0 ? `/review?kind=${asked.game}#${encodeURIComponent(asked.text)}` : "";
  return (
    <main class={`table predict ${asked.game}-table`} id="content" data-ply={shown?.ply} data-game={gameId || undefined}>
      <div class="board-column">
        {shown && <AnyBoard game={shown.game} board={shown.board} bottom={0} movable onMove={playOn} heat={show === "heat"} marks={marks} />}
        {shown?.ended && <p class="note ended" role="status">{say("endedShown")}</p>}
        {shown && shown.plies > 0 && asked.moves === "" && <Steps at={asked.ply ?? shown.ply} last={shown.plies} onStep={(ply) => setAsked({ ...asked, ply })} />}
        {asked.moves !== "" && <div class="buttons steps"><button type="button" onClick={() => setAsked({ ...asked, moves: asked.moves.split(" ").slice(0, -1).join(" ") })}>{say("takeBack")}</button>
          <button type="button" onClick={() => setAsked({ ...asked, moves: "" })}>{say("undoMoves")}</button></div>}
        <p class="note under-board">{say("playOn")}</p>
        <form class="paste" onSubmit={(event) => { event.preventDefault(); setGameId(""); setAsked({ ...asked, text, ply: null, moves: "" }); }}>
          <textarea rows={2} spellcheck={false} value={text} aria-label={say("position")} onInput={(event) => setText(event.currentTarget.value)}
            placeholder={`${say("position")}: ${pastedNames(asked.game).join(", ") || say("savedGame")}`} />
          <button type="submit" class="main">{say("show")}</button>
        </form>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <p class="links">
          {gameId && <a class="to-game" href={`/game/${gameId}`} onClick={follow}>{say("backToGame")}</a>}
          {review && <a class="to-review" href={review} onClick={follow}>{say("reviewText")}</a>}
          {shown && game.board === "sfen" && <PieceSetButton />}
          {shown && <CopyAddress />}
        </p>
      </div>
      <aside class="panel side">
        <h1 class="small">{say("predict")}</h1>
        <p class="note">{say("predictIntro")}</p>
        <Choices label={say("game")} value={asked.game} below={say("moreGames")} options={info.games.map((each) => ({ value: each.name, name: sayGame(each.name), sign: <GameIcon game={each.name} />, small: !each.large }))} onChoose={choose} />
        {game.styles.length > 1 && <Choices label={say("whose")} value={asked.style} options={game.styles.map((each) => ({ value: each.name, name: sayStyle(each.name) }))} onChoose={(style) => setAsked({ ...asked, style })} />}
        {shown && <Choices label={say("onBoard")} value={show} onChoose={setShow} options={[{ value: "arrows", name: say("arrows") }, { value: "heat", name: say("heat") }, { value: "off", name: say("marksOff") }]} />}
        {shown && <PredictionFigures answer={shown} at={at} setAt={(place) => setLevel(shown.ratings[place]!)} onHover={setHovered} onPick={playOn} kind={game.scale.kind} sides={game.sides} />}
      </aside>
    </main>
  );
}

/** Where among the levels one is, the nearest for a level between them; the middle where none is chosen. */
function placeOf(ratings: number[], level: number | null): number {
  if (level === null) return Math.floor(ratings.length / 2);
  return ratings.reduce((best, rating, place) => (Math.abs(rating - level) < Math.abs(ratings[best]! - level) ? place : best), 0);
}

/** The address of this prediction to the clipboard, where the browser allows it. */
function CopyAddress() {
  const [done, setDone] = useState(false);
  if (!navigator.clipboard) return null;
  return <button type="button" class="copy" onClick={() => navigator.clipboard.writeText(location.href).then(() => setDone(true), () => setDone(false))}>{say(done ? "copied" : "copyAddress")}</button>;
}
