// Motion of cards between two drawings. Only transforms and opacity are animated, and nothing waits for them.

import { drawing } from "./cards.js";
import { centerOf, find, findAll, h } from "../common/dom.js";
import { backOf, isBack, planMoves } from "./moves.js";
import { calm, settings } from "../common/settings.js";

/** @typedef {import("./moves.js").CardSpot & { box: DOMRect, element: HTMLElement }} CardPlace */
/** @typedef {import("./moves.js").RowSpot & { box: DOMRect }} RowPlace */
/** @typedef {{ cards: Map<string, CardPlace>, rows: Map<string, RowPlace>, areas: Map<string, DOMRect> }} Places */

/** The largest number of face-down cards that fly at once. */
const MOST_FLIGHTS = 4;
/** Milliseconds between two cards that leave or fly. */
const GAP_TIME = 60;

/**
 * Milliseconds of a movement by the setting of the pace.
 *
 * @type {Record<string, number>}
 */
const TIME = { slow: 460, normal: 320, fast: 180, instant: 0 };
const EASE = "cubic-bezier(.2, .7, .25, 1)";

const moveTime = () => (calm() ? 0 : (TIME[settings().pace] ?? TIME.normal));

/** Cards that have a place of their own: known ones, and those that an area has played. */
const cardsIn = (/** @type {HTMLElement} */ root) => findAll(root, "[data-card], .played .card[data-from]");

/** @type {(element: Element, name: "row" | "area") => string | undefined} */
const nameAround = (element, name) => element.closest(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? undefined;

/**
 * The places of cards, rows and areas before a redraw; null without motion and sound, because measuring costs a layout.
 *
 * @param {HTMLElement} root
 */
export const places = (root) => (moveTime() || settings().sound ? measuredPlaces(root) : null);

/**
 * @param {HTMLElement} root
 * @returns {Places}
 */
function measuredPlaces(root) {
  /** @type {Places} */
  const found = { cards: new Map(), rows: new Map(), areas: new Map() };
  for (const element of cardsIn(root)) {
    const { card, from, up } = element.dataset;
    const [row, area] = [nameAround(element, "row"), nameAround(element, "area")];
    const box = element.getBoundingClientRect();
    found.cards.set(card ?? backOf(from ?? ""), { box, element, row, area, from, up: up !== "false" });
  }
  for (const element of findAll(root, "[data-row]")) {
    const { row = "", many = 0, backs = 0 } = element.dataset;
    const place = { many: Number(many), backs: Number(backs), area: nameAround(element, "area") };
    const box = element.getBoundingClientRect();
    if (box.width || !found.rows.has(row)) found.rows.set(row, { ...place, box });
  }
  for (const area of findAll(root, "[data-area]")) {
    const held = find(area, ".held, .area-head") ?? area;
    found.areas.set(area.dataset.area ?? "", held.getBoundingClientRect());
  }
  return found;
}

/**
 * Move the cards from their places before a redraw. Return the name of the sound: "gone" (cards on the table have
 * vanished), "flip", "card" or none.
 *
 * @param {HTMLElement} root
 * @param {Places} before
 * @returns {"gone" | "flip" | "card" | ""}
 */
export function travel(root, before) {
  if (!before.cards.size && !before.rows.size) return "";
  const now = measuredPlaces(root);
  const { arrivals, leaves, flights } = planMoves(before, now);
  /** @type {"flip" | "card" | ""} */
  let happened = "";
  for (const { card, kind, source } of arrivals) {
    const place = now.cards.get(card);
    if (!place?.box.width) continue;
    const from = boxOf(source, before);
    const done = kind === "flip" ? flip(place.element) : glide(place, from, source.card !== undefined);
    if (done === "flip" || !happened) happened = done || happened;
  }
  const gone = leaves.filter(({ card }) => before.cards.get(card)?.box.width);
  gone.forEach(({ card, goal }, index) => leave(card, before.cards.get(card), now.rows.get(goal ?? ""), index));
  flights.slice(0, MOST_FLIGHTS).forEach(({ from, to }, index) => fly(before.rows.get(from), now.rows.get(to), index));
  if (gone.some(({ card }) => !before.cards.get(card)?.row?.includes("hand"))) return "gone";
  return happened || (gone.length || flights.length ? "card" : "");
}

/** @type {(source: import("./moves.js").Source, before: Places) => DOMRect | undefined} */
const boxOf = ({ card, row, area }, before) =>
  (card && before.cards.get(card)?.box) || (row && before.rows.get(row)?.box) || before.areas.get(area ?? "");

/**
 * Move one card to its present place.
 *
 * @param {CardPlace} place
 * @param {DOMRect | undefined} source
 * @param {boolean} known whether the card itself was there, not its row or area
 */
function glide({ element, box: to }, source, known) {
  if (!source?.width) return "";
  const [[fromX, fromY], [toX, toY]] = [centerOf(source), centerOf(to)];
  if (Math.abs(fromX - toX) + Math.abs(fromY - toY) < 3) return "";
  const scale = known ? Math.max(0.4, Math.min(2, source.width / to.width)) : 0.6;
  const transform = `translate(${fromX - toX}px, ${fromY - toY}px) scale(${scale})`;
  const time = moveTime();
  if (time) element.animate([{ transform, opacity: known ? 1 : 0.2 }, {}], { duration: time, easing: EASE });
  return /** @type {const} */ ("card");
}

/**
 * Turn a card up: its back for the first half of the turn, then its face.
 *
 * @param {HTMLElement} card
 */
function flip(card) {
  const time = moveTime();
  if (time) {
    const timing = { duration: Math.min(500, time * 1.3), easing: "ease-in-out" };
    const back = h("span", { class: "turning", "aria-hidden": "true" }, drawing(null));
    card.append(back);
    const turn = (/** @type {number} */ degrees) => ({ transform: `perspective(600px) rotateY(${degrees}deg)` });
    card.animate([turn(-180), turn(0)], timing);
    const half = { opacity: 1, offset: 0.5 };
    back
      .animate([{ opacity: 1 }, half, { opacity: 0, offset: 0.5 }, { opacity: 0 }], timing)
      .finished.finally(() => back.remove());
  }
  return /** @type {const} */ ("flip");
}

/**
 * Lay the copy of a card over the page, at the place of the card.
 *
 * @param {HTMLElement} ghost the copy
 * @param {DOMRect} box the place
 */
export function layOver(ghost, box) {
  ghost.style.setProperty("--card-w", `${box.width}px`);
  ghost.style.left = `${box.left}px`;
  ghost.style.top = `${box.top}px`;
  document.body.append(ghost);
}

/**
 * Let a copy of a card move over the table, and remove it.
 *
 * @param {string | null} card
 * @param {DOMRect} box its place
 * @param {Keyframe[]} frames
 * @param {number} index its number among the moving cards
 */
function moveCopy(card, box, frames, index) {
  const time = moveTime();
  if (!time) return;
  const ghost = h("span", { class: "card leaving", "aria-hidden": "true" }, drawing(card, true));
  layOver(ghost, box);
  const timing = { duration: Math.min(500, time * 1.5), delay: index * GAP_TIME, easing: "ease-in-out" };
  ghost.animate(frames, { ...timing, fill: "backwards" }).finished.finally(() => ghost.remove());
}

/** @type {(from: DOMRect, to: DOMRect) => string} */
function shift(from, to) {
  const [[fromX, fromY], [toX, toY]] = [centerOf(from), centerOf(to)];
  return `translate(${toX - fromX}px, ${toY - fromY}px)`;
}

/**
 * Let a vanished card move to the row that took it, if there is one. A card that is out, or that no row took, shakes
 * first.
 *
 * @param {string} card
 * @param {CardPlace | undefined} was
 * @param {RowPlace | undefined} goal
 * @param {number} index
 */
function leave(card, was, goal, index) {
  if (!was) return;
  const to = goal?.box.width ? shift(was.box, goal.box) : "translate(0, 20px)";
  const out = was.element.closest(".fate-out") !== null;
  const shaken = { transform: "rotate(-9deg) scale(1.08)", opacity: 1, offset: 0.35 };
  const frames = [
    { transform: "none", opacity: 1 },
    ...(out || !goal ? [shaken] : [{ transform: `${to} scale(.7)`, opacity: 0.9, offset: 0.85 }]),
    { transform: `${to} ${out ? "rotate(-20deg) " : ""}scale(.6)`, opacity: 0 },
  ];
  moveCopy(isBack(card) ? null : card, was.box, frames, index);
}

/**
 * Let a face-down card fly from the middle of a row to the middle of another.
 *
 * @param {RowPlace | undefined} from
 * @param {RowPlace | undefined} to
 * @param {number} index
 */
function fly(from, to, index) {
  if (!from?.box.width || !to?.box.width) return;
  const width = Math.min(from.box.width, from.box.height / 1.4, to.box.width);
  const [x, y] = centerOf(from.box);
  const box = new DOMRect(x - width / 2, y - width * 0.7, width, width * 1.4);
  const path = shift(box, to.box);
  const frames = [
    { transform: "none", opacity: 1 },
    { transform: path, opacity: 1, offset: 0.85 },
    { transform: path, opacity: 0 },
  ];
  moveCopy(null, box, frames, index);
}

/**
 * Deal: move the cards from the middle to their places, one after another.
 *
 * @param {HTMLElement} root
 */
export function deal(root) {
  const time = moveTime();
  if (!time) return;
  const [x, y] = centerOf((find(root, ".middle") ?? root).getBoundingClientRect());
  findAll(root, "[data-card], .held .card").forEach((card, index) => {
    const [toX, toY] = centerOf(card.getBoundingClientRect());
    const start = { transform: `translate(${x - toX}px, ${y - toY}px) scale(.7) rotate(-8deg)`, opacity: 0 };
    card.animate([start, {}], { duration: time, delay: Math.min(index * 45, 700), easing: EASE, fill: "backwards" });
  });
}

/**
 * Show the result of a trick: cards that are out wobble, those that win or are kept rise.
 *
 * @param {HTMLElement} root
 */
export function showFates(root) {
  const time = moveTime();
  if (!time) return;
  const timing = { duration: time, easing: "ease-out" };
  for (const lift of findAll(root, ".fate-out .lift")) {
    lift.animate(
      [{ transform: "rotate(12deg) scale(1.1)" }, { transform: "rotate(-4deg) scale(.97)" }, { transform: "none" }],
      timing,
    );
  }
  for (const lift of findAll(root, ":is(.fate-wins, .fate-kept) .lift")) {
    lift.animate([{ transform: "translateY(0)" }, { transform: "translateY(-9px)" }, { transform: "none" }], timing);
  }
}
