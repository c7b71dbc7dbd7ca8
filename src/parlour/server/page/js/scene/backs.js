// Backs of cards: a frame and a seal, with a pattern between. A pattern is one path, because a table has many backs and
// is redrawn at every event.

/** @type {(number: number, draw: (index: number) => string) => string} */
const repeat = (number, draw) => [...Array(number).keys()].map(draw).join("");

/** @type {(x: number, y: number, width: number) => string} */
const brick = (x, y, width) =>
  `M${x + 1.5} ${y}h${width - 3}a1.5 1.5 0 0 1 1.5 1.5v6.8a1.5 1.5 0 0 1-1.5 1.5h${3 - width}` +
  "a1.5 1.5 0 0 1-1.5-1.5v-6.8a1.5 1.5 0 0 1 1.5-1.5z";

/**
 * Bricks; every second row is shifted by half a brick.
 *
 * @param {number} row
 */
function brickRow(row) {
  const y = 15.5 + row * 12.3;
  const shift = row % 2 ? 10 : 0;
  return repeat(5, (column) => {
    const x = 10 + column * 20 - shift;
    const from = Math.max(x, 14);
    const to = Math.min(x + 17, 86);
    return to - from > 3 ? brick(from, y, to - from) : "";
  });
}

/** A lattice of rhombs with a small rhomb in each. */
const rhombRow = (/** @type {number} */ row) =>
  repeat(6, (column) => {
    const [x, y] = [14 + column * 12, 22 + row * 16];
    return `M${x} ${y}l6-8 6 8-6 8zM${x + 4} ${y}l2-2.700 2 2.700-2 2.700z`;
  });

/** Waves of three arcs; every second row is shifted by half a wave. */
const waveRow = (/** @type {number} */ row) =>
  repeat(row % 2 ? 3 : 4, (column) => {
    const [x, y] = [14 + column * 18 + (row % 2) * 9, 24 + row * 9.9];
    return `M${x} ${y}a9 9 0 0 1 18 0M${x + 3} ${y}a6 6 0 0 1 12 0M${x + 6} ${y}a3 3 0 0 1 6 0`;
  });

/** @type {Record<string, string>} */
const PATTERNS = { bricks: repeat(9, brickRow), lattice: repeat(7, rhombRow), waves: repeat(11, waveRow) };

/**
 * A back as SVG text.
 *
 * @param {string} [name]
 */
export const backDrawing = (name = "bricks") =>
  `<rect class="back-edge" x=".75" y=".75" width="98.500" height="138.500" rx="9"/>
<rect class="back-ground" x="6" y="6" width="88" height="128" rx="5"/>
<rect class="back-frame" x="10" y="10" width="80" height="120" rx="3"/>
<path class="back-lines" d="${PATTERNS[name] ?? PATTERNS.bricks}"/>
<path class="back-seal" d="M50 50 66 70 50 90 34 70z"/>
<path class="back-mark" d="M43 77V64h3.500v3h2v-3h3v3h2v-3H57v13z"/>`;
