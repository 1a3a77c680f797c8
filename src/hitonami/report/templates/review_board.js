// Boards as SVG, as the game's diagram says: checkered, grids, points or hexagons. One unit of size: a square of 40.
const CELL = 40;
const HEX = Math.sqrt(3) / 2;
const STONES = ['', 'x', 'X', 'o', 'O', '●', '○', '⚫', '⚪'];
const WEDGES = /^[\u4e00-\u9fff々と]$/;
const MEN = [['#1b1b1e', '#fbfaf6'], ['#fbfaf6', '#1b1b1e']];
const GROUNDS = { wood: 'var(--wood)', felt: '#2f7d4f', rack: '#2f5fa8' };

function element(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

class Board {
  constructor(data) {
    this.data = data;
    this.wide = data.columns.length;
    this.high = data.ranks.length;
    this.flipped = false;
    this.off = new Set(data.off.map(String));
    this.hexagonal = data.style === 'hexagons';
  }

  // The middle of a square, seen from the side at the bottom; each row of hexagons begins half a cell further right.
  place([row, column]) {
    const [r, c] = this.flipped ? [this.high - 1 - row, this.wide - 1 - column] : [row, column];
    return this.hexagonal ? [(c + r / 2) * CELL + CELL / 2, r * CELL * HEX + CELL / 2] : [c * CELL + CELL / 2, r * CELL + CELL / 2];
  }

  draw(at, shown) {
    const room = 16;
    const slant = this.hexagonal ? (this.high - 1) / 2 : 0;
    const rows = this.hexagonal ? (this.high - 1) * HEX + 1 : this.high;
    const box = [-room, -room, (this.wide + slant) * CELL + 2 * room, rows * CELL + 2 * room];
    if (this.data.texts.length) return this.plain(at);
    const svg = element('svg', { viewBox: box.join(' '), role: 'img', 'aria-label': `Position after ${at} moves` });
    const wooden = this.data.style !== 'checkered';
    svg.append(element('rect', { x: box[0], y: box[1], width: box[2], height: box[3], fill: wooden ? GROUNDS[this.data.ground] : 'var(--card)' }));
    this.ground(svg);
    this.labels(svg, wooden, room);
    if (this.data.style !== 'points') for (const square of this.data.marked[at]) this.mark(svg, square);
    this.men(svg, this.data.boards[at]);
    if (this.data.style === 'points') for (const square of this.data.marked[at]) this.ring(svg, square, at);
    for (const hint of shown) this.hint(svg, hint);
    return svg;
  }

  // A game whose only drawing is text.
  plain(at) {
    const made = document.createElement('pre');
    made.textContent = this.data.texts[at];
    return made;
  }

  squares() {
    const all = [...Array(this.wide * this.high).keys()].map((at) => [Math.floor(at / this.wide), at % this.wide]);
    return all.filter((square) => !this.off.has(String(square)));
  }

  ground(svg) {
    const line = { stroke: 'var(--wood-line)', 'stroke-width': 1.2, fill: 'none' };
    if (this.data.style === 'points') svg.append(element('path', { ...line, d: this.meshes().join('') }));
    else for (const square of this.squares()) svg.append(this.square(square, line));
    for (const [one, other] of this.data.lines) {
      const [[x, y], [toX, toY]] = [this.place(one), this.place(other)];
      svg.append(element('path', { ...line, d: `M${x} ${y}L${toX} ${toY}` }));
    }
    this.edges(svg);
    const points = this.data.style === 'points';
    for (const [row, column] of this.data.dots) {
      const [x, y] = points ? this.place([row, column]) : this.place([row - .5, column - .5]);
      svg.append(element('circle', { cx: x, cy: y, r: points ? 4 : 2.6, fill: 'var(--wood-line)' }));
    }
  }

  square(square, line) {
    const [x, y] = this.place(square);
    if (this.hexagonal) return element('path', { ...line, d: hexagon(x, y) });
    const box = { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL };
    if (this.data.style === 'checkered') return element('rect', { ...box, fill: (square[0] + square[1]) % 2 ? 'var(--dark)' : 'var(--light)' });
    if (this.data.ground === 'rack') return element('circle', { cx: x, cy: y, r: CELL * .44, fill: 'var(--paper)' });
    return element('rect', { ...box, ...line });
  }

  // Lines between neighbouring points, but for those that none joins.
  meshes() {
    const open = new Set(this.data.gaps.map(String));
    return this.squares().flatMap(([row, column]) => [[row, column + 1], [row + 1, column]].flatMap((next) => {
      if (next[0] >= this.high || next[1] >= this.wide || this.off.has(String(next)) || open.has(String([[row, column], next]))) return [];
      const [[x, y], [toX, toY]] = [this.place([row, column]), this.place(next)];
      return [`M${x} ${y}L${toX} ${toY}`];
    }));
  }

  // Edges that belong to a side, in its colour: top, right, bottom, left.
  edges(svg) {
    const [low, right] = [this.high - 1, this.wide - 1];
    const rims = [[[0, 0], [0, right]], [[0, right], [low, right]], [[low, 0], [low, right]], [[0, 0], [low, 0]]];
    const away = this.hexagonal ? [[0, -.62], [.6, 0], [0, .62], [-.6, 0]] : [[0, -.5], [.5, 0], [0, .5], [-.5, 0]];
    this.data.edges.forEach((side, at) => {
      if (side === null) return;
      const turn = this.flipped ? -1 : 1;
      const ends = rims[at].map((square) => this.place(square).map((value, axis) => value + turn * away[at][axis] * CELL));
      svg.append(element('path', { d: `M${ends[0].join(' ')}L${ends[1].join(' ')}`, stroke: MEN[side][0], 'stroke-width': 5, 'stroke-linecap': 'round' }));
    });
  }

  labels(svg, wooden, room) {
    const fill = wooden ? 'var(--wood-line)' : 'var(--soft)';
    const style = { 'font-size': 11, 'text-anchor': 'middle', 'dominant-baseline': 'central', fill };
    this.data.columns.forEach((name, column) => {
      const y = wooden ? -room / 2 : this.high * CELL + room / 2;
      svg.append(element('text', { ...style, x: this.place([0, column])[0], y }, name));
    });
    this.data.ranks.forEach((name, row) => {
      const x = this.data.style === 'grid' ? this.wide * CELL + room / 2 : -room / 2;
      svg.append(element('text', { ...style, x, y: this.place([row, 0])[1] }, name));
    });
  }

  men(svg, board) {
    [...board].forEach((letter, at) => {
      if (letter === '.') return;
      const piece = this.data.pieces[this.data.letters.indexOf(letter)];
      const [x, y] = this.place([Math.floor(at / this.wide), at % this.wide]);
      svg.append(this.man(piece, x, y));
    });
  }

  man({ glyph, side }, x, y) {
    if (side === null) return letter(glyph, x, y, 'var(--wood-line)');
    if (STONES.includes(glyph)) return stone(side, x, y, 1);
    if (CHESS_PIECES[glyph]) {
      const [body, lines] = CHESS_PIECES[glyph];
      const [fill, stroke, inner] = side === 0 ? ['#fffdf8', '#2a2622', '#2a2622'] : ['#2f2b29', '#14110f', '#e9dfd0'];
      const common = { 'stroke-linejoin': 'round', 'stroke-linecap': 'round' };
      return element('g', { transform: `translate(${x} ${y}) scale(1.16) translate(-20 -19)` },
        element('path', { d: body, fill, stroke, 'stroke-width': 1.3, ...common }),
        element('path', { d: lines, fill: 'none', stroke: inner, 'stroke-width': 1.2, ...common }));
    }
    if (!WEDGES.test(glyph)) return disc(glyph, side, x, y);
    const turned = (side === 1) !== this.flipped;
    return element('g', { transform: `translate(${x} ${y})${turned ? ' rotate(180)' : ''}` },
      element('path', { d: 'M0 -17L10.500 -13.200L14.500 16.500H-14.500L-10.500 -13.200Z', fill: '#f7e3b4', stroke: '#6e4f22', 'stroke-width': 1.2, 'stroke-linejoin': 'round' }),
      element('text', { 'font-size': 20, 'text-anchor': 'middle', 'dominant-baseline': 'central', y: 2.5, fill: PROMOTED.includes(glyph) ? '#b3261e' : '#1d1a16', 'font-family': '"Noto Serif CJK JP", "Noto Serif JP", "Hiragino Mincho ProN", "Yu Mincho", "Noto Sans CJK JP", serif' }, glyph));
  }

  mark(svg, square) {
    const [x, y] = this.place(square);
    const shape = this.hexagonal ? element('path', { d: hexagon(x, y) }) : element('rect', { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL });
    shape.setAttribute('fill', 'var(--mark)');
    svg.append(shape);
  }

  ring(svg, square, at) {
    const [x, y] = this.place(square);
    const letter = this.data.boards[at][square[0] * this.wide + square[1]];
    const black = letter !== '.' && this.data.pieces[this.data.letters.indexOf(letter)].side === 0;
    svg.append(element('circle', { cx: x, cy: y, r: 8, fill: 'none', stroke: black ? '#ffffff' : '#111111', 'stroke-width': 2.4 }));
  }

  // An arrow, or a spot, with a share beside it; `side` is who would play there.
  hint(svg, { squares, colour, share, side }) {
    if (!squares.length) return;
    const end = this.place(squares[squares.length - 1]);
    if (squares.length > 1) {
      svg.append(arrow(this.place(squares[0]), end, colour));
      return;
    }
    const stones = this.data.style === 'points';
    if (stones) svg.append(stone(side, ...end, .45));
    svg.append(element('circle', { cx: end[0], cy: end[1], r: CELL * .42, fill: 'none', stroke: colour, 'stroke-width': 3.5 }));
    if (share) svg.append(element('text', { x: end[0], y: end[1], 'font-size': 12, 'font-weight': 600, 'text-anchor': 'middle', 'dominant-baseline': 'central', fill: stones && side === 0 ? '#ffffff' : '#111111' }, share));
  }
}

function hexagon(x, y) {
  const [far, near] = [CELL / Math.sqrt(3), CELL / 2];
  return `M${x} ${y - far}L${x + near} ${y - far / 2}V${y + far / 2}L${x} ${y + far}L${x - near} ${y + far / 2}V${y - far / 2}Z`;
}

function letter(glyph, x, y, fill) {
  return element('text', { x, y, 'font-size': 18, 'text-anchor': 'middle', 'dominant-baseline': 'central', fill }, glyph);
}

// A piece that has no drawing of its own: its letters on a disc of its side's colour.
function disc(glyph, side, x, y) {
  const [fill, ink] = MEN[side];
  return element('g', {}, element('circle', { cx: x, cy: y, r: CELL * .4, fill, stroke: '#00000066' }), letter(glyph, x, y, ink));
}

function stone(side, x, y, opacity) {
  const fill = side === 0 ? '#1b1b1e' : '#fbfaf6';
  return element('g', { opacity },
    element('circle', { cx: x, cy: y, r: CELL * .475, fill, stroke: side === 0 ? '#000000' : '#8d8577', 'stroke-width': .8 }),
    element('ellipse', { cx: x - 5, cy: y - 7, rx: 6.5, ry: 4.5, fill: '#ffffff', opacity: side === 0 ? .16 : .75 }));
}

function arrow([x, y], [toX, toY], colour) {
  const long = Math.hypot(toX - x, toY - y) || 1;
  const [dx, dy] = [(toX - x) / long, (toY - y) / long];
  const [tipX, tipY] = [toX - dx * 6, toY - dy * 6];
  const [neckX, neckY] = [tipX - dx * 13, tipY - dy * 13];
  const head = `M${tipX} ${tipY}L${neckX - dy * 8} ${neckY + dx * 8}L${neckX + dy * 8} ${neckY - dx * 8}Z`;
  return element('g', { opacity: .85 },
    element('path', { d: `M${x + dx * 8} ${y + dy * 8}L${neckX} ${neckY}`, stroke: colour, 'stroke-width': 6, 'stroke-linecap': 'round' }),
    element('path', { d: head, fill: colour }));
}
