import { percent } from "../words";

export interface Series { name: string; values: (number | null)[] }
interface Frame { xs: number[]; labels: string[]; series: Series[]; most?: number; caption: string }

const WIDTH = 460, HEIGHT = 220, LEFT = 40, RIGHT = 84, TOP = 12, BOTTOM = 30;

/** Names at the right end of their curves, moved apart where they would touch. */
function placeNames(ends: { name: string; y: number; at: number }[]): { name: string; y: number; at: number }[] {
  const placed = [...ends].sort((one, other) => one.y - other.y);
  for (let at = 1; at < placed.length; at++) placed[at]!.y = Math.max(placed[at]!.y, placed[at - 1]!.y + 14);
  let floor = HEIGHT - BOTTOM;
  for (const end of placed.toReversed()) {
    end.y = Math.min(end.y, floor);
    floor = end.y - 14;
  }
  return placed;
}

/** Shares over level, one curve a series. */
export function Curves({ xs, labels, series, most, caption }: Frame) {
  const top = most ?? Math.min(1, 1.1 * Math.max(0.05, ...series.flatMap((each) => each.values.map((value) => value ?? 0))));
  const low = xs[0]!, high = xs.at(-1)!;
  const x = (value: number) => LEFT + ((value - low) / Math.max(high - low, 1e-9)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const path = (values: (number | null)[]) => values.map((value, at) => (value === null ? "" : `${at ? "L" : "M"}${x(xs[at]!)} ${y(value)}`)).join("");
  const every = Math.max(1, Math.ceil(xs.length / 5));
  const ends = series.map((each, at) => ({ name: each.name, y: y(each.values.at(-1) ?? 0), at }));
  return (
    <svg class="curves" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={caption}>
      {[0, 0.25, 0.5, 0.75, 1].map((part) => (
        <g key={part}>
          <path class="grid" d={`M${LEFT} ${y(part * top)}H${WIDTH - RIGHT}`} />
          <text class="tick" x={LEFT - 6} y={y(part * top)} text-anchor="end">{percent(part * top)}</text>
        </g>
      ))}
      {xs.map((value, at) => at % every === 0 && <text key={value} class="tick" x={x(value)} y={HEIGHT - 10} text-anchor="middle">{labels[at]}</text>)}
      {series.map((each, at) => <path key={each.name} class={`curve tone-${at % 6}`} d={path(each.values)} />)}
      {placeNames(ends).map((end) => <text key={end.name} class={`end tone-${end.at % 6}`} x={WIDTH - RIGHT + 8} y={end.y}>{end.name}</text>)}
    </svg>
  );
}
