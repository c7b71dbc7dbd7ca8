// The texts of the daily deals: a part of texts.js.

import { gettext, locale, ngettext, pgettext } from "../common/language.js";

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
  dailyWords: gettext("The same cards and the same opponents for everyone. You have one try."),
  /**
   * The opponents by the id of their bot.
   *
   * @type {Record<string, string>}
   */
  dailyAgainst: {
    beginner: gettext("against beginners"),
    casual: gettext("against casual players"),
    regular: gettext("against regulars"),
    expert: gettext("against experts"),
    master: gettext("against masters"),
    thumb: gettext("against players by the rule of thumb"),
  },
  /** @type {(day: string) => string} */
  dailyOf: (day) => gettext("deal of {day}", { day: dayInWords(day) }),
  dailyPlay: gettext("Play it"),
  dailyGoOn: pgettext("deal", "Go on"),
  dailyResult: gettext("Your result"),
  /** @type {(title: string) => string} */
  dailyPlayLabel: (title) => gettext("Play the deal of the day in {title}", { title }),
  /** @type {(number: number) => string} */
  dailyPlayed: (number) =>
    number
      ? ngettext("{number} player has finished", "{number} players have finished", number)
      : gettext("you can be the first"),
  /** @type {(seconds: number) => string} */
  dailyLeft: (seconds) =>
    seconds >= LONG_TIME
      ? ngettext("next in {number} hour", "next in {number} hours", hours(seconds))
      : ngettext("next in {number} minute", "next in {number} minutes", minutes(seconds)),
  /** @type {(days: number) => string} */
  dailyStreak: (days) => ngettext("{number} day", "{number} days in a row", days),
  dailyOthers: gettext("The other games have a deal today, too"),
  dailyOtherDeals: gettext("The other deals of today"),
  dailyArchive: gettext("All days, and how they are drawn"),
  dailyOver: gettext(
    "The clock of this room was ahead, and today’s deal has been shown. The next one comes at midnight (UTC).",
  ),
  /** @type {(address: string) => string} */
  dailyElsewhere: (address) => gettext("The deals of the day are played in another room: {address}", { address }),
  dailyThere: gettext("Go there"),

  dailySealed: gettext(
    "The replay and the review of this game, and the record, open to everyone when the day is over.",
  ),
  dailySealedTable: gettext(
    "This is somebody’s deal of the day, which others still have to play. It can be seen when the day is over.",
  ),
};
