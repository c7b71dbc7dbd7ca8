// Failures: the page shown instead of one that cannot be opened, and the buttons whose request leads to another page.

import { messageOf } from "./api.js";
import { clear, h, isFocusLost } from "./dom.js";
import { t } from "./texts.js";

/**
 * Show the name of Parlour, a sentence, and a link to the landing.
 *
 * @param {HTMLElement} app
 * @param {string} text
 */
export function showFailure(app, text) {
  document.title = t("parlour");
  clear(
    app,
    h(
      "main",
      { class: "failed" },
      h("h1", {}, t("parlour")),
      h("p", { role: "alert" }, text),
      h("a", { class: "button primary", href: "/" }, t("home")),
    ),
  );
}

/**
 * Send the request of a pressed button. It cannot be pressed again meanwhile, nor after success, since the page is then
 * left, which takes a moment. A failure is shown.
 *
 * @param {HTMLButtonElement} go
 * @param {(text: string) => unknown} say shows a failure; an empty text takes an earlier one away
 * @param {() => unknown} request
 */
export async function leaveBy(go, say, request) {
  const hadFocus = document.activeElement === go;
  go.disabled = true;
  say("");
  try {
    await request();
  } catch (error) {
    say(messageOf(error));
    go.disabled = false;
    if (hadFocus && isFocusLost()) go.focus(); // a disabled button loses it
  }
}

/**
 * Show failures in an element.
 *
 * @param {HTMLElement} place
 * @returns {(text: string) => void}
 */
export const showIn = (place) => (text) => {
  place.textContent = text;
};
