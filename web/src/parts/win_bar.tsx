import type { Chances } from "../api";
import { percent } from "../words";

/** How often the first player wins from here; the label says by whose account. */
export function WinBar({ chances, label, darkFirst }: { chances: Chances | null; label: string; darkFirst: boolean }) {
  const score = chances?.score ?? null;
  return (
    <div class={`win-bar ${score === null ? "unknown" : ""} ${darkFirst ? "dark-first" : ""}`} role="meter" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(100 * (score ?? 0.5))}
      aria-label={label}>
      <div class="first-share" style={{ width: percent(score ?? 0.5, 1) }} />
      <span class="figure">{score === null ? "–" : percent(score)}</span>
    </div>
  );
}
