// What slides in over the table: score, rules, settings, help, the end of a round and of the game.

import { cardSpan } from "./cards.js";
import { announce, button, h, livePlace, svg } from "./dom.js";
import { icon } from "./glyphs.js";
import { remember, settings } from "./settings.js";
import { t } from "./texts.js";

/** Opens a dialog; resolves when it is closed. One at a time, but for one that opens `over` another and goes back to it. */
export function openSheet(name, title, content, { actions = [], kind = "side", over = false } = {}) {
  if (!over) closeSheets();
  const close = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": t("close"), on: { click: () => sheet.close() } },
    svg(icon("close")),
  );
  const sheet = h(
    "dialog",
    { class: `sheet ${kind}`, "data-sheet": name, "aria-labelledby": `sheet-${name}` },
    h("header", { class: "sheet-head" }, h("h2", { id: `sheet-${name}` }, title), close),
    h("div", { class: "sheet-body", tabindex: "0" }, content),
    actions.length
      ? h(
          "footer",
          { class: "sheet-foot" },
          actions.map((make) => make(() => sheet.close())),
        )
      : null,
    livePlace(),
  );
  sheet.addEventListener("click", (event) => event.target === sheet && kind !== "center" && sheet.close());
  document.body.append(sheet);
  sheet.showModal();
  const first = sheet.querySelector(".sheet-foot .primary") ?? close;
  first.focus();
  return new Promise((resolve) =>
    sheet.addEventListener("close", () => {
      sheet.remove();
      resolve();
    }),
  );
}

const openSheets = () => [...document.querySelectorAll("dialog.sheet[open]")];

function closeSheets() {
  for (const sheet of openSheets().reverse()) sheet.close();
}

/** Resolves when no sheet is open. What opens by itself waits for that: it takes nobody's words away, nor their Enter. */
export async function noSheetOpen() {
  while (openSheets().length)
    await new Promise((resolve) => openSheets().at(-1).addEventListener("close", resolve, { once: true }));
}

export const closeTopSheet = () => openSheets().at(-1)?.close();

/** The name of the sheet that lies on top, if there is one. */
export const sheetOpen = () => openSheets().at(-1)?.dataset.sheet ?? null;

/** One of a few values, all of them in sight. */
function chooser(label, name, values, current, change) {
  return h(
    "fieldset",
    { class: "chooser" },
    h("legend", {}, label),
    h(
      "div",
      { class: "segments" },
      Object.entries(values).map(([value, text]) =>
        h(
          "label",
          { class: "segment" },
          h("input", { type: "radio", name, value, checked: value === current, on: { change: () => change(value) } }),
          h("span", {}, text),
        ),
      ),
    ),
  );
}

/** One's name, for the tables to come. */
function nameField() {
  const keep = (event) => remember({ name: event.target.value.trim() });
  return h(
    "label",
    { class: "labelled" },
    t("yourName"),
    h("input", {
      class: "field",
      name: "own-name",
      maxlength: "24",
      autocomplete: "nickname",
      value: settings().name,
      placeholder: t("defaultName"),
      "aria-describedby": "own-name-hint",
      on: { input: keep },
    }),
    h("small", { class: "hint", id: "own-name-hint" }, t("yourNameHint")),
  );
}

export function settingsSheet() {
  const now = settings();
  const yesNo = (label, name, texts) =>
    chooser(t(label), name, t(texts), now[name] ? "yes" : "no", (value) => remember({ [name]: value === "yes" }));
  return openSheet("settings", t("settings"), [
    nameField(),
    chooser(t("pace"), "pace", t("paces"), now.pace, (pace) => remember({ pace })),
    chooser(t("rest"), "rest", t("rests"), now.rest, (rest) => remember({ rest })),
    yesNo("confirm", "confirm", "confirms"),
    yesNo("sound", "sound", "sounds"),
    chooser(t("print"), "print", t("prints"), now.large ? "large" : "normal", (value) =>
      remember({ large: value === "large" }),
    ),
    chooser(t("shown"), "shown", t("showns"), now.text ? "text" : "table", (value) =>
      remember({ text: value === "text" }),
    ),
    chooser(t("deck"), "deck", t("decks"), now.deck, (deck) => remember({ deck })),
    chooser(t("scheme"), "scheme", t("schemes"), now.scheme, (scheme) => remember({ scheme })),
  ]);
}

const keyList = (keys) =>
  h(
    "dl",
    { class: "keys" },
    keys.map(([key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what))),
  );

export const keysSheet = (keys) => openSheet("help", t("helpKeys"), keyList(keys));

/** How one plays here, what the buttons of the bar are, and the keys. */
export const helpSheet = () =>
  openSheet("help", t("help"), [
    h(
      "ul",
      { class: "helped" },
      t("helpHow").map((line) => h("li", {}, line)),
    ),
    h("h3", {}, t("helpTools")),
    h(
      "ul",
      { class: "tool-list" },
      t("helpOf").map(([name, what]) => h("li", {}, svg(icon(name)), h("span", {}, what))),
    ),
    h("h3", {}, t("helpKeys")),
    keyList(t("keys")),
  ]);

/** The rules, opened where a clause is told; what was open before is there again when they are closed. */
export async function rulesSheet(title, load, clause = "") {
  const body = h("article", { class: "rules" }, t("loading"));
  const closed = openSheet("rules", title, body, { kind: "side wide", over: true });
  try {
    const { html } = await load();
    const holder = document.createElement("template");
    holder.innerHTML = html;
    body.replaceChildren(holder.content);
    openAt(body, clause);
  } catch (error) {
    body.replaceChildren(error.message);
  }
  return closed;
}

function openAt(body, clause) {
  const told = [...body.querySelectorAll("[data-clause]")]
    .find((one) => one.dataset.clause === clause)
    ?.closest("p, li, tr");
  if (!told) return;
  told.classList.add("asked-for");
  told.tabIndex = -1;
  told.scrollIntoView({ block: "center" });
  told.focus();
}

// Scores

export function standingsList(scene) {
  return h(
    "ul",
    { class: `standings ${scene.standings.length > 2 ? "many" : ""}` },
    scene.standings.map((standing) =>
      h(
        "li",
        { class: `standing side-${standing.side || "none"} ${standing.own ? "own" : ""}` },
        h("span", { class: "swatch", "aria-hidden": "true" }),
        h("span", { class: "who" }, standing.label),
        h("span", { class: "total" }, t(standing.side ? "points" : "number", standing.now)),
        standing.before && standing.before !== standing.now
          ? h("span", { class: "before" }, `${t("before")} ${t(standing.side ? "points" : "number", standing.before)}`)
          : null,
      ),
    ),
  );
}

/** A line of the score, which opens the rules where its clause is told. */
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
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "score-line", title: t("clause", line.clause), on: { click: () => rules(line.clause) } },
      parts,
    ),
  );
}

/** What an area's lines come to. */
function total(area, lines) {
  if (area.points_for) return t("pointsFor", t("sides")[area.points_for], area.points);
  return t(
    area.side ? "points" : "number",
    lines.reduce((sum, line) => sum + line.points, 0),
  );
}

/** The running score, area by area; `rules(clause)` opens the rules. */
function scoreLines(scene, rules) {
  const areas = scene.areas.filter((area) => scene.score.some((line) => line.area === area.id));
  if (!areas.length) return null;
  return h(
    "div",
    { class: "score-lines" },
    areas.map((area) => {
      const lines = scene.score.filter((line) => line.area === area.id);
      return h(
        "section",
        { class: `score-area side-${area.side || "none"}` },
        h(
          "h3",
          { class: "score-of" },
          h("span", { class: "swatch", "aria-hidden": "true" }),
          area.title,
          lines.length > 1
            ? h("b", { class: area.points_for ? `side-${area.points_for}` : "" }, total(area, lines))
            : null,
        ),
        h(
          "ul",
          {},
          lines.map((line) => scoreLine(line, area.side, rules)),
        ),
      );
    }),
  );
}

/** What "red +3" means, where points are for a side. */
const scoreHint = (scene) => (scene.score.some((line) => line.side) ? h("p", { class: "hint" }, t("scoreHint")) : null);

/** The standings; what is counted stands above the numbers, where it is not points. */
function standingsPart(scene) {
  const named = scene.standings.length && scene.counted !== "points" && !scene.score.some((line) => line.side);
  return [named ? h("p", { class: "counted" }, t("counted", scene.counted)) : null, standingsList(scene)];
}

export const scoreContent = (scene, rules) => [
  standingsPart(scene),
  scoreHint(scene),
  scene.score.length ? h("h3", {}, t("countsNow")) : null,
  scene.score.length ? scoreLines(scene, rules) : null,
];

/** What has been told; `gloss(sentence)` makes lines that explain its words. */
export function logList(told, gloss = () => []) {
  const lines = told.filter((line) => line !== "");
  if (!lines.length) return h("p", { class: "hint" }, t("nothingTold"));
  return h(
    "ol",
    { class: "log", tabindex: "0", "aria-label": t("told") },
    told.map((line) => (line === "" ? h("li", { class: "gap" }) : [h("li", {}, line), gloss(line)])),
  );
}

export function scoreSheet(scene, told, rules, gloss) {
  return openSheet("score", t("score"), [...scoreContent(scene, rules), h("h3", {}, t("told")), logList(told, gloss)]);
}

export function pauseSheet(scene, rules) {
  announce(scene.pause);
  const go = (close) => button(t("nextRound"), close, { class: "primary", "data-go": "next" });
  return openSheet("pause", scene.pause, [standingsPart(scene), scoreHint(scene), scoreLines(scene, rules)], {
    actions: [go],
    kind: "center",
  });
}

/** The button for another game, which `again` opens, or which is there already (`next`); what goes wrong is said beside it. */
function againButton(again, next) {
  const failure = h("p", { class: "failure", role: "alert" });
  const open = async () => {
    go.disabled = true;
    failure.textContent = "";
    try {
      await again();
    } catch (error) {
      failure.textContent = error.message;
      go.disabled = false;
    }
  };
  const go = button(t(next ? "nextGame" : "again"), open, { class: "primary", "data-go": "again" });
  return [failure, go];
}

export function endSheet(scene, { again, next, opener, record, review, game, home, rules }) {
  announce(scene.outcome);
  const link = (label, address, properties) => h("a", { class: "button", href: address, ...properties }, label);
  const way = (name, node) => h("li", {}, node, h("span", { class: "hint" }, t(`${name}Hint`)));
  const actions = [...(again ? [() => againButton(again, next)] : []), () => link(t("newGame"), home, {})];
  return openSheet(
    "end",
    scene.outcome,
    [
      scene.pause ? h("p", { class: "lead" }, scene.pause) : null,
      standingsPart(scene),
      scoreHint(scene),
      scoreLines(scene, rules),
      h("ul", { class: "end-ways" }, way("lookAgain", link(t("lookAgain"), game, { "data-go": "game" }))),
      review,
      h("ul", { class: "end-ways" }, way("record", link(t("record"), record, { download: "", "data-go": "record" }))),
      !again && opener ? h("p", { class: "hint" }, t("againBy", opener)) : null,
    ],
    { actions, kind: "side" },
  );
}

/** The cards of rows, all of them to be seen. */
export const rowsContent = (rows) =>
  rows.map((row) =>
    h(
      "section",
      { class: "looked-through" },
      h("h3", {}, row.label),
      h(
        "div",
        { class: "spread-out" },
        row.cards.map((seen) => cardSpan({ ...seen, face_up: true }, { small: true })),
        row.hidden ? h("p", { class: "hint" }, t("andHidden", row.hidden)) : null,
      ),
    ),
  );
