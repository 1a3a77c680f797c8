import { percent } from "../words";

const WIDTH = 640, HEIGHT = 150;

/** The first player's chances through a game: one point a position; a click goes there. Dots mark the turning points. */
export function ChancesGraph({ scores, at, marked, label, onPick }: {
  scores: (number | null)[]; at: number; marked: number[]; label: string; onPick: (ply: number) => void;
}) {
  const last = Math.max(scores.length - 1, 1);
  const x = (ply: number) => (ply / last) * WIDTH;
  const y = (score: number) => HEIGHT - score * HEIGHT;
  const known = scores.flatMap((score, ply) => (score === null ? [] : [{ ply, score }]));
  const line = known.map(({ ply, score }, place) => `${place ? "L" : "M"}${x(ply).toFixed(1)} ${y(score).toFixed(1)}`).join("");
  const here = scores[at] ?? null;
  const pick = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    onPick(Math.round(((event.clientX - box.left) / box.width) * last));
  };
  return (
    <svg class="graph" viewBox={`0 -6 ${WIDTH} ${HEIGHT + 12}`} role="img" aria-label={`${label}${here === null ? "" : `: ${percent(here)}`}`} onClick={pick}>
      <path class="ground" d={`M0 ${HEIGHT}${line.replace("M", "L")}L${x(known.at(-1)?.ply ?? 0)} ${HEIGHT}Z`} />
      <path class="grid" d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
      <path class="line" d={line} />
      {marked.map((ply) => typeof scores[ply] === "number" && <circle key={ply} class="turning" cx={x(ply)} cy={y(scores[ply]!)} r={5} />)}
      <path class="here" d={`M${x(at)} -6V${HEIGHT + 6}`} />
    </svg>
  );
}
