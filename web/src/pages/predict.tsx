import { useEffect, useState } from "preact/hooks";
import { type AskedPrediction, type Foretold, foretell, type GameName, type Info } from "../api";
import { AnyBoard } from "../boards/board";
import { Bars } from "../parts/bars";
import { Choices } from "../parts/choices";
import { Curves } from "../parts/curves";
import { GameIcon } from "../parts/game_icon";
import { Steps } from "../parts/steps";
import { percent, say, sayLevel, saySide, sayStyle } from "../words";

const CURVES = 6;
const ARROWS = 4;
type Show = "arrows" | "heat" | "off";

export function PredictPage({ info }: { info: Info }) {
  const [asked, setAsked] = useState<AskedPrediction>(() => first(info, "chess"));
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<Foretold | null>(null);
  const [wrong, setWrong] = useState("");
  const [at, setAt] = useState(0);
  const [hovered, setHovered] = useState<string | null>(null);
  const [show, setShow] = useState<Show>("arrows");
  useEffect(() => {
    let wanted = true;
    foretell(asked).then(
      (next) => { if (wanted) { setAnswer(next); setWrong(""); setAt((before) => (before < next.ratings.length ? before || Math.floor(next.ratings.length / 2) : 0)); } },
      (problem: Error) => { if (wanted) setWrong(problem.message); },
    );
    return () => { wanted = false; };
  }, [asked]);
  const game = info.games.find((each) => each.name === asked.game)!;
  const choose = (name: GameName) => { setText(""); setAnswer(null); setAsked(first(info, name)); };
  const playOn = (move: string) => setAsked({ ...asked, moves: `${asked.moves} ${move}`.trim() });
  const shown = answer && answer.game === asked.game ? answer : null;
  const marks = shown && show !== "off"
    ? shown.candidates.filter(({ move }) => hovered === null || move === hovered).slice(0, show === "heat" ? undefined : ARROWS).map(({ move, probabilities }) => ({ move, share: probabilities[at] ?? 0 }))
    : [];
  return (
    <main class="table predict" id="content">
      <div class="board-column">
        {shown && <AnyBoard game={shown.game} board={shown.board} bottom={0} movable onMove={playOn} heat={show === "heat"} marks={marks} />}
        {shown && shown.plies > 0 && asked.moves === "" && <Steps at={shown.ply} last={shown.plies} onStep={(ply) => setAsked({ ...asked, ply })} />}
        {asked.moves !== "" && <div class="buttons steps"><button type="button" onClick={() => setAsked({ ...asked, moves: asked.moves.split(" ").slice(0, -1).join(" ") })}>{say("takeBack")}</button>
          <button type="button" onClick={() => setAsked({ ...asked, moves: "" })}>{say("undoMoves")}</button></div>}
        <p class="note under-board">{say("playOn")}</p>
        <form class="paste" onSubmit={(event) => { event.preventDefault(); setAsked({ ...asked, text, ply: null, moves: "" }); }}>
          <textarea rows={2} spellcheck={false} value={text} aria-label={say("position")} onInput={(event) => setText(event.currentTarget.value)}
            placeholder={`${say("position")}: ${{ chess: "FEN, PGN", shogi: "SFEN, KIF, CSA", go: "SGF" }[asked.game]}`} />
          <button type="submit" class="main">{say("show")}</button>
        </form>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
      </div>
      <aside class="panel side">
        <h1 class="small">{say("predict")}</h1>
        <p class="note">{say("predictIntro")}</p>
        <Choices label={say("game")} value={asked.game} options={info.games.map((each) => ({ value: each.name, name: say(each.name), sign: <GameIcon game={each.name} /> }))} onChoose={choose} />
        {game.styles.length > 1 && <Choices label={say("whose")} value={asked.style} options={game.styles.map((each) => ({ value: each.name, name: sayStyle(each.name) }))} onChoose={(style) => setAsked({ ...asked, style })} />}
        {shown && <Choices label={say("onBoard")} value={show} onChoose={setShow} options={[{ value: "arrows", name: say("arrows") }, { value: "heat", name: say("heat") }, { value: "off", name: say("marksOff") }]} />}
        {shown && <Figures answer={shown} at={at} setAt={setAt} onHover={setHovered} onPick={playOn} kind={game.scale.kind} sides={game.sides} />}
      </aside>
    </main>
  );
}

function first(info: Info, name: GameName): AskedPrediction {
  const game = info.games.find((each) => each.name === name)!;
  return { game: name, text: "", ply: null, moves: "", pool: game.scale.pools[0]!, style: game.styles[0]!.name };
}

function Figures({ answer, at, setAt, onHover, onPick, kind, sides }: {
  answer: Foretold; at: number; setAt: (at: number) => void; onHover: (move: string | null) => void; onPick: (move: string) => void; kind: "rating" | "rank"; sides: [string, string];
}) {
  const labels = answer.ratings.map((rating) => sayLevel(kind, rating));
  const { expert } = answer;
  const bars = answer.candidates
    .map(({ move, name, probabilities }, place) => ({
      key: move, name, share: probabilities[at] ?? 0, ...(expert ? { other: expert.probabilities[place] ?? 0 } : {}), ...(move === answer.played ? { note: say("played") } : {}),
    }))
    .sort((one, other) => Math.max(other.share, other.other ?? 0) - Math.max(one.share, one.other ?? 0)).slice(0, 8).sort((one, other) => other.share - one.share);
  const rest = Math.max(0, 1 - bars.reduce((sum, bar) => sum + bar.share, 0));
  const follows = answer.style.follows_level;
  const side = saySide(answer.game, sides[0]);
  const chances = [{ name: say("people"), values: answer.scores }, ...(expert && expert.score !== null ? [{ name: say("expertView"), values: answer.ratings.map(() => expert.score) }] : [])];
  return (
    <>
      <section>
        <h2>{follows ? `${say("moveChances")} ${labels[at]}` : sayStyle(answer.style.name)} <small>{follows ? answer.pool : ""}</small></h2>
        {follows ? <input type="range" min={0} max={answer.ratings.length - 1} value={at} aria-label={say("level")} aria-valuetext={labels[at]} onInput={(event) => setAt(Number(event.currentTarget.value))} />
          : <p class="note">{say("oneLevel")}</p>}
        {expert && <p class="legend"><span class="key-people">{say("people")}</span> <span class="key-expert">{say("expertView")}</span></p>}
        <Bars bars={bars} onHover={onHover} onPick={onPick} />
        <p class="note">{say("others")}: {(100 * rest).toFixed(1)}%</p>
      </section>
      {follows && (
        <section>
          <h2>{say("byLevel")}</h2>
          <Curves xs={answer.ratings} labels={labels} caption={say("byLevel")} series={answer.candidates.slice(0, CURVES).map(({ name, probabilities }) => ({ name, values: probabilities }))} />
        </section>
      )}
      {follows && answer.scores.some((score) => score !== null) && (
        <section>
          <h2>{side} {say("scoreByLevel")} {expert && expert.score !== null && <small>{say("expertView")} {percent(expert.score)}</small>}</h2>
          <Curves xs={answer.ratings} labels={labels} most={1} caption={say("winsByLevel")} series={chances} />
        </section>
      )}
    </>
  );
}
