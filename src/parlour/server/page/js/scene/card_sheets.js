// Cards that are shown on demand: the last trick, rows whose cards can be looked through, and face-down cards.

import { announce, h, targetOf } from "../common/dom.js";
import { cardSpan } from "./cards.js";
import { trickCards } from "./scene_view.js";
import * as sheets from "../common/sheets.js";
import { t } from "../common/texts.js";

/** @import { Row, Scene } from "../protocol.d.ts" */

/** @param {Scene | null} scene */
const rowsOf = (scene) => scene?.areas.flatMap((area) => area.rows) ?? [];

/**
 * The rows that are shown on demand only.
 *
 * @param {Scene | null} scene
 */
export const rowsOnDemand = (scene) => rowsOf(scene).filter((row) => row.style === "last" && row.cards.length);

/**
 * Open the sheet of the last trick, or of other rows that are shown on demand. Return false if there are none.
 *
 * @param {Scene | null} scene
 */
export function openLastTrick(scene) {
  const ring = scene?.areas.filter((area) => area.at !== null) ?? [];
  const tricks = rowsOf(scene).filter((row) => row.style === "trick" && row.cards.length);
  const rows = [...rowsOnDemand(scene), ...(scene?.rest ? tricks.slice(-1) : [])];
  if (!rows.length) return false;
  if (rows[0].cards.every((seen) => seen.area)) {
    const trick = h("div", { class: "trick" }, trickCards(rows[0], ring));
    const content = h("div", { class: `last-trick of-${ring.length}` }, trick);
    sheets.openSheet("last", rows[0].label, content, { kind: "center small-sheet" });
  } else {
    const title = rows.length === 1 ? rows[0].label : t("seenBefore");
    sheets.openSheet("last", title, rowsContent(rows), { kind: "center" });
  }
  return true;
}

/**
 * Turn face-down cards, or show the cards of a row, if a press is on them. Return whether it is.
 *
 * @param {Event} event
 * @param {Scene | null} scene
 * @param {Set<string>} peeked ids of the rows that the viewer has turned up
 */
export function lookAtCards(event, scene, peeked) {
  const peek = targetOf(event, "[data-peek]");
  const shown = targetOf(event, "[data-show]");
  if (peek) turnOver(peek, peeked);
  else if (shown) openRow(scene, shown.dataset.show);
  return Boolean(peek ?? shown);
}

/**
 * Turn face-down cards up or down.
 *
 * @param {HTMLElement} cards
 * @param {Set<string>} peeked
 */
function turnOver(cards, peeked) {
  const row = cards.dataset.peek ?? "";
  if (!peeked.delete(row)) peeked.add(row);
  cards.classList.toggle("peeked");
  cards.setAttribute("aria-pressed", String(peeked.has(row)));
  announce(cards.getAttribute("aria-label"));
}

/**
 * Open a sheet with the cards of a row.
 *
 * @param {Scene | null} scene
 * @param {string | undefined} id the row
 */
export function openRow(scene, id) {
  const rows = rowsOf(scene).filter((row) => row.id === id);
  sheets.openSheet("cards", rows[0].label, rowsContent(rows), { kind: "center" });
}

/**
 * All cards of rows, face up. A single row has no heading, since the sheet has its name.
 *
 * @param {Row[]} rows
 */
export const rowsContent = (rows) =>
  rows.map((row) =>
    h(
      "section",
      { class: "looked-through" },
      rows.length > 1 ? h("h3", {}, row.label) : null,
      h(
        "div",
        { class: "spread-out" },
        row.cards.map((seen) => cardSpan({ ...seen, face_up: true }, { small: true })),
        row.hidden ? h("p", { class: "fine-print" }, t("andHidden", row.hidden)) : null,
      ),
    ),
  );
