import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fetchInfo, type Info } from "./api";
import { learnGames } from "./games";
import { GamePage } from "./pages/game";
import { HomePage } from "./pages/home";
import { NewTestPage } from "./pages/new_test";
import { PredictPage } from "./pages/predict";
import { QuizPage } from "./pages/quiz";
import { ReviewPage } from "./pages/review";
import { StudiesPage } from "./pages/studies";
import { ResultsPage } from "./pages/test_results";
import { ConsentPage, TestsPage } from "./pages/tests";
import { TwinsPage } from "./pages/twins";
import { VisitPage } from "./pages/visit";
import { follow, usePath } from "./parts/route";
import { chooseLanguage, currentLanguage, say } from "./words";
import "./style.css";
import "./drawn.css";
import "./review.css";
import "./turing.css";
import "./twins.css";
import "./screens.css";

type Theme = "light" | "dark";
const systemTheme = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.documentElement.dataset["theme"] = localStorage.getItem("theme") ?? systemTheme();

function switchTheme(): void {
  const next: Theme = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
  document.documentElement.dataset["theme"] = next;
  localStorage.setItem("theme", next);
}

const PAGES = [["/", "play"], ["/predict", "predict"], ["/review", "review"], ["/twins", "twins"], ["/bot-or-not", "botOrNot"], ["/studies", "studies"]] as const;

/** The page of an address; addresses with an id at the end are listed first. */
function pageOf(path: string, info: Info, look: () => Promise<void>) {
  const found = /^(\/.*)\/([0-9a-z]{12,16})$/.exec(path);
  const place = found?.[1] ?? path, id = found?.[2] ?? "";
  switch (place) {
    case "/game": return <GamePage key={id} id={id} info={info} />;
    case "/predict": return <PredictPage info={info} />;
    case "/review": return <ReviewPage info={info} />;
    case "/twins": return <TwinsPage info={info} onChange={look} />;
    case "/bot-or-not": return <TestsPage />;
    case "/bot-or-not/new": return <NewTestPage info={info} />;
    case "/bot-or-not/quiz": return <QuizPage />;
    case "/bot-or-not/study": return <ConsentPage id={id} />;
    case "/bot-or-not/visit": return <VisitPage id={id} />;
    case "/bot-or-not/results": return <ResultsPage id={id} />;
    case "/studies": return <StudiesPage id={id} />;
    default: return <HomePage info={info} />;
  }
}

function App() {
  const path = usePath();
  const [info, setInfo] = useState<Info | null>(null);
  const [wrong, setWrong] = useState("");
  const [language, setLanguage] = useState(currentLanguage());
  const look = () => fetchInfo().then((told) => { learnGames(told.games); setInfo(told); }, (problem: Error) => setWrong(problem.message));
  useEffect(() => { void look(); }, []);
  const other = language === "en" ? "ja" : "en";
  const current = PAGES.findLast(([place]) => path.startsWith(place))![0];
  return (
    <>
      <header>
        <a class="brand" href="/" onClick={follow}>Hitonami <span lang="ja">人並み</span></a>
        <nav aria-label="Hitonami">
          {PAGES.map(([place, word]) => <a key={place} href={place} onClick={follow} aria-current={place === current ? "page" : undefined}>{say(word)}</a>)}
        </nav>
        <div class="tools">
          <button type="button" lang={other} onClick={() => { chooseLanguage(other); setLanguage(other); }}>{other === "ja" ? "日本語" : "English"}</button>
          <button type="button" aria-label={say("theme")} title={say("theme")} onClick={switchTheme}>◐</button>
        </div>
      </header>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {info && pageOf(path, info, look)}
    </>
  );
}

render(<App />, document.getElementById("page")!);
