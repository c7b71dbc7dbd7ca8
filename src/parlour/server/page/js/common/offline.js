// The page without the network: the service worker, and the notice that says what works.

import { h } from "./dom.js";
import { t } from "./texts.js";

/** Milliseconds after the page has been loaded in which the service worker does not compete for the network. */
const REGISTRATION_DELAY = 3000;

/** @type {HTMLElement | null} */
let notice = null;

/** Show the notice when it is needed, and install the service worker where the browser allows it. */
export function startOffline() {
  notice = h("p", { class: "offline", role: "status", hidden: true });
  document.body.prepend(notice);
  addEventListener("offline", () => showNotice(true));
  addEventListener("online", () => showNotice(false));
  if (!("serviceWorker" in navigator)) return; // over plain HTTP only the machine itself has it
  addEventListener("load", () => setTimeout(register, REGISTRATION_DELAY));
}

function register() {
  navigator.serviceWorker.register("/worker.js").catch(() => {}); // a browser may forbid it; the page works without
}

/**
 * Update the notice after a request: null is no answer. An answer that the browser may have cached is ignored.
 *
 * @param {Response | null} response
 */
export function noteAnswer(response) {
  if (!response || response.headers.has("X-Parlour-Kept")) showNotice(true);
  else if (!response.headers.get("Cache-Control")?.includes("max-age")) noteReached();
}

/** Remove the notice: the server has been heard. */
export const noteReached = () => showNotice(false);

/** @param {boolean} away whether the server is not reached */
function showNotice(away) {
  if (!notice || notice.hidden === !away) return;
  notice.hidden = !away;
  notice.textContent = away ? t("offlineNotice") : "";
}
