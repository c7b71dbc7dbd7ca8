// The texts of the daily deals: a part of texts.js.

import { gettext, locale } from "../common/language.js";

/**
 * A day in words.
 *
 * @param {string} day
 * @param {Intl.DateTimeFormatOptions} [options]
 */
export const dayInWords = (day, options = { day: "numeric", month: "long" }) =>
  withOrdinal(new Date(`${day}T12:00:00Z`).toLocaleDateString(locale, { ...options, timeZone: "UTC" }), locale);

/**
 * A date in words; in French the first day of a month is an ordinal number.
 *
 * @param {string} words
 * @param {string} language
 */
export const withOrdinal = (words, language) =>
  language === "fr" ? words.replace(/(^|\s)1(?=\s\p{L})/u, "$11er") : words;

/** Seconds from which on a time is in hours. */
export const LONG_TIME = 5400;

/** @param {number} seconds */
export const hours = (seconds) => Math.round(seconds / 3600);

/** @param {number} seconds */
export const minutes = (seconds) => Math.max(1, Math.round(seconds / 60));

export const DAILY_TEXTS = {
  daily: gettext("The deal of the day"),
  /** @type {(day: string) => string} */
  dailyMonth: (day) => dayInWords(day, { month: "short" }),
  /** @type {(day: string) => string} */
  dailyOf: (day) => gettext("deal of {day}", { day: dayInWords(day) }),
  /** @type {(day: string) => string} */
  dailyUncounted: (day) => gettext("deal of {day} (does not count)", { day: dayInWords(day) }),
  dailyOtherDeals: gettext("The other deals of today"),

  dailySealed: gettext(
    "The replay and the review of this game, and the record, open to everyone when the day is over.",
  ),
  dailySealedTable: gettext(
    "This is somebody’s deal of the day, which others still have to play. It can be seen when the day is over.",
  ),
};
