import { useEffect, useState } from "preact/hooks";
import { type AskedPrediction, type Foretold, foretell, type GameName, type Info } from "../api";
import { AnyBoard } from "../boards/board";
import { Bars } from "../parts/bars";
import { Choices } from "../parts/choices";
import { Curves } from "../parts/curves";
import { say, sayLevel, saySide, sayStyle } from "../words";

const CURVES = 6;
const nothing = () => undefined;

export function PredictPage({ info }: { info: Info }) {
  const [asked, setAsked] = useState<AskedPrediction>(() => first(info, "chess"));
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<Foretold | null>(null);
  const [wrong, setWrong] = useState("");
  const [at, setAt] = useState(0);
  const [hovered, setHovered] = useState<string | null>(null);
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
  const step = (ply: number) => setAsked({ ...asked, ply });
  return (
    <main class="table predict">
      <div class="board-column">
        {answer && answer.game === asked.game && (
          <AnyBoard game={answer.game} board={answer.board} bottom={0} movable={false} onMove={nothing}
            marks={answer.candidates.filter(({ move }) => hovered === null || move === hovered).slice(0, 4).map(({ move, probabilities }) => ({ move, share: probabilities[at] ?? 0 }))} />
        )}
        {answer && answer.plies > 0 && (
          <div class="buttons steps">
            <button type="button" aria-label={say("first")} disabled={answer.ply === 0} onClick={() => step(0)}>⏮</button>
            <button type="button" aria-label={say("back")} disabled={answer.ply === 0} onClick={() => step(answer.ply - 1)}>◀</button>
            <span>{answer.ply} / {answer.plies}</span>
            <button type="button" aria-label={say("forward")} disabled={answer.ply === answer.plies} onClick={() => step(answer.ply + 1)}>▶</button>
            <button type="button" aria-label={say("last")} disabled={answer.ply === answer.plies} onClick={() => step(answer.plies)}>⏭</button>
          </div>
        )}
      </div>
      <aside class="panel side">
        <p class="note">{say("predictIntro")}</p>
        <Choices label={say("game")} value={asked.game} options={info.games.map((each) => ({ value: each.name, name: say(each.name) }))} onChoose={choose} />
        {game.styles.length > 1 && <Choices label={say("style")} value={asked.style} options={game.styles.map((each) => ({ value: each.name, name: sayStyle(each.name) }))} onChoose={(style) => setAsked({ ...asked, style })} />}
        <form class="paste" onSubmit={(event) => { event.preventDefault(); setAsked({ ...asked, text, ply: null }); }}>
          <textarea rows={3} spellcheck={false} value={text} aria-label={say("position")} onInput={(event) => setText(event.currentTarget.value)}
            placeholder={{ chess: "FEN, PGN", shogi: "SFEN, KIF, CSA", go: "SGF" }[asked.game]} />
          <button type="submit" class="main">{say("show")}</button>
        </form>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        {answer && answer.game === asked.game && <Figures answer={answer} at={at} setAt={setAt} onHover={setHovered} kind={game.scale.kind} sides={game.sides} />}
      </aside>
    </main>
  );
}

function first(info: Info, name: GameName): AskedPrediction {
  const game = info.games.find((each) => each.name === name)!;
  return { game: name, text: "", ply: null, pool: game.scale.pools[0]!, style: game.styles[0]!.name };
}

function Figures({ answer, at, setAt, onHover, kind, sides }: {
  answer: Foretold; at: number; setAt: (at: number) => void; onHover: (move: string | null) => void; kind: "rating" | "rank"; sides: [string, string];
}) {
  const labels = answer.ratings.map((rating) => sayLevel(kind, rating));
  const bars = answer.candidates
    .map(({ move, name, probabilities }) => ({ key: move, name, share: probabilities[at] ?? 0, ...(move === answer.played ? { note: say("played") } : {}) }))
    .sort((one, other) => other.share - one.share).slice(0, 8);
  const rest = Math.max(0, 1 - bars.reduce((sum, bar) => sum + bar.share, 0));
  const follows = answer.style.follows_level;
  return (
    <>
      <section>
        <h2>{follows ? `${say("moveChances")} ${labels[at]}` : sayStyle(answer.style.name)} <small>{follows ? answer.pool : ""}</small></h2>
        {follows ? <input type="range" min={0} max={answer.ratings.length - 1} value={at} aria-label={say("level")} aria-valuetext={labels[at]} onInput={(event) => setAt(Number(event.currentTarget.value))} />
          : <p class="note">{say("oneLevel")}</p>}
        <Bars bars={bars} onHover={onHover} />
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
          <h2>{saySide(answer.game, sides[0])} {say("scoreByLevel")}</h2>
          <Curves xs={answer.ratings} labels={labels} most={1} caption={say("scoreByLevel")} series={[{ name: saySide(answer.game, sides[0]), values: answer.scores }]} />
        </section>
      )}
    </>
  );
}
