// The player's standing in puzzles: rating, streak and the puzzles tried, by game, in the browser's storage.

import { keepPuzzleEntry, puzzleEntry } from "../common/settings.js";

/** @import { PuzzleLine, PuzzleStanding } from "../answers.d.ts" */

/** Rating deviation from which a rating is provisional. */
const PROVISIONAL = 110;
/** Rating of a player without results. */
const FIRST_RATING = 1500;

/**
 * The player's standing in a game's puzzles (null without results), and the ids of the puzzles tried.
 *
 * @param {string} game
 * @returns {{ standing: PuzzleStanding | null, tried: string[] }}
 */
export const standingIn = (game) => puzzleEntry()[game] ?? { standing: null, tried: [] };

/**
 * Store a standing after a try. Return false if the browser does not store it; it then lasts as long as the page.
 *
 * @param {string} game
 * @param {PuzzleStanding} standing
 * @param {string} id the puzzle
 */
export const keepStanding = (game, standing, id) =>
  keepPuzzleEntry({ ...puzzleEntry(), [game]: { standing, tried: [...standingIn(game).tried, id] } });

/** @param {PuzzleStanding | null} standing */
export const ratingOf = (standing) => Math.round(standing?.rating ?? FIRST_RATING);

/** @param {PuzzleStanding | null} standing */
export const isProvisional = (standing) => !standing || standing.deviation >= PROVISIONAL;

/**
 * The next puzzle: of those that have been neither tried nor passed, the one with the rating nearest to the player's;
 * without such a puzzle, the one after the last passed. Undefined if no puzzle has the theme.
 *
 * @param {PuzzleLine[]} puzzles
 * @param {{ standing: PuzzleStanding | null, tried: string[] }} own
 * @param {string} theme empty: any
 * @param {string[]} passed the ids of the puzzles that the page has shown, the latest last
 * @returns {PuzzleLine | undefined}
 */
export function nextPuzzle(puzzles, { standing, tried }, theme, passed) {
  const fitting = puzzles.filter(({ themes }) => !theme || themes.includes(theme));
  const fresh = fitting.filter(({ id }) => !tried.includes(id) && !passed.includes(id));
  const rating = ratingOf(standing);
  /** @type {(puzzle: PuzzleLine) => number} */
  const distance = (puzzle) => Math.abs(puzzle.rating - rating);
  if (fresh.length) return fresh.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  const last = fitting.findIndex(({ id }) => id === passed.at(-1));
  return fitting[(last + 1) % Math.max(1, fitting.length)];
}
