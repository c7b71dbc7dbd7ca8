// The texts of the landing alone, which tables do without.

import { gettext, ngettext } from "../common/language.js";

export const LANDING_TEXTS = {
  /** @type {(title: string) => string} */
  playNow: (title) => gettext("Play {title} against bots", { title }),
  gamesHint: gettext("The quickest to learn comes first."),
  startHere: gettext("Start here"),
  /** @type {(minutes: number) => string} */
  startHereHint: (minutes) =>
    ngettext("the shortest lesson, {number} minute", "the shortest lesson, {number} minutes", minutes),
  setUp: gettext("Set up …"),
  setUpWith: gettext("friends, bots, rules"),
  openTables: gettext("Tables with a free seat"),
  noOpenTables: gettext("No table is looking for players just now."),
  openTablesHint: gettext(
    "Set up a table with a seat for a friend and switch on “Anyone may sit down”: while you wait there, it is " +
      "shown to everyone at the top of this page.",
  ),
  /** @type {(free: number, all: number) => string} */
  seatsOpenOf: (free, all) =>
    ngettext("· {number} of {all} seats is free", "· {number} of {all} seats are free", free, { all }),
  /** @type {(name: string) => string} */
  sitDownAs: (name) => gettext("Sit down as {name}", { name }),
  /** @type {(title: string, name: string) => string} */
  sitDownAt: (title, name) => gettext("Sit down at {title} as {name}", { title, name }),
  lookFirst: gettext("Look at it first"),
  otherWays: gettext("Besides the games"),
  aboutRules: gettext("The rules"),
  aboutGames: gettext("Where the games come from"),
  aboutHouse: gettext(
    "Parlour is free software under the MIT licence. It keeps no accounts and sends nothing to anybody else.",
  ),
};
