// A scene becomes a table: areas by place, rows by style. Knows no game and no rule.

import { cardSpan, drawing, nameOf } from "./cards.js";
import { h, svg, clear } from "./dom.js";
import { icon } from "./glyphs.js";
import { t } from "./texts.js";

/** Styles that have a place of their own; rows of any other lie open beside their area's title. */
const ELSEWHERE = ["wall", "buried", "trick", "last"];

/** The viewer's own area, if the viewer plays. */
export const ownArea = (scene) =>
  scene.areas.find((area) => area.at === 0 && area.seat !== null && area.seat === scene.seat && scene.seat >= 0);

const rowOf = (area, style) => area.rows.find((row) => row.style === style);

/** The cards that lie in the middle for now, whatever wall they belong to already. */
function inTheMiddle(scene, gathered) {
  if (scene.rest && gathered) return new Set();
  const rows = scene.areas.filter((area) => area.at === null).flatMap((area) => area.rows);
  return new Set(rows.filter((row) => row.style === "trick").flatMap((row) => row.cards.map((seen) => seen.card)));
}

/**
 * Draws the board and the hand.
 * `context`: gathered (a finished trick has been cleared), live (the viewer may act), peeked (rows turned up by hand),
 * choosing (what has been picked).
 */
export function drawScene(board, hand, scene, context) {
  const ring = scene.areas.filter((area) => area.at !== null);
  const legal = new Set(context.live ? scene.legal : []);
  const how = { ...context, scene, legal, middle: inTheMiddle(scene, context.gathered), own: ownArea(scene) };
  board.className = `board of-${ring.length}`;
  clear(
    board,
    scene.areas.filter((area) => area.at === null).map((area) => drawMiddle(area, ring, how)),
    ring.map((area) => drawArea(area, how)),
  );
  const rows = how.own ? how.own.rows.filter((row) => row.style === "hand") : [];
  clear(hand, rows.map((row) => drawHand(row, how)));
}

/** Whether a card or a row can be chosen at all, and what choosing it would mean now. */
function standing({ do: action, token }, how) {
  if ((action ?? null) === null && (token ?? null) === null) return null;
  const may = how.legal.has(action) || (how.live && how.choosing.tokens.has(token));
  const picked = how.live && how.choosing.picked.has(token);
  const state = how.live ? (picked ? t("picked") : may ? t("legal") : t("notNow")) : "";
  const classes = how.live ? `${may ? "may" : "pale"} ${picked ? "picked" : ""}` : "";
  return { state, classes, data: { "data-do": action ?? "", "data-token": token, tabindex: "-1" } };
}

/** A card that may be chosen, or only lies there. */
function drawCard(seen, how, small) {
  const chosen = standing(seen, how);
  if (!chosen) return cardSpan(seen, { small });
  return h("button", {
    type: "button",
    class: `card ${small ? "small" : ""} ${chosen.classes}`,
    "aria-label": nameOf(seen, chosen.state),
    "data-card": seen.card,
    ...chosen.data,
  }, drawingOf(seen, small));
}

const drawingOf = (seen, small) => drawing(seen.face_up ? seen.card : null, small);

function drawHand(row, how) {
  const number = row.cards.length;
  const perLine = number > 5 ? Math.ceil(number / 2) : Math.max(1, number);
  return h("div", { class: `fan-row ${number > 5 ? "" : "one-line"}`, role: "group", "aria-label": row.label, vars: { "--n": number, "--half": perLine } },
    row.cards.map((seen) => h("span", { class: "slot" }, drawCard(seen, how, false))));
}

// The ring

function drawArea(area, how) {
  const wall = rowOf(area, "wall");
  const side = area.side ? `side-${area.side}` : "side-none";
  const own = area === how.own;
  const held = area.rows.filter((row) => !ELSEWHERE.includes(row.style) && !(own && row.style === "hand"));
  return h(
    "section",
    {
      class: `area at-${area.at} ${side} ${area.active ? "active" : ""} ${own ? "own" : ""}`,
      "data-area": area.id,
      "aria-label": labelOf(area),
    },
    drawHead(area, held.filter((row) => row.style === "hand" && row.hidden)),
    h("div", { class: "city" },
      wall ? drawWall(wall, rowOf(area, "buried"), area, how) : null,
      held.some((row) => row.cards.length || row.style === "pile") ? drawHeld(held, how) : null),
  );
}

function labelOf(area) {
  const parts = [area.title, t("sides")[area.side] ?? area.side, area.subtitle];
  if (area.points !== null) parts.push(t("pointsLong", area.points));
  if (area.active) parts.push(t("itsTurn"));
  return parts.filter(Boolean).join(", ");
}

function drawHead(area, hidden) {
  return h(
    "header",
    { class: "city-head" },
    h("span", { class: "shield", "aria-hidden": "true" }),
    h("h3", { class: "city-name" }, area.title),
    area.active ? h("span", { class: "turn" }, t("itsTurn")) : null,
    area.subtitle ? h("span", { class: "sub" }, area.subtitle) : null,
    hidden.map((row) => h("span", { class: "backs", role: "img", "aria-label": t("heldCards", row.hidden), title: t("heldCards", row.hidden) },
      h("span", { class: "tiny-back", "aria-hidden": "true" }), String(row.hidden))),
    area.notes.map((note) => h("span", { class: "city-note" }, note)),
    area.points === null ? null : h("span", { class: "points", title: t("pointsLong", area.points) }, t("points", area.points)),
  );
}

/** Cards stand behind the battlement; killed ones lie in the masonry. */
function drawWall(wall, buried, area, how) {
  const standing = wall.cards.filter((seen) => !how.middle.has(seen.card));
  const dead = (buried?.cards ?? []).filter((seen) => !how.middle.has(seen.card));
  return h(
    "div",
    { class: "wall" },
    h("div", { class: "stand", role: "group", "aria-label": wall.label },
      standing.map((seen) => h("span", { class: "slot", "data-from": area.id }, cardSpan(seen, { small: true })))),
    h("div", { class: "rampart" }, h("span", { class: "crenels", "aria-hidden": "true" }), drawBuried(buried, dead, how)),
  );
}

function drawBuried(row, cards, how) {
  if (!row) return null;
  const peeked = how.peeked.has(row.id);
  const names = cards.map((seen) => t("card", seen.card));
  return h(
    "button",
    {
      type: "button",
      class: `masonry ${peeked ? "peeked" : ""} ${cards.length ? "" : "empty"}`,
      "aria-pressed": String(peeked),
      "aria-label": t("buriedCards", names),
      title: t("buriedCards", names),
      "data-peek": row.id,
      disabled: !cards.length,
    },
    cards.map((seen) => h("span", { class: "slot" },
      h("span", { class: "card small turnable", "data-card": seen.card }, small(null), small(seen.card)))),
  );
}

const small = (card) => drawing(card, true);

/** Open cards and piles that are not the viewer's own hand. */
function drawHeld(rows, how) {
  if (!rows.length) return null;
  return h("div", { class: "held" }, rows.map((row) => h(
    "div",
    { class: `held-row row-${row.style}`, role: "group", "aria-label": row.label },
    row.cards.map((seen) => h("span", { class: "slot" }, drawCard(seen, how, true))),
    row.style === "pile" ? drawPile(row, how) : null,
  )));
}

function drawPile(row, how) {
  const inside = [small(null), h("span", { class: "count" }, String(row.hidden))];
  const label = t("pileCards", row.hidden);
  const chosen = standing(row, how);
  if (!chosen || !row.hidden) {
    return h("span", { class: `card small pile ${row.hidden ? "" : "gone"}`, role: "img", "aria-label": label, title: label }, inside);
  }
  return h("button", {
    type: "button",
    class: `card small pile ${chosen.classes}`,
    "aria-label": [label, chosen.state].filter(Boolean).join(", "),
    title: label,
    ...chosen.data,
  }, inside);
}

// The middle

const place = (at, number) => {
  const angle = Math.PI / 2 + (2 * Math.PI * at) / number;
  return { "--x": Math.cos(angle).toFixed(4), "--y": Math.sin(angle).toFixed(4) };
};

function drawMiddle(area, ring, how) {
  const rows = area.rows.filter((row) => row.style === "trick");
  const cleared = how.scene.rest && how.gathered;
  return h(
    "section",
    { class: `middle ${how.scene.rest && !cleared ? "complete" : ""}`, "data-area": area.id, "aria-label": area.title || t("lastTrick") },
    drawRing(ring),
    area.subtitle && !cleared ? h("span", { class: "suit-word" }, area.subtitle) : null,
    drawHeld(area.rows.filter((row) => !ELSEWHERE.includes(row.style)), how),
    h("div", { class: "trick" }, cleared ? [] : rows.flatMap((row) => trickCards(row, ring))),
  );
}

/** Each card lies towards the area it came from; what became of it stands below it, in a word and a sign. */
export function trickCards(row, ring) {
  return row.cards.map((seen, index) => {
    const at = ring.find((area) => area.id === seen.area)?.at;
    const vars = at === undefined ? place(index, row.cards.length) : place(at, ring.length);
    return h(
      "div",
      { class: `played fate-${seen.mark || "none"} to-${at ?? index}`, vars },
      h("span", { class: "tip", "aria-hidden": "true" }),
      h("span", { class: "lift", "data-from": seen.area }, cardInTrick(seen)),
      h("span", { class: "fate" }, seen.mark ? svg(icon(seen.mark)) : null, h("b", {}, seen.by), h("i", {}, t("marks")[seen.mark] ?? seen.mark)),
    );
  });
}

function cardInTrick(seen) {
  const card = cardSpan(seen, { small: matchMedia("(max-width: 760px), (max-height: 860px)").matches });
  card.setAttribute("aria-label", `${seen.by}: ${card.getAttribute("aria-label")}`);
  card.dataset.from = seen.area;
  return card;
}

/** The ring of walls seen from above: an arc for every area, in its side's colour. */
function drawRing(ring) {
  const share = 360 / ring.length;
  const point = (degrees, radius) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  };
  const arcs = ring.map((area) => {
    const middle = 90 + area.at * share;
    const [from, to] = [middle - share / 2 + 3, middle + share / 2 - 3];
    const path = (radius) => `M${point(from, radius)}A${radius} ${radius} 0 0 1 ${point(to, radius)}`;
    const classes = `arc side-${area.side || "none"} ${area.active ? "active" : ""}`;
    return `<g class="${classes}"><path class="walk" d="${path(92)}"/><path class="merlons" d="${path(96.5)}"/></g>`;
  });
  return svg(`<svg class="ring" viewBox="-100 -100 200 200" aria-hidden="true"><circle class="court-yard" r="90"/><g class="compass">${arcs.join("")}</g></svg>`);
}
