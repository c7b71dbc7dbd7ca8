// The texts of a player's games in lists: a part of texts.js.

import { gettext, listed, locale, pgettext } from "../common/language.js";

/** @typedef {import("../answers.d.ts").Score} Score */
/** @typedef {import("../protocol.d.ts").RatingInfo} Rating */

const DAY = 86_400_000;

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** @param {Date} moment */
const midnight = (moment) => new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();

/**
 * The day of a moment in words: "today", "yesterday", "Tuesday", "12 November", "12 November 2025".
 *
 * @param {Date} moment
 * @param {Date} [now]
 */
export function dayOf(moment, now = new Date()) {
  const days = Math.round((midnight(now) - midnight(moment)) / DAY);
  if (days <= 1) return relative.format(-Math.max(0, days), "day");
  if (days < 7) return moment.toLocaleDateString(locale, { weekday: "long" });
  /** @type {Intl.DateTimeFormatOptions} */
  const parts = { day: "numeric", month: "long" };
  if (moment.getFullYear() !== now.getFullYear()) parts.year = "numeric";
  return moment.toLocaleDateString(locale, parts);
}

/** Points of both sides. @param {{ points: number, against: number }} score */
export const pointsInWords = ({ points, against }) => `${points}\u00a0:\u00a0${against}`.replaceAll("-", "−");

/**
 * @param {Score} score
 * @param {boolean} [conceded] whether the game ended by resignation
 */
export function resultInWords({ won, points, against }, conceded = false) {
  const score = pointsInWords({ points, against });
  if (conceded) return won ? gettext("won by resignation {score}", { score }) : gettext("resigned {score}", { score });
  if (won) return gettext("won {score}", { score });
  return points < against ? gettext("lost {score}", { score }) : gettext("not won {score}", { score });
}

/** A rating, with a question mark if it is provisional. @param {Rating} rating */
export const ratingInWords = ({ value, provisional }) => `${value}${provisional ? "?" : ""}`;

export const OWN_TEXTS = {
  mine: gettext("Your games"),
  allMine: gettext("All your games"),
  /** @type {(score: Score, at: Date, conceded: boolean) => string} */
  resultOn: (score, at, conceded) => `${resultInWords(score, conceded)}, ${dayOf(at)}`,
  /** @type {(names: string[]) => string} */
  againstNames: (names) => (names.length ? gettext("against {names}", { names: listed(names) }) : ""),
  somebody: pgettext("player", "somebody"),
  mineGame: gettext("Game"),
  /** @type {(title: string) => string} */
  mineForget: (title) => gettext("Remove this game of {title} from your list", { title }),
  mineForgetShort: gettext("Remove it from the list"),
  mineRemoved: gettext("its table is gone"),
};
