import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { fetchQuiz, fetchQuizGame, type GameName, guessQuiz, type Party, type QuizGame, type QuizLine, type QuizTruth, Refused } from "../api";
import { AnyBoard } from "../boards/board";
import { Choices } from "../parts/choices";
import { GameIcon } from "../parts/game_icon";
import { LineNote } from "../parts/line_note";
import { useLive } from "../parts/live";
import { countAnswer, heldScore, pickGame, type Score } from "../parts/quiz_score";
import { Steps } from "../parts/steps";
import { allGames, gameOf } from "../games";
import { currentLanguage, say, sayGame, sayLevel, saySide, sayStyle } from "../words";

const MOVE_MILLISECONDS = 650;
const NO_MARKS: [] = [];

/** Games of people and of programs, one by one: a guess, the truth at once, and how many were right in a row. */
export function QuizPage() {
  const list = useLive<QuizLine[]>("quiz", fetchQuiz, () => null);
  const [kind, setKind] = useState<GameName | "all">("all");
  const [line, setLine] = useState<QuizLine | null>(null);
  const [score, setScore] = useState<Score>(heldScore);
  const next = useCallback((wanted: GameName | "all") => { if (list.state) setLine(pickGame(list.state.filter(({ game }) => wanted === "all" || game === wanted), heldScore().seen)); }, [list.state]);
  useEffect(() => { if (line === null) next(kind); }, [next]);
  const kinds = ["all", ...allGames().map(({ name }) => name).filter((name) => list.state?.some(({ game }) => game === name))];
  return (
    <main id="content" class="quiz" data-streak={score.streak} data-best={score.best}>
      <h1 class="unseen">{say("quiz")}</h1>
      <div class="quiz-head">
        <Choices label={say("game")} value={kind} onChoose={(wanted) => { setKind(wanted); next(wanted); }} options={kinds.map((value) => ({ value, name: value === "all" ? say("allGames") : sayGame(value), sign: value === "all" ? undefined : <GameIcon game={value} /> }))} />
        <dl class="streak"><div><dt>{say("streak")}</dt><dd>{score.streak}</dd></div><div><dt>{say("bestStreak")}</dt><dd>{score.best}</dd></div></dl>
      </div>
      <LineNote line={list.line} onRetry={list.look} />
      {line && <Question key={line.id} id={line.id} onAnswer={(right) => setScore(countAnswer(line.id, right))} onNext={() => next(kind)} />}
    </main>
  );
}

function Question({ id, onAnswer, onNext }: { id: string; onAnswer: (right: boolean) => void; onNext: () => void }) {
  const live = useLive<QuizGame>(id, () => fetchQuizGame(id), () => null);
  const [at, setAt] = useState(0);
  const [running, setRunning] = useState(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  const [truth, setTruth] = useState<QuizTruth | null>(null);
  const [wrong, setWrong] = useState("");
  const [asking, setAsking] = useState(false);
  const busy = useRef(false);
  const game = live.state;
  const last = (game?.boards.length ?? 1) - 1;
  useEffect(() => {
    if (!game || !running || at >= last) return;
    const timer = setTimeout(() => setAt(at + 1), MOVE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [game, running, at, last]);
  const guess = async (human: boolean) => {
    if (busy.current || truth) return;
    busy.current = true;
    setAsking(true);
    try {
      const told = await guessQuiz(id, human);
      setTruth(told);
      setWrong("");
      onAnswer(told.right);
    } catch (problem) {
      setWrong(problem instanceof Refused ? problem.message : say("lineGone"));
    } finally {
      busy.current = false;
      setAsking(false);
    }
  };
  if (!game) return <LineNote line={live.line} onRetry={live.look} />;
  const judged = saySide(game.game, game.sides[game.side]!);
  return (
    <div class={`table quiz-table ${game.game}-table`} data-quiz={id} data-told={truth ? (truth.right ? "right" : "wrong") : undefined}>
      <div class="board-column">
        <AnyBoard game={game.game} board={game.boards[at]!} bottom={game.side} movable={false} marks={NO_MARKS} onMove={() => undefined} label={`${sayGame(game.game)}, ${at} / ${last}`} />
        <Steps at={at} last={last} onStep={(ply) => { setRunning(false); setAt(ply); }} />
      </div>
      <div class="panel side">
        <h2 class="question">{say("judgeThis")} <mark>{judged}</mark>{currentLanguage() === "ja" ? "" : "?"}</h2>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        {truth ? <Truth game={game} truth={truth} onNext={onNext} /> : (
          <>
            <div class="guess"><button type="button" disabled={asking} onClick={() => void guess(true)}><Person />{say("aPerson")}</button><button type="button" disabled={asking} onClick={() => void guess(false)}><Program />{say("aProgram")}</button></div>
            <p class="note">{say("quizAnytime")}</p>
          </>
        )}
        <button type="button" class="plain" disabled={at >= last} onClick={() => setRunning(!running)}>{say(running && at < last ? "pause" : "runOn")}</button>
      </div>
    </div>
  );
}

function Truth({ game, truth, onNext }: { game: QuizGame; truth: QuizTruth; onNext: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => { button.current?.focus({ preventScroll: true }); }, []);
  const ended = truth.score === null ? "" : truth.score === 0.5 ? say("endedDrawn") : `${saySide(game.game, game.sides[truth.score > 0.5 ? 0 : 1]!)} ${say("wonLater")}`;
  return (
    <div class={`truth ${truth.right ? "right" : "missed"}`} role="status">
      <p class="verdict">{truth.is_human ? <Person /> : <Program />}<span><b>{say(truth.right ? "right" : "wrongGuess")}</b> {say(truth.is_human ? "itWasPerson" : "itWasProgram")}</span></p>
      <dl class="who">{truth.players.map((party, side) => (
        <div key={side} class={side === game.side ? "judged" : ""}><dt>{saySide(game.game, game.sides[side]!)}</dt><dd>{sayParty(game.game, party)}</dd></div>
      ))}</dl>
      <p class="note">{ended && <>{ended} </>}{say("comesFrom")} {truth.source} <span class="licence">({truth.licence})</span></p>
      <button ref={button} class="main" type="button" onClick={onNext}>{say("nextGame")}</button>
    </div>
  );
}

/** Who it was, in a line. */
function sayParty(game: GameName, party: Party): string {
  const level = party.rating === null ? "" : `${sayLevel(gameOf(game)?.scale.kind ?? "rating", party.rating)} ${party.pool}`.trim();
  const name = party.kind === "person" ? say("aPerson") : party.style === "KaTrain" ? "KaTrain" : `Hitonami · ${sayStyle(party.style)}`;
  return [name, party.style === "expert" ? "" : level].filter(Boolean).join(" · ");
}

const Person = () => <svg class="who-sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="7.5" r="4.5" /><path d="M3.5 21.5c.6-5 4-7.5 8.500-7.500s7.900 2.500 8.500 7.500Z" /></svg>;
const Program = () => <svg class="who-sign" viewBox="0 0 24 24" aria-hidden="true"><path fill-rule="evenodd" d="M11 2h2v4h5a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h5ZM8 10.500v3h2.500v-3Zm5.500 0v3H16v-3ZM8 16v1.500h8V16ZM1 10.500h2v5H1Zm20 0h2v5h-2Z" /></svg>;
