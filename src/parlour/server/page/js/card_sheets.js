// What is shown on demand: the last trick, and rows whose cards may be looked through.

import { trickCards } from "./scene_view.js";
import { h } from "./dom.js";
import * as sheets from "./sheets.js";
import { t } from "./texts.js";

const rowsOf = (scene) => scene?.areas.flatMap((area) => area.rows) ?? [];

/** Rows that stand beside the table until somebody asks for them. */
export const lookable = (scene) => rowsOf(scene).filter((row) => row.style === "last" && row.cards.length);

/** False if there is no trick to be shown yet. */
export function showLast(scene) {
  const ring = scene?.areas.filter((area) => area.at !== null) ?? [];
  const resting = scene?.rest
    ? rowsOf(scene)
        .filter((row) => row.style === "trick" && row.cards.length)
        .slice(-1)
    : [];
  const rows = [...lookable(scene), ...resting];
  if (!rows.length) return false;
  if (rows[0].cards.every((seen) => seen.area)) {
    const trick = h(
      "div",
      { class: `last-trick of-${ring.length}` },
      h("div", { class: "trick" }, trickCards(rows[0], ring)),
    );
    sheets.openSheet("last", rows[0].label, trick, { kind: "center small-sheet" });
  } else
    sheets.openSheet("last", rows.length === 1 ? rows[0].label : t("seenBefore"), sheets.rowsContent(rows), {
      kind: "center",
    });
  return true;
}

export function showRows(scene, id) {
  const rows = rowsOf(scene).filter((row) => row.id === id);
  sheets.openSheet("cards", rows[0].label, sheets.rowsContent(rows), { kind: "center" });
}
