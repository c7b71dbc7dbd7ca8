// Failures: the page shown instead of one that cannot be opened, and buttons that are disabled during their request.

import { AnswerError, messageOf, pause, statusOf } from "./api.js";
import { button, clear, counterpart, find, focusedElement, h, isFocusLost, markOf } from "./dom.js";
import { asSentence } from "./phrases.js";
import { mayPass } from "./retry.js";
import { t } from "./texts.js";

/**
 * Show the name of Parlour, the reason as a sentence, and a link to the landing, or another link by its label and
 * address.
 *
 * @param {HTMLElement} app
 * @param {string} text
 * @param {string[]} [way]
 */
export function showFailure(app, text, [label, href] = [t("home"), "/"]) {
  document.title = t("parlour");
  clear(
    app,
    h(
      "main",
      { class: "failed" },
      h("h1", {}, t("parlour")),
      h("p", { role: "alert" }, asSentence(text)),
      h("a", { class: "button primary", href }, label),
    ),
  );
}

/** Milliseconds between two looks for an absent room; each page has others. */
const [LEAST_WAIT, MORE_WAIT] = [1500, 2000];
/** Statuses of a room that is not there: no answer, or that of a proxy. */
const ABSENT = [0, 502, 504];

/**
 * Show the failure of a request without which there is no page, as `showFailure` does. A failure that may pass has a
 * button that loads the page again. The page does so itself when an absent room is back.
 *
 * @param {HTMLElement} app
 * @param {unknown} error
 * @param {string} [text]
 * @param {string[]} [way]
 */
export function showError(app, error, text = messageOf(error), way = undefined) {
  showFailure(app, text, way);
  const again = tryAgain(error);
  if (again) app.firstElementChild?.append(again);
}

/**
 * The failure of a request without which a part of a page stays empty, for that place, as `showError` has it.
 *
 * @param {unknown} error
 * @param {string} [text]
 */
export const errorLines = (error, text = messageOf(error)) => [
  h("p", { class: "failure", role: "alert" }, text),
  tryAgain(error),
];

/**
 * The button that loads the page again after a failure that may pass, else null.
 *
 * @param {unknown} error
 */
function tryAgain(error) {
  if (!(error instanceof AnswerError) || !mayPass(error)) return null;
  if (ABSENT.includes(statusOf(error))) reloadWhenBack();
  return button(t("tryAgain"), () => location.reload(), { "data-go": "retry" });
}

const isThere = () =>
  fetch("/healthz", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Load the page again when an absent room is back. If the room is there, the failure has a cause that may last. */
async function reloadWhenBack() {
  if (await isThere()) return;
  do await pause(LEAST_WAIT + Math.random() * MORE_WAIT);
  while (!(await isThere()));
  location.reload();
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
  const { enable, failed } = await send(go, say, request);
  if (failed) enable();
}

/**
 * Send the request of a pressed button on a page that stays. The button cannot be pressed again meanwhile. A failure is
 * shown.
 *
 * @param {HTMLButtonElement} go
 * @param {(text: string) => unknown} say shows a failure; an empty text takes an earlier one away
 * @param {() => unknown} request
 */
export async function whileDisabled(go, say, request) {
  const { enable } = await send(go, say, request);
  enable();
}

/**
 * Disable a button, send its request, and show a failure. The result tells whether it failed, and enables the button.
 *
 * @param {HTMLButtonElement} go
 * @param {(text: string) => unknown} say
 * @param {() => unknown} request
 */
async function send(go, say, request) {
  const enable = disable(go);
  say("");
  try {
    await request();
  } catch (error) {
    say(messageOf(error));
    return { enable, failed: true };
  }
  return { enable, failed: false };
}

/**
 * Disable a button. The result enables it, and gives the focus that a disabled button loses back to it. After a redraw
 * its counterpart gets the focus, or the title of the page if there is none.
 *
 * @param {HTMLButtonElement} go
 */
function disable(go) {
  const hadFocus = focusedElement() === go;
  const mark = markOf(document.body, go);
  go.disabled = true;
  return () => {
    go.disabled = false;
    if (!hadFocus || !isFocusLost()) return;
    (go.isConnected ? go : (counterpart(document.body, mark) ?? find(document, "h1[tabindex]")))?.focus();
  };
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
