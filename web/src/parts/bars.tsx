import { percent } from "../words";

export interface Bar { key: string; name: string; share: number; note?: string }

/** Moves with their shares, longest bar first to the eye: all bars are drawn on the scale of the largest. */
export function Bars({ bars, onHover, onPick }: { bars: Bar[]; onHover?: (key: string | null) => void; onPick?: (key: string) => void }) {
  const most = Math.max(0.01, ...bars.map((bar) => bar.share));
  return (
    <ol class="bars" onMouseLeave={() => onHover?.(null)}>
      {bars.map((bar) => (
        <li key={bar.key} data-move={bar.key} onMouseEnter={() => onHover?.(bar.key)}>
          <button type="button" disabled={!onPick} onClick={() => onPick?.(bar.key)}>
            <span class="name">{bar.name}{bar.note && <em> {bar.note}</em>}</span>
            <span class="track"><span class="fill" style={{ width: `${(100 * bar.share) / most}%` }} /></span>
            <span class="share">{percent(bar.share, 1)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
