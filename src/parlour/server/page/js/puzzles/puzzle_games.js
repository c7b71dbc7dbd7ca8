// The page of puzzles: the games that have some, with the player's standing in each.

import * as api from "../common/api.js";
import { errorLines } from "../common/failure.js";
import { clear, h } from "../common/dom.js";
import { t } from "../common/texts.js";
import { clothOf } from "../scene/face.js";
import { pageHeader } from "../common/page_header.js";
import { isProvisional, ratingOf, standingIn } from "./own_standing.js";
import { PUZZLE_TEXTS } from "./puzzle_texts.js";

/** @import { PuzzleGame } from "../answers.d.ts" */

/** @param {HTMLElement} app */
export async function puzzleGamesPage(app) {
  document.title = `${t("puzzles")} · ${t("parlour")}`;
  const place = h("div", { class: "puzzle-games" }, h("p", { class: "fine-print" }, t("loading")));
  const head = h("header", { class: "page-header" }, pageHeader());
  const words = [h("h1", {}, t("puzzles")), h("p", {}, t("puzzlesHint")), place];
  clear(
    app,
    h("main", { class: "landing own-page" }, head, words, h("p", { class: "fine-print" }, PUZZLE_TEXTS.puzzlesWhere)),
  );
  try {
    const { games } = await api.puzzleGames();
    clear(
      place,
      games.length ? h("ul", { class: "puzzle-list" }, games.map(gameLine)) : h("p", {}, PUZZLE_TEXTS.puzzlesNone),
    );
  } catch (error) {
    clear(place, errorLines(error));
  }
}

/** @param {PuzzleGame} game */
function gameLine({ game, title, puzzles }) {
  const label = PUZZLE_TEXTS.puzzleStartOf(title);
  return h(
    "li",
    { class: clothOf(game), "data-game": game },
    h("div", {}, h("h2", {}, title), h("p", { class: "fine-print" }, standingLine(game, puzzles))),
    h("a", { class: "button primary", href: `/puzzles/${game}`, "aria-label": label }, t("puzzleStart")),
  );
}

/**
 * @param {string} game
 * @param {number} puzzles
 */
function standingLine(game, puzzles) {
  const { standing } = standingIn(game);
  const own = standing
    ? [
        PUZZLE_TEXTS.puzzleRating(ratingOf(standing), isProvisional(standing)),
        PUZZLE_TEXTS.puzzleTried(standing.tried, standing.solved),
      ]
    : [];
  return [PUZZLE_TEXTS.puzzlesNumber(puzzles), ...own].join(" · ");
}
