import { percent } from "../words";

const WIDTH = 640, HEIGHT = 170;

/** A line of the graph: the first player's chances, one a position. The first line is filled. */
export interface GraphLine { kind: "people" | "equals" | "judge"; name: string; scores: (number | null)[] }

/** Chances through a game; a click goes there. Dots mark the moves of note, the larger ones the turning points. */
export function ChancesGraph({ lines, last, at, marked, notable, label, onPick }: {
  lines: GraphLine[]; last: number; at: number; marked: number[]; notable: number[]; label: string; onPick: (ply: number) => void;
}) {
  const end = Math.max(last, 1);
  const x = (ply: number) => (ply / end) * WIDTH;
  const y = (score: number) => HEIGHT - score * HEIGHT;
  const path = (scores: (number | null)[]) => scores.flatMap((score, ply) => (score === null ? [] : [`${x(ply).toFixed(1)} ${y(score).toFixed(1)}`])).join("L");
  const main = lines[0]!.scores, ground = path(main);
  const here = main[at] ?? null;
  const pick = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    onPick(Math.round(((event.clientX - box.left) / box.width) * end));
  };
  const dot = (ply: number, kind: string, r: number) => typeof main[ply] === "number" && <circle key={`${kind} ${ply}`} class={kind} cx={x(ply)} cy={y(main[ply]!)} r={r} />;
  return (
    <figure class="chances-graph">
      <svg class="graph" viewBox={`0 -6 ${WIDTH} ${HEIGHT + 12}`} role="img" aria-label={`${label}${here === null ? "" : `: ${percent(here)}`}`} onClick={pick}>
        {ground && <path class="ground" d={`M0 ${HEIGHT}L${ground}L${x(main.length - 1)} ${HEIGHT}Z`} />}
        <path class="grid faint" d={`M0 ${HEIGHT / 4}H${WIDTH}M0 ${0.75 * HEIGHT}H${WIDTH}`} /><path class="grid" d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
        {lines.toReversed().map(({ kind, scores }) => path(scores) && <path key={kind} class={`line ${kind}`} d={`M${path(scores)}`} />)}
        {notable.map((ply) => dot(ply, "notable", 3.2))}
        {marked.map((ply) => dot(ply, "turning", 5.5))}
        <path class="here" d={`M${x(at)} -6V${HEIGHT + 6}`} />
      </svg>
      {lines.length > 1 && <figcaption class="legend">{lines.map(({ kind, name, scores }) => <span key={kind} class={`key-${kind}`}>{name} {typeof scores[at] === "number" && <b>{percent(scores[at]!)}</b>}</span>)}</figcaption>}
    </figure>
  );
}
