// The landing: tables where people wait, the deal of the day, the player's tables, and the games with their pictures.

import * as api from "../common/api.js";
import { button, clear, h } from "../common/dom.js";
import { dailySection } from "../daily/daily_card.js";
import { leaveBy, showError, showIn } from "../common/failure.js";
import { factsOf, lessonLink } from "./game_info.js";
import { pageHeader } from "../common/page_header.js";
import { Lobby } from "./lobby.js";
import { myTables } from "./my_tables.js";
import { quickGame } from "./new_table.js";
import { livePicture, pictureSwitch } from "../scene/picture.js";
import { labelled } from "../common/phrases.js";
import { isNew } from "../common/settings.js";
import { rulesSheet } from "../common/sheets.js";
import { t } from "../common/texts.js";
import { LANDING_TEXTS } from "./landing_texts.js";

/** @import { Catalogue, Game } from "../answers.d.ts" */

/** @param {HTMLElement} app */
export async function landingPage(app) {
  document.title = t("parlour");
  let catalogue, daily;
  try {
    [catalogue, daily] = await Promise.all([api.games(), dailySection()]);
  } catch (error) {
    showError(app, error);
    return;
  }
  const own = h("div", { class: "own-place" });
  const games = byLesson(catalogue.games);
  const lobby = new Lobby(catalogue);
  clear(
    app,
    h(
      "main",
      { class: "landing" },
      h("header", { class: "page-header" }, pageHeader(false), h("p", { class: "tagline" }, t("tagline")), otherWays()),
      lobby.waiting,
      isNew() ? null : daily,
      own,
      gamesSection(games, catalogue, lobby.others),
      isNew() ? daily : null, // newcomers see the games first
      puzzleSection(),
      clubSection(),
      about(games),
    ),
  );
  lobby.begin();
  const section = await myTables();
  if (section) own.append(section);
}

/**
 * The games, those with a short lesson first, then short ones.
 *
 * @param {Game[]} games
 */
function byLesson(games) {
  /** @param {Game} game */
  const cost = ({ lesson, minutes }) => [lesson ?? Infinity, minutes?.[0] ?? Infinity];
  return [...games].sort((one, other) => {
    const [[lesson, time], [otherLesson, otherTime]] = [cost(one), cost(other)];
    return lesson === otherLesson ? time - otherTime : lesson - otherLesson;
  });
}

/**
 * @param {Game[]} games
 * @param {Catalogue} catalogue
 * @param {HTMLElement} openTables
 */
const gamesSection = (games, catalogue, openTables) =>
  h(
    "section",
    { class: "games-part", "aria-labelledby": "games-title" },
    h(
      "div",
      { class: "games-head" },
      h("h2", { id: "games-title" }, t("games")),
      h("p", { class: "fine-print" }, LANDING_TEXTS.gamesHint),
      pictureSwitch(),
    ),
    h(
      "div",
      { class: "games" },
      games.map((game, index) => gameCard(game, catalogue, index === 0 && isNew())),
      openTables,
    ),
  );

/** The ways to what is below the games: on a phone their pictures fill the first screens. */
const otherWays = () =>
  h(
    "nav",
    { class: "other-ways", "aria-label": LANDING_TEXTS.otherWays },
    [
      ["/daily", t("daily")],
      ["/puzzles", t("puzzles")],
      ["/club", t("club")],
    ].map(([address, label]) => h("a", { class: "button", href: address }, label)),
  );

/** The way to a club night. */
const clubSection = () =>
  h(
    "section",
    { class: "puzzle-way", "aria-labelledby": "club-title" },
    h("div", {}, h("h2", { id: "club-title" }, t("club")), h("p", {}, t("clubHint"))),
    h("a", { class: "button", href: "/club" }, t("clubOpen")),
  );

/** The way to the puzzles. */
const puzzleSection = () =>
  h(
    "section",
    { class: "puzzle-way", "aria-labelledby": "puzzles-title" },
    h("div", {}, h("h2", { id: "puzzles-title" }, t("puzzles")), h("p", {}, t("puzzlesHint"))),
    h("a", { class: "button", href: "/puzzles" }, t("puzzleStart")),
  );

/**
 * The rules of all games, their credits, and the licence.
 *
 * @param {Game[]} games
 */
const about = (games) =>
  h(
    "footer",
    { class: "about-parlour" },
    h("h2", {}, t("about")),
    h("h3", {}, LANDING_TEXTS.aboutRules),
    h(
      "p",
      { class: "row" },
      games.map((game) =>
        button(game.title, () => rulesSheet(game.title, () => api.rules(game.id)), { class: "quiet" }),
      ),
    ),
    h("h3", {}, LANDING_TEXTS.aboutGames),
    h(
      "ul",
      {},
      games.map((game) => h("li", {}, game.credit)),
    ),
    h("p", { class: "fine-print" }, LANDING_TEXTS.aboutHouse),
  );

/**
 * A game with its picture and the ways to play it.
 *
 * @param {Game} game
 * @param {Catalogue} catalogue
 * @param {boolean} first whether it is recommended to newcomers
 */
function gameCard(game, catalogue, first) {
  const failure = h("p", { class: "failure", role: "alert" });
  /** @returns {Promise<void>} */
  const start = () => leaveBy(play, showIn(failure), () => quickGame(game, catalogue));
  const label = { "aria-label": LANDING_TEXTS.playNow(game.title) };
  const play = h("button", { type: "button", class: "button primary play", ...label, on: { click: start } }, t("play"));
  const setup = h(
    "a",
    { class: "button quiet", href: `/games/${game.id}` },
    h("span", {}, LANDING_TEXTS.setUp),
    h("small", {}, LANDING_TEXTS.setUpWith),
    h("span", { class: "unseen" }, game.title),
  );
  const advice =
    first && game.lesson
      ? h(
          "p",
          { class: "start-here" },
          h("b", {}, LANDING_TEXTS.startHere),
          labelled("", LANDING_TEXTS.startHereHint(game.lesson)),
        )
      : null;
  const unusual = game.unusual ? h("p", { class: "game-unusual" }, game.unusual) : null;
  const title = h("h3", { id: `game-${game.id}` }, game.title);
  return h(
    "article",
    { class: "game", "data-game": game.id, "aria-labelledby": `game-${game.id}` },
    livePicture(game),
    h("div", { class: "game-words" }, advice, title, h("p", {}, game.summary), unusual, factsOf(game)),
    failure,
    h("div", { class: "game-ways" }, play, lessonLink(game), setup),
  );
}
