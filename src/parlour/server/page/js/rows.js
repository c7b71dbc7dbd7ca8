// Rows by their style: a place, a meld, a pile, a life pile, cards in the open. Knows no game and no rule.

import { cardSpan, drawing, nameOf } from "./cards.js";
import { h } from "./dom.js";
import { cramped, spacious } from "./sizes.js";
import { t } from "./texts.js";

const small = (how) => how.still || cramped.matches;

/** Whether a card can be chosen at all, and what choosing it would mean now. */
export function standing({ do: action, token }, how) {
  if (how.still || ((action ?? null) === null && (token ?? null) === null)) return null;
  const data = { "data-do": action ?? "", "data-token": token, tabindex: "-1" };
  if (!how.live) return { state: "", classes: how.choosing?.picked.has(token) ? "picked" : "", data };
  const may = how.choosing.tokens.has(token) || how.legal.has(action);
  const picked = how.choosing.picked.has(token);
  const other = !may && how.choosing.knows(token);
  if (how.composing) data["aria-pressed"] = String(picked);
  return {
    state: may || other ? t("legal") : t("notNow"),
    classes: `${may ? "may" : other ? "other" : "pale"} ${picked ? "picked" : ""}`,
    data,
  };
}

/** The same of a whole row, which is never pale: it may be chosen now, or be asked why not. */
function rowStanding(row, how) {
  const chosen = how.live ? standing(row, how) : null;
  return chosen && !how.choosing.knows(row.token) ? { ...chosen, state: "", classes: "ask" } : chosen;
}

/** Names a row for motion: how many cards lie there, and how many of them as backs. */
export const rowData = (row) => ({
  "data-row": row.id,
  "data-many": row.cards.length + row.hidden,
  "data-backs": row.hidden + row.cards.filter((seen) => !seen.face_up).length,
});

/** A card that may be chosen, or only lies there. */
export function drawCard(seen, how, little) {
  const chosen = standing(seen, how);
  if (!chosen) return cardSpan(seen, { small: little });
  return h(
    "button",
    {
      type: "button",
      class: `card ${little ? "small" : ""} ${chosen.classes}`,
      "aria-label": nameOf(seen, chosen.state),
      "data-card": seen.card,
      "data-up": String(seen.face_up),
      ...chosen.data,
    },
    drawing(seen.card, little, seen.face_up),
  );
}

const namesOf = (row) => row.cards.map((seen) => nameOf(seen)).join(", ");
const labelled = (row, words) => [row.label, words].filter(Boolean).join(": ");

/** A row that can be chosen as a whole is a button; one whose cards can be looked through is another. */
function holder(row, how, kind, label, inside, shown = false) {
  const chosen = rowStanding(row, how);
  if (chosen && !(shown && chosen.classes === "ask")) {
    return h(
      "button",
      {
        type: "button",
        class: `${kind} ${chosen.classes}`,
        "aria-label": [label, chosen.state].filter(Boolean).join(", "),
        title: label,
        ...rowData(row),
        ...chosen.data,
      },
      inside,
    );
  }
  if (shown && !how.still) {
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

/** What an empty place is, where no caption says it. */
const placeName = (row, how) =>
  how.captions ? null : h("span", { class: "place-name", "aria-hidden": "true" }, row.label);

/** One place: the card below, and what lies upon it. */
function drawSlot(row, how) {
  const single =
    row.cards.some((seen) => seen.token) && how.live && row.cards.some((seen) => how.choosing.knows(seen.token));
  const cards = row.cards.map((seen) =>
    single ? drawCard(seen, how, small(how)) : cardSpan(seen, { small: small(how) }),
  );
  const at = how.ring?.find((area) => area.id === row.cards.at(-1)?.area)?.at;
  const label = labelled(row, namesOf(row) || t("empty"));
  const inside = [cards.length ? null : placeName(row, how), cards];
  const place = single
    ? h(
        "div",
        { class: `place apart holds-${cards.length}`, role: "group", "aria-label": row.label, ...rowData(row) },
        inside,
      )
    : holder(row, how, `place holds-${cards.length}`, label, inside);
  return h("div", { class: `row-slot ${at === undefined ? "" : `to-${at}`}` }, place);
}

function drawMeld(row, how) {
  const inside = row.cards.length
    ? row.cards.map((seen) => h("span", { class: "slot" }, drawCard(seen, how, small(how))))
    : placeName(row, how);
  return h(
    "div",
    { class: `row-meld ${row.cards.length ? "" : "empty"}`, vars: { "--n": row.cards.length || 2 } },
    holder(row, how, "meld", labelled(row, namesOf(row) || t("empty")), inside),
  );
}

/** A stack: its top card or a back, and how many there are. */
function drawPile(row, how) {
  const number = row.cards.length + row.hidden;
  const top = row.hidden ? null : (row.cards.at(-1) ?? null);
  const known = number === 1 ? (top?.card ?? null) : null;
  const face =
    top && top.face_up
      ? cardSpan(top, { small: small(how) })
      : h("span", { class: "card", "aria-hidden": "true" }, drawing(known, small(how), false));
  const inside = number
    ? [
        face,
        number > 1 || !(top?.face_up || known)
          ? h("span", { class: "count", "aria-hidden": "true" }, String(number))
          : null,
      ]
    : placeName(row, how);
  const label =
    row.label === t("pile")
      ? t("pileCards", number)
      : `${row.label}: ${top?.face_up || known ? nameOf(top) : t("cards", number)}`;
  return holder(
    row,
    how,
    `card pile ${number ? (number > 1 ? "stack" : "") : "gone"}`,
    label,
    inside,
    row.cards.length > 0 && number > 1,
  );
}

/** A pile of backs, each of them to be seen, and beside it the cards that were opened. */
function drawLife(row, how) {
  const backs = [...Array(row.hidden)].map(() =>
    h("span", { class: "slot" }, h("span", { class: "card" }, drawing(null, true))),
  );
  const label = labelled(
    row,
    [t("cards", row.hidden), row.cards.length ? t("opened", namesOf(row)) : ""].filter(Boolean).join(", "),
  );
  return h(
    "div",
    { class: "row-life", vars: { "--backs": row.hidden, "--opened": row.cards.length } },
    holder(
      row,
      how,
      "life",
      label,
      backs.length
        ? [backs, h("span", { class: "count", "aria-hidden": "true" }, String(row.hidden))]
        : h("span", { class: "place-name" }, row.label),
    ),
    row.cards.length
      ? h(
          "div",
          { class: "opened" },
          row.cards.map((seen) => h("span", { class: "slot" }, cardSpan(seen, { small: true }))),
        )
      : null,
  );
}

/** Cards next to one another, closer where there are many. */
function drawSpread(row, how) {
  const cards = row.cards.filter((seen) => !how.middle?.has(seen.card));
  const backs = row.style === "hand" && (how.ring?.length === 2 || (spacious.matches && !how.still)) ? row.hidden : 0;
  if (!cards.length && !backs)
    return row.style === "wall"
      ? h("div", { class: "spread none", role: "group", "aria-label": labelled(row, t("empty")) })
      : null;
  return h(
    "div",
    {
      class: `spread row-${row.style} ${cards.length ? "" : "unknown"}`,
      role: "group",
      "aria-label": row.label,
      ...rowData(row),
      vars: { "--n": cards.length + backs },
    },
    cards.map((seen) =>
      h("span", { class: "slot" }, row.style === "trick" ? cardSpan(seen, { small: true }) : drawCard(seen, how, true)),
    ),
    [...Array(backs)].map(() =>
      h("span", { class: "slot" }, h("span", { class: "card", "aria-hidden": "true" }, drawing(null, true))),
    ),
  );
}

const STYLES = { slot: drawSlot, meld: drawMeld, pile: drawPile, buried: drawPile, life: drawLife };

export function drawRow(row, how) {
  if (row.style === "buried" && !row.cards.length && !row.hidden) return null;
  const drawn = (STYLES[row.style] ?? drawSpread)(row, how);
  if (!drawn || !how.captions) return drawn;
  return h(
    "div",
    { class: `captioned of-style-${row.style}` },
    drawn,
    h("span", { class: "caption", "aria-hidden": "true" }, row.label),
  );
}
