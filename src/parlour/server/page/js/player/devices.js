// The player's key on another device: by a link, a code or eight words.

import * as api from "../common/api.js";
import { announce, button, clear, h } from "../common/dom.js";
import { showIn, whileDisabled } from "../common/failure.js";
import { mayPass } from "../common/retry.js";
import { dailyEntry, rememberQuietly, settings } from "../common/settings.js";
import { t } from "../common/texts.js";
import { linksTo } from "../landing/table_links.js";
import { keyOf, wordList, wordsOf } from "./key_words.js";
import { ownKey, takeKey } from "./player_key.js";
import { unlinkSeats } from "./seat_links.js";
import { PLAYER_TEXTS } from "./player_texts.js";

/** A player's key as the room accepts it. */
const KEY = /^[\w-]{22,100}$/;
/** Games that are counted before a key is taken. */
const COUNTED = 100;

/** The path of the player's page with a key. @param {string} key */
const addressWith = (key) => `/mine#${new URLSearchParams({ key })}`;

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
  if (!KEY.test(key)) return clear(place, h("p", { class: "failure" }, PLAYER_TEXTS.deviceBroken));
  if (dailyEntry().key === key) return clear(place, h("p", {}, PLAYER_TEXTS.deviceSame));
  clear(place, h("p", {}, t("loading")));
  ask(place, key).catch((error) => {
    if (mayPass(error)) history.replaceState(null, "", addressWith(key)); // a reload asks again
    clear(place, h("p", { class: "failure" }, api.messageOf(error)));
  });
  return place;
}

/**
 * @param {HTMLElement} place
 * @param {string} key
 */
async function ask(place, key) {
  const { name, games, next } = await api.playerGames(key, COUNTED);
  if (name === null) {
    clear(place, h("p", { class: "failure" }, PLAYER_TEXTS.deviceUnknown));
    return;
  }
  const failure = h("p", { class: "failure", role: "alert" });
  const take = () => {
    if (!goOn(key, name)) failure.textContent = PLAYER_TEXTS.deviceUnstored;
  };
  clear(
    place,
    h("p", {}, PLAYER_TEXTS.deviceTakeHint(name, games.length, next !== null)),
    h("p", {}, h("b", {}, PLAYER_TEXTS.deviceTakeWarning)),
    h("p", { class: "fine-print" }, PLAYER_TEXTS.deviceTakeDaily),
    failure,
    h(
      "div",
      { class: "row" },
      button(PLAYER_TEXTS.deviceTake, take, { class: "primary", "data-go": "take" }),
      button(PLAYER_TEXTS.deviceKeep, () => place.remove()),
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
    h("h2", { id: "device-title" }, PLAYER_TEXTS.device),
    h("details", {}, h("summary", {}, PLAYER_TEXTS.deviceTo), h("div", { class: "own-to" }, ownLink(), wordsPlace())),
    wordsForm(),
  );

const ownLink = () => linksTo(addressWith(ownKey()), PLAYER_TEXTS.deviceLink, PLAYER_TEXTS.deviceCopy);

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
        h("p", { class: "fine-print" }, words ? PLAYER_TEXTS.deviceWordsHint : PLAYER_TEXTS.deviceNoWords),
      );
    } catch (error) {
      clear(place, h("p", { class: "failure" }, api.messageOf(error)), again);
    }
  };
  const again = button(PLAYER_TEXTS.deviceWords, show, { "data-go": "words" });
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
    enterkeyhint: "go",
    required: true,
    on: { keydown: (event) => sendByEnter(/** @type {KeyboardEvent} */ (event)) },
  });
  const failure = h("p", { class: "failure", role: "alert" });
  const say = showIn(failure);
  const take = (/** @type {Event} */ event) => {
    event.preventDefault();
    whileDisabled(submit, say, async () => say(await problemOf(field.value)));
  };
  const submit = h("button", { type: "submit", class: "button" }, PLAYER_TEXTS.deviceFromGo);
  /** @param {KeyboardEvent} event */
  const sendByEnter = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault(); // eight words are one line; line breaks come with pasted words
    submit.click();
  };
  return h(
    "details",
    {},
    h("summary", {}, PLAYER_TEXTS.deviceFrom),
    h(
      "form",
      { class: "words-form", on: { submit: take } },
      h("label", { class: "labelled" }, PLAYER_TEXTS.deviceFromHint, field),
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
  if (name === null) return PLAYER_TEXTS.wordsUnknown;
  if (!goOn(key, name)) return PLAYER_TEXTS.deviceUnstored;
  announce(PLAYER_TEXTS.deviceTaken);
  return "";
}
