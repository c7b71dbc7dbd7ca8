// Plots of the player's games: wins by level, points lost by week, luck against skill; and the costliest decisions.

import { h, svg } from "../common/dom.js";
import { locale } from "../common/language.js";
import {
  byLevel,
  byWeek,
  costliestDecisions,
  finishedOf,
  luckAndSkill,
  mean,
  reviewedOf,
  nextToReview,
  wholePoints,
} from "./game_list.js";
import { withSemicolons } from "../common/phrases.js";
import { PLAYER_TEXTS } from "./player_texts.js";
import { reviewedMoment } from "../replay/review_link.js";
import { REVIEW_TEXTS } from "../replay/review_texts.js";

/** @import { Child } from "../common/dom.js" */
/** @import { Bot, PlayerGame } from "../answers.d.ts" */
/** @import { OwnDecision } from "./game_list.js" */

// Measures of a plot in its own units, which are about pixels: its size and its margins.
const WIDTH = 360;
const HEIGHT = 190;
/** Height of a plot whose axes have the same unit. */
const SQUARE = 280;
const LEFT = 34;
const RIGHT = 10;
const TOP = 12;
const BOTTOM = 26;
/** Milliseconds of a week. */
const WEEK = 7 * 86_400_000;

/**
 * The plots of a list of games.
 *
 * @param {PlayerGame[]} games
 * @param {Bot[]} bots the bots of the room, the weakest first
 */
export function plotsPart(games, bots) {
  const reviewed = reviewedOf(games).length;
  return [
    h("h2", { id: "shown-title" }, PLAYER_TEXTS.shown),
    h("div", { class: "plots" }, [
      levelPlot(games, bots),
      ...(reviewed ? [weekPlot(games), luckPlot(games), worstList(games)] : []),
    ]),
    reviewHint(games, reviewed),
  ];
}

/**
 * @param {string} title
 * @param {...Child} content
 */
const plot = (title, ...content) => h("figure", { class: "plot" }, h("h3", {}, title), content);

/** @param {string} words */
const caption = (words) => h("figcaption", { class: "fine-print" }, words);

/**
 * The number of games with reviews, and the link to the next game without one.
 *
 * @param {PlayerGame[]} games
 * @param {number} reviewed
 */
function reviewHint(games, reviewed) {
  const [finished, next] = [finishedOf(games).length, nextToReview(games)];
  if (reviewed === finished) return null;
  const words = reviewed ? PLAYER_TEXTS.shownReviewed(reviewed, finished) : PLAYER_TEXTS.shownUnreviewed;
  const way = next
    ? h(
        "a",
        { class: "button", href: `/game/${next.table}/review` },
        PLAYER_TEXTS.shownReviewNext(next.title, new Date(next.at)),
      )
    : null;
  return h("div", { class: "plots-more" }, h("p", { class: "fine-print" }, words), way);
}

/**
 * @param {PlayerGame[]} games
 * @param {Bot[]} bots
 */
function levelPlot(games, bots) {
  const levels = byLevel(games, bots);
  if (!levels.length) return plot(PLAYER_TEXTS.shownLevels, caption(PLAYER_TEXTS.shownNoLevels));
  const lines = levels.map(({ title, played, won }) =>
    h(
      "li",
      {},
      h("b", {}, title),
      h("span", { class: "level-bar", "aria-hidden": "true", vars: { "--share": won / played } }),
      h("span", { class: "number" }, PLAYER_TEXTS.shownLevel(won, played)),
    ),
  );
  return plot(PLAYER_TEXTS.shownLevels, h("ul", { class: "levels" }, lines), caption(PLAYER_TEXTS.shownLevelsHint));
}

/** @type {(part: number) => number} a coordinate with one decimal */
const rounded = (part) => Math.round(10 * part) / 10;

/**
 * A drawing with a name for screen readers.
 *
 * @param {string} label
 * @param {string} content
 * @param {number} [height]
 */
function drawing(label, content, height = HEIGHT) {
  const element = svg(`<svg class="plot-drawing" viewBox="0 0 ${WIDTH} ${height}" role="img">${content}</svg>`);
  element.setAttribute("aria-label", label);
  return element;
}

/**
 * Give the dots of a drawing their titles, which a pointer shows.
 *
 * @param {SVGElement} element
 * @param {string[]} titles
 */
function nameDots(element, titles) {
  element.querySelectorAll(".dot").forEach((dot, at) => {
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = titles[at];
    dot.append(title);
  });
  return element;
}

/** @type {(x: number, y: number, text: string, anchor?: string) => string} */
const print = (x, y, text, anchor = "middle") => `<text x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;

/** @param {PlayerGame[]} games */
function weekPlot(games) {
  const weeks = byWeek(games);
  const first = weeks[0].start.getTime();
  const span = Math.max(WEEK, weeks[weeks.length - 1].start.getTime() - first);
  const left = weeks.length > 1 ? LEFT + 12 : (LEFT + WIDTH - RIGHT) / 2;
  const most = Math.max(1, Math.ceil(Math.max(...weeks.map(({ lost }) => lost))));
  /** @param {Date} start */
  const x = (start) => rounded(left + ((WIDTH - LEFT - RIGHT - 24) * (start.getTime() - first)) / span);
  /** @param {number} lost */
  const y = (lost) => rounded(TOP + (HEIGHT - TOP - BOTTOM) * (1 - lost / most));
  const grid = [0, most / 2, most].map(
    (level) =>
      `<line class="line" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(level)}" y2="${y(level)}"/>` +
      print(LEFT - 6, y(level) + 4, level.toLocaleString(locale), "end"),
  );
  const points = weeks.map(({ start, lost }) => `${x(start)},${y(lost)}`);
  const line = `<polyline class="curve" points="${points.join(" ")}"/>`;
  const dots = weeks.map(({ start, lost }) => `<circle class="dot full" cx="${x(start)}" cy="${y(lost)}" r="4.500"/>`);
  const ends = weeks.length > 1 ? [weeks[0], weeks[weeks.length - 1]] : [weeks[0]];
  const days = ends.map(({ start }, at) =>
    print(x(start), HEIGHT - 6, PLAYER_TEXTS.shownWeekShort(start), at ? "end" : weeks.length > 1 ? "start" : "middle"),
  );
  const titles = weeks.map(({ start, lost, games: number }) => PLAYER_TEXTS.shownWeek(start, lost, number));
  const label = `${PLAYER_TEXTS.shownWeeks}. ${withSemicolons(titles)}`;
  const element = drawing(label, [...grid, line, ...dots, ...days].join(""));
  return plot(PLAYER_TEXTS.shownWeeks, nameDots(element, titles), caption(PLAYER_TEXTS.shownWeeksHint));
}

/** @param {PlayerGame[]} games */
function luckPlot(games) {
  const points = luckAndSkill(games);
  const reach = Math.max(10, ...points.flatMap(({ luck, own }) => [Math.abs(luck), Math.abs(own)]));
  const [centre, middle] = [WIDTH / 2, SQUARE / 2];
  /** @param {number} luck */
  const x = (luck) => rounded(centre + ((centre - RIGHT - 12) * luck) / reach);
  /** @param {number} own */
  const y = (own) => rounded(middle - ((middle - BOTTOM) * own) / reach);
  const axes =
    `<line class="line" x1="${RIGHT}" x2="${WIDTH - RIGHT}" y1="${middle}" y2="${middle}"/>` +
    `<line class="line" x1="${centre}" x2="${centre}" y1="${BOTTOM}" y2="${SQUARE - BOTTOM}"/>`;
  const words =
    print(RIGHT, SQUARE - 6, `${PLAYER_TEXTS.shownLuckAxis} −`, "start") +
    print(WIDTH - RIGHT, SQUARE - 6, `${PLAYER_TEXTS.shownLuckAxis} +`, "end") +
    print(centre, TOP + 2, `${PLAYER_TEXTS.shownOwnAxis} +`) +
    print(centre, SQUARE - 6, `${PLAYER_TEXTS.shownOwnAxis} −`);
  const dots = points.map(
    ({ luck, own, won }) => `<circle class="dot ${won ? "full" : ""}" cx="${x(luck)}" cy="${y(own)}" r="5"/>`,
  );
  /** @param {"luck" | "own"} part */
  const average = (part) => Math.round(mean(points.map((point) => point[part])));
  const summary = PLAYER_TEXTS.shownLuckMean(average("luck"), average("own"), points.length);
  const titles = points.map(({ title, at, luck, own }) =>
    PLAYER_TEXTS.shownDot(title, new Date(at), Math.round(luck), Math.round(own)),
  );
  const element = drawing(`${PLAYER_TEXTS.shownLuck}. ${withSemicolons(titles)}`, axes + dots.join("") + words, SQUARE);
  return plot(PLAYER_TEXTS.shownLuck, nameDots(element, titles), caption(summary));
}

/** @param {PlayerGame[]} games */
function worstList(games) {
  const decisions = costliestDecisions(games);
  if (!decisions.length) return plot(PLAYER_TEXTS.shownWorst, caption(PLAYER_TEXTS.shownNoWorst));
  return plot(
    PLAYER_TEXTS.shownWorst,
    h(
      "ol",
      { class: "worst" },
      decisions.map((decision) => h("li", {}, worstLine(decision))),
    ),
    caption(PLAYER_TEXTS.shownWorstHint),
  );
}

/** @param {OwnDecision} decision */
const worstLine = ({ seen, lost, mark, game: { table, title, at } }) =>
  h(
    "a",
    { href: reviewedMoment(table, seen) },
    h("b", { class: `decision-mark ${mark}` }, REVIEW_TEXTS.reviewMarks[mark]),
    h("span", {}, title, h("small", {}, PLAYER_TEXTS.shownMove(new Date(at), seen))),
    h("span", { class: "number" }, PLAYER_TEXTS.shownCost(wholePoints(lost))),
  );
