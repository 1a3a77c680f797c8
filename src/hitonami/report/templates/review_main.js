// The page itself: one number says how many moves have been played on the board.
const data = JSON.parse(document.getElementById('review').textContent);
const board = new Board(data);
const last = data.steps.length;
const byId = (id) => document.getElementById(id);
const percent = (share) => `${Math.round(100 * share)}%`;
let current = 0;
let held = -1; // the candidate that is shown on the board before the move

function html(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((each) => each !== ''));
  return made;
}

function show(ply) {
  current = Math.max(0, Math.min(last, ply));
  held = -1;
  drawBoard();
  byId('graph').replaceChildren(drawGraph(data, current));
  byId('move-card').replaceChildren(...describe());
  const buttons = byId('list').querySelectorAll('button');
  buttons.forEach((button, at) => button.classList.toggle('on', at + 1 === current));
  const chosen = buttons[current - 1];
  if (chosen) byId('list').scrollTop = chosen.offsetTop - byId('list').clientHeight / 2;
  history.replaceState(null, '', `#${current}`);
}

function drawBoard() {
  const step = data.steps[current - 1];
  const before = step && held >= 0;
  const at = before ? current - 1 : current;
  const shown = [];
  if (before) {
    const candidate = step.candidates[held];
    shown.push({ squares: candidate.squares, colour: 'var(--people)', share: percent(candidate.p), side: step.side });
  } else if (step && step.best && step.loss >= .02) {
    shown.push({ squares: step.best[1], colour: 'var(--good)', share: '', side: step.side });
  }
  byId('board').replaceChildren(board.draw(at, shown));
  drawChance(at);
  const [bottom, top] = board.flipped ? [1, 0] : [0, 1];
  byId('hand-top').textContent = handText(at, top);
  byId('hand-bottom').textContent = handText(at, bottom);
}

// Whose scores are told: those of people of these levels, or of who was asked in their place.
const whose = () => (data.ratings.length ? 'among people of these levels' : `by ${data.mind}`);

// How people of these levels fare from the position on the board, as one bar: the first side's share.
function drawChance(at) {
  const [next, step] = [data.steps[at], data.steps[at - 1]];
  const told = step ? [step.after, step.side] : next ? [next.before, next.side] : [null, 0];
  const bar = byId('chance');
  bar.hidden = told[0] === null;
  if (bar.hidden) return;
  const share = told[1] === 0 ? told[0] : 1 - told[0];
  const [left, track, right] = bar.children;
  left.textContent = `${data.sides[0]} ${percent(share)}`;
  right.textContent = `${percent(1 - share)} ${data.sides[1]}`;
  track.style.setProperty('--share', percent(share));
  bar.title = `Expected score ${whose()}`;
  bar.setAttribute('aria-label', `${left.textContent}, ${right.textContent}`);
}

function handText(at, side) {
  const held = data.hands[at][side];
  if (!held || held === '0') return '';
  return data.style === 'points' ? `${data.sides[side]}: ${held} captured` : `${data.sides[side]}: ${held}`;
}

function describe() {
  const step = data.steps[current - 1];
  if (!step) return [html('h2', {}, 'The start'), html('p', { class: 'facts soft' }, 'Arrow keys, the list and the graph go through the game.')];
  const tag = step.label && step.label !== 'usual' ? html('span', { class: `tag ${KINDS[step.label]}` }, step.label) : '';
  const facts = [data.ratings.length ? `${percent(step.p)} of players at ${step.level} play this; ${step.main}.` : `${percent(step.p)} for this move, asked ${data.mind}.`];
  if (step.before !== null && step.after !== null)
    facts.push(`${data.ratings.length ? 'People of these levels score' : 'Expected score'} ${percent(step.before)} before it and ${percent(step.after)} after it.`);
  if (step.loss !== null)
    facts.push(step.loss < .02 ? 'The judge finds nothing better.' : `It costs ${percent(step.loss)} by the judge${step.best ? `; better was ${step.best[0]}.` : '.'}`);
  return [
    html('h2', {}, `${step.number} ${step.name}`, tag),
    html('p', { class: 'facts' }, facts.join(' ')),
    html('ul', { class: 'bars' }, ...step.candidates.map(bar)),
    ...(data.ratings.length ? [html('p', { class: 'key' }, 'How often each level plays it'),
      html('div', { class: 'curve' }, drawCurve(data, step, Math.max(260, byId('move-card').clientWidth - 32)))] : []),
  ];
}

function bar(candidate, at) {
  const fill = html('span', {});
  fill.style.width = percent(candidate.p);
  const made = html('li', { class: candidate.played ? 'played' : '', tabindex: 0, title: 'Show it on the board' },
    html('b', {}, candidate.name), html('div', { class: 'bar' }, fill), html('output', {}, percent(candidate.p)));
  const hold = (which) => () => {
    held = which;
    made.classList.toggle('on', which >= 0);
    drawBoard();
  };
  for (const kind of ['mouseenter', 'focus']) made.addEventListener(kind, hold(at));
  for (const kind of ['mouseleave', 'blur']) made.addEventListener(kind, hold(-1));
  return made;
}

function listMoves() {
  byId('list').replaceChildren(...data.steps.map((step, at) => {
    const shown = data.pairs && step.side === 1 ? '' : html('span', { class: 'n' }, step.number);
    const made = html('button', { type: 'button', class: KINDS[step.label] || 'plain', title: step.label }, shown, step.name);
    made.addEventListener('click', () => show(at + 1));
    return made;
  }));
}

function listTurns() {
  byId('turns-card').hidden = !data.turns.length;
  byId('turns').replaceChildren(...data.turns.map((ply) => {
    const step = data.steps[ply];
    const made = html('button', { type: 'button', class: KINDS[step.label] || 'plain' }, html('b', {}, `${step.number} ${step.name}`),
      html('span', {}, step.label || 'turn'), html('output', {}, `−${percent(step.cost)}`));
    made.addEventListener('click', () => show(ply + 1));
    return made;
  }));
}

function listPhases() {
  const heads = ['', 'moves', 'as expected', ...(data.judge ? ['mean loss', 'inaccu\u00adracies', 'mistakes', 'blunders'] : [])];
  const rows = data.players.flatMap((player) => player.phases.map(([phase, moves, matched, loss, ...counts]) => {
    const costs = data.judge ? [loss === null ? '–' : `${(100 * loss).toFixed(1)}%`, ...counts] : [];
    const cells = [`${player.side}, ${phase}`, moves, matched === null ? '–' : percent(matched), ...costs];
    return html('tr', { class: phase === 'all' ? 'sum' : '' }, ...cells.map((cell) => html('td', {}, String(cell))));
  }));
  const head = html('tr', {}, ...heads.map((name) => html('th', {}, name)));
  byId('phases').replaceChildren(html('table', {}, html('thead', {}, head), html('tbody', {}, ...rows)));
}

function introduce() {
  document.body.dataset.style = data.style;
  byId('title').textContent = data.players.map((player) => player.name || player.side).join(' – ');
  const stones = data.light === 0 ? ['#ffffff', '#222222'] : ['#222222', '#ffffff'];
  byId('players').replaceChildren(...data.players.map((player, side) => {
    const rated = player.rated ? ` ${player.rated}` : '';
    const made = html('div', {}, html('b', { class: 'who' }, `${player.name || player.side}${rated}`), ' ',
      html('span', { class: 'soft' }, player.level));
    made.style.setProperty('--stone', stones[side]);
    return made;
  }));
  byId('notes').textContent = data.notes.join('\n');
  byId('footer').textContent = data.footer;
  const judge = data.judge ? [html('i', { style: 'background: var(--judge)' }), html('span', {}, 'by the judge')] : [];
  const equals = data.steps.some((step) => step.equal !== null) ? [html('i', { class: 'dashed' }), html('span', {}, `between equals of ${data.equals}`)] : [];
  document.body.style.setProperty('--first', stones[0]);
  document.body.style.setProperty('--second', stones[1]);
  const turns = data.turns.length ? [html('i', { style: 'background: var(--bad)' }), html('span', {}, 'turning point')] : [];
  byId('graph-key').replaceChildren(html('i', { style: 'background: var(--people)' }),
    html('span', {}, `${data.sides[0]}'s expected score ${whose()}`), ...equals, ...judge, ...turns);
}

function toNotable() {
  const order = [...data.steps.keys()].map((at) => (current + at) % last);
  const found = order.find((at) => KINDS[data.steps[at].label]);
  if (found !== undefined) show(found + 1);
}

function turn() {
  board.flipped = !board.flipped;
  drawBoard();
}

const KEYS = {
  ArrowLeft: () => show(current - 1), ArrowRight: () => show(current + 1), Home: () => show(0), End: () => show(last),
  ArrowDown: toNotable, f: turn,
};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});
byId('to-first').addEventListener('click', KEYS.Home);
byId('to-previous').addEventListener('click', KEYS.ArrowLeft);
byId('to-next').addEventListener('click', KEYS.ArrowRight);
byId('to-last').addEventListener('click', KEYS.End);
byId('to-notable').addEventListener('click', toNotable);
byId('flip').addEventListener('click', turn);
byId('graph').addEventListener('choose', (event) => show(event.detail));
window.addEventListener('hashchange', () => show(Number(location.hash.slice(1)) || 0));
window.addEventListener('resize', () => byId('move-card').replaceChildren(...describe()));
introduce();
listMoves();
listTurns();
listPhases();
show(Number(location.hash.slice(1)) || 0);
