import type { Chances } from "../api";
import { percent } from "../words";

/** How often each side wins from here; the label says by whose account. */
export function WinBar({ chances, label, sides, darkFirst }: { chances: Chances | null; label: string; sides: [string, string]; darkFirst: boolean }) {
  const score = chances?.score ?? null;
  return (
    <div class="chances">
      <p class="bar-ends"><span>{sides[0]} <b>{score === null ? "–" : percent(score)}</b></span><span><b>{score === null ? "–" : percent(1 - score)}</b> {sides[1]}</span></p>
      <div class={`win-bar ${score === null ? "unknown" : ""} ${darkFirst ? "dark-first" : ""}`} role="meter" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(100 * (score ?? 0.5))} aria-label={label}>
        <div class="first-share" style={{ width: percent(score ?? 0.5, 1) }} />
      </div>
    </div>
  );
}
