// Notices while the page is closed, by the push service of the browser, where browser and room have them.

import * as api from "./api.js";
import { seatAt } from "./settings.js";

const hasPush = () => "PushManager" in globalThis && "serviceWorker" in navigator;

/** Milliseconds for the service worker to begin. A browser that forbids it never says so. */
const READY_TIME = 10_000;

/** The subscription of this browser; null or undefined if it has none. */
const present = async () =>
  hasPush() ? (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription() : null;

/** @param {ArrayBuffer | null} bytes */
const inBase64 = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** The latest change of the subscription. */
let latest = /** @type {Promise<unknown>} */ (Promise.resolve());

/**
 * Change the subscription after the changes that were begun before: a choice and its opposite may follow quickly.
 *
 * @template Result
 * @param {() => Promise<Result>} change
 * @returns {Promise<Result>}
 */
function inOrder(change) {
  const result = latest.then(change, change);
  latest = result;
  return result;
}

/** Whether this browser receives notices while the page is closed. */
export const isSubscribed = async () => Boolean(await present());

/**
 * Subscribe this browser, or renew its subscription if the room has another key. Returns null where browser or room do
 * not allow it.
 */
export const subscribe = () => inOrder(() => subscribeBrowser().catch(() => null));

/** As `subscribe`, but throws an error if the room does not answer. */
async function subscribeBrowser() {
  const key = hasPush() && (await api.pushKey()).key;
  if (!key) return null;
  try {
    const worker = await Promise.race([navigator.serviceWorker.ready, api.pause(READY_TIME)]);
    const before = await worker.pushManager.getSubscription();
    if (before && inBase64(before.options.applicationServerKey) !== key) await before.unsubscribe();
    return await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    return null; // the page has notices while it is open
  }
}

/**
 * Subscribe this browser to notices about its seat at a table, where browser and room have them. Throws an error if the
 * room does not answer or refuses.
 *
 * @param {string} table
 */
export const subscribeSeat = (table) =>
  inOrder(async () => {
    const { key } = seatAt(table);
    const { endpoint, keys } = (key && (await subscribeBrowser())?.toJSON()) || {};
    if (key && endpoint && keys) await api.subscribeSeat(table, { key, endpoint, keys });
  });

/** End the subscription of this browser, in the browser even if the room is not reached. */
export const unsubscribe = () =>
  inOrder(async () => {
    const subscription = await present();
    if (!subscription) return;
    const removed = api.unsubscribe(subscription.endpoint).catch(() => {}); // the push service reports it later
    await subscription.unsubscribe();
    await removed;
  });

/** End the notices to this browser about a table, if the room is reached. @param {string} table */
export const unsubscribeSeat = (table) =>
  inOrder(async () => {
    const subscription = await present();
    if (subscription) await api.unsubscribe(subscription.endpoint, table).catch(() => {});
  });
