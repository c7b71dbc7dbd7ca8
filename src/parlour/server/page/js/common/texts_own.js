// The texts of the page of the player's games: a part of texts.js.

/** @typedef {import("../answers.d.ts").Score} Score */
/** @typedef {import("../protocol.d.ts").RatingInfo} Rating */

const DAY = 86_400_000;

/** @param {number} number */
const signed = (number) => `${number > 0 ? "+" : number < 0 ? "−" : ""}${Math.abs(number)}`;

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
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  if (days < 7) return new Intl.DateTimeFormat("en-GB", { weekday: "long" }).format(moment);
  /** @type {Intl.DateTimeFormatOptions} */
  const parts = { day: "numeric", month: "long" };
  if (moment.getFullYear() !== now.getFullYear()) parts.year = "numeric";
  return new Intl.DateTimeFormat("en-GB", parts).format(moment);
}

/** @param {Score} score */
export function resultInWords({ won, points, against }) {
  const word = won ? "won" : points < against ? "lost" : "not won";
  return `${word} ${points}\u00a0:\u00a0${against}`.replaceAll("-", "−");
}

/** A rating, with a question mark if it is provisional. @param {Rating} rating */
export const ratingInWords = ({ value, provisional }) => `${value}${provisional ? "?" : ""}`;

/** @param {number} number */
const games = (number) => `${number} ${number === 1 ? "game" : "games"}`;

/** @param {string[]} words */
const listed = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words[0]);

export const OWN_TEXTS = {
  mine: "Your games",
  allMine: "All your games",
  /** @type {(score: Score, at: Date) => string} */
  resultOn: (score, at) => `${resultInWords(score)}, ${dayOf(at)}`,
  /** @type {(names: string[]) => string} */
  againstNames: (names) => {
    if (!names.length) return "";
    return `against ${names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]}`;
  },
  somebody: "somebody",
  /** @type {(name: string) => string} */
  mineKept: (name) =>
    `Kept by this room${name ? ` for ${name}` : ""} without an account: this browser has the key to them.`,
  mineLoading: "Fetching your games …",
  mineMore: "More",
  mineNone: "No game of yours has been finished yet. When one is, it is here: result, replay and review.",
  mineNoneFit: "No game fits.",
  mineGoesOn: "Going on",
  mineFinished: "Finished",
  mineSearch: "Search by game or name",
  mineGame: "Game",
  mineAllGames: "All games",
  mineResult: "Result",
  mineResults: { all: "All", won: "Won", other: "Not won" },
  /** @type {(number: number, won: number) => string} */
  mineCount: (number, won) => `${games(number)}, ${won} won`,
  mineReview: "Review",
  ratings: "Ratings",
  /** @type {(number: number) => string} */
  ratedGames: (number) => `${number} rated ${number === 1 ? "game" : "games"}`,
  /** @type {(value: number, at: Date) => string} */
  ratingAt: (value, at) => `${value}, ${dayOf(at)}`,
  ratingsHint:
    "A player without rated games begins at 1500, which is the level of the casual bot in every game. “?” marks a " +
    "rating from few games.",
  /** @type {(title: string) => string} */
  mineReviewOf: (title) => `Review this game of ${title}`,
  /** @type {(title: string) => string} */
  mineForget: (title) => `Remove this game of ${title} from your list`,
  mineForgetShort: "Remove it from the list",
  mineRemoved: "its table is gone",

  shown: "What they show",
  shownLevels: "Wins against bots",
  shownLevelsHint: "By the strongest bot at the table.",
  /** @type {(won: number, played: number) => string} */
  shownLevel: (won, played) => `${won} of ${played}`,
  shownNoLevels: "This fills with finished games in which all others are bots.",
  shownWeeks: "Points lost with each decision",
  /** @type {(week: Date, lost: number, number: number) => string} */
  shownWeek: (week, lost, number) => `Week of ${dayAndMonth(week)}: ${lost.toFixed(1)} points, ${games(number)}`,
  /** @type {(week: Date) => string} */
  shownWeekShort: (week) => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" }).format(week),
  shownWeeksHint: "By week, in points of your chance to win. Less is better.",
  shownLuck: "Luck and skill",
  shownLuckAxis: "luck",
  shownOwnAxis: "your play",
  /** @type {(luck: number, own: number, number: number) => string} */
  shownLuckMean: (luck, own, number) =>
    `${number === 1 ? "Luck gave you" : `In ${number} games luck gave you on average`} ${signed(luck)}, and your ` +
    `play ${signed(own)}, in points of the chance to win. Full dots are games that you won.`,
  /** @type {(title: string, at: Date, luck: number, own: number) => string} */
  shownDot: (title, at, luck, own) => `${title}, ${dayOf(at)}: luck ${signed(luck)}, your play ${signed(own)}`,
  shownWorst: "Your costliest decisions",
  shownWorstHint: "Press one to see that moment in the replay.",
  /** @type {(at: Date, seen: number) => string} */
  shownMove: (at, seen) => `${dayOf(at)}, move ${seen}`,
  /** @type {(points: number) => string} */
  shownCost: (points) => `${points} ${points === 1 ? "point" : "points"}`,
  shownNoWorst: "None of your reviewed games has a decision that stands out.",
  /** @type {(number: number, of: number) => string} */
  shownReviewed: (number, of) =>
    `Luck, skill and costly decisions come from reviews. ${number} of your ${of} games ` +
    `${number === 1 ? "has" : "have"} one so far.`,
  shownUnreviewed:
    "Luck, skill and costly decisions come from reviews, and none of your games has one yet. A review takes about " +
    "ten seconds.",
  /** @type {(title: string, at: Date) => string} */
  shownReviewNext: (title, at) => `Review ${title}, ${dayOf(at)}`,

  device: "On another device",
  deviceTo: "Carry your games to another device",
  deviceLink: "This link carries your games and seats to another device of yours. Give it to nobody else.",
  deviceCopy: "Copy the link to your games",
  deviceWords: "Show eight words instead",
  deviceWordsHint: "Type these words there, under “Your games”. Show them to nobody else.",
  deviceNoWords: "The key of this browser is of an older kind, which has no words. Use the link.",
  deviceFrom: "Go on with the games of another device",
  deviceFromHint: "Type the eight words that it shows under “Your games”.",
  deviceFromWords: "The eight words",
  deviceFromGo: "Go on with them",
  /** @type {(name: string, number: number, more: boolean) => string} */
  deviceTakeHint: (name, number, more) =>
    `This link leads to the games of ${name || "a player without a name"}: ${more ? "more than " : ""}` +
    `${games(number)}. If you take it, the games of this browser are added.`,
  deviceTakeWarning: "Only if the link is your own: the person who made it sees your games and your cards from now on.",
  deviceTakeDaily: "Your deals of the day come from the link, too. Those played here no longer count as yours.",
  deviceTake: "It is mine: go on with them",
  deviceKeep: "Leave everything as it is",
  deviceSame: "This browser already has the games of this link.",
  deviceTaken: "This browser goes on with the games of your other device.",
  deviceUnstored: "This browser keeps nothing, because its storage is full or blocked. Free some of it, and try again.",
  deviceBroken: "This link is incomplete. Copy it again on your other device.",
  deviceUnknown:
    "This room knows no player with this link. Perhaps it belongs to another room, or its player forgot everything.",
  wordsUnknown: "This room knows no player with these words. Look at their order, and whether it is the same room.",
  /** @type {(needed: number, typed: number) => string} */
  wordsNumber: (needed, typed) => `${needed} words are needed; ${typed === 1 ? "this is" : "these are"} ${typed}.`,
  /** @type {(word: string, similar: string[]) => string} */
  wordUnknown: (word, similar) =>
    `“${word}” is none of the words.${similar.length ? ` Is it ${listed(similar)}?` : ""}`,

  keeping: "Keep and forget",
  exportRecords: "Save all records",
  exportHint: "Every card and action of your finished games in one file, a record in each line.",
  /** @type {(number: number) => string} */
  exporting: (number) => `${number} ${number === 1 ? "record" : "records"} so far …`,
  /** @type {(number: number) => string} */
  exported: (number) =>
    number ? `${number} ${number === 1 ? "record" : "records"} saved.` : "There is no record yet.",
  forgetAll: "Forget everything",
  forgetAllHint: "The room removes your list, your results, and your name from the deals of the day.",
  forgetAllTitle: "Forget all your games?",
  forgetAllWords: [
    "Your list, results, ratings and statistics are removed from the room, for all your devices, forever.",
    "The tables stay for the others at them, with your name at your seat. A game that goes on can be finished on the " +
      "device on which you sat down.",
  ],
  forgetAllGo: "Forget everything",
  forgetAllKeep: "Keep everything",
};

/** @param {Date} day */
function dayAndMonth(day) {
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" }).format(day);
}
