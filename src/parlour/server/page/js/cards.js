// Cards, drawn: faces in two sizes and a back, as SVG that is sharp at any size.

import { court, hatOf } from "./courts.js";
import { h, svg } from "./dom.js";
import { RANKS, SUITS } from "./glyphs.js";
import { isCard } from "./speech.js";
import { t } from "./texts.js";

const LEFT = 40;
const RIGHT = 62;
const MIDDLE = 51;
const PIPS = {
  2: [
    [MIDDLE, 30],
    [MIDDLE, 110],
  ],
  3: [
    [MIDDLE, 30],
    [MIDDLE, 70],
    [MIDDLE, 110],
  ],
  4: [
    [LEFT, 30],
    [RIGHT, 30],
    [LEFT, 110],
    [RIGHT, 110],
  ],
  5: [
    [LEFT, 30],
    [RIGHT, 30],
    [MIDDLE, 70],
    [LEFT, 110],
    [RIGHT, 110],
  ],
  6: [
    [LEFT, 30],
    [RIGHT, 30],
    [LEFT, 70],
    [RIGHT, 70],
    [LEFT, 110],
    [RIGHT, 110],
  ],
  7: [
    [LEFT, 30],
    [RIGHT, 30],
    [MIDDLE, 50],
    [LEFT, 70],
    [RIGHT, 70],
    [LEFT, 110],
    [RIGHT, 110],
  ],
  8: [
    [LEFT, 30],
    [RIGHT, 30],
    [MIDDLE, 50],
    [LEFT, 70],
    [RIGHT, 70],
    [MIDDLE, 90],
    [LEFT, 110],
    [RIGHT, 110],
  ],
  9: [
    [LEFT, 27],
    [RIGHT, 27],
    [LEFT, 56],
    [RIGHT, 56],
    [MIDDLE, 70],
    [LEFT, 84],
    [RIGHT, 84],
    [LEFT, 113],
    [RIGHT, 113],
  ],
  T: [
    [LEFT, 27],
    [RIGHT, 27],
    [MIDDLE, 41],
    [LEFT, 56],
    [RIGHT, 56],
    [LEFT, 84],
    [RIGHT, 84],
    [MIDDLE, 99],
    [LEFT, 113],
    [RIGHT, 113],
  ],
};

const suit = (which, x, y, size, turned = false) =>
  `<path class="suit" transform="translate(${x} ${y}) scale(${size / 24}) ${turned ? "rotate(180) " : ""}translate(-12 -12)" d="${SUITS[which]}"/>`;

const rank = (which, x, y, height, weight) =>
  `<path class="rank" transform="translate(${x} ${y}) scale(${height / 14})" stroke-width="${weight}" d="${RANKS[which]}"/>`;

function corner(which, of) {
  return `<g>${rank(which, which === "T" ? 8 : 9, 10, 24, 2.1)}${suit(of, 17.5, 49, 19)}</g>`;
}

function fullFace(which, of) {
  const corners = `${corner(which, of)}<g transform="rotate(180 50 70)">${corner(which, of)}</g>`;
  if (which in PIPS) {
    return corners + PIPS[which].map(([x, y]) => suit(of, x, y, PIPS[which].length > 5 ? 16 : 19, y > 70)).join("");
  }
  if (which === "A") return corners + suit(of, 50, 70, 46);
  if (which === "X") return corners + suit("X", 50, 70, 58);
  return `${court(which)}${corners}`;
}

function smallFace(which, of) {
  const hat = "KQJ".includes(which) ? hatOf(which) : "";
  const [size, y] = hat ? [44, 102] : [54, 98];
  return `${rank(which, which === "T" ? 10 : 11, 12, 38, 2.2)}${suit(of, 76, 31, 29)}${hat}${suit(of, hat ? 64.5 : 58, y, size)}`;
}

/** A brick of a back, as a part of the one path of all of them: a table has many backs, drawn anew at every event. */
const brick = (x, y, width) =>
  `M${x + 1.5} ${y}h${width - 3}a1.5 1.5 0 0 1 1.5 1.5v6.8a1.5 1.5 0 0 1-1.5 1.5h${3 - width}a1.5 1.5 0 0 1-1.5-1.5v-6.8a1.5 1.5 0 0 1 1.5-1.5z`;

const BACK = `<rect class="back-ground" x="1" y="1" width="98" height="138" rx="9"/>
<rect class="back-frame" x="8" y="8" width="84" height="124" rx="4"/>
<path class="back-lines" d="${[...Array(9)]
  .map((_, row) => {
    const y = 14 + row * 12.6;
    const shift = row % 2 ? 10 : 0;
    return [...Array(5)]
      .map((_, column) => {
        const x = 10 + column * 20 - shift;
        const from = Math.max(x, 12);
        const to = Math.min(x + 17, 88);
        return to - from > 3 ? brick(from, y, to - from) : "";
      })
      .join("");
  })
  .join("")}"/>
<path class="back-seal" d="M50 50 66 70 50 90 34 70z"/><path class="back-mark" d="M43 77V64h3.500v3h2v-3h3v3h2v-3H57v13z"/>`;

/** The back of a card that the viewer knows: a corner of it turned over. */
const turned = (which, of) =>
  `<g class="turned"><path class="paper" d="M1 10a9 9 0 0 1 9-9h50q1 27-13 45T1 64z"/>${rank(which, which === "T" ? 8 : 9, 9, 20, 2.4)}${suit(of, 40, 19, 18)}</g>`;

const drawn = new Map();

/** The drawing of a card's face (``"7H"``), or of a back (``null``); face down, what the viewer knows is in its corner. */
export function drawing(card, small = false, faceUp = true) {
  const key = `${card}${small}${faceUp}`;
  if (!drawn.has(key)) {
    const of = card === null ? "back" : card[0] === "X" ? (card[1] === "R" ? "H" : "S") : card[1];
    const sign = card === null ? "" : card[0] === "X" ? "X" : card[1];
    let inside = `<rect class="paper" x=".75" y=".75" width="98.500" height="138.500" rx="9"/>`;
    if (card === null) inside = BACK;
    else if (!faceUp) inside = BACK + turned(card[0], sign);
    else inside += (small ? smallFace : fullFace)(card[0], sign);
    drawn.set(
      key,
      svg(`<svg class="face of-${of}" viewBox="0 0 100 140" aria-hidden="true" focusable="false">${inside}</svg>`),
    );
  }
  return drawn.get(key).cloneNode(true);
}

/** What a card is called, with what became of it. */
export function nameOf(seen, state = "") {
  const parts = [seen.card === null ? t("back") : t("card", seen.card)];
  if (!seen.face_up && seen.card !== null) parts.push(t("faceDown"));
  if (seen.mark) parts.push(t("marks")[seen.mark] ?? seen.mark);
  if (state) parts.push(state);
  return parts.join(", ");
}

/** A word or several as a part of a class. */
export const slug = (words) => words.toLowerCase().replace(/\W+/g, "-");

/** A card that only lies there. */
export function cardSpan(seen, { small = false } = {}) {
  const mark = seen.mark ? `mark-${slug(seen.mark)}` : "";
  return h(
    "span",
    {
      class: `card ${small ? "small" : ""} ${mark}`,
      role: "img",
      "aria-label": nameOf(seen),
      "data-card": seen.card,
      "data-up": String(seen.face_up),
    },
    drawing(seen.card, small, seen.face_up),
  );
}

/** The cards named in an action, as cards. */
export const cardsNamed = (action) =>
  action
    .split(" ")
    .filter(isCard)
    .map((card) => cardSpan({ card, face_up: true }, { small: true }));

/** Cards one over the other, drawn for show. */
export function fan(cards, small = false) {
  return h(
    "span",
    { class: "fan", "aria-hidden": "true", vars: { "--n": cards.length } },
    cards.map((card, index) => h("span", { class: "card", vars: { "--i": index } }, drawing(card, small))),
  );
}
