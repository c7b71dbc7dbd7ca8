// Selections and statistics of a player's games.

import { sealOf } from "../common/sealed.js";

/** @import { Bot, CostlyDecision, PlayerGame, Finding, Score } from "../answers.d.ts" */

/** @typedef {PlayerGame & { score: Score }} FinishedGame */
/** @typedef {FinishedGame & { review: Finding }} ReviewedGame */
/** @typedef {{ text: string, game: string, result: string }} Filter `result`: "won", "other", or empty for all */
/** @typedef {{ title: string, played: number, won: number }} LevelResult */
/** @typedef {{ start: Date, lost: number, games: number }} WeekResult `lost`: mean points for each decision */
/** @typedef {CostlyDecision & { game: FinishedGame }} OwnDecision */

/** Thousandths of a win in a point of the chance to win. */
const IN_A_POINT = 10;
/** Weeks that are shown. */
const MOST_WEEKS = 26;
/** Costly decisions that are shown. */
const MOST_DECISIONS = 6;

/** @type {(games: PlayerGame[]) => FinishedGame[]} */
export const finishedOf = (games) =>
  games.filter((game) => game.score !== null).map((game) => /** @type {any} */ (game));

/** The tables of unfinished games. @param {PlayerGame[]} games */
export const runningOf = (games) => games.filter(({ score }) => score === null).map(({ table }) => table);

/** @type {(games: PlayerGame[]) => ReviewedGame[]} */
export const reviewedOf = (games) =>
  finishedOf(games).flatMap((game) => (game.review?.decisions ? [/** @type {any} */ (game)] : []));

/**
 * The finished games that a filter selects. Every word of its text has to be in the game's title or in a name.
 *
 * @param {PlayerGame[]} games
 * @param {Filter} filter
 */
export function selectGames(games, { text, game, result }) {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return finishedOf(games).filter((each) => {
    const known = [each.title, ...each.others.map(({ name }) => name)].join("\n").toLocaleLowerCase();
    const hasResult = !result || each.score.won === (result === "won");
    return (!game || each.game === game) && hasResult && words.every((word) => known.includes(word));
  });
}

/**
 * Games against bots and wins among them, by the strongest bot at the table, the weakest level first.
 *
 * @param {PlayerGame[]} games
 * @param {Bot[]} bots the bots of the room, the weakest first
 * @returns {LevelResult[]}
 */
export function byLevel(games, bots) {
  const numbers = finishedOf(games).flatMap(({ others, score }) => {
    const levels = others.map(({ bot }) => bots.findIndex(({ id }) => id === bot));
    return levels.length && levels.every((level) => level >= 0) ? [{ level: Math.max(...levels), won: score.won }] : [];
  });
  return bots
    .map(({ title }, level) => {
      const played = numbers.filter((each) => each.level === level);
      return { title, played: played.length, won: played.filter(({ won }) => won).length };
    })
    .filter(({ played }) => played);
}

/** The Monday of a moment's week, in local time. @param {Date} moment */
export function weekOf(moment) {
  const day = new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());
  day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  return day;
}

/**
 * Points lost for each decision in the weeks with reviewed games, the oldest first.
 *
 * @param {PlayerGame[]} games
 * @returns {WeekResult[]}
 */
export function byWeek(games) {
  /** @type {Map<number, { lost: number, decisions: number, games: number }>} */
  const weeks = new Map();
  for (const { at, review } of reviewedOf(games)) {
    const week = weekOf(new Date(at)).getTime();
    const sum = weeks.get(week) ?? { lost: 0, decisions: 0, games: 0 };
    sum.lost += review.lost;
    sum.decisions += review.decisions;
    sum.games += 1;
    weeks.set(week, sum);
  }
  return [...weeks]
    .sort(([one], [other]) => one - other)
    .slice(-MOST_WEEKS)
    .map(([week, sum]) => ({
      start: new Date(week),
      lost: sum.lost / sum.decisions / IN_A_POINT,
      games: sum.games,
    }));
}

/**
 * The decisions that cost most, in games that can be shown.
 *
 * @param {PlayerGame[]} games
 * @returns {OwnDecision[]}
 */
export const costliestDecisions = (games) =>
  reviewedOf(games)
    .filter((game) => game.kept && !sealOf(game))
    .flatMap((game) => game.review.worst.map((decision) => ({ ...decision, game })))
    .sort((one, other) => other.lost - one.lost)
    .slice(0, MOST_DECISIONS);

/**
 * Luck and the player's own play in each reviewed game, in points of the chance to win.
 *
 * @param {PlayerGame[]} games
 */
export const luckAndSkill = (games) =>
  reviewedOf(games).map(({ table, title, at, score, review }) => ({
    table,
    title,
    at,
    won: score.won,
    luck: review.luck / IN_A_POINT,
    own: review.own / IN_A_POINT,
  }));

/** Thousandths of a win in whole points. @param {number} thousandths */
export const wholePoints = (thousandths) => Math.round(thousandths / IN_A_POINT);

/** The mean of numbers; 0 without any. @param {number[]} numbers */
export const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

/** Whether a game ended by resignation. @param {Pick<PlayerGame, "review">} game */
export const isConceded = ({ review }) => review !== null && review.decisions === undefined;

/**
 * Whether a finished game has a review or can have one.
 *
 * @param {PlayerGame} game
 */
export const isReviewable = (game) =>
  game.kept && !sealOf(game) && (game.review === null || Boolean(game.review.decisions));

/** The latest finished game that has no review and can be reviewed now. @param {PlayerGame[]} games */
export const nextToReview = (games) => finishedOf(games).find((game) => !game.review && isReviewable(game)) ?? null;
