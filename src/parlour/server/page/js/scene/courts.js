// Figures of the court cards: half a figure of plain shapes and its rotation about the card's centre (50, 70).

/** @type {Record<string, { hat: string, hair: string, face: string, robe: string }>} */
const HEADS = {
  // A crown of three points, broad shoulders, a beard.
  K: {
    hat:
      '<path class="gold" d="M37 30l2-15 6.500 7L50 11l4.500 11 6.500-7 2 15z"/>' +
      '<circle class="gold" cx="50" cy="10" r="2.200"/>',
    hair: '<path class="ink" d="M38.500 37c0 17 5 22.500 11.500 22.500S61.500 54 61.500 37z"/>',
    face:
      '<path class="skin" d="M40.500 29.500h19V40c0 7-4 10.500-9.500 10.500S40.500 47 40.500 40z"/>' +
      '<path class="fine" d="M45.500 45.500q4.500 2.800 9 0"/>',
    robe:
      '<path class="tint" d="M24 70q2-15 17-16.500l9 8.500 9-8.500q15 1.500 17 16.500z"/>' +
      '<path class="gold" d="M41 53.500 50 70l9-16.500-3-.5-6 8.500-6-8.500z"/>',
  },
  // A round coronet, long hair to the shoulders.
  Q: {
    hat:
      '<path class="gold" d="M38.500 27q11.500-6.500 23 0l-1 4.500q-10.500-5-21 0z"/>' +
      '<circle class="gold" cx="42" cy="21.500" r="2.400"/>' +
      '<circle class="gold" cx="50" cy="18.500" r="2.800"/>' +
      '<circle class="gold" cx="58" cy="21.500" r="2.400"/>',
    hair:
      '<path class="ink" d="M50 21C38 21 36 31 36.500 42c.3 8-1 13-3.500 17h34c-2.500-4-3.800-9-3.500-17C64 31 ' +
      '62 21 50 21z"/>',
    face:
      '<path class="skin" d="M41 34q9-3.500 18 0v6.500c0 7-4 11.500-9 11.500s-9-4.500-9-11.500z"/>' +
      '<path class="fine" d="M46.500 46q3.500 2.300 7 0"/>',
    robe:
      '<path class="tint" d="M27 70q1-12 14.500-14.500Q50 64 58.500 55.500 72 58 73 70z"/>' +
      '<path class="gold" d="M41.500 55.500Q50 64 58.500 55.500l2 1Q50 69 39.500 56.500z"/>' +
      '<circle class="paper" cx="50" cy="66" r="2"/>',
  },
  // A cap with a feather, a plain collar.
  J: {
    hat:
      '<path class="tint" d="M36.500 31q-1-11 13.500-11t13.500 11z"/>' +
      '<path class="gold" d="M36 30.500h28v3.500H36z"/>' +
      '<path class="gold" d="M60 28q9-6 8.500-17-9 3-11.500 12z"/>',
    hair: '<path class="ink" d="M37.500 33h25v13q-1.500 5-5 5h-15q-3.500 0-5-5z"/>',
    face:
      '<path class="skin" d="M41.500 34h17v7c0 6.500-3.500 10.500-8.500 10.500s-8.500-4-8.500-10.500z"/>' +
      '<path class="fine" d="M46 45.500q4 2 8 0"/>',
    robe:
      '<path class="tint" d="M26 70q1-14 16-15.500l8 5 8-5Q73 56 74 70z"/>' +
      '<path class="paper" d="M42 54.500 50 60l8-5.500 3 6-11 5-11-5z"/>',
  },
};

/** @param {string} rank */
const half = (rank) => {
  const { hat, hair, face, robe } = HEADS[rank];
  const eyes =
    '<circle class="eye" cx="46.300" cy="39.500" r="1.100"/><circle class="eye" cx="53.700" cy="39.500" r="1.100"/>';
  return `<g>${hair}${robe}${face}${eyes}${hat}</g>`;
};

/**
 * The figure of K, Q or J as SVG text, in a card of 100 × 140.
 *
 * @param {string} rank
 */
export function court(rank) {
  const turned = `<g transform="rotate(180 50 70)">${half(rank)}</g>`;
  return `<g class="court">${half(rank)}${turned}<path class="band" d="M24 70h52"/></g>`;
}

/**
 * The hat of K, Q or J as SVG text, for small cards.
 *
 * @param {string} rank
 */
export const hatOf = (rank) => `<g class="court" transform="translate(12 36) scale(1.050)">${HEADS[rank].hat}</g>`;
