// Boards as SVG: checkered with pieces, grids with wedges, points with stones. One unit of size: a square of 40.
const CELL = 40;

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
  }

  // The middle of a square, seen from the side at the bottom.
  place([row, column]) {
    const [r, c] = this.flipped ? [this.high - 1 - row, this.wide - 1 - column] : [row, column];
    return [c * CELL + CELL / 2, r * CELL + CELL / 2];
  }

  draw(at, shown) {
    const room = 16;
    const box = [-room, -room, this.wide * CELL + 2 * room, this.high * CELL + 2 * room];
    const svg = element('svg', { viewBox: box.join(' '), role: 'img', 'aria-label': `Position after ${at} moves` });
    const wooden = this.data.style !== 'checkered';
    svg.append(element('rect', { x: box[0], y: box[1], width: box[2], height: box[3], fill: wooden ? 'var(--wood)' : 'var(--card)' }));
    this.ground(svg);
    this.labels(svg, wooden, room);
    if (this.data.style !== 'points') for (const square of this.data.marked[at]) this.mark(svg, square);
    this.men(svg, this.data.boards[at]);
    if (this.data.style === 'points') for (const square of this.data.marked[at]) this.ring(svg, square, at);
    for (const hint of shown) this.hint(svg, hint);
    return svg;
  }

  ground(svg) {
    const { wide, high } = this;
    if (this.data.style === 'checkered') {
      for (let row = 0; row < high; row++)
        for (let column = 0; column < wide; column++)
          svg.append(element('rect', { x: column * CELL, y: row * CELL, width: CELL, height: CELL, fill: (row + column) % 2 ? 'var(--dark)' : 'var(--light)' }));
      return;
    }
    const points = this.data.style === 'points';
    const [inset, extra] = points ? [CELL / 2, 0] : [0, 1];
    const lines = [];
    for (let at = 0; at < wide + extra; at++) lines.push(`M${at * CELL + inset} ${inset}V${high * CELL - inset}`);
    for (let at = 0; at < high + extra; at++) lines.push(`M${inset} ${at * CELL + inset}H${wide * CELL - inset}`);
    svg.append(element('path', { d: lines.join(''), stroke: 'var(--wood-line)', 'stroke-width': 1.2, fill: 'none' }));
    for (const [row, column] of points ? stars(wide) : [[2.5, 2.5], [2.5, 5.5], [5.5, 2.5], [5.5, 5.5]])
      svg.append(element('circle', { cx: (column + .5) * CELL, cy: (row + .5) * CELL, r: points ? 4 : 2.6, fill: 'var(--wood-line)' }));
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
    if (this.data.style === 'points') return stone(side, x, y, 1);
    if (CHESS_PIECES[glyph]) {
      const [body, lines] = CHESS_PIECES[glyph];
      const [fill, stroke, inner] = side === 0 ? ['#fffdf8', '#2a2622', '#2a2622'] : ['#2f2b29', '#14110f', '#e9dfd0'];
      const common = { 'stroke-linejoin': 'round', 'stroke-linecap': 'round' };
      return element('g', { transform: `translate(${x} ${y}) scale(1.16) translate(-20 -19)` },
        element('path', { d: body, fill, stroke, 'stroke-width': 1.3, ...common }),
        element('path', { d: lines, fill: 'none', stroke: inner, 'stroke-width': 1.2, ...common }));
    }
    const turned = (side === 1) !== this.flipped;
    return element('g', { transform: `translate(${x} ${y})${turned ? ' rotate(180)' : ''}` },
      element('path', { d: 'M0 -17L10.500 -13.200L14.500 16.500H-14.500L-10.500 -13.200Z', fill: '#f7e3b4', stroke: '#6e4f22', 'stroke-width': 1.2, 'stroke-linejoin': 'round' }),
      element('text', { 'font-size': 20, 'text-anchor': 'middle', 'dominant-baseline': 'central', y: 2.5, fill: PROMOTED.includes(glyph) ? '#b3261e' : '#1d1a16', 'font-family': '"Noto Serif CJK JP", "Noto Serif JP", "Hiragino Mincho ProN", "Yu Mincho", "Noto Sans CJK JP", serif' }, glyph));
  }

  mark(svg, square) {
    const [x, y] = this.place(square);
    svg.append(element('rect', { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL, fill: 'var(--mark)' }));
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
    if (squares.length === 2) {
      svg.append(arrow(this.place(squares[0]), end, colour));
      return;
    }
    if (this.data.style === 'points') svg.append(stone(side, ...end, .45));
    svg.append(element('circle', { cx: end[0], cy: end[1], r: CELL * .42, fill: 'none', stroke: colour, 'stroke-width': 3.5 }));
    if (share) svg.append(element('text', { x: end[0], y: end[1], 'font-size': 12, 'font-weight': 600, 'text-anchor': 'middle', 'dominant-baseline': 'central', fill: this.data.style === 'points' && side === 0 ? '#ffffff' : '#111111' }, share));
  }
}

function stars(size) {
  if (size < 7) return [];
  const edge = size < 13 ? 2 : 3;
  const lines = size % 2 && size > 9 ? [edge, (size - 1) / 2, size - 1 - edge] : [edge, size - 1 - edge];
  const found = lines.flatMap((row) => lines.map((column) => [row, column]));
  return size === 9 ? [...found, [4, 4]] : found;
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
