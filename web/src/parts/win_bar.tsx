import type { Chances } from "../api";
import { percent, say } from "../words";

/** How often the first player wins from here between players of this level. */
export function WinBar({ chances, first }: { chances: Chances | null; first: string }) {
  const score = chances?.score ?? null;
  return (
    <div class={`win-bar ${score === null ? "unknown" : ""}`} role="meter" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(100 * (score ?? 0.5))}
      aria-label={`${first} ${say("winRate")}`}>
      <div class="first-share" style={{ width: percent(score ?? 0.5, 1) }} />
      <span class="figure">{score === null ? "–" : percent(score)}</span>
    </div>
  );
}
