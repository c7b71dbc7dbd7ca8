// The player's standing in puzzles: rating, streak and the puzzles tried, by game, in the browser's storage.

import { keepPuzzleEntry, puzzleEntry } from "../common/settings.js";

/** @import { PuzzleLine, PuzzleStanding } from "../answers.d.ts" */

/** Rating deviation from which a rating is provisional. */
const PROVISIONAL = 110;
/** Rating of a player without results. */
const FIRST_RATING = 1500;

/** @type {Record<string, { standing: PuzzleStanding | null, tried: string[] }>} standings that cannot be stored */
const unstored = {};

/**
 * The player's standing in a game's puzzles (null without results), and the ids of the puzzles tried.
 *
 * @param {string} game
 * @returns {{ standing: PuzzleStanding | null, tried: string[] }}
 */
export const standingIn = (game) => unstored[game] ?? puzzleEntry()[game] ?? { standing: null, tried: [] };

/**
 * Store a standing after a try. Returns false if the browser's storage is not available; the standing then lasts as
 * long as the page.
 *
 * @param {string} game
 * @param {PuzzleStanding} standing
 * @param {string} id the puzzle
 */
export function keepStanding(game, standing, id) {
  const kept = { standing, tried: [...standingIn(game).tried, id] };
  if (keepPuzzleEntry({ ...puzzleEntry(), [game]: kept })) return true;
  unstored[game] = kept;
  return false;
}

/** @param {PuzzleStanding | null} standing */
export const ratingOf = (standing) => Math.round(standing?.rating ?? FIRST_RATING);

/** @param {PuzzleStanding | null} standing */
export const isProvisional = (standing) => !standing || standing.deviation >= PROVISIONAL;

/**
 * The next puzzle: the untried one with the rating nearest to the player's; if all have been tried, the one after the
 * last skipped. Undefined if no puzzle has the theme.
 *
 * @param {PuzzleLine[]} puzzles
 * @param {{ standing: PuzzleStanding | null, tried: string[] }} own
 * @param {string} theme empty: any
 * @param {string[]} passed the ids of the puzzles that the player skipped
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
