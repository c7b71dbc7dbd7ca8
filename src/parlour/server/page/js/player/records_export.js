// The export of all records of the player to a file, and the removal of the player's data.

import * as api from "../common/api.js";
import { button, h } from "../common/dom.js";
import { leaveBy, showIn, whileDisabled } from "../common/failure.js";
import { openSheet } from "../common/sheets.js";
import { forgetKey, ownKey } from "./player_key.js";
import { leavePlayer } from "./seat_links.js";
import { PLAYER_TEXTS } from "./player_texts.js";

/** Milliseconds between two requests for records, within the limits of the room. */
const PAUSE = 500;
const FILE = "parlour-games.jsonl";

/** The part of the page about records and removal. */
export function exportPart() {
  const state = h("p", { class: "fine-print", role: "status" }, PLAYER_TEXTS.exportHint);
  const save = async () => {
    const records = await allRecords((number) => (state.textContent = PLAYER_TEXTS.exporting(number)));
    if (records.length) download(`${records.map((record) => JSON.stringify(record)).join("\n")}\n`);
    state.textContent = PLAYER_TEXTS.exported(records.length);
  };
  const start = () => whileDisabled(saving, showIn(state), save);
  const saving = button(PLAYER_TEXTS.exportRecords, start, { "data-go": "export" });
  return h(
    "section",
    { class: "own-keeping", "aria-labelledby": "keeping-title" },
    h("h2", { id: "keeping-title" }, PLAYER_TEXTS.keeping),
    h("div", { class: "own-way" }, saving, state),
    h(
      "div",
      { class: "own-way" },
      button(PLAYER_TEXTS.forgetAll, forgetSheet, { "data-go": "forget" }),
      h("p", { class: "fine-print" }, PLAYER_TEXTS.forgetAllHint),
    ),
  );
}

/**
 * The records of all finished games.
 *
 * @param {(number: number) => unknown} progress
 */
async function allRecords(progress) {
  /** @type {object[]} */
  const records = [];
  for (let before = ""; ;) {
    const part = await api.playerRecords(ownKey(), before);
    records.push(...part.records);
    if (!part.next) return records;
    before = part.next;
    progress(records.length);
    await api.pause(PAUSE);
  }
}

/** @param {string} text */
function download(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  h("a", { href: address, download: FILE }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Ask before everything is removed. */
function forgetSheet() {
  const failure = h("p", { class: "failure", role: "alert" });
  const forget = async () => {
    const key = ownKey();
    await api.forgetPlayer(key);
    forgetKey();
    await leavePlayer(key);
    location.reload();
  };
  const start = () => leaveBy(go, showIn(failure), forget);
  const go = button(PLAYER_TEXTS.forgetAllGo, start, { "data-go": "forget-all" });
  openSheet(
    "forget",
    PLAYER_TEXTS.forgetAllTitle,
    [PLAYER_TEXTS.forgetAllWords.map((words) => h("p", {}, words)), failure],
    {
      kind: "center",
      actions: [() => go, (close) => button(PLAYER_TEXTS.forgetAllKeep, close, { class: "primary" })],
    },
  );
}
