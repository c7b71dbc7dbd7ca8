// The texts of the daily deals: a part of texts.js.

/**
 * A day in words.
 *
 * @param {string} day
 * @param {Intl.DateTimeFormatOptions} [options]
 */
const dayInWords = (day, options = { day: "numeric", month: "long" }) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" }).format(new Date(`${day}T12:00:00Z`));

/** @param {number} number */
function ordinal(number) {
  const last = number % 100 > 10 && number % 100 < 14 ? 0 : number % 10;
  return `${number}${["th", "st", "nd", "rd"][last] ?? "th"}`;
}

/** @param {number} seconds */
const timeLeft = (seconds) =>
  seconds >= 5400 ? `${Math.round(seconds / 3600)} hours` : `${Math.max(1, Math.round(seconds / 60))} minutes`;

/** @typedef {import("../answers.d.ts").Score} Score */

/** @param {Score} score */
const points = ({ points: own, against }) => `${own}\u00a0:\u00a0${against}`.replaceAll("-", "−");

export const DAILY_TEXTS = {
  daily: "The deal of the day",
  dailyDay: dayInWords,
  /** @type {(day: string) => string} */
  dailyDayLong: (day) => dayInWords(day, { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
  /** @type {(day: string) => string} */
  dailyMonth: (day) => dayInWords(day, { month: "short" }),
  dailyWords: "The same cards and the same opponents for everyone. You have one try.",
  /** @type {(bot: string) => string} */
  dailyAgainst: (bot) => `against ${bot}`,
  /** @type {Record<string, string>} */
  dailyLevels: {
    beginner: "beginners",
    casual: "casual players",
    regular: "regulars",
    expert: "experts",
    master: "masters",
    thumb: "players by the rule of thumb",
  },
  /** @type {(day: string) => string} */
  dailyOf: (day) => `deal of ${dayInWords(day)}`,
  dailyPlay: "Play it",
  dailyGoOn: "Go on",
  dailyResult: "Your result",
  dailyAgain: "Play it again",
  dailyAgainHint: "This day is over. Its deals can still be played for practice; what comes of it does not count.",
  /** @type {(title: string) => string} */
  dailyPlayLabel: (title) => `Play the deal of the day in ${title}`,
  /** @type {(number: number) => string} */
  dailyPlayed: (number) =>
    number ? `${number} ${number === 1 ? "player has" : "players have"} finished` : "you can be the first",
  /** @type {(seconds: number) => string} */
  dailyLeft: (seconds) => `next in ${timeLeft(seconds)}`,
  /** @type {(bots: string, seconds: number) => string} */
  dailyTodayWords: (bots, seconds) =>
    `The same cards for everyone, against ${bots}. You have one try at each. The next come in ${timeLeft(seconds)}.`,
  /** @type {(days: number) => string} */
  dailyStreak: (days) => `${days} ${days === 1 ? "day" : "days in a row"}`,
  dailyOthers: "The other games have a deal today, too",
  dailyOtherDeals: "The other deals of today",
  dailyArchive: "All days, and how they are drawn",
  dailyOver: "The clock of this room was ahead, and today’s deal has been shown. The next one comes at midnight (UTC).",
  dailyTitle: "Deals of the day",
  dailyToday: "Today",
  dailyBefore: "Days before",
  dailyNoDays: "No day is over yet. Every day stays here, with its results, to be looked at and to be played again.",
  dailyMore: "Earlier days",
  /** @type {(done: number, won: number) => string} */
  dailyMine: (done, won) => `you played ${done}, won ${won}`,
  /** @type {(address: string) => string} */
  dailyElsewhere: (address) => `The deals of the day are played in another room: ${address}`,
  dailyThere: "Go there",

  /** @type {(won: boolean, score: Score) => string} */
  dailyScore: (won, score) => `${won ? "won" : "not won"}, ${points(score)}`,
  /** @type {(score: Score) => string} */
  dailyYours: (score) => `${score.won ? "You won" : "You did not win"}: ${points(score)}`,
  /** @type {(score: Score | null) => string} */
  dailyMaster: (score) =>
    score
      ? `In your seat the strongest bot ${score.won ? "won" : "did not win"}: ${points(score)}`
      : "The strongest bot is still playing your seat …",
  /** @type {(rank: number, of: number) => string} */
  dailyRank: (rank, of) => (of === 1 ? "The first to finish" : `${ordinal(rank)} of ${of}`),
  dailyLuck: "luck",
  dailyTheirs: "their play",
  dailyOwn: "your play",
  dailySumHint: "in points of your chance to win",
  dailySigns: "Your decisions, from first to last: ♥ a find, ♠ sound, ♦ a slip, ♣ a mistake",
  dailyReviewing: "Luck and skill are being computed …",
  dailyNotInTime:
    "This game was not finished before the day was over. It does not count, and nothing is lost: play on.",
  dailyNotOver: "The game is not over.",
  dailySealed: "The replay and the review of this game, and the record, open to everyone when the day is over.",
  dailySealedTable:
    "This is somebody’s deal of the day, which others still have to play. It can be seen when the day is over.",
  dailyStandings: "The best",
  dailyNameless: "somebody",
  dailyUnplayed: "Nobody has played it.",
  /** @type {(number: number) => string} */
  dailyCount: (number) => `${number} played`,
  dailyShare: "Share",
  dailyCopy: "Copy as text",
  dailyCopied: "Copied. It shows no card.",
  dailyPicture: "Save a picture",
  /** @type {(title: string, day: string) => string} */
  dailyPictureOf: (title, day) => `Parlour, ${title}, ${dayInWords(day)}`,
  dailyShareHint: "Neither shows a card.",
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
      `${score.won ? "Won" : "Not won"} ${points(score)}${par ? ` · the strongest bot ${points(par)}` : ""}`,
      review ? review.signs.map((mark) => DAILY_SIGNS[mark]).join("") : "",
      [
        review ? `luck ${review.luck}, play ${review.own}` : "",
        played && played > 1 ? `${ordinal(rank ?? 1)} of ${played}` : "",
        streak > 1 ? `${streak} days in a row` : "",
      ]
        .filter(Boolean)
        .join(" · "),
    ]
      .filter(Boolean)
      .join("\n");
  },

  dailyDrawn: "How the deals are drawn, and how to check it",
  dailyDrawnWords: [
    "Each day has a secret key. Cards, seat, the luck in the game and the choices of the bots follow from it, " +
      "the game’s rules and nothing else, so they are the same for everyone.",
    "Below is the commitment to each of the coming days: a number that fits one key only, and does not tell it. " +
      "When a day is over its key is published, and anybody can check that it fits.",
    "This browser keeps the commitments that it sees, and compares them by itself.",
  ],
  dailyCommitment: "Commitment",
  dailyKey: "Key of the day",
  dailyCheck: "Check the key",
  dailyFits: "The key fits the commitment.",
  /** @type {(day: string) => string} */
  dailyFitsSeen: (day) => `The key fits the commitment that this browser saw before ${dayInWords(day)} was over.`,
  dailyFitsNot: "The key does not fit the commitment: this deal was changed after it was committed to.",
  dailyChanged: "This room has changed a commitment that this browser saw before. Ask its owner why.",
  dailyCannotCheck: "Browsers check this only on pages with a secure address (https). The command beside it can.",
  dailyCommand: "On your own machine, with the record of a game of that day:",
  dailyDevice: "The same results on another device",
  dailyRecord: "Record",
};

/**
 * The signs of marks in lines to share. They show the quality of decisions and no card.
 *
 * @type {Record<string, string>}
 */
export const DAILY_SIGNS = { find: "♥", "": "♠", slip: "♦", mistake: "♣", blunder: "♣" };
