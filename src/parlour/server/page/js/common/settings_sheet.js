// The sheet of the settings of this browser.

import { drawing } from "../scene/cards.js";
import { fieldOf, find, h } from "./dom.js";
import { nameInput } from "./name_input.js";
import { allowNotices, hasNotices } from "./notices.js";
import { chooseLanguage, chosenLanguage, remember, settings } from "./settings.js";
import { openSheet, segment } from "./sheets.js";
import { t } from "./texts.js";
import { SETTINGS_TEXTS as TEXTS } from "../texts/texts_settings.js";

/**
 * A choice of one value among a few.
 *
 * @template {string} Value
 * @param {string} label
 * @param {string} name
 * @param {Record<Value, string>} values labels by value
 * @param {string} current
 * @param {(value: Value) => void} change
 * @param {(value: Value) => SVGElement[]} [preview] the cards above a label
 */
function chooser(label, name, values, current, change, preview) {
  const entries = /** @type {[Value, string][]} */ (Object.entries(values));
  return h(
    "fieldset",
    { class: "chooser" },
    h("legend", {}, label),
    h(
      "div",
      { class: "segments" },
      entries.map(([value, text]) =>
        segment({ name, value, checked: value === current, on: { change: () => change(value) } }, [
          preview ? previewOf(preview(value)) : null,
          text,
        ]),
      ),
    ),
  );
}

/** @param {SVGElement[]} cards */
const previewOf = (cards) =>
  h(
    "span",
    { class: "preview", "aria-hidden": "true" },
    cards.map((card) => h("span", { class: "card" }, card)),
  );

/** The choices of suits, faces and backs. */
function deckFields() {
  const { deck, faces, back } = settings();
  return [
    chooser(TEXTS.deck, "deck", TEXTS.decks, deck, (value) => remember({ deck: value })),
    chooser(
      TEXTS.faces,
      "faces",
      TEXTS.facesKinds,
      faces,
      (value) => remember({ faces: value }),
      (value) => ["KH", "7S"].map((card) => drawing(card, false, true, { faces: value })),
    ),
    chooser(
      TEXTS.backs,
      "back",
      TEXTS.backKinds,
      back,
      (value) => remember({ back: value }),
      (value) => [drawing(null, false, true, { back: value })],
    ),
  ];
}

function nameField() {
  const input = nameInput({
    name: "own-name",
    value: settings().name,
    "aria-describedby": "own-name-hint",
    on: { input: (event) => remember({ name: fieldOf(event).value.trim() }) },
  });
  const hint = h("small", { class: "fine-print", id: "own-name-hint" }, TEXTS.yourNameHint);
  return h("label", { class: "labelled" }, t("yourName"), input, hint);
}

/** The choice of the language, which the server has to know: the page is loaded anew in it. */
function languageField() {
  const change = (/** @type {Event} */ event) => {
    chooseLanguage(fieldOf(event).value);
    location.reload();
  };
  const chosen = chosenLanguage();
  const options = Object.entries(TEXTS.languages).map(([code, name]) =>
    h("option", { value: code, lang: code || null, selected: code === chosen }, name),
  );
  return h(
    "label",
    { class: "labelled" },
    TEXTS.language,
    h("select", { class: "field", name: "language", on: { change } }, options),
  );
}

/** The choice of notices, which the browser may refuse. */
function noticesField() {
  const hint = h(
    "small",
    { class: "fine-print", role: "status" },
    TEXTS[hasNotices() ? "noticesHint" : "noticesRefused"],
  );
  /** Say that notices come to the closed page too, where they do. @param {Promise<unknown>} answer */
  const describe = async (answer) => {
    if ((await answer) && settings().notify) hint.textContent = TEXTS.noticesClosedHint;
  };
  let choices = 0;
  /** @param {"no" | "yes"} value */
  const change = async (value) => {
    choices += 1;
    const choice = choices;
    const notify = value === "yes" && (await allowNotices());
    if (choice !== choices) return; // the player has chosen again while the browser asked
    remember({ notify });
    hint.textContent = TEXTS[value === "no" || settings().notify ? "noticesHint" : "noticesRefused"];
    const shown = find(field, `[value=${settings().notify ? "yes" : "no"}]`);
    if (shown) Object.assign(shown, { checked: true });
    await follow();
  };
  /** Subscribe this browser to notices for closed pages, or end the subscription, as the settings say now. */
  const follow = async () => {
    const push = await import("./push.js");
    if (settings().notify) await describe(push.subscribe());
    else await push.unsubscribe();
  };
  if (settings().notify) import("./push.js").then(({ isSubscribed }) => describe(isSubscribed()));
  const field = chooser(TEXTS.notices, "notify", TEXTS.noticesKinds, settings().notify ? "yes" : "no", change);
  return h("div", { class: "with-fine-print" }, field, hint);
}

export function settingsSheet() {
  const now = settings();
  /** @typedef {"confirm" | "forced" | "letters" | "sound"} Name */
  /** @type {(label: string, name: Name, texts: { no: string, yes: string }) => HTMLElement} */
  const yesNo = (label, name, texts) =>
    chooser(label, name, texts, now[name] ? "yes" : "no", (value) => remember({ [name]: value === "yes" }));
  return openSheet("settings", t("settings"), [
    nameField(),
    languageField(),
    chooser(TEXTS.pace, "pace", TEXTS.paces, now.pace, (pace) => remember({ pace })),
    chooser(TEXTS.rest, "rest", TEXTS.rests, now.rest, (rest) => remember({ rest })),
    yesNo(TEXTS.confirm, "confirm", TEXTS.confirms),
    yesNo(TEXTS.forced, "forced", TEXTS.forcedWays),
    yesNo(TEXTS.letters, "letters", TEXTS.letterKinds),
    yesNo(t("sound"), "sound", TEXTS.sounds),
    noticesField(),
    chooser(TEXTS.print, "print", TEXTS.prints, now.large ? "large" : "normal", (value) =>
      remember({ large: value === "large" }),
    ),
    chooser(TEXTS.tableForm, "shown", TEXTS.tableForms, now.text ? "text" : "table", (value) =>
      remember({ text: value === "text" }),
    ),
    deckFields(),
    chooser(TEXTS.scheme, "scheme", TEXTS.schemes, now.scheme, (scheme) => remember({ scheme })),
  ]);
}
