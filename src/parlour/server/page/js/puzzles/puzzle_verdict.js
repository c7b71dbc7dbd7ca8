// The verdict on a try: the actions with their chances to win, and the reasons.

import { h } from "../common/dom.js";
import { sentence, unbrokenPercents } from "../common/phrases.js";
import { t } from "../common/texts.js";
import { cardsNamed } from "../scene/cards.js";
import { probabilityBar } from "../table/hint.js";

/** @import { PuzzleAction, PuzzleVerdict } from "../answers.d.ts" */

/** @param {PuzzleVerdict} verdict */
export const verdictParts = (verdict) => [
  h("h2", { class: verdict.right ? "puzzle-right" : "puzzle-wrong" }, t(verdict.right ? "puzzleRight" : "puzzleWrong")),
  h(
    "ol",
    { class: "hint-list puzzle-actions" },
    verdict.actions.map((action) => actionLine(action, action.do === verdict.best)),
  ),
  verdict.others ? h("p", { class: "hint" }, t("puzzleOthers", verdict.others)) : null,
  verdict.words.map((words) => h("p", {}, unbrokenPercents(words))),
];

/**
 * @param {PuzzleAction} action
 * @param {boolean} best
 */
function actionLine(action, best) {
  const marks = [best ? t("puzzleBest") : null, action.tried ? t("puzzleYours") : null].filter(Boolean);
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
