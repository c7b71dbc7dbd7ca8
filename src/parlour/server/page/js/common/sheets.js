// Sheets, the dialogs over a table: score, rules, settings, the end of a round and of a game.

import { AnswerError, messageOf } from "./api.js";
import { leaveBy, showIn } from "./failure.js";
import {
  announce,
  button,
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
  nodesOf,
  svg,
} from "./dom.js";
import { icon } from "./glyphs.js";
import { t } from "./texts.js";

/** @import { Child, Properties } from "./dom.js" */
/** @import { Area, Scene, ScoreLine } from "../protocol.d.ts" */

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
 * Ignore Enter and the space bar at first, and while they stay down: they were meant for the table.
 *
 * @param {HTMLElement} sheet
 */
function ignoreHastyKeys(sheet) {
  const begin = performance.now();
  sheet.addEventListener("keydown", (event) => {
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

function closeSheets() {
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

// Scores

/** @param {Scene} scene */
export const standingsList = (scene) =>
  h(
    "ul",
    { class: `standings ${scene.standings.length > 2 ? "many" : ""}` },
    scene.standings.map(({ label, before, now, side, own }) => {
      const text = side ? "points" : "number";
      const change = before && before !== now;
      return h(
        "li",
        { class: `standing side-${side || "none"} ${own ? "own" : ""}` },
        h("span", { class: "swatch", "aria-hidden": "true" }),
        h("span", { class: "who" }, label),
        h("span", { class: "total" }, t(text, now)),
        change ? h("span", { class: "before" }, t("before", t(text, before))) : null,
      );
    }),
  );

/**
 * A line of the score; one with a clause opens the rules.
 *
 * @param {ScoreLine} line
 * @param {string} side the side of its area
 * @param {OpenRules} rules
 */
function scoreLine(line, side, rules) {
  const points = line.side
    ? t("pointsFor", t("sides")[line.side], line.points)
    : t(side ? "points" : "number", line.points);
  const parts = [
    h("span", {}, line.what),
    line.clause ? h("span", { class: "clause" }, t("clauseSign", line.clause)) : null,
    h("span", { class: `number ${line.side ? `side-${line.side}` : ""}` }, points),
  ];
  if (!line.clause) return h("li", { class: "score-line" }, parts);
  const attributes = { type: "button", class: "score-line", title: t("clause", line.clause) };
  return h("li", {}, h("button", { ...attributes, on: { click: () => rules(line.clause) } }, parts));
}

/**
 * The sum of an area's score lines.
 *
 * @param {Area} area
 * @param {ScoreLine[]} lines
 */
function total(area, lines) {
  if (area.points_for) return t("pointsFor", t("sides")[area.points_for], area.points ?? 0);
  const sum = lines.reduce((points, line) => points + line.points, 0);
  return t(area.side ? "points" : "number", sum);
}

/**
 * The running score by area; null without lines.
 *
 * @param {Scene} scene
 * @param {OpenRules} rules
 */
function scoreLines(scene, rules) {
  const areas = scene.areas.filter((area) => scene.score.some((line) => line.area === area.id));
  if (!areas.length) return null;
  return h(
    "div",
    { class: "score-lines" },
    areas.map((area) => {
      const lines = scene.score.filter((line) => line.area === area.id);
      const sum = h("b", { class: area.points_for ? `side-${area.points_for}` : "" }, total(area, lines));
      const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
      const own = area.seat !== null && area.seat === scene.seat;
      return h(
        "section",
        { class: `score-area side-${area.side || "none"} ${own ? "own" : ""}` },
        h("h3", { class: "score-of" }, swatch, area.title, lines.length > 1 ? sum : null),
        h(
          "ul",
          {},
          lines.map((line) => scoreLine(line, area.side, rules)),
        ),
      );
    }),
  );
}

/**
 * An explanation of "red +3", where points are for a side.
 *
 * @param {Scene} scene
 */
const scoreHint = (scene) =>
  scene.score.some((line) => line.side) ? h("p", { class: "fine-print" }, t("scoreHint")) : null;

/**
 * The standings below their unit. The unit is left out if it is points, or if the score has points for sides.
 *
 * @param {Scene} scene
 */
function standingsPart(scene) {
  const named = scene.standings.length && scene.counted !== "points" && !scene.score.some((line) => line.side);
  return [named ? h("p", { class: "counted" }, scene.counted) : null, standingsList(scene)];
}

/**
 * The standings and the running score.
 *
 * @param {Scene} scene
 * @param {OpenRules} rules
 */
export const scoreContent = (scene, rules) => [
  standingsPart(scene),
  scoreHint(scene),
  scene.score.length ? h("h3", {}, t("countsNow")) : null,
  scene.score.length ? scoreLines(scene, rules) : null,
];

/**
 * Lines of the log as items of a list; `gloss` makes items that explain the words of a line.
 *
 * @param {string[]} log
 * @param {(line: string) => Child} gloss
 */
export const logLines = (log, gloss) =>
  nodesOf(log.map((line) => (line === "" ? h("li", { class: "gap" }) : [h("li", {}, line), gloss(line)])));

/**
 * The log as a list; `gloss` makes items that explain the words of a line.
 *
 * @param {string[]} log
 * @param {(line: string) => Child} [gloss]
 */
export function logList(log, gloss = () => []) {
  if (log.every((line) => line === "")) return h("p", { class: "fine-print" }, t("logEmpty"));
  return h("ol", { class: "log", tabindex: "0", "aria-label": t("logTitle") }, logLines(log, gloss));
}

/**
 * @param {Scene} scene
 * @param {string[]} log
 * @param {OpenRules} rules
 * @param {(line: string) => Child} [gloss]
 */
export const scoreSheet = (scene, log, rules, gloss) =>
  openSheet("score", t("score"), [...scoreContent(scene, rules), h("h3", {}, t("logTitle")), logList(log, gloss)]);

/**
 * Open the sheet at the end of a round.
 *
 * @param {Scene} scene
 * @param {OpenRules} rules
 */
export function pauseSheet(scene, rules) {
  announce(scene.pause);
  /** @type {SheetAction} */
  const next = (close) => button(t("nextRound"), close, { class: "primary", "data-go": "next" });
  const content = [standingsPart(scene), scoreHint(scene), scoreLines(scene, rules)];
  return openSheet("pause", scene.pause, content, { actions: [next], kind: "center", unasked: true });
}

/**
 * The button for another game. An error is shown beside it.
 *
 * @param {() => unknown} again opens another game, or goes to it
 * @param {boolean} exists whether another game has been opened
 * @param {boolean} primary whether it is the usual way on
 */
function againButton(again, exists, primary) {
  const failure = h("p", { class: "failure", role: "alert" });
  const open = () => leaveBy(go, showIn(failure), again);
  const go = button(t(exists ? "nextGame" : "again"), open, { class: primary ? "primary" : "", "data-go": "again" });
  return [failure, go];
}

/**
 * Open the sheet at the end of a game, which stands beside the table.
 *
 * @param {Scene} scene
 * @param {object} ways
 * @param {(() => unknown) | null} ways.again opens another game, or goes to it; null if the viewer may not
 * @param {boolean} ways.next whether the viewer looks on, and another game has been opened
 * @param {string} ways.offer the sentence about the rematch that other players propose; empty if there is none
 * @param {HTMLElement | null} ways.rating the change of the viewer's rating; null at a casual table
 * @param {string} ways.record the address of the record
 * @param {string} ways.replay the address of the replay
 * @param {HTMLElement | null} ways.review the link to the review; null if the game has none
 * @param {Child} ways.others further ways to another game
 * @param {string} ways.sealed why the game is hidden, while others still have to play its cards; else empty
 * @param {string | null} ways.club the address of the club night of the table
 * @param {OpenRules} rules
 * @param {HTMLElement | null} [result] the result in the daily deal
 */
export function endSheet(
  scene,
  { again, next, offer, rating, record, replay, review, sealed, club, others: further },
  rules,
  result = null,
) {
  /** @type {(label: string, address: string, properties?: Properties) => HTMLElement} */
  const link = (label, address, properties) => h("a", { class: "button", href: address, ...properties }, label);
  /** @type {(node: HTMLElement, hint: string) => HTMLElement} */
  const way = (node, hint) =>
    h("ul", { class: "end-ways" }, h("li", {}, node, h("span", { class: "fine-print" }, hint)));
  const home = () => link(t("newGame"), "/");
  const onward = { class: "button primary" };
  const clubNight = () => (club ? link(t("clubBack"), club, { ...onward, "data-go": "club" }) : null);
  const others = () => (result ? link(t("dailyOtherDeals"), "/daily", onward) : null);
  const more = () => (again ? againButton(again, next, result === null) : null);
  return openSheet(
    "end",
    scene.outcome,
    [
      offer ? h("p", { class: "offer" }, offer) : null,
      result,
      standingsPart(scene),
      rating,
      scoreHint(scene),
      scoreLines(scene, rules),
      further,
      sealed
        ? h("p", { class: "fine-print" }, sealed)
        : [
            way(link(t("lookAgain"), replay, { "data-go": "game" }), t("lookAgainHint")),
            review,
            way(link(t("record"), record, { download: "", "data-go": "record" }), t("recordHint")),
          ],
    ],
    {
      actions: [clubNight, others, more, home],
      beside: document.getElementById("app"),
      unasked: true,
    },
  );
}
