// Rows of cards, drawn by their style (slot, meld, pile, life pile, spread), without knowledge of games or rules.

import { cardSpan, drawing, nameOf } from "./cards.js";
import { h, svg } from "../common/dom.js";
import { icon } from "../common/glyphs.js";
import { labelled } from "../common/phrases.js";
import { cramped, spacious } from "./sizes.js";
import { t } from "../common/texts.js";

/** @import { Area, CardSeen, Row, Scene } from "../protocol.d.ts" */

/**
 * A selection, as far as drawing needs it.
 *
 * @typedef {{ tokens: Set<string>, picked: Set<string>, knows: (token: string | null) => boolean }} DrawnSelection
 */

/**
 * Things that are chosen for the viewer's next turn, and whether more can be chosen now.
 *
 * @typedef {{ tokens: Set<string>, open: boolean }} DrawnPlan
 */

/**
 * Context of a drawing. `live`: the viewer may act; `still`: nothing can be chosen, as in a picture; `composing`: some
 * action needs several things; `ring`: the areas around the table; `middle`: cards that lie in the middle for now;
 * `captions`: rows have captions.
 *
 * @typedef {object} Context
 * @property {boolean} live
 * @property {boolean} [still]
 * @property {DrawnSelection} selection
 * @property {DrawnPlan} [planned]
 * @property {Set<string>} legal
 * @property {boolean} composing
 * @property {boolean} gathered
 * @property {Set<string>} peeked
 * @property {Pick<Scene, "rest" | "sides">} scene
 * @property {Area[]} ring
 * @property {Set<string | null>} middle
 * @property {Area} [own]
 * @property {boolean} [captions]
 */

/** @typedef {{ state: string, classes: string, data: Record<string, unknown>, later: boolean }} ChoiceLook */

/** @param {Context} context */
const isSmall = (context) => Boolean(context.still) || cramped.matches;

/**
 * The look of a card or row that can be chosen; null if it never can, or if nothing can.
 *
 * @param {Pick<CardSeen, "do" | "token">} thing
 * @param {Context} context
 * @returns {ChoiceLook | null}
 */
function choiceLook({ do: action, token }, context) {
  if (context.still || ((action ?? null) === null && (token ?? null) === null)) return null;
  const { selection } = context;
  const picked = selection.picked.has(token ?? "");
  const later = context.planned?.tokens.has(token ?? "") ?? false;
  const mark = `${picked ? "picked" : ""} ${later ? "later" : ""}`;
  /** @type {Record<string, unknown>} */
  const data = { "data-do": action ?? "", "data-token": token, tabindex: "-1" };
  if (later || context.planned?.open) data["aria-pressed"] = String(later);
  if (!context.live) return { state: later ? t("planned") : "", classes: mark, data, later };
  const may = selection.tokens.has(token ?? "") || context.legal.has(action ?? "");
  const other = !may && selection.knows(token);
  if (context.composing) data["aria-pressed"] = String(picked);
  const classes = `${may ? "may" : other ? "other" : "pale"} ${mark}`;
  return { state: later ? t("planned") : may || other ? t("legal") : t("notNow"), classes, data, later };
}

/**
 * The sign of a thing that is chosen in advance.
 *
 * @param {ChoiceLook} look
 */
const laterSign = ({ later }) =>
  later ? h("span", { class: "later-sign", "aria-hidden": "true" }, svg(icon("later"))) : null;

/**
 * The look of a row that can be chosen as a whole. It is never pale: choosing it when it is not legal shows the reason.
 *
 * @param {Row} row
 * @param {Context} context
 */
function rowLook(row, context) {
  const look = context.live || context.planned?.open ? choiceLook(row, context) : null;
  const asks = look && context.live && !context.selection.knows(row.token);
  return asks ? { ...look, state: "", classes: "ask" } : look;
}

/**
 * Attributes that motion.js reads: the row's id, its numbers of cards and of backs.
 *
 * @param {Row} row
 */
export const rowData = (row) => ({
  "data-row": row.id,
  "data-many": row.cards.length + row.hidden,
  "data-backs": row.hidden + row.cards.filter((seen) => !seen.face_up).length,
});

/**
 * A card: a button if it can be chosen.
 *
 * @param {CardSeen} seen
 * @param {Context} context
 * @param {boolean} small
 */
export function drawCard(seen, context, small) {
  const look = choiceLook(seen, context);
  if (!look) return cardSpan(seen, { small });
  return h(
    "button",
    {
      type: "button",
      class: `card ${small ? "small" : ""} ${look.classes}`,
      "aria-label": nameOf(seen, look.state),
      "data-card": seen.card,
      "data-up": String(seen.face_up),
      ...look.data,
    },
    drawing(seen.card, small, seen.face_up),
    laterSign(look),
  );
}

/** @param {Row} row */
const cardNames = (row) => row.cards.map((seen) => nameOf(seen)).join(", ");

/**
 * The cards of a row in words: those that are shown, then the number of backs.
 *
 * @param {Row} row
 */
const contentOf = (row) => [cardNames(row), row.hidden ? t("cards", row.hidden) : ""].filter(Boolean).join(", ");

/** @type {(number: number) => HTMLElement[]} */
const backsOf = (number) =>
  [...Array(number).keys()].map(() => h("span", { class: "card", "aria-hidden": "true" }, drawing(null, true)));

/** @type {(cards: HTMLElement[]) => HTMLElement[]} */
const inSlots = (cards) => cards.map((card) => h("span", { class: "slot" }, card));

/** @type {(row: Row, words: string) => string} */
const nameOfRow = (row, words) => (row.label && words ? labelled(row.label, words) : row.label || words);

/**
 * The element of a whole row: a button if the row can be chosen, another if its cards can be looked through.
 *
 * @param {Row} row
 * @param {Context} context
 * @param {string} kind the class
 * @param {string} label
 * @param {import("../common/dom.js").Child} inside
 * @param {boolean} [inspectable] whether the row's cards can be looked through
 */
function rowElement(row, context, kind, label, inside, inspectable = false) {
  const look = rowLook(row, context);
  if (look && !(inspectable && (look.classes === "ask" || !context.live))) {
    const name = [label, look.state].filter(Boolean).join(", ");
    return h(
      "button",
      {
        type: "button",
        class: `${kind} ${look.classes}`,
        "aria-label": name,
        title: label,
        ...rowData(row),
        ...look.data,
      },
      inside,
      laterSign(look),
    );
  }
  if (inspectable && !context.still) {
    return h(
      "button",
      {
        type: "button",
        class: `${kind} shows`,
        "aria-label": label,
        title: t("lookThrough", row.label),
        "data-show": row.id,
        ...rowData(row),
      },
      inside,
    );
  }
  return h("div", { class: kind, role: "group", "aria-label": label, ...rowData(row) }, inside);
}

/** The number of letters of the longest word. @param {string} text */
const longestWord = (text) => Math.max(...text.split(/\s+/).map((word) => word.length));

/**
 * The name of an empty row, where it has no caption. Its type is as small as its longest word requires.
 *
 * @param {Row} row
 * @param {Context} context
 */
function emptyName(row, context) {
  if (context.captions) return null;
  const vars = { "--letters": longestWord(row.label) };
  return h("span", { class: "place-name", "aria-hidden": "true", vars }, row.label);
}

/**
 * A slot: a card, and the cards upon it.
 *
 * @param {Row} row
 * @param {Context} context
 */
function drawSlot(row, context) {
  const small = isSmall(context);
  const single = context.live && row.cards.some((seen) => seen.token && context.selection.knows(seen.token));
  const cards = row.cards.map((seen) => (single ? drawCard(seen, context, small) : cardSpan(seen, { small })));
  const at = context.ring.find((area) => area.id === row.cards.at(-1)?.area)?.at;
  const number = cards.length + row.hidden;
  const inside = [number ? null : emptyName(row, context), backsOf(row.hidden), cards];
  const kind = `place holds-${number}`;
  const slot = single
    ? h(
        "div",
        { class: `place apart holds-${number}`, role: "group", "aria-label": row.label, ...rowData(row) },
        inside,
      )
    : rowElement(row, context, kind, nameOfRow(row, contentOf(row) || t("empty")), inside);
  return h("div", { class: `row-slot ${at === undefined ? "" : `to-${at}`}` }, slot);
}

/**
 * @param {Row} row
 * @param {Context} context
 */
function drawMeld(row, context) {
  const cards = [...row.cards.map((seen) => drawCard(seen, context, isSmall(context))), ...backsOf(row.hidden)];
  const inside = cards.length ? inSlots(cards) : emptyName(row, context);
  return h(
    "div",
    { class: `row-meld ${cards.length ? "" : "empty"}`, vars: { "--n": cards.length || 2 } },
    rowElement(row, context, "meld", nameOfRow(row, contentOf(row) || t("empty")), inside),
  );
}

/**
 * A pile: its top card or a back, and its number of cards.
 *
 * @param {Row} row
 * @param {Context} context
 */
function drawPile(row, context) {
  const small = isSmall(context);
  const number = row.cards.length + row.hidden;
  const top = row.hidden ? null : (row.cards.at(-1) ?? null);
  const known = number === 1 ? (top?.card ?? null) : null;
  const named = top && (top.face_up || known) ? top : null;
  const face = top?.face_up
    ? cardSpan(top, { small })
    : h("span", { class: "card", "aria-hidden": "true" }, drawing(known, small, false));
  const counted = number > 1 || !named;
  const count = counted ? h("span", { class: "count", "aria-hidden": "true" }, String(number)) : null;
  const content = named ? nameOf(named) : t("cards", number);
  const label = nameOfRow(row, content);
  const size = number > 1 ? "stack" : number ? "" : "gone";
  const inside = number ? [face, count] : emptyName(row, context);
  return rowElement(row, context, `card pile ${size}`, label, inside, row.cards.length > 0 && number > 1);
}

/**
 * A life pile: every back, and the opened cards beside them.
 *
 * @param {Row} row
 * @param {Context} context
 */
function drawLife(row, context) {
  const backs = inSlots(backsOf(row.hidden));
  const opened = row.cards.length ? t("opened", cardNames(row)) : "";
  const label = nameOfRow(row, [t("cards", row.hidden), opened].filter(Boolean).join(", "));
  const inside = backs.length
    ? [backs, h("span", { class: "count", "aria-hidden": "true" }, String(row.hidden))]
    : h("span", { class: "place-name" }, row.label);
  return h(
    "div",
    { class: "row-life", vars: { "--backs": row.hidden, "--opened": row.cards.length } },
    rowElement(row, context, "life", label, inside),
    row.cards.length
      ? h(
          "div",
          { class: "opened" },
          row.cards.map((seen) => h("span", { class: "slot" }, cardSpan(seen, { small: true }))),
        )
      : null,
  );
}

/**
 * Cards side by side, closer where there are many.
 *
 * @param {Row} row
 * @param {Context} context
 */
function drawSpread(row, context) {
  const cards = row.cards.filter((seen) => !context.middle.has(seen.card));
  const counted = row.style === "hand" && context.ring.length !== 2 && (!spacious.matches || context.still);
  const backs = counted ? 0 : row.hidden;
  if (!cards.length && !backs) {
    if (row.style !== "wall") return null;
    return h("div", { class: "spread none", role: "group", "aria-label": nameOfRow(row, t("empty")) });
  }
  return h(
    "div",
    {
      class: `spread row-${row.style} ${cards.length ? "" : "unknown"}`,
      role: "group",
      "aria-label": row.label,
      ...rowData(row),
      vars: { "--n": cards.length + backs },
    },
    inSlots(
      cards.map((seen) => (row.style === "trick" ? cardSpan(seen, { small: true }) : drawCard(seen, context, true))),
    ),
    inSlots(backsOf(backs)),
  );
}

/** @type {Record<string, (row: Row, context: Context) => HTMLElement | null>} */
const STYLES = { slot: drawSlot, meld: drawMeld, pile: drawPile, buried: drawPile, life: drawLife };

/**
 * A row by its style; null if there is nothing to draw.
 *
 * @param {Row} row
 * @param {Context} context
 */
export function drawRow(row, context) {
  if (row.style === "buried" && !row.cards.length && !row.hidden) return null;
  const drawn = (STYLES[row.style] ?? drawSpread)(row, context);
  if (!drawn || !context.captions) return drawn;
  const caption = h("span", { class: "caption", "aria-hidden": "true" }, row.label);
  return h("div", { class: `captioned of-style-${row.style}` }, drawn, caption);
}
