import { useEffect, useState } from "preact/hooks";
import { enterStudy, fetchStudies, fetchStudy, Refused, type Study } from "../api";
import { GameIcon } from "../parts/game_icon";
import { allGames } from "../games";
import { heldKeys } from "../parts/keys";
import { heldScore } from "../parts/quiz_score";
import { follow, visit } from "../parts/route";
import { say, sayGame } from "../words";

/** Tests that can be taken, and those that this browser has set up. */
export function TestsPage() {
  const [studies, setStudies] = useState<Study[] | null>(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => { fetchStudies().then(setStudies, (problem: Error) => setWrong(problem.message)); }, []);
  const own = heldKeys(), { best } = heldScore();
  return (
    <main class="home" id="content">
      <h1>{say("turingIntro")}</h1>
      <p class="lead">{say("turingNote")}</p>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      <section class="panel quiz-card">
        <div><h2>{say("quiz")}</h2><p>{say("quizNote")}</p><p class="signs">{allGames().filter(({ large }) => large).map(({ name }) => <GameIcon key={name} game={name} />)}</p></div>
        <div class="go-side"><a class="button main" href="/bot-or-not/quiz" onClick={follow}>{say("quizBegin")}</a>{best > 0 && <span class="note">{say("bestStreak")} {best}</span>}</div>
      </section>
      <section class="panel">
        <h2>{say("openStudies")}</h2>
        {studies?.length === 0 && <p class="note">{say("noStudies")}</p>}
        <ul class="reports">{studies?.map((study) => (
          <li key={study.id}><a href={`/bot-or-not/study/${study.id}`} onClick={follow}><b>{study.title}</b> <span>{sayGame(study.game)} · {say(study.mode === "watch" ? "watch" : "playMode")}</span> <span>{study.games_per_visitor} {say("gamesToJudge")}</span> <strong class="go-on">{say("takePart")}</strong></a></li>
        ))}</ul>
        <div class="buttons"><a class="button" href="/bot-or-not/new" onClick={follow}>{say("setUp")}</a></div>
      </section>
      {own.length > 0 && <section class="recent"><h2>{say("yourStudies")}</h2><ul class="reports">{own.map((held) => (
        <li key={held.id}><a href={`/bot-or-not/results/${held.id}`} onClick={follow}><b>{held.title}</b> <span>{say("results")}</span></a></li>
      ))}</ul></section>}
    </main>
  );
}

/** What a visitor agrees to. */
export function ConsentPage({ id }: { id: string }) {
  const [study, setStudy] = useState<Study | null>(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    let timer = 0;
    const look = () => fetchStudy(id).then((next) => { setStudy(next); if (next.status === "preparing") timer = setTimeout(look, 1500); }, (problem: Error) => setWrong(problem.message));
    void look();
    return () => clearTimeout(timer);
  }, [id]);
  const [entering, setEntering] = useState(false);
  const enter = () => {
    setEntering(true);
    enterStudy(id).then((made) => visit(`/bot-or-not/visit/${made.id}`), (problem: Error) => { setEntering(false); setWrong(problem instanceof Refused ? problem.message : say("lineGone")); });
  };
  return (
    <main class="home" id="content">
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {study && (
        <>
          <h1>{study.title}</h1>
          <section class="panel">
            <h2>{say("consent")}</h2>
            <p class="consent">{study.consent}</p>
            <p class="note">{sayGame(study.game)} · {say(study.mode === "watch" ? "watch" : "playMode")} · {study.games_per_visitor} {say("gamesToJudge")}</p>
            {study.status === "open" ? <button class="main" type="button" disabled={entering} onClick={enter}>{say("agree")}</button> : <p class="note" role="status">{say(study.status === "preparing" ? "preparing" : study.status === "closed" ? "closed" : "failed")}</p>}
          </section>
        </>
      )}
    </main>
  );
}
