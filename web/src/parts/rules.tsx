import type { ShownGame } from "../api";
import { currentLanguage, say } from "../words";

/** What a game explains of itself, closed until somebody wants it. */
export function Rules({ game }: { game: ShownGame }) {
  if (game.rules.length === 0) return null;
  const japanese = currentLanguage() === "ja";
  return (
    <details class="more rules">
      <summary>{say("rules")}</summary>
      <ul>{game.rules.map((rule) => {
        const source = japanese ? rule.source_japanese : rule.source;
        return <li key={rule.text}>{japanese ? rule.japanese : rule.text}{source && <small>{source}</small>}</li>;
      })}</ul>
    </details>
  );
}
