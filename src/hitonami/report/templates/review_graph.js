// Lines over the moves of the game, and over ratings.
const WIDTH = 600;
const HEIGHT = 150;

const KINDS = {
  'rare blunder': 'bad', blunder: 'bad', 'typical mistake': 'bad', mistake: 'warn', 'missed chance': 'warn',
  inaccuracy: '', 'hard to find': 'good', unusual: '', usual: '', '': '',
};

// The chance of the first side after each move, by people or by the judge; null where it is not known.
function chances(steps, key) {
  return steps.map((step) => (step[key] === null ? null : step.side === 0 ? step[key] : 1 - step[key]));
}

function drawGraph(data, current) {
  const count = Math.max(data.steps.length, 1);
  const x = (ply) => (ply / count) * WIDTH;
  const y = (share) => HEIGHT - share * HEIGHT;
  const svg = element('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Expected score of ${data.sides[0]} over the game` });
  const plain = { fill: 'none', 'vector-effect': 'non-scaling-stroke' };
  const people = chances(data.steps, 'after');
  const first = data.steps.length ? data.steps[0] : null;
  const start = first && first.before !== null ? (first.side === 0 ? first.before : 1 - first.before) : .5;
  const known = people.map((share, at) => [x(at + 1), y(share ?? .5)]);
  const line = [[0, y(start)], ...known].map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join('L');
  svg.append(
    element('path', { d: `M0 ${HEIGHT}L${line}L${WIDTH} ${HEIGHT}Z`, fill: 'var(--people)', opacity: .16 }),
    element('path', { ...plain, d: `M0 ${HEIGHT / 4}H${WIDTH}M0 ${.75 * HEIGHT}H${WIDTH}`, stroke: 'var(--line)', 'stroke-width': 1 }),
    element('path', { ...plain, d: `M0 ${HEIGHT / 2}H${WIDTH}`, stroke: 'var(--soft)', 'stroke-width': 1, 'stroke-dasharray': '4 4', opacity: .7 }));
  const judged = chances(data.steps, 'judge');
  if (judged.some((share) => share !== null)) {
    const points = judged.map((share, at) => (share === null ? '' : `${x(at + 1).toFixed(1)} ${y(share).toFixed(1)}`)).filter(Boolean);
    svg.append(element('path', { ...plain, d: `M${points.join('L')}`, stroke: 'var(--judge)', 'stroke-width': 1.4, opacity: .9 }));
  }
  const equals = chances(data.steps, 'equal').map((share, at) => (share === null ? '' : `${x(at + 1).toFixed(1)} ${y(share).toFixed(1)}`)).filter(Boolean);
  if (equals.length) svg.append(element('path', { ...plain, d: `M${equals.join('L')}`, stroke: 'var(--people)', 'stroke-width': 1.4, 'stroke-dasharray': '5 4' }));
  svg.append(element('path', { ...plain, d: `M${line}`, stroke: 'var(--people)', 'stroke-width': 2.2, 'stroke-linejoin': 'round' }));
  for (const ply of data.turns) svg.append(element('path', { ...plain, d: `M${x(ply + 1)} 0V${HEIGHT}`, stroke: 'var(--bad)', 'stroke-width': 1.4, opacity: .55 }));
  // A line of no length with round ends is a dot, and stays round however the plot is stretched.
  data.steps.forEach((step, at) => {
    if (!KINDS[step.label] || people[at] === null) return;
    const [px, py] = known[at];
    svg.append(element('path', { ...plain, d: `M${px.toFixed(1)} ${py.toFixed(1)}h.01`, stroke: `var(--${KINDS[step.label]})`, 'stroke-width': 7, 'stroke-linecap': 'round' }));
  });
  svg.append(element('path', { ...plain, d: `M${x(current)} 0V${HEIGHT}`, stroke: 'var(--ink)', 'stroke-width': 1.6 }));
  svg.addEventListener('click', (event) => {
    const box = svg.getBoundingClientRect();
    svg.dispatchEvent(new CustomEvent('choose', { bubbles: true, detail: Math.round(((event.clientX - box.left) / box.width) * count) }));
  });
  return svg;
}

// How likely the move is at each rating, with the mover's own level marked. Drawn at its size: letters stay readable.
function drawCurve(data, step, wide) {
  const [high, left, low] = [112, 34, 18];
  const ratings = data.ratings;
  const most = Math.max(.02, ...step.curve, step.p) * 1.08;
  const span = ratings[ratings.length - 1] - ratings[0];
  const x = (rating) => left + ((rating - ratings[0]) / span) * (wide - left - 20);
  const y = (share) => 6 + (1 - share / most) * (high - low - 6);
  const svg = element('svg', { viewBox: `0 0 ${wide} ${high}`, role: 'img', 'aria-label': 'How likely the move is at each level' });
  const text = { 'font-size': 11, fill: 'var(--soft)' };
  svg.append(element('path', { d: `M${left} ${y(0)}H${wide - 8}`, stroke: 'var(--line)', fill: 'none' }));
  ratings.forEach((rating, at) => svg.append(element('text', { ...text, x: x(rating), y: high - 5, 'text-anchor': 'middle' }, data.levels[at])));
  for (const share of [0, most / 1.08]) svg.append(element('text', { ...text, x: left - 5, y: y(share) + 3, 'text-anchor': 'end' }, `${Math.round(100 * share)}%`));
  const points = step.curve.map((share, at) => `${x(ratings[at]).toFixed(1)} ${y(share).toFixed(1)}`);
  svg.append(element('path', { d: `M${points.join('L')}V${y(0)}H${left}Z`, fill: 'var(--people)', opacity: .1 }));
  svg.append(element('path', { d: `M${points.join('L')}`, stroke: 'var(--people)', 'stroke-width': 2, fill: 'none', 'stroke-linejoin': 'round' }));
  const own = Math.min(Math.max(step.rating, ratings[0]), ratings[ratings.length - 1]);
  svg.append(element('circle', { cx: x(own), cy: y(step.p), r: 4, fill: 'var(--people)', stroke: 'var(--card)', 'stroke-width': 1.5 }));
  return svg;
}
