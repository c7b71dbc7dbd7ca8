// The drawing of a scene: areas by position, rows by style, without knowledge of games or rules.

import { cardSpan, drawing, nameOf } from "./cards.js";
import { clear, find, findAll, h, svg } from "../common/dom.js";
import { icon } from "../common/glyphs.js";
import { labelled } from "../common/phrases.js";
import { ALWAYS_FIT, linesOf, roomInLine } from "./hand_lines.js";
import { widestAcross } from "./row_widths.js";
import { drawCard, drawRow, rowData } from "./rows.js";
import { crampedMiddle } from "./sizes.js";
import { cardsBySuit, inWords, pointsFor, sideOf } from "../common/speech.js";
import { t } from "../common/texts.js";

/** @import { Area, CardSeen, Row, Scene } from "../protocol.d.ts" */
/** @import { Context, DrawnSelection } from "./rows.js" */

/**
 * The part of the context that the page determines. `gathered`: a finished trick has been cleared; `live`: the viewer
 * may act; `peeked`: ids of rows that the viewer has turned up; `still`: nothing can be chosen.
 *
 * @typedef {object} SceneContext
 * @property {boolean} gathered
 * @property {boolean} live
 * @property {Set<string>} peeked
 * @property {DrawnSelection} selection
 * @property {import("./rows.js").DrawnPlan} [planned]
 * @property {boolean} [still]
 */

/** The largest number of backs in the small picture of a hand. */
const MOST_TINY_BACKS = 9;

/**
 * The viewer's own area, if the viewer plays.
 *
 * @param {Scene} scene
 */
const ownArea = (scene) =>
  scene.areas.find((area) => area.at === 0 && area.seat !== null && area.seat === scene.seat && scene.seat >= 0);

/** @param {Area} area */
const tricksIn = (area) => area.rows.filter((row) => row.style === "trick" && row.cards.length);

/**
 * The trick in the middle: a finished one until it is gathered, then the current one.
 *
 * @param {Area} area
 * @param {Pick<Scene, "rest">} scene
 * @param {boolean} gathered
 */
function trickOf(area, scene, gathered) {
  const tricks = tricksIn(area);
  if (!scene.rest) return tricks[0];
  return gathered ? tricks.slice(0, -1)[0] : tricks.at(-1);
}

/**
 * The cards of the trick in the middle, which other rows may contain already.
 *
 * @param {Scene} scene
 * @param {boolean} gathered
 */
function cardsInMiddle(scene, gathered) {
  const tricks = scene.areas.filter((area) => area.at === null).map((area) => trickOf(area, scene, gathered));
  return new Set(tricks.flatMap((row) => row?.cards.map((seen) => seen.card) ?? []));
}

/**
 * Whether any cards lie on the table.
 *
 * @param {Scene} scene
 */
export const isDealt = (scene) =>
  scene.areas.some((area) => area.at !== null && area.rows.some((row) => row.cards.length || row.hidden));

/**
 * Draw the board and the viewer's hand.
 *
 * @param {HTMLElement} board
 * @param {HTMLElement} hand
 * @param {Scene} scene
 * @param {SceneContext} pageContext
 */
export function drawScene(board, hand, scene, pageContext) {
  const ring = scene.areas.filter((area) => area.at !== null);
  /** @type {Context} */
  const context = {
    ...pageContext,
    scene,
    ring,
    legal: new Set(pageContext.live ? scene.legal : []),
    composing: scene.choices.some((choice) => choice.tokens.length > 1),
    middle: cardsInMiddle(scene, pageContext.gathered),
    own: ownArea(scene),
  };
  const tricks = scene.areas.some((area) => area.rows.some((row) => row.style === "trick"));
  board.className = `board of-${ring.length} ${tricks ? "tricks" : "no-tricks"}`;
  board.style.setProperty("--across", widestAcross(ring).toFixed(2));
  clear(
    board,
    scene.areas.filter((area) => area.at === null).map((area) => drawMiddle(area, context)),
    ring.map((area) => drawArea(area, context)),
  );
  drawHands(hand, context);
  const quiet = isMostlyLegal(board, hand);
  for (const part of [board, hand]) part.classList.toggle("quiet", quiet);
}

/**
 * Whether most things that can be chosen are legal. Then legal things are marked less, because marks would not
 * distinguish them.
 *
 * @param {HTMLElement} board
 * @param {HTMLElement} hand
 */
function isMostlyLegal(board, hand) {
  const selector = "[data-do]:is(.may, .other, .pale):not(.picked)";
  const things = [...findAll(board, selector), ...findAll(hand, selector)];
  return things.filter((thing) => thing.classList.contains("may")).length > things.length / 2;
}

// The hand

/**
 * Draw a hand in one line, or in several where one line has no space for the cards.
 *
 * @param {HTMLElement} hand
 * @param {Context} context
 */
function drawHands(hand, context) {
  const rows = context.own ? context.own.rows.filter((row) => row.style === "hand") : [];
  const longest = Math.max(1, ...rows.map((row) => row.cards.length));
  /** @param {number} most the largest length of a line */
  const draw = (most) => {
    hand.style.setProperty("--n", String(Math.min(longest, most)));
    clear(
      hand,
      rows.map((row) => drawHand(row, most, context)),
    );
  };
  draw(longest);
  if (longest > ALWAYS_FIT && !context.still) {
    const most = roomInLine(hand.clientWidth, find(hand, ".card")?.offsetWidth ?? 0);
    if (most < longest) draw(most);
  }
  hand.style.setProperty("--lines", String(findAll(hand, ".fan-line").length));
}

/**
 * @param {Row} row
 * @param {number} most the largest length of a line
 * @param {Context} context
 */
function drawHand(row, most, context) {
  const held = cardsBySuit(row.cards.flatMap(({ card }) => card ?? []));
  return h(
    "div",
    { class: "fan-row", role: "group", "aria-label": held ? labelled(row.label, held) : row.label, ...rowData(row) },
    linesOf(row.cards, most).map((cards) =>
      h(
        "div",
        { class: "fan-line" },
        cards.map((seen) => h("span", { class: "slot" }, drawCard(seen, context, false))),
      ),
    ),
  );
}

// The ring

/**
 * @param {Area} area
 * @param {Context} context
 */
function drawArea(area, context) {
  const side = area.side ? `side-${area.side}` : "side-none";
  const own = area === context.own;
  return h(
    "section",
    {
      class: `area at-${area.at} ${side} ${area.active ? "active" : ""} ${own ? "own" : ""}`,
      "data-area": area.id,
      "data-at": area.at,
      "data-seat": area.seat,
      "aria-label": labelOf(area, context.scene),
      tabindex: context.still ? null : "-1",
    },
    drawHead(area, context.scene),
    drawAreaCards(area, context, own),
  );
}

/**
 * The cards of an area. In an area with a side and a wall, open cards lie above face-down ones; in others, hands come
 * last.
 *
 * @param {Area} area
 * @param {Context} context
 * @param {boolean} own
 */
function drawAreaCards(area, context, own) {
  const rows = area.rows.filter((row) => row.style !== "last" && !(own && row.style === "hand"));
  const up = area.side ? area.rows.find((row) => row.style === "wall") : undefined;
  if (up) {
    const down = area.rows.find((row) => row.style === "buried");
    const rest = rows.filter((row) => row !== up && row !== down);
    return h("div", { class: "area-cards" }, drawTiers(up, down, area, context), drawRows(rest, context));
  }
  const hands = rows.filter((row) => row.style === "hand");
  const laid = rows.filter((row) => row.style !== "hand");
  return h("div", { class: "area-cards open" }, drawRows(laid, context, "laid"), drawRows(hands, context));
}

/**
 * @param {Area} area
 * @param {Pick<Scene, "sides">} scene
 */
function labelOf(area, scene) {
  const parts = [area.title, sideOf(scene, area.side)?.word, area.subtitle];
  if (area.points !== null) parts.push(pointsInWords(area, scene));
  if (area.active) parts.push(area.turn);
  return parts.filter(Boolean).join(", ");
}

/**
 * @param {Area} area
 * @param {Pick<Scene, "sides">} scene
 */
function pointsInWords({ points, points_for: gains }, scene) {
  const words = t("pointsLong", points ?? 0);
  return sideOf(scene, gains)?.gain.replace("{points}", words) ?? words;
}

/**
 * The points of an area in short: for a side ("red +3"), or in areas with a side with their sign ("+3"), else as a
 * number.
 *
 * @param {Area} area
 * @param {Pick<Scene, "sides">} scene
 */
function pointsInShort({ side, points, points_for: gains }, scene) {
  return gains ? pointsFor(scene, gains, points ?? 0) : t(side ? "points" : "number", points ?? 0);
}

/**
 * @param {Area} area
 * @param {Pick<Scene, "sides">} scene
 */
function drawHead(area, scene) {
  const counted = area.rows.filter((row) => row.style === "hand" && row.hidden);
  return h(
    "header",
    { class: "area-head" },
    h("span", { class: "area-sign", "aria-hidden": "true" }),
    h("h2", { class: "area-name", dir: "auto" }, area.title),
    area.active ? h("span", { class: "turn" }, area.turn) : null,
    area.subtitle ? h("span", { class: "sub" }, area.subtitle) : null,
    counted.map(drawHandCount),
    area.notes.map((note) => drawNote("span", note)),
    area.points === null
      ? null
      : h(
          "span",
          { class: `points ${area.points_for ? `side-${area.points_for}` : ""}`, title: pointsInWords(area, scene) },
          pointsInShort(area, scene),
        ),
  );
}

/**
 * A note. Screen readers read its card signs as words.
 *
 * @param {"span" | "p"} tag
 * @param {string} note
 */
function drawNote(tag, note) {
  const words = inWords(note);
  return h(tag, { class: "area-note", ...(words === note ? {} : { role: "img", "aria-label": words }) }, note);
}

/**
 * A hand of another player: small backs and the number of cards.
 *
 * @param {Row} row
 */
function drawHandCount(row) {
  const number = row.cards.length + row.hidden;
  const label = t("heldCards", number);
  const shown = Math.min(number, MOST_TINY_BACKS);
  const backs = [...Array(shown).keys()].map((index) =>
    h("span", { class: "tiny-back", vars: { "--turn": `${(index - (shown - 1) / 2) * 4}deg` } }),
  );
  const hand = h("span", { class: "tiny-hand", "aria-hidden": "true" }, backs);
  const names = { class: "backs", role: "img", "aria-label": label, title: label };
  return h("span", { ...names, ...rowData(row) }, hand, String(number));
}

/**
 * Open cards above face-down ones, without the cards in the middle.
 *
 * @param {Row} up
 * @param {Row | undefined} down
 * @param {Area} area
 * @param {Context} context
 */
function drawTiers(up, down, area, context) {
  /** @param {Row | undefined} row */
  const present = (row) => (row?.cards ?? []).filter((seen) => !context.middle.has(seen.card));
  return h(
    "div",
    { class: "tiers" },
    h(
      "div",
      { class: "tier-up", role: "group", "aria-label": up.label },
      present(up).map((seen) => h("span", { class: "slot", "data-from": area.id }, cardSpan(seen, { small: true }))),
    ),
    h("div", { class: "tier-down" }, down ? drawFaceDown(down, present(down), context) : null),
  );
}

/**
 * Face-down cards that the viewer may turn up.
 *
 * @param {Row} row
 * @param {CardSeen[]} cards
 * @param {Context} context
 */
function drawFaceDown(row, cards, context) {
  const peeked = context.peeked.has(row.id);
  const names = t(
    "buriedCards",
    row.label,
    cards.map((seen) => t("card", seen.card ?? "")),
  );
  return h(
    context.still ? "div" : "button",
    {
      type: context.still ? null : "button",
      class: `face-down ${peeked ? "peeked" : ""} ${cards.length ? "" : "empty"}`,
      "aria-pressed": String(peeked),
      "aria-label": names,
      title: names,
      "data-peek": row.id,
      disabled: !cards.length,
    },
    cards.map((seen) =>
      h(
        "span",
        { class: "slot" },
        h(
          "span",
          { class: "card small turnable", "data-card": seen.card },
          drawing(null, true),
          drawing(seen.card, true),
        ),
      ),
    ),
  );
}

/**
 * Rows side by side; null without rows to draw.
 *
 * @param {Row[]} rows
 * @param {Context} context
 * @param {string} [kind] the class
 */
function drawRows(rows, context, kind = "held") {
  const drawn = rows.map((row) => drawRow(row, context)).filter(Boolean);
  return drawn.length ? h("div", { class: kind }, drawn) : null;
}

// The middle

/**
 * The direction of a position on a ring of `number` positions, as CSS variables.
 *
 * @param {number} at
 * @param {number} number
 */
function direction(at, number) {
  const angle = Math.PI / 2 + (2 * Math.PI * at) / number;
  return { "--x": Math.cos(angle).toFixed(4), "--y": Math.sin(angle).toFixed(4) };
}

/**
 * @param {Area} area
 * @param {Context} context
 */
function drawMiddle(area, context) {
  const { scene, gathered, ring } = context;
  const shown = trickOf(area, scene, gathered);
  const tricks = area.rows.some((row) => row.style === "trick");
  const others = area.rows.filter((row) => !["trick", "last"].includes(row.style));
  const complete = scene.rest && !gathered;
  const showsSubtitle = area.subtitle && !(scene.rest && gathered);
  return h(
    "section",
    {
      class: `middle ${complete ? "complete" : ""}`,
      "data-area": area.id,
      "aria-label": area.title || t("lastTrick"),
      tabindex: "-1",
    },
    tricks ? drawRing(ring) : null,
    tricks ? h("div", { class: "trick" }, shown ? trickCards(shown, ring) : []) : null,
    drawRows(others, { ...context, captions: true }, "commons"),
    showsSubtitle ? h("span", { class: "suit-word" }, area.subtitle) : null,
    area.notes.length
      ? h(
          "div",
          { class: "middle-notes" },
          area.notes.map((note) => drawNote("p", note)),
        )
      : null,
  );
}

/**
 * The cards of a trick. Each lies towards the area that it came from, above its mark.
 *
 * @param {Row} row
 * @param {Area[]} ring
 */
export function trickCards(row, ring) {
  return row.cards.map((seen, index) => {
    const at = ring.find((area) => area.id === seen.area)?.at ?? null;
    const vars = at === null ? direction(index, row.cards.length) : direction(at, ring.length);
    return h(
      "div",
      { class: `played fate-${seen.fate || "none"} to-${at ?? index}`, vars },
      h("span", { class: "tip", "aria-hidden": "true" }),
      h("span", { class: "lift", "data-from": seen.area }, cardInTrick(seen)),
      h(
        "span",
        { class: `fate ${seen.mark && seen.face_up ? "" : "unmarked"}` },
        seen.fate ? svg(icon(seen.fate)) : null,
        h("b", {}, seen.by),
        h("i", {}, seen.mark),
      ),
    );
  });
}

/** @param {CardSeen} seen */
function cardInTrick(seen) {
  const card = cardSpan(seen, { small: crampedMiddle.matches });
  card.setAttribute("aria-label", labelled(seen.by, nameOf(seen)));
  card.dataset.from = seen.area;
  return card;
}

/**
 * The ring seen from above: an arc for each area, in the colour of its side.
 *
 * @param {Area[]} ring
 */
function drawRing(ring) {
  const share = 360 / ring.length;
  /** @type {(degrees: number, radius: number) => string} */
  const point = (degrees, radius) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  };
  const arcs = ring.map((area) => {
    const middle = 90 + (area.at ?? 0) * share;
    const [from, to] = [middle - share / 2 + 3, middle + share / 2 - 3];
    /** @param {number} radius */
    const path = (radius) => `M${point(from, radius)}A${radius} ${radius} 0 0 1 ${point(to, radius)}`;
    const classes = `arc side-${area.side || "none"} ${area.active ? "active" : ""}`;
    return `<g class="${classes}"><path class="inner" d="${path(92)}"/><path class="rim" d="${path(96.5)}"/></g>`;
  });
  return svg(
    '<svg class="ring" viewBox="-100 -100 200 200" preserveAspectRatio="none" aria-hidden="true">' +
      '<circle class="ground" r="90"/>' +
      `<g class="compass">${arcs.join("")}</g></svg>`,
  );
}
