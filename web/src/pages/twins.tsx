import { useCallback, useEffect, useState } from "preact/hooks";
import { fetchTwins, type Info, type ShownTwin } from "../api";
import { TwinCard } from "../parts/twin_card";
import { TwinForm } from "../parts/twin_form";
import { say } from "../words";

const LOOK_MS = 1000;
const underWay = (twins: ShownTwin[]) => twins.some(({ state }) => state === "waiting" || state === "working");

/** Twins of people: send games, say whose they are, watch it being made, play it, forget it. */
export function TwinsPage({ info, onChange }: { info: Info; onChange: () => Promise<void> }) {
  const [twins, setTwins] = useState<ShownTwin[] | null>(null);
  const [wrong, setWrong] = useState("");
  const take = useCallback((told: ShownTwin[]) => {
    setTwins((before) => {
      const made = (some: ShownTwin[] | null) => (some ?? []).filter(({ state }) => state === "done").map(({ style }) => style).join(" ");
      if (before && made(before) !== made(told)) void onChange();  // who can be played has changed
      return told;
    });
    setWrong("");
  }, []);
  const look = useCallback(() => fetchTwins().then(take, (problem: Error) => setWrong(problem.message)), []);
  useEffect(() => { void look(); }, []);
  useEffect(() => {
    if (!twins || !underWay(twins)) return;
    const timer = setTimeout(() => void look(), LOOK_MS);
    return () => clearTimeout(timer);
  }, [twins, wrong]);
  return (
    <main class="twins" id="content">
      <div class="twins-head"><h1>{say("twinsTitle")}</h1><p class="note">{say("twinsIntro")}</p></div>
      <TwinForm info={info} taken={(twins ?? []).map(({ name }) => name)} onMade={take} />
      <section class="own-twins" aria-label={say("yourTwins")}>
        <h2>{say("yourTwins")}</h2>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        {twins?.length === 0 && <p class="note">{say("noTwins")}</p>}
        <ul>{twins?.map((twin) => <TwinCard key={twin.name} twin={twin} info={info} onTold={take} onGone={look} />)}</ul>
      </section>
    </main>
  );
}
