// The texts of the page of the player's games. Only this page loads them.

import "../common/more_messages.js";
import { gettext, listedChoice, locale, ngettext, npgettext, pgettext } from "../common/language.js";
import { signed } from "../common/phrases.js";
import { dayOf } from "../texts/texts_own.js";

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };

/** @param {number} number */
const games = (number) => ngettext("{number} game", "{number} games", number);

export const PLAYER_TEXTS = {
  /** @type {(name: string) => string} */
  mineKept: (name) =>
    name
      ? gettext("Kept by this room for {name} without an account: this browser has the key to them.", { name })
      : gettext("Kept by this room without an account: this browser has the key to them."),
  mineLoading: gettext("Fetching your games …"),
  mineMore: pgettext("games", "More"),
  mineNone: gettext("No game of yours has been finished yet. When one is, it is here: result, replay and review."),
  mineNoneFit: gettext("No game fits."),
  mineGoesOn: pgettext("games", "Going on"),
  mineFinished: pgettext("games", "Finished"),
  mineSearch: gettext("Search by game or name"),
  mineAllGames: gettext("All games"),
  mineResult: gettext("Result"),
  mineResults: { all: pgettext("games", "All"), won: pgettext("games", "Won"), other: pgettext("games", "Not won") },
  /** @type {(number: number, won: number) => string} */
  mineCount: (number, won) => ngettext("{number} game, {won} won", "{number} games, {won} won", number, { won }),
  mineReview: gettext("Review"),
  ratings: gettext("Ratings"),
  /** @type {(number: number) => string} */
  ratedGames: (number) => ngettext("{number} rated game", "{number} rated games", number),
  /** @type {(value: number, at: Date) => string} */
  ratingAt: (value, at) => `${value}, ${dayOf(at)}`,
  ratingsHint: gettext(
    "A player without rated games begins at 1500, which is the level of the casual bot in every game. “?” marks a " +
      "rating from few games.",
  ),
  /** @type {(title: string) => string} */
  mineReviewOf: (title) => gettext("Review this game of {title}", { title }),
  shown: gettext("What they show"),
  shownLevels: gettext("Wins against bots"),
  shownLevelsHint: gettext("By the strongest bot at the table."),
  /** @type {(won: number, played: number) => string} */
  shownLevel: (won, played) => gettext("{number} of {all}", { number: won, all: played }),
  shownNoLevels: gettext("This fills with finished games in which all others are bots."),
  shownWeeks: gettext("Points lost with each decision"),
  /** @type {(week: Date, lost: number, number: number) => string} */
  shownWeek: (week, lost, number) =>
    gettext("Week of {day}: {points} points, {games}", {
      day: week.toLocaleDateString(locale, { day: "numeric", month: "long" }),
      points: lost.toLocaleString(locale, ONE_DECIMAL),
      games: games(number),
    }),
  /** @type {(week: Date) => string} */
  shownWeekShort: (week) => week.toLocaleDateString(locale, { day: "numeric", month: "short" }),
  shownWeeksHint: gettext("By week, in points of your chance to win. Less is better."),
  shownLuck: gettext("Luck and skill"),
  shownLuckAxis: pgettext("axis", "luck"),
  shownOwnAxis: pgettext("axis", "your play"),
  /** @type {(luck: number, own: number, number: number) => string} */
  shownLuckMean: (luck, own, number) =>
    ngettext(
      "Luck gave you {luck}, and your play {own}, in points of the chance to win. Full dots are games that you won.",
      "In {number} games luck gave you on average {luck}, and your play {own}, in points of the chance to win. " +
        "Full dots are games that you won.",
      number,
      { luck: signed(luck), own: signed(own) },
    ),
  /** @type {(title: string, at: Date, luck: number, own: number) => string} */
  shownDot: (title, at, luck, own) =>
    gettext("{title}, {day}: luck {luck}, your play {own}", {
      title,
      day: dayOf(at),
      luck: signed(luck),
      own: signed(own),
    }),
  shownWorst: gettext("Your costliest decisions"),
  shownWorstHint: gettext("Press one to see that moment in the replay."),
  /** @type {(at: Date, seen: number) => string} */
  shownMove: (at, seen) => gettext("{day}, move {number}", { day: dayOf(at), number: seen }),
  /** @type {(points: number) => string} */
  shownCost: (points) => npgettext("chance to win", "{number} point", "{number} points", points),
  shownNoWorst: gettext("None of your reviewed games has a decision that stands out."),
  /** @type {(number: number, of: number) => string} */
  shownReviewed: (number, of) =>
    ngettext(
      "Luck, skill and costly decisions come from reviews. {number} of your {all} games has one so far.",
      "Luck, skill and costly decisions come from reviews. {number} of your {all} games have one so far.",
      number,
      { all: of },
    ),
  shownUnreviewed: gettext(
    "Luck, skill and costly decisions come from reviews, and none of your games has one yet. A review takes about " +
      "ten seconds.",
  ),
  /** @type {(title: string, at: Date) => string} */
  shownReviewNext: (title, at) => gettext("Review {title}, {day}", { title, day: dayOf(at) }),

  device: gettext("On another device"),
  deviceTo: gettext("Carry your games to another device"),
  deviceLink: gettext("This link carries your games and seats to another device of yours. Give it to nobody else."),
  deviceCopy: gettext("Copy the link to your games"),
  deviceWords: gettext("Show eight words instead"),
  deviceWordsHint: gettext("Type these words there, under “Your games”. Show them to nobody else."),
  deviceNoWords: gettext("The key of this browser is of an older kind, which has no words. Use the link."),
  deviceFrom: gettext("Go on with the games of another device"),
  deviceFromHint: gettext("Type the eight words that it shows under “Your games”."),
  deviceFromGo: gettext("Go on with them"),
  /** @type {(name: string, number: number, more: boolean) => string} */
  deviceTakeHint: (name, number, more) => {
    const all = more ? ngettext("more than {number} game", "more than {number} games", number) : games(number);
    return name
      ? gettext(
          "This link leads to the games of {name}: {games}. If you take it, the games of this browser are added.",
          { name, games: all },
        )
      : gettext(
          "This link leads to the games of a player without a name: {games}. If you take it, the games of this " +
            "browser are added.",
          { games: all },
        );
  },
  deviceTakeWarning: gettext(
    "Only if the link is your own: the person who made it sees your games and your cards from now on.",
  ),
  deviceTakeDaily: gettext(
    "Your deals of the day come from the link, too. Those played here no longer count as yours.",
  ),
  deviceTake: gettext("It is mine: go on with them"),
  deviceKeep: gettext("Leave everything as it is"),
  deviceSame: gettext("This browser already has the games of this link."),
  deviceTaken: gettext("This browser goes on with the games of your other device."),
  deviceUnstored: gettext(
    "This browser keeps nothing, because its storage is full or blocked. Free some of it, and try again.",
  ),
  deviceBroken: gettext("This link is incomplete. Copy it again on your other device."),
  deviceUnknown: gettext(
    "This room knows no player with this link. Perhaps it belongs to another room, or its player forgot everything.",
  ),
  wordsUnknown: gettext(
    "This room knows no player with these words. Look at their order, and whether it is the same room.",
  ),
  /** @type {(needed: number, typed: number) => string} */
  wordsNumber: (needed, typed) =>
    ngettext("{needed} words are needed; this is {number}.", "{needed} words are needed; these are {number}.", typed, {
      needed,
    }),
  /** @type {(word: string, similar: string[]) => string} */
  wordUnknown: (word, similar) =>
    similar.length
      ? gettext("“{word}” is none of the words. Is it {similar}?", { word, similar: listedChoice(similar) })
      : gettext("“{word}” is none of the words.", { word }),

  keeping: gettext("Keep and forget"),
  exportRecords: gettext("Save all records"),
  exportHint: gettext("Every card and action of your finished games in one file, a record in each line."),
  /** @type {(number: number) => string} */
  exporting: (number) => ngettext("{number} record so far …", "{number} records so far …", number),
  /** @type {(number: number) => string} */
  exported: (number) =>
    number ? ngettext("{number} record saved.", "{number} records saved.", number) : gettext("There is no record yet."),
  forgetAll: gettext("Forget everything"),
  forgetAllHint: gettext("The room removes your list, your results, and your name from the deals of the day."),
  forgetAllTitle: gettext("Forget all your games?"),
  forgetAllWords: [
    gettext("Your list, results, ratings and statistics are removed from the room, for all your devices, forever."),
    gettext(
      "The tables stay for the others at them, with your name at your seat. A game that goes on can be finished on " +
        "the device on which you sat down.",
    ),
  ],
  forgetAllGo: gettext("Forget everything"),
  forgetAllKeep: gettext("Keep everything"),
};
