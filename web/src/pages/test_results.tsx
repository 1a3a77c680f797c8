import { useCallback, useEffect, useState } from "preact/hooks";
import { closeStudy, fetchAnswers, fetchResults, type Interval, type Seeming, type StudyResults } from "../api";
import { heldKeys, holdKey } from "../parts/keys";
import { percent, say } from "../words";

const LOOK_AGAIN_MILLISECONDS = 4000;
const SCALES = ["aggressive", "careful", "consistent", "strong"] as const;

/** What the answers of a test say; for whoever holds its key. */
export function ResultsPage({ id }: { id: string }) {
  const [key, setKey] = useState(() => heldKeys().find((held) => held.id === id)?.key ?? "");
  const [results, setResults] = useState<StudyResults | null>(null);
  const [wrong, setWrong] = useState("");
  const look = useCallback(() => { if (key) fetchResults(id, key).then((next) => { setResults(next); setWrong(""); }, (problem: Error) => setWrong(problem.message)); }, [id, key]);
  useEffect(() => {
    look();
    const timer = setInterval(look, LOOK_AGAIN_MILLISECONDS);
    return () => clearInterval(timer);
  }, [look]);
  const save = async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await fetchAnswers(id, key));
    link.download = `study-${id}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const give = (event: Event) => {
    event.preventDefault();
    const given = (new FormData(event.currentTarget as HTMLFormElement).get("key") as string).trim();
    holdKey({ id, key: given, title: id });
    setKey(given);
  };
  const address = `${location.origin}/bot-or-not/study/${id}`;
  return (
    <main id="content">
      <h1>{results?.study.title ?? say("results")}</h1>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {(!key || (wrong && !results)) && <form class="panel" onSubmit={give}><p>{say("noKey")}</p><label>{say("keyOf")}<input name="key" required autocomplete="off" /></label><button class="main" type="submit">{say("open")}</button></form>}
      {results && (
        <section class="panel">
          {results.study.status === "preparing" && <p role="status">{say("preparing")} {results.prepared}</p>}
          {results.study.status === "failed" && <p class="wrong">{say("failed")} {results.note}</p>}
          {results.study.status === "closed" && <p class="note">{say("closed")}</p>}
          {results.study.status === "open" && <p>{say("visitorLink")}: <a href={address}>{address}</a></p>}
          <p class="note">{results.answers} {say("answers")} · {results.visits} {say("judges")} · {say("keyOf")} <code>{key}</code></p>
          {results.seemings.length === 0 ? <p class="note">{say("noAnswers")}</p> : <Seemings rows={results.seemings} />}
          <div class="buttons"><button type="button" onClick={() => void save()}>{say("exportCsv")}</button>
            {(results.study.status === "open" || results.study.status === "preparing") && <button type="button" onClick={() => { closeStudy(id, key).then(look, (problem: Error) => setWrong(problem.message)); }}>{say("closeStudy")}</button>}</div>
        </section>
      )}
    </main>
  );
}

/** A figure with its interval; from one judge there is none, and that is said. */
const figure = ({ value, low, high }: Interval, write: (number: number) => string) => <>{write(value)} <small>{low === null || high === null ? say("oneJudge") : `${write(low)} – ${write(high)}`}</small></>;
const whole = (value: number) => value.toFixed(0);

function Seemings({ rows }: { rows: Seeming[] }) {
  return (
    <>
      <ul class="likenesses">{rows.map(({ opponent, is_human, likeness }) => (
        <li key={opponent}><span>{opponent}{is_human && <small> {say("people")}</small>}</span>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={`${opponent}: ${say("likenessMean")} ${likeness ? whole(likeness.value) : "–"}`}>
            <path class="grid" d="M50 0V8" />{likeness && likeness.low !== null && <path class="span" d={`M${likeness.low} 4H${likeness.high}`} />}{likeness && <path class="dot" d={`M${Math.min(likeness.value, 99)} 1V7`} />}</svg>
          <span class="share">{likeness ? figure(likeness, whole) : <small>{say("notAnswered")}</small>}</span></li>
      ))}</ul>
      <div class="scroll" tabIndex={0} role="region" aria-label={say("results")}><table><thead><tr><th /><th>{say("answers")}</th><th>{say("judges")}</th><th>{say("calledHuman")}</th><th>{say("againstPeople")}</th>{SCALES.map((scale) => <th key={scale}>{say(scale)}</th>)}</tr></thead>
        <tbody>{rows.map((row) => (
          <tr key={row.opponent}><th scope="row">{row.opponent}</th><td>{row.answers}</td><td>{row.judges}</td><td>{figure(row.called_human, percent)}</td><td>{row.likeness_against_people ? figure(row.likeness_against_people, whole) : "–"}</td>
            {SCALES.map((scale) => <td key={scale}>{row.scales[scale] ? figure(row.scales[scale], whole) : "–"}</td>)}</tr>
        ))}</tbody></table></div>
    </>
  );
}
