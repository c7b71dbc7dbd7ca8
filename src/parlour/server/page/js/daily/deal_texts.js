// The texts of the daily deals on the landing and on their own pages. Only these load them.

import { gettext, ngettext, pgettext } from "../common/language.js";
import { LONG_TIME, hours, minutes } from "../texts/texts_daily.js";

export const DEAL_TEXTS = {
  dailyWords: gettext("The same cards and the same opponents for everyone. You have one try."),
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
  dailyEnded: gettext("This day is over, and only games begun before its end can be finished. Play today’s deals."),
  /** @type {(seconds: number) => string} */
  dailyCounts: (seconds) =>
    ngettext(
      "unfinished games count for {number} more minute",
      "unfinished games count for {number} more minutes",
      minutes(seconds),
    ),
  dailyOthers: gettext("The other games have a deal today, too"),
  dailyArchive: gettext("All days, and how they are drawn"),
  dailyOver: gettext(
    "The clock of this room was ahead, and today’s deal has been shown. The next one comes at midnight (UTC).",
  ),
  /** @type {(address: string) => string} */
  dailyElsewhere: (address) => gettext("The deals of the day are played in another room: {address}", { address }),
  dailyThere: gettext("Go there"),
};
