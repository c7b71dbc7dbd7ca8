// Cards that travel: where they were before a redraw, and from there to where they are now. Only transforms move.

import { calm, settings } from "./settings.js";

const TIME = { slow: 400, normal: 320, fast: 180, instant: 0 };

const cardsIn = (root) => [...root.querySelectorAll("[data-card]")];

/** Where every card is now, and every area. */
export function places(root) {
  const cards = new Map(cardsIn(root).map((card) => [card.dataset.card, card.getBoundingClientRect()]));
  const areas = new Map([...root.querySelectorAll("[data-area]")].map((area) => {
    const held = area.querySelector(".held, .city-head") ?? area;
    return [area.dataset.area, held.getBoundingClientRect()];
  }));
  return { cards, areas };
}

/** Let every card come from where it was; one that was nowhere comes from its area, or from the middle. */
export function travel(root, before) {
  const time = TIME[settings().pace] ?? TIME.normal;
  if (!time || calm() || !before.cards.size) return;
  for (const card of cardsIn(root)) {
    const to = card.getBoundingClientRect();
    const from = before.cards.get(card.dataset.card) ?? before.areas.get(card.dataset.from);
    if (!from || !to.width) continue;
    const x = from.left + from.width / 2 - to.left - to.width / 2;
    const y = from.top + from.height / 2 - to.top - to.height / 2;
    if (Math.abs(x) + Math.abs(y) < 3) continue;
    const known = before.cards.has(card.dataset.card);
    const scale = known ? Math.max(0.4, Math.min(2, from.width / to.width)) : 0.6;
    const start = { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: known ? 1 : 0.2 };
    card.animate([start, {}], { duration: time, easing: "cubic-bezier(.2, .7, .25, 1)" });
  }
}

/** A fresh deal: the cards come from the middle, one after another. */
export function deal(root) {
  const time = TIME[settings().pace] ?? TIME.normal;
  if (!time || calm()) return;
  cardsIn(root).forEach((card, index) => {
    const start = { transform: "translateY(-40px) scale(.9)", opacity: 0 };
    card.animate([start, {}], { duration: time, delay: index * 25, easing: "ease-out", fill: "backwards" });
  });
}
