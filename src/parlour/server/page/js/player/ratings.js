// The player's ratings by game, each with a small plot of the last rated games.

import { h, svg } from "../common/dom.js";
import { withSemicolons } from "../common/phrases.js";
import { ratingInWords } from "../texts/texts_own.js";
import { PLAYER_TEXTS } from "./player_texts.js";

/** @import { PlayedRating } from "../answers.d.ts" */

// Measures of a plot in its own units, which are about pixels.
const WIDTH = 160;
const HEIGHT = 44;
const EDGE = 5;
/** The rating of a player without rated games. */
const START = 1500;
/** The smallest range of a plot in points, so that small changes look small. */
const RANGE = 100;

/**
 * The coordinates of a plot: the ratings from left to right, around the middle of their range.
 *
 * @param {number[]} values
 * @returns {[number, number][]}
 */
export function courseOf(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const range = Math.max(RANGE, high - low);
  const middle = (low + high) / 2;
  return values.map((value, at) => [
    Math.round(EDGE + ((WIDTH - 2 * EDGE) * at) / Math.max(1, values.length - 1)),
    Math.round(HEIGHT / 2 - ((HEIGHT - 2 * EDGE) * (value - middle)) / range),
  ]);
}

/** The part of the page with the player's ratings; null without rated games. @param {PlayedRating[]} ratings */
export function ratingsPart(ratings) {
  if (!ratings.length) return null;
  return h(
    "section",
    { class: "own-ratings", "aria-labelledby": "ratings-title" },
    h("h2", { id: "ratings-title" }, PLAYER_TEXTS.ratings),
    h("ul", {}, ratings.map(ratingLine)),
    h("p", { class: "fine-print" }, PLAYER_TEXTS.ratingsHint),
  );
}

/**
 * The ratings that a plot shows: the latest ones, after the rating without games if these are all.
 *
 * @param {Pick<PlayedRating, "games" | "history">} rating
 */
export const plottedRatings = ({ games, history }) =>
  games > history.length ? history : [{ at: history[0].at, value: START }, ...history];

/** @param {PlayedRating} rating */
function ratingLine(rating) {
  const { game, title, games } = rating;
  return h(
    "li",
    { "data-game": game },
    h("b", {}, title),
    h("span", { class: "rating-now" }, ratingInWords(rating)),
    plotOf(plottedRatings(rating)),
    h("span", { class: "fine-print" }, PLAYER_TEXTS.ratedGames(games)),
  );
}

/** @param {PlayedRating["history"]} history */
function plotOf(history) {
  const points = courseOf(history.map(({ value }) => value));
  const [x, y] = points[points.length - 1];
  const element = svg(
    `<svg class="plot-drawing" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">` +
      `<polyline class="curve" points="${points.join(" ")}"/>` +
      `<circle class="dot full" cx="${x}" cy="${y}" r="4"/></svg>`,
  );
  element.setAttribute(
    "aria-label",
    withSemicolons(history.map(({ at, value }) => PLAYER_TEXTS.ratingAt(value, new Date(at)))),
  );
  return element;
}
