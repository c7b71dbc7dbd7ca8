// Cards that travel: where they were before a redraw, and from there to where they are now. Only transforms and opacity move.

import { drawing } from "./cards.js";
import { h } from "./dom.js";
import { calm, settings } from "./settings.js";

const TIME = { slow: 460, normal: 320, fast: 180, instant: 0 };
const EASE = "cubic-bezier(.2, .7, .25, 1)";

const time = () => (calm() ? 0 : (TIME[settings().pace] ?? TIME.normal));
const cardsIn = (root) => [...root.querySelectorAll("[data-card]")];
const middleOf = (box) => [box.left + box.width / 2, box.top + box.height / 2];

/** Where everything is before it is drawn anew; nothing where nobody would see or hear the difference, for to ask costs a layout. */
export const places = (root) => (time() || settings().sound ? measured(root) : null);

/** Where every card is now, how many lie in every row and where it is, and where every area is. */
function measured(root) {
  const cards = new Map(
    cardsIn(root).map((card) => [
      card.dataset.card,
      {
        box: card.getBoundingClientRect(),
        row: card.closest("[data-row]")?.dataset.row,
        up: card.dataset.up !== "false",
      },
    ]),
  );
  const rows = new Map(
    [...root.querySelectorAll("[data-row]")].map((row) => [
      row.dataset.row,
      { box: row.getBoundingClientRect(), many: Number(row.dataset.many ?? 0), backs: Number(row.dataset.backs ?? 0) },
    ]),
  );
  const areas = new Map(
    [...root.querySelectorAll("[data-area]")].map((area) => {
      const held = area.querySelector(".held, .area-head") ?? area;
      return [area.dataset.area, held.getBoundingClientRect()];
    }),
  );
  return { cards, rows, areas };
}

/**
 * Let every card come from where it was; one that was nowhere comes from the row that has lost one, from its area, or
 * is turned up where its back lay. What was seen and is gone goes to the row that has gained one. Says what happened:
 * "gone" (cards were destroyed or blocked), "flip", "card" or nothing.
 */
export function travel(root, before) {
  if (!before.cards.size && !before.rows.size) return "";
  const now = measured(root);
  const changed = (way) =>
    [...now.rows].filter(([id, row]) => (row.many - (before.rows.get(id)?.many ?? row.many)) * way > 0);
  const [lost, gained] = [changed(-1), changed(1)];
  let happened = "";
  for (const card of cardsIn(root)) {
    const kind = arrive(card, card.dataset.card, before, now, lost);
    if (kind === "flip" || !happened) happened = kind || happened;
  }
  const gone = [...before.cards].filter(([card, was]) => !now.cards.has(card) && was.row && was.box.width);
  const goal = gained.sort((one, other) => other[1].backs - one[1].backs)[0];
  gone.forEach(([card, was], index) => leave(card, was.box, goal?.[1].box, index));
  return gone.length && gone.some(([, was]) => !was.row.includes("hand"))
    ? "gone"
    : happened || (gone.length ? "card" : "");
}

/** One card comes to where it is now. */
function arrive(card, name, before, now, lost) {
  const to = card.getBoundingClientRect();
  const was = before.cards.get(name);
  if (!to.width) return "";
  const row = card.closest("[data-row]")?.dataset.row;
  const turned = was
    ? !was.up && was.row === row && card.dataset.up === "true"
    : row &&
      (before.rows.get(row)?.backs ?? 0) > (now.rows.get(row)?.backs ?? 0) &&
      before.rows.get(row).many === now.rows.get(row).many;
  if (turned) return flip(card);
  const source = was?.box ?? lost.find(([id]) => id !== row)?.[1].box ?? before.areas.get(card.dataset.from);
  if (!source) return "";
  const [[fromX, fromY], [toX, toY]] = [middleOf(source), middleOf(to)];
  if (Math.abs(fromX - toX) + Math.abs(fromY - toY) < 3) return "";
  const scale = was ? Math.max(0.4, Math.min(2, source.width / to.width)) : 0.6;
  if (time())
    card.animate(
      [{ transform: `translate(${fromX - toX}px, ${fromY - toY}px) scale(${scale})`, opacity: was ? 1 : 0.2 }, {}],
      { duration: time(), easing: EASE },
    );
  return "card";
}

/** A card is turned up where it lies. */
function flip(card) {
  if (time())
    card.animate(
      [
        { transform: "perspective(500px) rotateY(88deg)", opacity: 0.4 },
        { transform: "perspective(500px) rotateY(0)" },
      ],
      { duration: Math.min(500, time() * 1.3), easing: "ease-out" },
    );
  return "flip";
}

/** A copy of a card that is gone: it is struck, then goes to its pile and fades. */
function leave(card, box, goal, index) {
  if (!time()) return;
  const ghost = h("span", { class: "card leaving", "aria-hidden": "true" }, drawing(card, true));
  ghost.style.setProperty("--card-w", `${box.width}px`);
  ghost.style.left = `${box.left}px`;
  ghost.style.top = `${box.top}px`;
  document.body.append(ghost);
  const [x, y] = goal ? [middleOf(goal)[0] - middleOf(box)[0], middleOf(goal)[1] - middleOf(box)[1]] : [0, 20];
  const frames = [
    { transform: "none", opacity: 1 },
    { transform: "rotate(-9deg) scale(1.08)", opacity: 1, offset: 0.35 },
    { transform: `translate(${x}px, ${y}px) rotate(-20deg) scale(.6)`, opacity: 0 },
  ];
  ghost
    .animate(frames, { duration: Math.min(500, time() * 1.5), delay: index * 60, easing: "ease-in", fill: "backwards" })
    .finished.finally(() => ghost.remove());
}

/** A fresh deal: the cards come from the middle, one after another. */
export function deal(root) {
  if (!time()) return;
  const middle = (root.querySelector(".middle") ?? root).getBoundingClientRect();
  const [x, y] = middleOf(middle);
  cardsIn(root).forEach((card, index) => {
    const [toX, toY] = middleOf(card.getBoundingClientRect());
    const start = { transform: `translate(${x - toX}px, ${y - toY}px) scale(.7) rotate(-8deg)`, opacity: 0 };
    card.animate([start, {}], { duration: time(), delay: Math.min(index * 45, 700), easing: EASE, fill: "backwards" });
  });
}

/** What became of the cards of a trick: a killed one falls over, a winning one rises. */
export function fates(root) {
  if (!time()) return;
  for (const lift of root.querySelectorAll(".fate-killed .lift")) {
    lift.animate(
      [{ transform: "rotate(12deg) scale(1.1)" }, { transform: "rotate(-4deg) scale(.97)" }, { transform: "none" }],
      { duration: time(), easing: "ease-out" },
    );
  }
  for (const lift of root.querySelectorAll(":is(.fate-wins, .fate-stands) .lift")) {
    lift.animate([{ transform: "translateY(0)" }, { transform: "translateY(-9px)" }, { transform: "none" }], {
      duration: time(),
      easing: "ease-out",
    });
  }
}
