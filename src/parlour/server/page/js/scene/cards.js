// Cards as SVG: a large and a small face, and a back.

import { backDrawing } from "./backs.js";
import { court, hatOf } from "./courts.js";
import { h, svg } from "../common/dom.js";
import { RANKS, SUITS } from "../common/glyphs.js";
import { isCard } from "../common/speech.js";
import { t } from "../common/texts.js";

/** @import { CardSeen } from "../protocol.d.ts" */

const LEFT = 40;
const RIGHT = 62;
const MIDDLE = 51;

/** Heights of pairs of pips to the left and right, and of pips in the middle. */
const PIP_HEIGHTS = /** @type {Record<string, { pairs: number[], middle: number[] }>} */ ({
  2: { pairs: [], middle: [30, 110] },
  3: { pairs: [], middle: [30, 70, 110] },
  4: { pairs: [30, 110], middle: [] },
  5: { pairs: [30, 110], middle: [70] },
  6: { pairs: [30, 70, 110], middle: [] },
  7: { pairs: [30, 70, 110], middle: [50] },
  8: { pairs: [30, 70, 110], middle: [50, 90] },
  9: { pairs: [27, 56, 84, 113], middle: [70] },
  T: { pairs: [27, 56, 84, 113], middle: [41, 99] },
});

/**
 * The positions of a rank's pips.
 *
 * @param {string} rank
 * @returns {[number, number][]}
 */
function pipsOf(rank) {
  const { pairs, middle } = PIP_HEIGHTS[rank];
  const sides = pairs.flatMap(
    (y) =>
      /** @type {[number, number][]} */ ([
        [LEFT, y],
        [RIGHT, y],
      ]),
  );
  return [...sides, ...middle.map((y) => /** @type {[number, number]} */ ([MIDDLE, y]))];
}

/** @type {(suit: string, x: number, y: number, size: number, turned?: boolean) => string} */
function suitPath(suit, x, y, size, turned = false) {
  const turn = turned ? "rotate(180) " : "";
  const transform = `translate(${x} ${y}) scale(${size / 24}) ${turn}translate(-12 -12)`;
  return `<path class="suit" transform="${transform}" d="${SUITS[suit]}"/>`;
}

/** @type {(rank: string, x: number, y: number, height: number, weight: number) => string} */
function rankPath(rank, x, y, height, weight) {
  const transform = `translate(${x} ${y}) scale(${height / 14})`;
  return `<path class="rank" transform="${transform}" stroke-width="${weight}" d="${RANKS[rank]}"/>`;
}

/** @type {(rank: string, suit: string) => string} */
const corner = (rank, suit) =>
  `<g>${rankPath(rank, rank === "T" ? 8 : 9, 10, 24, 2.1)}${suitPath(suit, 17.5, 49, 19)}</g>`;

/** @type {(rank: string, suit: string) => string} */
function largeFace(rank, suit) {
  const corners = `${corner(rank, suit)}<g transform="rotate(180 50 70)">${corner(rank, suit)}</g>`;
  if (rank in PIP_HEIGHTS) {
    const pips = pipsOf(rank);
    return corners + pips.map(([x, y]) => suitPath(suit, x, y, pips.length > 5 ? 16 : 19, y > 70)).join("");
  }
  if (rank === "A") return corners + suitPath(suit, 50, 70, 46);
  if (rank === "X") return corners + suitPath("X", 50, 70, 58);
  return `${court(rank)}${corners}`;
}

/** @type {(rank: string, suit: string) => string} */
function smallFace(rank, suit) {
  const hat = "KQJ".includes(rank) ? hatOf(rank) : "";
  const [size, y] = hat ? [44, 102] : [54, 98];
  const head = rankPath(rank, rank === "T" ? 10 : 11, 12, 38, 2.2) + suitPath(suit, 76, 31, 29);
  return `${head}${hat}${suitPath(suit, hat ? 64.5 : 58, y, size)}`;
}

/**
 * A face with a large sign, for both sizes. Suit and rank are one above the other, so that overlap covers neither.
 *
 * @type {(rank: string, suit: string) => string}
 */
function largeSigns(rank, suit) {
  const hat = "KQJ".includes(rank) ? hatOf(rank) : "";
  const rankSign = rank === "T" ? rankPath(rank, 5, 9, 38, 2.4) : rankPath(rank, 7, 9, 42, 2.3);
  const sign = rankSign + suitPath(suit, 21, 73, 30);
  return `${sign}${hat}${hat ? suitPath(suit, 66, 102, 44) : suitPath(suit, 66, 92, 54)}`;
}

const FRONT = `<rect class="paper" x=".75" y=".75" width="98.500" height="138.500" rx="9"/>`;

/**
 * The turned-up corner of a face-down card that the viewer knows.
 *
 * @type {(rank: string, suit: string) => string}
 */
function turnedCorner(rank, suit) {
  const paper = `<path class="paper" d="M1 10a9 9 0 0 1 9-9h50q1 27-13 45T1 64z"/>`;
  const sign = rankPath(rank, rank === "T" ? 8 : 9, 9, 20, 2.4) + suitPath(suit, 40, 19, 18);
  return `<g class="turned">${paper}${sign}</g>`;
}

/** @param {string | null} card */
function colourClass(card) {
  if (card === null) return "back";
  if (card[0] === "X") return card[1] === "R" ? "H" : "S";
  return card[1];
}

/** @typedef {{ faces?: string, back?: string }} Looks the kind of faces and the back of a deck */

/** The looks that the settings have set on the document. */
const chosenLooks = () => /** @type {Looks} */ (document.documentElement.dataset);

/** @type {(card: string | null, small: boolean, faceUp: boolean, looks: Looks) => string} */
function source(card, small, faceUp, { faces, back }) {
  if (card === null) return backDrawing(back);
  const suit = card[0] === "X" ? "X" : card[1];
  if (!faceUp) return backDrawing(back) + turnedCorner(card[0], suit);
  return FRONT + (faces === "large" ? largeSigns : small ? smallFace : largeFace)(card[0], suit);
}

/** @type {Map<string, SVGElement>} */
const drawings = new Map();

/**
 * The drawing of a card: a face ("7H"), or a back (null). A face-down card shows its face in a corner.
 *
 * @param {string | null} card
 * @param {boolean} [small]
 * @param {boolean} [faceUp]
 * @param {Looks} [looks]
 */
export function drawing(card, small = false, faceUp = true, looks = chosenLooks()) {
  const { faces = "usual", back = "bricks" } = looks;
  const key = `${card}${small}${faceUp}${faces}${back}`;
  let drawn = drawings.get(key);
  if (!drawn) {
    const look = `class="face of-${colourClass(card)} faces-${faces} back-${back}" viewBox="0 0 100 140"`;
    drawn = svg(`<svg ${look} aria-hidden="true" focusable="false">${source(card, small, faceUp, looks)}</svg>`);
    drawings.set(key, drawn);
  }
  return /** @type {SVGElement} */ (drawn.cloneNode(true));
}

/**
 * The name of a card with its orientation, its mark and its state ("legal"), for screen readers.
 *
 * @param {Pick<CardSeen, "card" | "face_up"> & Partial<CardSeen>} seen
 * @param {string} [state]
 */
export function nameOf(seen, state = "") {
  const parts = [seen.card === null ? t("back") : t("card", seen.card)];
  if (!seen.face_up && seen.card !== null) parts.push(t("faceDown"));
  if (seen.mark) parts.push(seen.mark);
  if (state) parts.push(state);
  return parts.join(", ");
}

/**
 * A card that cannot be chosen.
 *
 * @param {Pick<CardSeen, "card" | "face_up"> & Partial<CardSeen>} seen
 * @param {{ small?: boolean }} [how]
 */
export function cardSpan(seen, { small = false } = {}) {
  return h(
    "span",
    {
      class: `card ${small ? "small" : ""} ${seen.fate ? `fate-${seen.fate}` : ""}`,
      role: "img",
      "aria-label": nameOf(seen),
      "data-card": seen.card,
      "data-up": String(seen.face_up),
    },
    drawing(seen.card, small, seen.face_up),
  );
}

/**
 * The cards in the notation of an action.
 *
 * @param {string} action
 */
export const cardsNamed = (action) =>
  action
    .split(" ")
    .filter(isCard)
    .map((card) => cardSpan({ card, face_up: true }, { small: true }));

/**
 * Overlapping cards, as a decoration.
 *
 * @param {string[]} cards
 */
export const fan = (cards) =>
  h(
    "span",
    { class: "fan", "aria-hidden": "true", vars: { "--n": cards.length } },
    cards.map((card, index) => h("span", { class: "card", vars: { "--i": index } }, drawing(card))),
  );
