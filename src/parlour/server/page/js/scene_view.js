// A scene becomes a table: areas by place, rows by style. Knows no game and no rule.

import { cardSpan, drawing, slug } from "./cards.js";
import { h, svg, clear } from "./dom.js";
import { hasIcon, icon } from "./glyphs.js";
import { drawCard, drawRow, rowData } from "./rows.js";
import { crampedMiddle, lying, upright } from "./sizes.js";
import { cardsBySuit } from "./speech.js";
import { t } from "./texts.js";

/** The viewer's own area, if the viewer plays. */
const ownArea = (scene) =>
  scene.areas.find((area) => area.at === 0 && area.seat !== null && area.seat === scene.seat && scene.seat >= 0);

const SUIT_PARTED = 8; // as bad as a line that is nearly three cards too long

const rowOf = (area, style) => area.rows.find((row) => row.style === style);

const tricksIn = (area) => area.rows.filter((row) => row.style === "trick" && row.cards.length);

/** The trick that lies in the middle: a finished one until it is cleared, then the one under way. */
function trickOf(area, scene, gathered) {
  const tricks = tricksIn(area);
  if (!scene.rest) return tricks[0];
  return gathered ? tricks.slice(0, -1)[0] : tricks.at(-1);
}

/** The cards that lie in the middle for now, whatever row they belong to already. */
function inTheMiddle(scene, gathered) {
  const tricks = scene.areas.filter((area) => area.at === null).map((area) => trickOf(area, scene, gathered));
  return new Set(tricks.flatMap((row) => row?.cards.map((seen) => seen.card) ?? []));
}

/**
 * Draws the board and the hand.
 * `context`: gathered (a finished trick has been cleared), live (the viewer may act), peeked (rows turned up by hand),
 * choosing (what has been picked).
 */
export function drawScene(board, hand, scene, context) {
  const ring = scene.areas.filter((area) => area.at !== null);
  const legal = new Set(context.live ? scene.legal : []);
  const composing = scene.choices.some((choice) => choice.tokens.length > 1);
  const how = {
    ...context,
    scene,
    ring,
    legal,
    composing,
    middle: inTheMiddle(scene, context.gathered),
    own: ownArea(scene),
  };
  board.className = `board of-${ring.length} ${scene.areas.some((area) => area.rows.some((row) => row.style === "trick")) ? "tricks" : "no-tricks"}`;
  clear(
    board,
    scene.areas.filter((area) => area.at === null).map((area) => drawMiddle(area, ring, how)),
    ring.map((area) => drawArea(area, how)),
  );
  const rows = how.own ? how.own.rows.filter((row) => row.style === "hand") : [];
  clear(
    hand,
    rows.map((row) => drawHand(row, how)),
  );
  hand.style.setProperty("--lines", hand.querySelectorAll(".fan-line").length);
  for (const part of [board, hand]) part.classList.toggle("quiet", mostFits(board, hand));
}

/** Whether most of what can be chosen fits now: then marking it all would tell nothing apart, and it is marked quietly. */
function mostFits(board, hand) {
  const things = [board, hand].flatMap((part) => [
    ...part.querySelectorAll("[data-do]:is(.may, .other, .pale):not(.picked)"),
  ]);
  return things.filter((thing) => thing.classList.contains("may")).length > things.length / 2;
}

/** As many cards of a hand stand in a line as a finger can tell apart there. */
const inALine = () => (lying.matches ? 5 : upright.matches ? 7 : Infinity);

/** A hand in lines of about the same length, each of them read on its own: a line ends where a suit does, if that is near. */
function inLines(cards, most) {
  const lines = [];
  for (let left = Math.ceil(cards.length / most), from = 0; left > 0; left -= 1) {
    const rest = cards.length - from;
    const cost = (size) =>
      (size - rest / left) ** 2 +
      (cards[from + size]?.card?.at(-1) === cards[from + size - 1].card?.at(-1) ? SUIT_PARTED : 0);
    const sizes = [...Array(rest + 1).keys()].filter(
      (size) => size && size <= most && rest - size >= left - 1 && rest - size <= (left - 1) * most,
    );
    const size = sizes.reduce((best, one) => (cost(one) < cost(best) ? one : best));
    lines.push(cards.slice(from, from + size));
    from += size;
  }
  return lines;
}

function drawHand(row, how) {
  const lines = inLines(row.cards, Math.min(inALine(), Math.max(1, row.cards.length)));
  const held = cardsBySuit(row.cards.filter(({ card }) => card).map(({ card }) => card));
  return h(
    "div",
    { class: "fan-row", role: "group", "aria-label": held ? `${row.label}: ${held}` : row.label, ...rowData(row) },
    lines.map((cards) =>
      h(
        "div",
        { class: "fan-line" },
        cards.map((seen) => h("span", { class: "slot" }, drawCard(seen, how, false))),
      ),
    ),
  );
}

// The ring

function drawArea(area, how) {
  const side = area.side ? `side-${area.side}` : "side-none";
  const own = area === how.own;
  const counted = area.rows.filter((row) => row.style === "hand" && row.hidden);
  return h(
    "section",
    {
      class: `area at-${area.at} ${side} ${area.active ? "active" : ""} ${own ? "own" : ""}`,
      "data-area": area.id,
      "data-at": area.at,
      "data-seat": area.seat,
      "aria-label": labelOf(area),
      tabindex: how.still ? null : "-1",
    },
    drawHead(area, counted),
    drawPlace(area, how, own),
  );
}

/** What lies there: rows by their style, then hands and piles; on a side, open cards above those that lie face down. */
function drawPlace(area, how, own = false) {
  const rows = area.rows.filter((row) => row.style !== "last" && !(own && row.style === "hand"));
  const up = area.side ? rowOf(area, "wall") : undefined;
  const down = up ? rowOf(area, "buried") : undefined;
  const rest = rows.filter((row) => row !== up && row !== down);
  if (up) return h("div", { class: "area-cards" }, drawTiers(up, down, area, how), drawHeld(rest, how));
  const hands = rest.filter((row) => row.style === "hand");
  return h(
    "div",
    { class: "area-cards open" },
    drawHeld(
      rest.filter((row) => row.style !== "hand"),
      how,
      "laid",
    ),
    drawHeld(hands, how),
  );
}

function labelOf(area) {
  const parts = [area.title, t("sides")[area.side] ?? area.side, area.subtitle];
  if (area.points !== null) parts.push(pointsLong(area));
  if (area.active) parts.push(area.turn);
  return parts.filter(Boolean).join(", ");
}

const pointsLong = ({ points, points_for: side }) =>
  side ? t("pointsForLong", t("sides")[side], points) : t("pointsLong", points);

/** What an area counts: for whom, where there are sides; else with a sign where it may be above or below nothing. */
function pointsShort({ side, points, points_for: gains }) {
  return gains ? t("pointsFor", t("sides")[gains], points) : t(side ? "points" : "number", points);
}

function drawHead(area, counted) {
  return h(
    "header",
    { class: "area-head" },
    h("span", { class: "area-sign", "aria-hidden": "true" }),
    h("h2", { class: "area-name" }, area.title),
    area.active ? h("span", { class: "turn" }, area.turn) : null,
    area.subtitle ? h("span", { class: "sub" }, area.subtitle) : null,
    counted
      .map(({ cards, hidden }) => cards.length + hidden)
      .map((number) =>
        h(
          "span",
          { class: "backs", role: "img", "aria-label": t("heldCards", number), title: t("heldCards", number) },
          h("span", { class: "tiny-back", "aria-hidden": "true" }),
          String(number),
        ),
      ),
    area.notes.map((note) => h("span", { class: "area-note" }, note)),
    area.points === null
      ? null
      : h(
          "span",
          { class: `points ${area.points_for ? `side-${area.points_for}` : ""}`, title: pointsLong(area) },
          pointsShort(area),
        ),
  );
}

/** Open cards, and below them the area's cards that lie face down. Cards in the middle still are in neither. */
function drawTiers(up, down, area, how) {
  const here = (row) => (row?.cards ?? []).filter((seen) => !how.middle.has(seen.card));
  return h(
    "div",
    { class: "tiers" },
    h(
      "div",
      { class: "tier-up", role: "group", "aria-label": up.label },
      here(up).map((seen) => h("span", { class: "slot", "data-from": area.id }, cardSpan(seen, { small: true }))),
    ),
    h("div", { class: "tier-down" }, drawFaceDown(down, here(down), how)),
  );
}

/** Cards that lie face down and can be seen again on demand. */
function drawFaceDown(row, cards, how) {
  if (!row) return null;
  const peeked = how.peeked.has(row.id);
  const names = t(
    "buriedCards",
    row.label,
    cards.map((seen) => t("card", seen.card)),
  );
  return h(
    how.still ? "div" : "button",
    {
      type: how.still ? null : "button",
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
        h("span", { class: "card small turnable", "data-card": seen.card }, small(null), small(seen.card)),
      ),
    ),
  );
}

const small = (card) => drawing(card, true);

/** Rows beside one another; nothing where they hold nothing. */
function drawHeld(rows, how, kind = "held") {
  const drawn = rows.map((row) => drawRow(row, how)).filter(Boolean);
  return drawn.length ? h("div", { class: kind }, drawn) : null;
}

// The middle

const place = (at, number) => {
  const angle = Math.PI / 2 + (2 * Math.PI * at) / number;
  return { "--x": Math.cos(angle).toFixed(4), "--y": Math.sin(angle).toFixed(4) };
};

function drawMiddle(area, ring, how) {
  const shown = trickOf(area, how.scene, how.gathered);
  const tricks = area.rows.some((row) => row.style === "trick");
  const others = area.rows.filter((row) => !["trick", "last"].includes(row.style));
  const complete = how.scene.rest && !how.gathered;
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
    drawHeld(others, { ...how, captions: true }, "commons"),
    tricks && area.subtitle && !(how.scene.rest && how.gathered)
      ? h("span", { class: "suit-word" }, area.subtitle)
      : null,
    area.notes.length
      ? h(
          "div",
          { class: "middle-notes" },
          area.notes.map((note) => h("p", { class: "area-note" }, note)),
        )
      : null,
  );
}

/** Each card lies towards the area it came from; what became of it stands below it, in a word and a sign. */
export function trickCards(row, ring) {
  return row.cards.map((seen, index) => {
    const at = ring.find((area) => area.id === seen.area)?.at;
    const vars = at === undefined ? place(index, row.cards.length) : place(at, ring.length);
    return h(
      "div",
      { class: `played fate-${slug(seen.mark) || "none"} to-${at ?? index}`, vars },
      h("span", { class: "tip", "aria-hidden": "true" }),
      h("span", { class: "lift", "data-from": seen.area }, cardInTrick(seen)),
      h(
        "span",
        { class: `fate ${seen.mark && seen.face_up ? "" : "unmarked"}` },
        seen.mark && hasIcon(seen.mark) ? svg(icon(seen.mark)) : null,
        h("b", {}, seen.by),
        h("i", {}, t("marks")[seen.mark] ?? seen.mark),
      ),
    );
  });
}

function cardInTrick(seen) {
  const card = cardSpan(seen, { small: crampedMiddle.matches });
  card.setAttribute("aria-label", `${seen.by}: ${card.getAttribute("aria-label")}`);
  card.dataset.from = seen.area;
  return card;
}

/** The ring of areas seen from above: an arc for every area, in its side's colour. */
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
    return `<g class="${classes}"><path class="inner" d="${path(92)}"/><path class="rim" d="${path(96.5)}"/></g>`;
  });
  return svg(
    `<svg class="ring" viewBox="-100 -100 200 200" aria-hidden="true"><circle class="ground" r="90"/><g class="compass">${arcs.join("")}</g></svg>`,
  );
}
