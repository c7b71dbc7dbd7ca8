// The texts of the pages and results of daily deals. Only these load them.

import "../common/more_messages.js";
import { gettext, ngettext, pgettext } from "../common/language.js";
import { dayInWords, hours, minutes, LONG_TIME } from "../texts/texts_daily.js";
import { pointsInWords } from "../texts/texts_own.js";

/**
 * A rank among all players.
 *
 * @param {number} rank
 * @param {number} all
 */
function rankInWords(rank, all) {
  const last = rank % 100 > 10 && rank % 100 < 14 ? 0 : rank % 10;
  // Translators: for the ranks 1, 21, 31 …
  if (last === 1) return gettext("{rank}st of {number}", { rank, number: all });
  // Translators: for the ranks 2, 22, 32 …
  if (last === 2) return gettext("{rank}nd of {number}", { rank, number: all });
  // Translators: for the ranks 3, 23, 33 …
  if (last === 3) return gettext("{rank}rd of {number}", { rank, number: all });
  // Translators: for all other ranks
  return gettext("{rank}th of {number}", { rank, number: all });
}

/** @typedef {import("../answers.d.ts").Score} Score */

/**
 * A result, and that of the strongest bot if it is known.
 *
 * @param {Score} score
 * @param {Score | null} [par]
 */
function sharedScore(score, par) {
  const own = score.won
    ? gettext("Won {score}", { score: pointsInWords(score) })
    : gettext("Not won {score}", { score: pointsInWords(score) });
  if (!par) return own;
  const bot = gettext("the strongest bot {score}", { score: pointsInWords(par) });
  return `${own} · ${bot}`;
}

/**
 * The signs of marks in lines to share. They show the quality of decisions and no card.
 *
 * @type {Record<string, string>}
 */
const DAILY_SIGNS = { find: "♥", "": "♠", slip: "♦", mistake: "♣", blunder: "♣" };

export const DAILY_PAGE_TEXTS = {
  dailyDay: dayInWords,
  /** @type {(day: string) => string} */
  dailyDayLong: (day) => dayInWords(day, { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
  dailyAgain: gettext("Play it again"),
  dailyAgainHint: gettext(
    "This day is over. Its deals can still be played for practice; what comes of it does not count.",
  ),
  /** @type {(seconds: number) => string} */
  dailyClosing: (seconds) =>
    ngettext(
      "This day is over. Games begun before its end count if they are finished within {number} minute; then all " +
        "replays and reviews are open.",
      "This day is over. Games begun before its end count if they are finished within {number} minutes; then all " +
        "replays and reviews are open.",
      minutes(seconds),
    ),
  /** @type {(against: string) => string} */
  dailyTodayWords: (against) =>
    // Translators: {against} is "against beginners" or the like
    gettext("The same cards for everyone, {against}. You have one try at each.", { against }),
  /** @type {(seconds: number) => string} */
  dailyNext: (seconds) =>
    seconds >= LONG_TIME
      ? ngettext("The next come in {number} hour.", "The next come in {number} hours.", hours(seconds))
      : ngettext("The next come in {number} minute.", "The next come in {number} minutes.", minutes(seconds)),
  dailyTitle: gettext("Deals of the day"),
  dailyToday: gettext("Today"),
  dailyBefore: gettext("Days before"),
  dailyNoDays: gettext(
    "No day is over yet. Every day stays here, with its results, to be looked at and to be played again.",
  ),
  dailyMore: gettext("Earlier days"),
  /** @type {(done: number, won: number) => string} */
  dailyMine: (done, won) => gettext("you played {number}, won {won}", { number: done, won }),
  /** @type {(won: boolean, score: Score) => string} */
  dailyScore: (won, score) =>
    won
      ? gettext("won, {score}", { score: pointsInWords(score) })
      : gettext("not won, {score}", { score: pointsInWords(score) }),
  /** @type {(score: Score) => string} */
  dailyYours: (score) =>
    score.won
      ? gettext("You won: {score}", { score: pointsInWords(score) })
      : gettext("You did not win: {score}", { score: pointsInWords(score) }),
  /** @type {(score: Score | null) => string} */
  dailyMaster: (score) => {
    if (!score) return gettext("The strongest bot is still playing your seat …");
    return score.won
      ? gettext("In your seat the strongest bot won: {score}", { score: pointsInWords(score) })
      : gettext("In your seat the strongest bot did not win: {score}", { score: pointsInWords(score) });
  },
  /** @type {(rank: number, of: number) => string} */
  dailyRank: (rank, of) => (of === 1 ? gettext("The first to finish") : rankInWords(rank, of)),
  dailyLuck: pgettext("result", "luck"),
  dailyTheirs: pgettext("result", "their play"),
  dailyOwn: pgettext("result", "your play"),
  dailySumHint: gettext("in points of your chance to win"),
  dailySigns: gettext("Your decisions, from first to last: ♥ a find, ♠ sound, ♦ a slip, ♣ a mistake"),
  dailyYardsticks: gettext(
    "The signs compare each decision with the best other action that was found; your play above compares it with a " +
      "rule of thumb.",
  ),
  /** @type {Record<string, string>} */
  dailyMarks: {
    find: pgettext("decision", "a find"),
    "": pgettext("decision", "sound"),
    slip: pgettext("decision", "a slip"),
    mistake: pgettext("decision", "a mistake"),
    blunder: pgettext("decision", "a mistake"),
  },
  dailyFailed: {
    par: gettext("The strongest bot’s game in your seat could not be computed. Try again in a minute."),
    review: gettext("Luck and skill could not be computed. Try again in a minute."),
  },
  dailyRetry: pgettext("button", "Try again"),
  dailyReviewing: gettext("Luck and skill are being computed …"),
  dailyNotInTime: gettext(
    "This game was not finished within two hours after the end of its day. It does not count, and nothing is lost: " +
      "play on.",
  ),
  dailyTooLate: gettext("This game was finished more than two hours after the end of its day, and does not count."),
  dailyNotOver: gettext("The game is not over."),
  dailyStandings: pgettext("players", "The best"),
  dailyNameless: pgettext("player", "somebody"),
  dailyUnplayed: gettext("Nobody has played it."),
  /** @type {(number: number) => string} */
  dailyCount: (number) => ngettext("{number} played", "{number} played", number),
  dailyShare: pgettext("button", "Share"),
  dailyCopy: gettext("Copy as text"),
  dailyCopied: gettext("Copied. It shows no card."),
  dailyPicture: gettext("Save a picture"),
  /** @type {(title: string, day: string) => string} */
  dailyPictureOf: (title, day) => `Parlour, ${title}, ${dayInWords(day)}`,
  dailyShareHint: gettext("Neither shows a card."),
  /**
   * The lines to share.
   *
   * @type {(result: import("../answers.d.ts").DailyResult, title: string) => string}
   */
  dailyLines: (result, title) => {
    const { score, par, rank, played, streak, review, day } = result;
    if (!score) return "";
    return [
      `Parlour · ${title} · ${dayInWords(day)}`,
      sharedScore(score, par),
      review ? review.signs.map((mark) => DAILY_SIGNS[mark]).join("") : "",
      [
        review ? gettext("luck {luck}, play {own}", { luck: review.luck, own: review.own }) : "",
        played && played > 1 ? rankInWords(rank ?? 1, played) : "",
        streak > 1 ? ngettext("{number} day", "{number} days in a row", streak) : "",
      ]
        .filter(Boolean)
        .join(" · "),
    ]
      .filter(Boolean)
      .join("\n");
  },
  dailyDrawn: gettext("How the deals are drawn, and how to check it"),
  dailyDrawnWords: [
    gettext(
      "Each day has a secret key. Cards, seat, the luck in the game and the choices of the bots follow from it, " +
        "the game’s rules and nothing else, so they are the same for everyone.",
    ),
    gettext(
      "Below is the commitment to each of the coming days: a number that fits one key only, and does not tell it. " +
        "When a day is over its key is published, and anybody can check that it fits.",
    ),
    gettext("This browser keeps the commitments that it sees, and compares them by itself."),
  ],
  dailyCommitment: gettext("Commitment"),
  dailyKey: gettext("Key of the day"),
  dailyCheck: gettext("Check the key"),
  dailyFits: gettext("The key fits the commitment."),
  /** @type {(day: string) => string} */
  dailyFitsSeen: (day) =>
    gettext("The key fits the commitment that this browser saw before {day} was over.", { day: dayInWords(day) }),
  dailyFitsNot: gettext("The key does not fit the commitment: this deal was changed after it was committed to."),
  dailyChanged: gettext("This room has changed a commitment that this browser saw before. Ask its owner why."),
  dailyCannotCheck: gettext(
    "Browsers check this only on pages with a secure address (https). The command beside it can.",
  ),
  dailyCommand: gettext("On your own machine, with the record of a game of that day:"),
  dailyDevice: gettext("The same results on another device"),
  dailyRecord: pgettext("link", "Record"),
};
