// The sheet of the settings of this browser.

import { drawing } from "../scene/cards.js";
import { fieldOf, find, h } from "./dom.js";
import { nameInput } from "./name_input.js";
import { allowNotices, hasNotices } from "./notices.js";
import { chooseLanguage, chosenLanguage, remember, settings } from "./settings.js";
import { openSheet, segment } from "./sheets.js";
import { t } from "./texts.js";

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
    chooser(t("deck"), "deck", t("decks"), deck, (value) => remember({ deck: value })),
    chooser(
      t("faces"),
      "faces",
      t("facesKinds"),
      faces,
      (value) => remember({ faces: value }),
      (value) => ["KH", "7S"].map((card) => drawing(card, false, true, { faces: value })),
    ),
    chooser(
      t("backs"),
      "back",
      t("backKinds"),
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
  const hint = h("small", { class: "hint", id: "own-name-hint" }, t("yourNameHint"));
  return h("label", { class: "labelled" }, t("yourName"), input, hint);
}

/** The choice of the language, which the server has to know: the page is loaded anew in it. */
function languageField() {
  const change = (/** @type {Event} */ event) => {
    chooseLanguage(fieldOf(event).value);
    location.reload();
  };
  const chosen = chosenLanguage();
  const options = Object.entries(t("languages")).map(([code, name]) =>
    h("option", { value: code, lang: code || null, selected: code === chosen }, name),
  );
  return h(
    "label",
    { class: "labelled" },
    t("language"),
    h("select", { class: "field", name: "language", on: { change } }, options),
  );
}

/** The choice of notices, which the browser may refuse. */
function noticesField() {
  const hint = h("small", { class: "hint", role: "status" }, t(hasNotices() ? "noticesHint" : "noticesRefused"));
  /** Say that notices come to the closed page too, where they do. @param {Promise<unknown>} answer */
  const describe = async (answer) => {
    if ((await answer) && settings().notify) hint.textContent = t("noticesClosedHint");
  };
  /** @param {"no" | "yes"} value */
  const change = async (value) => {
    remember({ notify: value === "yes" && (await allowNotices()) });
    hint.textContent = t(value === "no" || settings().notify ? "noticesHint" : "noticesRefused");
    const shown = find(field, `[value=${settings().notify ? "yes" : "no"}]`);
    if (shown) Object.assign(shown, { checked: true });
    subscribed = subscribed.then(follow, follow); // one press after another, in the time of the browser
  };
  /** Subscribe this browser to notices for closed pages, or end the subscription, as the settings say now. */
  const follow = async () => {
    const push = await import("./push.js");
    if (settings().notify) await describe(push.subscribe());
    else await push.unsubscribe();
  };
  let subscribed = Promise.resolve();
  if (settings().notify) import("./push.js").then(({ isSubscribed }) => describe(isSubscribed()));
  const field = chooser(t("notices"), "notify", t("noticesKinds"), settings().notify ? "yes" : "no", change);
  return h("div", { class: "with-hint" }, field, hint);
}

export function settingsSheet() {
  const now = settings();
  /** @typedef {"confirm" | "forced" | "sound"} Name */
  /** @type {(label: string, name: Name, texts: { no: string, yes: string }) => HTMLElement} */
  const yesNo = (label, name, texts) =>
    chooser(label, name, texts, now[name] ? "yes" : "no", (value) => remember({ [name]: value === "yes" }));
  return openSheet("settings", t("settings"), [
    nameField(),
    languageField(),
    chooser(t("pace"), "pace", t("paces"), now.pace, (pace) => remember({ pace })),
    chooser(t("rest"), "rest", t("rests"), now.rest, (rest) => remember({ rest })),
    yesNo(t("confirm"), "confirm", t("confirms")),
    yesNo(t("forced"), "forced", t("forcedWays")),
    yesNo(t("sound"), "sound", t("sounds")),
    noticesField(),
    chooser(t("print"), "print", t("prints"), now.large ? "large" : "normal", (value) =>
      remember({ large: value === "large" }),
    ),
    chooser(t("tableForm"), "shown", t("tableForms"), now.text ? "text" : "table", (value) =>
      remember({ text: value === "text" }),
    ),
    deckFields(),
    chooser(t("scheme"), "scheme", t("schemes"), now.scheme, (scheme) => remember({ scheme })),
  ]);
}
