// The player's own key, by which the room knows the games and the daily deals of this player.

import { dailyEntry, keepDailyEntry } from "../common/settings.js";

/** Bytes of a key: the 88 bits of eight words of a list of 2048. */
const BYTES = 11;

/** A random key of 88 bits, as 22 hexadecimal digits. */
function newPlayerKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The key of this browser, made when it is first needed. */
export function ownKey() {
  const { key } = dailyEntry();
  if (key) return key;
  takeKey(newPlayerKey());
  return dailyEntry().key;
}

/**
 * Store another key as this browser's. Return false if the browser does not store it; the key then lasts as long as the
 * page.
 *
 * @param {string} key
 */
export const takeKey = (key) => keepDailyEntry({ ...dailyEntry(), key });

/** Forget the key; {@link ownKey} then makes a new one. */
export const forgetKey = () => keepDailyEntry({ ...dailyEntry(), key: "" });
