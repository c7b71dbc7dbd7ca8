// The player's key on another device: by a link, a code or eight words.

import * as api from "../common/api.js";
import { announce, button, clear, h } from "../common/dom.js";
import { dailyEntry, rememberQuietly, settings } from "../common/settings.js";
import { t } from "../common/texts.js";
import { linksTo } from "../landing/table_links.js";
import { keyOf, wordList, wordsOf } from "./key_words.js";
import { ownKey, takeKey } from "./player_key.js";
import { unlinkSeats } from "./seat_links.js";

/** A player's key as the room accepts it. */
const KEY = /^[\w-]{22,100}$/;
/** Games that are counted before a key is taken. */
const COUNTED = 100;

const keyInAddress = () => new URLSearchParams(location.hash.slice(1)).get("key");

/** Whether the page's address has a key. */
export const hasCarriedKey = () => keyInAddress() !== null;

/**
 * A question about the key in the page's address, which a link of another device has; null without one.
 *
 * The key is used only after a press: the author of the link would see the cards of seats that are linked with it.
 */
export function carriedKey() {
  const key = keyInAddress();
  if (key === null) return null;
  history.replaceState(null, "", location.pathname);
  const place = h("section", { class: "own-notice", role: "status", "data-place": "carried" });
  if (!KEY.test(key)) return clear(place, h("p", { class: "failure" }, t("deviceBroken")));
  if (dailyEntry().key === key) return clear(place, h("p", {}, t("deviceSame")));
  clear(place, h("p", {}, t("loading")));
  ask(place, key).catch((error) => clear(place, h("p", { class: "failure" }, api.messageOf(error))));
  return place;
}

/**
 * @param {HTMLElement} place
 * @param {string} key
 */
async function ask(place, key) {
  const { name, games, next } = await api.playerGames(key, COUNTED);
  if (name === null) {
    clear(place, h("p", { class: "failure" }, t("deviceUnknown")));
    return;
  }
  const failure = h("p", { class: "failure", role: "alert" });
  const take = () => {
    if (!goOn(key, name)) failure.textContent = t("deviceUnstored");
  };
  clear(
    place,
    h("p", {}, t("deviceTakeHint", name, games.length, next !== null)),
    h("p", {}, h("b", {}, t("deviceTakeWarning"))),
    h("p", { class: "hint" }, t("deviceTakeDaily")),
    failure,
    h(
      "div",
      { class: "row" },
      button(t("deviceTake"), take, { class: "primary", "data-go": "take" }),
      button(t("deviceKeep"), () => place.remove()),
    ),
  );
}

/**
 * Replace this browser's key. Returns false if the browser does not store the new one.
 *
 * @param {string} key
 * @param {string} name
 */
function goOn(key, name) {
  const before = dailyEntry().key;
  if (!takeKey(key)) {
    takeKey(before);
    return false;
  }
  unlinkSeats();
  if (!settings().name) rememberQuietly({ name });
  location.reload();
  return true;
}

/** The part of the page about other devices. */
export const devicePart = () =>
  h(
    "section",
    { class: "own-devices", id: "device", "aria-labelledby": "device-title" },
    h("h2", { id: "device-title" }, t("device")),
    h("details", {}, h("summary", {}, t("deviceTo")), h("div", { class: "own-to" }, ownLink(), wordsPlace())),
    wordsForm(),
  );

const ownLink = () => linksTo(`/mine#${new URLSearchParams({ key: ownKey() })}`, t("deviceLink"), t("deviceCopy"));

function wordsPlace() {
  const place = h("div", { class: "own-words", role: "status" });
  const show = async () => {
    try {
      const words = wordsOf(ownKey(), await wordList());
      clear(
        place,
        words
          ? h(
              "ol",
              {},
              words.map((word) => h("li", {}, word)),
            )
          : null,
        h("p", { class: "hint" }, t(words ? "deviceWordsHint" : "deviceNoWords")),
      );
    } catch (error) {
      clear(place, h("p", { class: "failure" }, api.messageOf(error)), again);
    }
  };
  const again = button(t("deviceWords"), show, { "data-go": "words" });
  return clear(place, again);
}

/** The form that takes the words of another device. */
function wordsForm() {
  const field = h("textarea", {
    class: "field",
    name: "words",
    rows: "2",
    maxlength: "200",
    autocapitalize: "none",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
  });
  const failure = h("p", { class: "failure", role: "alert" });
  /** @param {Event} event */
  const take = async (event) => {
    event.preventDefault();
    failure.textContent = "";
    submit.disabled = true;
    failure.textContent = await problemOf(field.value).catch(api.messageOf);
    submit.disabled = false;
  };
  const submit = h("button", { type: "submit", class: "button" }, t("deviceFromGo"));
  return h(
    "details",
    {},
    h("summary", {}, t("deviceFrom")),
    h(
      "form",
      { class: "words-form", on: { submit: take } },
      h("label", { class: "labelled" }, t("deviceFromHint"), field),
      failure,
      h("div", { class: "row" }, submit),
    ),
  );
}

/**
 * Use the key of these words, or return the sentence about the mistake in them.
 *
 * @param {string} text
 */
async function problemOf(text) {
  const { key, problem } = keyOf(text, await wordList());
  if (problem) return problem;
  const { name } = await api.playerGames(key, 1);
  if (name === null) return t("wordsUnknown");
  if (!goOn(key, name)) return t("deviceUnstored");
  announce(t("deviceTaken"));
  return "";
}
