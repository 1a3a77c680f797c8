import { percent } from "../words";

/** `other` is a second share of the same move, by somebody else. */
export interface Bar { key: string; name: string; share: number; other?: number; note?: string }

/** Moves with their shares, longest bar first to the eye: all bars are drawn on the scale of the largest. */
export function Bars({ bars, onHover, onPick }: { bars: Bar[]; onHover?: (key: string | null) => void; onPick?: ((key: string) => void) | undefined }) {
  const most = Math.max(0.01, ...bars.map((bar) => Math.max(bar.share, bar.other ?? 0)));
  const width = (share: number) => ({ width: `${(100 * share) / most}%` });
  return (
    <ol class="bars" onMouseLeave={() => onHover?.(null)}>
      {bars.map((bar) => (
        <li key={bar.key} data-move={bar.key} onMouseEnter={() => onHover?.(bar.key)}>
          <button type="button" disabled={!onPick} onClick={() => onPick?.(bar.key)}>
            <span class="name">{bar.name}{bar.note && <em> {bar.note}</em>}</span>
            <span class="track"><span class="fill" style={width(bar.share)} />{bar.other !== undefined && <span class="fill other" style={width(bar.other)} />}</span>
            <span class="share">{percent(bar.share, 1)}{bar.other !== undefined && <small>{percent(bar.other, 1)}</small>}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
