// Sheets, the dialogs over a page: opening and closing them, and those of every page: rules, settings, help.

import { AnswerError, messageOf } from "./api.js";
import {
  clear,
  counterpart,
  find,
  findAll,
  focusedElement,
  h,
  isFocusLost,
  liveRegion,
  markOf,
  markup,
  svg,
} from "./dom.js";
import { icon } from "./glyphs.js";
import { t } from "./texts.js";

/** @import { Child, Properties } from "./dom.js" */

/** @typedef {(clause: string) => unknown} OpenRules opens the rules at a clause; an empty clause is the beginning */
/** @typedef {(close: () => void) => Child} SheetAction makes a button; `close` closes the sheet */

/**
 * How a sheet opens. `beside`: the element in which it stands without blocking the rest; `unasked`: it opens by itself,
 * perhaps while the player presses a key.
 *
 * @typedef {object} SheetForm
 * @property {SheetAction[]} [actions]
 * @property {string} [kind]
 * @property {boolean} [over]
 * @property {HTMLElement | null} [beside]
 * @property {boolean} [unasked]
 */

// Opening and closing

/** Milliseconds in which a player who presses a key may not have seen a sheet that opened by itself. */
const HASTE = 500;

/** The number of sheets that have been opened. */
let opened = 0;

/**
 * Open a sheet; the promise resolves when it is closed. Other sheets that block the page are closed first, except under
 * a sheet that lies `over` them, and over one that stands `beside` the table.
 *
 * @param {string} name
 * @param {string} title
 * @param {Child} content
 * @param {SheetForm} [form]
 * @returns {Promise<void>}
 */
export function openSheet(name, title, content, form = {}) {
  const { actions = [], kind = "side", over = false, beside = null, unasked = false } = form;
  if (!over && !beside) closeSheets();
  opened += 1;
  /** @type {() => void} */
  const close = () => sheet.close();
  const closeButton = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": t("close"), on: { click: close } },
    svg(icon("close")),
  );
  const buttons = actions.map((make) => make(close));
  const sheet = h(
    "dialog",
    { class: `sheet ${kind}`, "data-sheet": name, "aria-labelledby": `sheet-${name}` },
    h("div", { class: "sheet-head" }, h("h2", { id: `sheet-${name}` }, title), closeButton),
    h("div", { class: "sheet-body", tabindex: "0" }, content),
    buttons.length ? h("div", { class: "sheet-foot" }, buttons) : null,
    liveRegion(),
  );
  let isBeside = false;
  sheet.addEventListener("pointerdown", (event) => {
    isBeside = event.target === sheet; // a selection of text that ends beside the sheet is no press there
  });
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet && isBeside && kind !== "center") close();
  });
  if (unasked) ignoreHastyKeys(sheet);
  const giveBack = focusBefore();
  (beside ?? document.body).append(sheet);
  if (beside) sheet.show();
  else sheet.showModal();
  (find(sheet, ".sheet-foot .primary") ?? closeButton).focus();
  return new Promise((resolve) => {
    sheet.addEventListener("close", () => {
      sheet.remove();
      giveBack();
      resolve();
    });
  });
}

/**
 * Ignore Enter and the space bar in an element at first, and while they stay down: they were meant for what had the
 * focus before.
 *
 * @param {HTMLElement} place
 */
export function ignoreHastyKeys(place) {
  const begin = performance.now();
  place.addEventListener("keydown", (event) => {
    const isHasty = event.repeat || event.timeStamp - begin < HASTE;
    if (isHasty && ["Enter", " "].includes(event.key)) event.preventDefault();
  });
}

/**
 * Remember the focus. The browser gives it back when a sheet is closed, unless a redraw has replaced the element; the
 * result gives it to the counterpart then.
 */
function focusBefore() {
  const before = isFocusLost() ? null : focusedElement();
  if (!before) return () => {};
  const mark = markOf(document.body, before);
  return () => {
    if (isFocusLost() && !before.isConnected) counterpart(document.body, mark)?.focus({ preventScroll: true });
  };
}

/**
 * Open a sheet when what it needs has loaded, unless another sheet has been opened meanwhile. A failure is shown in its
 * place.
 *
 * @param {string} name
 * @param {string} title
 * @param {() => Promise<() => unknown>} load resolves to the function that opens the sheet
 */
export async function openLoaded(name, title, load) {
  const before = opened;
  /** @param {string} text */
  const fail = (text) => () => openSheet(name, title, h("p", { class: "failure", role: "alert" }, text));
  const open = await load().catch((error) => fail(error instanceof AnswerError ? messageOf(error) : t("unreachable")));
  if (opened === before) open();
}

/** The open sheets that block the rest of the page. */
const openSheets = () => [
  .../** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog.sheet:modal")),
];

/** Close the sheet beside the table. Returns false if there is none. */
export function closeSheetBeside() {
  const sheet = /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.sheet[open]:not(:modal)"));
  sheet?.close();
  return sheet !== null;
}

/** Close all sheets that block the page. */
export function closeSheets() {
  for (const sheet of openSheets().reverse()) sheet.close();
}

/** Wait until no sheet is open. A sheet that the viewer did not ask for must not take the focus from an open one. */
export async function noSheetOpen() {
  for (let sheet = openSheets().at(-1); sheet; sheet = openSheets().at(-1)) {
    const closing = sheet;
    await new Promise((resolve) => closing.addEventListener("close", resolve, { once: true }));
  }
}

export const closeTopSheet = () => openSheets().at(-1)?.close();

/** The name of the top sheet that blocks the page, or null. */
export const sheetOpen = () => openSheets().at(-1)?.dataset.sheet ?? null;

/**
 * A radio button drawn as a segment.
 *
 * @param {Properties} properties
 * @param {import("./dom.js").Child} label
 */
export const segment = (properties, label) =>
  h("label", { class: "segment" }, h("input", { type: "radio", ...properties }), h("span", {}, label));

/** Open the settings. Their sheet is loaded at its first use. */
export const settingsSheet = () =>
  openLoaded("settings", t("settings"), async () => (await import("./settings_sheet.js")).settingsSheet);

/** Open the help. Its sheet is loaded at its first use. @param {"table" | "lesson" | "puzzle"} [page] */
export const helpSheet = (page = "table") =>
  openLoaded("help", t("help"), () => import("./help_sheet.js").then((help) => () => help.helpSheet(page)));

// Rules

/**
 * A button that opens the rules at a clause.
 *
 * @param {string} clause
 * @param {OpenRules} rules
 */
export const clauseButton = (clause, rules) =>
  h(
    "button",
    {
      type: "button",
      class: "cited",
      "aria-label": t("clause", clause),
      title: t("clause", clause),
      on: { click: () => rules(clause) },
    },
    t("clauseSign", clause),
  );

/**
 * Open a sheet whose text has to be loaded. A failure is shown in its place, and read out.
 *
 * @template Answer
 * @param {string} name
 * @param {string} title
 * @param {() => Promise<Answer>} load
 * @param {(body: HTMLElement, answer: Answer) => void} fill
 * @param {SheetForm} [form]
 */
export async function textSheet(name, title, load, fill, form = {}) {
  const body = h("article", { class: "rules" }, t("loading"));
  const closed = openSheet(name, title, body, form);
  try {
    fill(body, await load());
  } catch (error) {
    clear(body, h("p", { class: "failure", role: "alert" }, messageOf(error)));
  }
  return closed;
}

/**
 * Open the rules over other sheets.
 *
 * @param {string} title
 * @param {() => Promise<import("../answers.d.ts").Rules>} load
 * @param {string} [clause] the clause to begin at
 */
export const rulesSheet = (title, load, clause = "") =>
  textSheet(
    "rules",
    title,
    load,
    (body, { html }) => {
      body.replaceChildren(markup(html));
      scrollToClause(body, clause);
    },
    { kind: "side wide", over: true },
  );

/**
 * @param {HTMLElement} body
 * @param {string} clause
 */
function scrollToClause(body, clause) {
  const sign = findAll(body, "[data-clause]").find((one) => one.dataset.clause === clause);
  const paragraph = /** @type {HTMLElement | null} */ (sign?.closest("p, li, tr") ?? null);
  if (!paragraph) return;
  paragraph.classList.add("asked-for");
  paragraph.tabIndex = -1;
  paragraph.scrollIntoView({ block: "center" });
  paragraph.focus();
}
