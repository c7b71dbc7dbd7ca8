// Motion of cards between two drawings. Only transforms and opacity are animated.

import { drawing } from "./cards.js";
import { find, findAll, h } from "../common/dom.js";
import { calm, settings } from "../common/settings.js";

/** @typedef {{ box: DOMRect, row: string | undefined, up: boolean }} CardPlace */
/** @typedef {{ box: DOMRect, many: number, backs: number }} RowPlace a row with its numbers of cards and backs */
/** @typedef {{ cards: Map<string, CardPlace>, rows: Map<string, RowPlace>, areas: Map<string, DOMRect> }} Places */

/**
 * Milliseconds of a movement by the setting of the pace.
 *
 * @type {Record<string, number>}
 */
const TIME = { slow: 460, normal: 320, fast: 180, instant: 0 };
const EASE = "cubic-bezier(.2, .7, .25, 1)";

const moveTime = () => (calm() ? 0 : (TIME[settings().pace] ?? TIME.normal));

/** @param {HTMLElement} root */
const cardsIn = (root) => findAll(root, "[data-card]");

/** @param {DOMRect} box */
const centerOf = (box) => [box.left + box.width / 2, box.top + box.height / 2];

/** @param {Element} element */
const rowNameOf = (element) => element.closest("[data-row]")?.getAttribute("data-row") ?? undefined;

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
  for (const card of cardsIn(root)) {
    const place = { box: card.getBoundingClientRect(), row: rowNameOf(card), up: card.dataset.up !== "false" };
    found.cards.set(card.dataset.card ?? "", place);
  }
  for (const row of findAll(root, "[data-row]")) {
    const { row: name = "", many = 0, backs = 0 } = row.dataset;
    found.rows.set(name, { box: row.getBoundingClientRect(), many: Number(many), backs: Number(backs) });
  }
  for (const area of findAll(root, "[data-area]")) {
    const held = find(area, ".held, .area-head") ?? area;
    found.areas.set(area.dataset.area ?? "", held.getBoundingClientRect());
  }
  return found;
}

/**
 * Move the cards from their places before a redraw. A new card comes from a row that has lost one or from its area, or
 * is turned up where its back lay. A vanished card goes to a row that has gained one. Return the name of the sound:
 * "gone" (cards were destroyed), "flip", "card" or none.
 *
 * @param {HTMLElement} root
 * @param {Places} before
 * @returns {"gone" | "flip" | "card" | ""}
 */
export function travel(root, before) {
  if (!before.cards.size && !before.rows.size) return "";
  const now = measuredPlaces(root);
  /** @param {1 | -1} sign */
  const changed = (sign) =>
    [...now.rows].filter(([id, row]) => (row.many - (before.rows.get(id)?.many ?? row.many)) * sign > 0);
  const lost = changed(-1);
  /** @type {"flip" | "card" | ""} */
  let happened = "";
  for (const card of cardsIn(root)) {
    const kind = arrive(card, before, now, lost);
    if (kind === "flip" || !happened) happened = kind || happened;
  }
  const gone = [...before.cards].filter(([card, was]) => !now.cards.has(card) && was.row && was.box.width);
  const [goal] = changed(1).sort(([, one], [, other]) => other.backs - one.backs);
  gone.forEach(([card, was], index) => leave(card, was.box, goal?.[1].box, index));
  if (gone.some(([, was]) => !was.row?.includes("hand"))) return "gone";
  return happened || (gone.length ? "card" : "");
}

/**
 * Move one card to its present place.
 *
 * @param {HTMLElement} card
 * @param {Places} before
 * @param {Places} now
 * @param {[string, RowPlace][]} lost the rows that have lost cards
 */
function arrive(card, before, now, lost) {
  const to = card.getBoundingClientRect();
  const was = before.cards.get(card.dataset.card ?? "");
  if (!to.width) return "";
  const row = rowNameOf(card);
  if (isTurnedUp(card, row, before, now)) return flip(card);
  const source = was?.box ?? lost.find(([id]) => id !== row)?.[1].box ?? before.areas.get(card.dataset.from ?? "");
  if (!source) return "";
  const [[fromX, fromY], [toX, toY]] = [centerOf(source), centerOf(to)];
  if (Math.abs(fromX - toX) + Math.abs(fromY - toY) < 3) return "";
  const scale = was ? Math.max(0.4, Math.min(2, source.width / to.width)) : 0.6;
  const transform = `translate(${fromX - toX}px, ${fromY - toY}px) scale(${scale})`;
  const time = moveTime();
  if (time) card.animate([{ transform, opacity: was ? 1 : 0.2 }, {}], { duration: time, easing: EASE });
  return "card";
}

/**
 * Whether a card has been turned up in its row.
 *
 * @param {HTMLElement} card
 * @param {string | undefined} row
 * @param {Places} before
 * @param {Places} now
 */
function isTurnedUp(card, row, before, now) {
  const was = before.cards.get(card.dataset.card ?? "");
  if (was) return !was.up && was.row === row && card.dataset.up === "true";
  const [then, after] = [before.rows.get(row ?? ""), now.rows.get(row ?? "")];
  return then !== undefined && then.backs > (after?.backs ?? 0) && then.many === after?.many;
}

/** @param {HTMLElement} card */
function flip(card) {
  const time = moveTime();
  const frames = [
    { transform: "perspective(500px) rotateY(88deg)", opacity: 0.4 },
    { transform: "perspective(500px) rotateY(0)" },
  ];
  if (time) card.animate(frames, { duration: Math.min(500, time * 1.3), easing: "ease-out" });
  return /** @type {const} */ ("flip");
}

/**
 * Let a copy of a vanished card shake, move to its pile and fade.
 *
 * @param {string} card
 * @param {DOMRect} box
 * @param {DOMRect | undefined} goal
 * @param {number} index
 */
function leave(card, box, goal, index) {
  const time = moveTime();
  if (!time) return;
  const ghost = h("span", { class: "card leaving", "aria-hidden": "true" }, drawing(card, true));
  ghost.style.setProperty("--card-w", `${box.width}px`);
  ghost.style.left = `${box.left}px`;
  ghost.style.top = `${box.top}px`;
  document.body.append(ghost);
  const [x, y] = goal ? [centerOf(goal)[0] - centerOf(box)[0], centerOf(goal)[1] - centerOf(box)[1]] : [0, 20];
  const frames = [
    { transform: "none", opacity: 1 },
    { transform: "rotate(-9deg) scale(1.08)", opacity: 1, offset: 0.35 },
    { transform: `translate(${x}px, ${y}px) rotate(-20deg) scale(.6)`, opacity: 0 },
  ];
  ghost
    .animate(frames, { duration: Math.min(500, time * 1.5), delay: index * 60, easing: "ease-in", fill: "backwards" })
    .finished.finally(() => ghost.remove());
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
  cardsIn(root).forEach((card, index) => {
    const [toX, toY] = centerOf(card.getBoundingClientRect());
    const start = { transform: `translate(${x - toX}px, ${y - toY}px) scale(.7) rotate(-8deg)`, opacity: 0 };
    card.animate([start, {}], { duration: time, delay: Math.min(index * 45, 700), easing: EASE, fill: "backwards" });
  });
}

/**
 * Show the result of a trick: killed cards wobble, winning ones rise.
 *
 * @param {HTMLElement} root
 */
export function showFates(root) {
  const time = moveTime();
  if (!time) return;
  const timing = { duration: time, easing: "ease-out" };
  for (const lift of findAll(root, ".fate-killed .lift")) {
    lift.animate(
      [{ transform: "rotate(12deg) scale(1.1)" }, { transform: "rotate(-4deg) scale(.97)" }, { transform: "none" }],
      timing,
    );
  }
  for (const lift of findAll(root, ":is(.fate-wins, .fate-stands) .lift")) {
    lift.animate([{ transform: "translateY(0)" }, { transform: "translateY(-9px)" }, { transform: "none" }], timing);
  }
}
