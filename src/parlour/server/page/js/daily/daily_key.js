// The way to the table of a daily deal, and the commitments that this browser has seen.

import * as api from "../common/api.js";
import { dailyEntry, keepDailyEntry, settings } from "../common/settings.js";
import { goToSeat } from "../landing/table_links.js";
import { ownKey } from "../player/player_key.js";
import { retry } from "../common/retry.js";
import { t } from "../common/texts.js";
import { DEAL_TEXTS } from "./deal_texts.js";

/** Number of commitments kept. */
const KEPT = 60;

/** The commitment that this browser saw for a day, if any. @param {string} day */
export const seenCommitment = (day) => dailyEntry().seen[day];

/**
 * Whether a commitment is the one that this browser saw for its day, if it saw any.
 *
 * @param {{ day: string, commitment: string }} of
 */
export const isAsSeen = ({ day, commitment }) => (seenCommitment(day) ?? commitment) === commitment;

/**
 * Keep commitments that are new. Return false if one differs from the kept one of its day.
 *
 * @param {{ day: string, commitment: string }[]} commitments
 */
export function keepCommitments(commitments) {
  const { key, seen } = dailyEntry();
  const fresh = commitments.filter(({ day }) => !(day in seen)).map(({ day, commitment }) => [day, commitment]);
  if (fresh.length) {
    const all = [...Object.entries(seen), ...fresh].sort().slice(-KEPT);
    keepDailyEntry({ key, seen: Object.fromEntries(all) });
  }
  return commitments.every(isAsSeen);
}

/**
 * Go to the table of a deal, and open it first if it has not been begun. If the day has ended since the page was
 * loaded, a new deal would no longer count: a page of today's deals is loaded anew, with those of the new day, and the
 * page of that day shows why.
 *
 * @param {string} day
 * @param {string} game
 * @param {boolean} mustCount whether the deal is new, and offered as one that counts
 */
export async function playDaily(day, game, mustCount) {
  const body = { name: settings().name.trim() || t("defaultName"), key: ownKey(), counts: mustCount };
  try {
    const { table, seat, key } = await retry(() => api.playDaily(day, game, body));
    goToSeat(table, seat, key);
  } catch (error) {
    if (!mustCount || !api.isConflict(error) || !(await hasEnded(day))) throw error;
    if (location.pathname === `/daily/${day}`) throw new Error(DEAL_TEXTS.dailyEnded, { cause: error });
    location.reload();
  }
}

/**
 * Whether a day has ended by the room's clock: false if the room cannot be reached or has no deals of its own now.
 *
 * @param {string} day
 */
async function hasEnded(day) {
  const today = await api.daily(ownKey()).catch(() => null);
  return Boolean(today?.day) && today?.day !== day;
}

/** Whether this page can compute a hash: browsers allow it only at a secure address. */
export const canCheck = () => Boolean(globalThis.crypto?.subtle);

/**
 * The commitment to the key of a day, as hexadecimal digits.
 *
 * @param {string} key
 */
export async function commitmentOf(key) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`parlour-daily/1\n${key}`));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
