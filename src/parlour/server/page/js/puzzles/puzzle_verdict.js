// The verdict on a try: the actions with their chances to win, and the reasons.

import { h } from "../common/dom.js";
import { sentence, unbrokenPercents } from "../common/phrases.js";
import { cardsNamed } from "../scene/cards.js";
import { probabilityBar } from "../table/hint.js";
import { PUZZLE_TEXTS } from "./puzzle_texts.js";

/** @import { PuzzleAction, PuzzleVerdict } from "../answers.d.ts" */

/** @param {PuzzleVerdict} verdict */
export const verdictParts = (verdict) => [
  verdict.right
    ? h("h2", { class: "puzzle-right" }, PUZZLE_TEXTS.puzzleRight)
    : h("h2", { class: "puzzle-wrong" }, PUZZLE_TEXTS.puzzleWrong),
  h(
    "ol",
    { class: "hint-list puzzle-actions" },
    verdict.actions.map((action) => actionLine(action, action.do === verdict.best)),
  ),
  verdict.others ? h("p", { class: "fine-print" }, PUZZLE_TEXTS.puzzleOthers(verdict.others)) : null,
  verdict.words.map((words) => h("p", {}, unbrokenPercents(words))),
];

/**
 * @param {PuzzleAction} action
 * @param {boolean} best
 */
function actionLine(action, best) {
  const marks = [best ? PUZZLE_TEXTS.puzzleBest : null, action.tried ? PUZZLE_TEXTS.puzzleYours : null].filter(Boolean);
  return h(
    "li",
    { class: best ? "best" : "", "data-action": action.do },
    h(
      "div",
      { class: "hint-what" },
      h("span", { class: "hint-cards" }, cardsNamed(action.do)),
      h("b", {}, sentence(action.phrase)),
    ),
    marks.length ? h("span", { class: "puzzle-mark" }, marks.join(", ")) : null,
    h(
      "div",
      { class: "hint-numbers" },
      probabilityBar(action.win),
      h("b", {}, unbrokenPercents(action.percent)),
      h("span", {}, action.less),
    ),
  );
}
