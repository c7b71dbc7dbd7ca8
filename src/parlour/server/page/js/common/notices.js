// Notices of the system while the page is open, for players who allow them: no other server takes part.

import { settings } from "./settings.js";

/** Milliseconds of the vibration. */
const VIBRATION = 200;

/** Whether the browser has notices: over plain HTTP it has none, except on the machine itself. */
export const hasNotices = () => "Notification" in globalThis;

/** Ask the player for notices. Returns whether they are allowed. */
export async function allowNotices() {
  return hasNotices() && (await Notification.requestPermission()) === "granted";
}

/** Whether the player wants notices, and the browser allows them. */
export const mayNotify = () => settings().notify && hasNotices() && Notification.permission === "granted";

/** The notices that are shown without a service worker, by their tables. @type {Map<string, Notification>} */
const shown = new Map();

/**
 * Show a notice, in place of an earlier one about the same table. Phones show it by the service worker.
 *
 * @param {string} table
 * @param {string} title
 * @param {string} body
 */
export async function notify(table, title, body) {
  if (!mayNotify()) return;
  const options = { body, tag: table, icon: "/page/img/icon-192.png", vibrate: [VIBRATION], data: location.pathname };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) {
    await worker.showNotification(title, options);
    return;
  }
  const notice = new Notification(title, options);
  shown.set(table, notice);
  notice.addEventListener("click", () => {
    focus();
    notice.close();
  });
}

/**
 * Remove the notice about a table: the player looks at it, or the turn is over.
 *
 * @param {string} table
 */
export async function forgetNotice(table) {
  shown.get(table)?.close();
  shown.delete(table);
  const worker = mayNotify() ? await navigator.serviceWorker?.getRegistration() : undefined;
  for (const notice of (await worker?.getNotifications({ tag: table })) ?? []) notice.close();
}

/** Let a phone vibrate, for players who want notices. */
export function vibrate() {
  if (settings().notify) navigator.vibrate?.(VIBRATION);
}
