import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fetchInfo, type Info } from "./api";
import { GamePage } from "./pages/game";
import { HomePage } from "./pages/home";
import { PredictPage } from "./pages/predict";
import { follow, usePath } from "./parts/route";
import { chooseLanguage, currentLanguage, say } from "./words";
import "./style.css";

type Theme = "light" | "dark";
const systemTheme = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.documentElement.dataset["theme"] = localStorage.getItem("theme") ?? systemTheme();

function switchTheme(): void {
  const next: Theme = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
  document.documentElement.dataset["theme"] = next;
  localStorage.setItem("theme", next);
}

function App() {
  const path = usePath();
  const [info, setInfo] = useState<Info | null>(null);
  const [wrong, setWrong] = useState("");
  const [language, setLanguage] = useState(currentLanguage());
  useEffect(() => { fetchInfo().then(setInfo, (problem: Error) => setWrong(problem.message)); }, []);
  const other = language === "en" ? "ja" : "en";
  const game = /^\/game\/([a-z2-7]{12})$/.exec(path)?.[1];
  return (
    <>
      <header>
        <a class="brand" href="/" onClick={follow}>Hitonami <span lang="ja">人並み</span></a>
        <nav>
          <a href="/" onClick={follow} aria-current={path === "/predict" ? undefined : "page"}>{say("play")}</a>
          <a href="/predict" onClick={follow} aria-current={path === "/predict" ? "page" : undefined}>{say("predict")}</a>
        </nav>
        <div class="tools">
          <button type="button" lang={other} onClick={() => { chooseLanguage(other); setLanguage(other); }}>{other === "ja" ? "日本語" : "English"}</button>
          <button type="button" aria-label={say("theme")} title={say("theme")} onClick={switchTheme}>◐</button>
        </div>
      </header>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {info && (game ? <GamePage key={game} id={game} info={info} /> : path === "/predict" ? <PredictPage info={info} /> : <HomePage info={info} />)}
    </>
  );
}

render(<App />, document.getElementById("page")!);
