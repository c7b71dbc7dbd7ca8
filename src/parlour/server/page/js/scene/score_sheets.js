// The score of a scene, the log, and their sheets: on request, and at the end of a round.

import { announce, button, h, nodesOf } from "../common/dom.js";
import { isolated } from "../common/language.js";
import { openSheet } from "../common/sheets.js";
import { pointsFor } from "../common/speech.js";
import { t } from "../common/texts.js";

/** @import { Child } from "../common/dom.js" */
/** @import { Area, Scene, ScoreLine } from "../protocol.d.ts" */
/** @import { OpenRules, SheetAction } from "../common/sheets.js" */

/** @param {Scene} scene */
export const standingsList = (scene) =>
  h(
    "ul",
    { class: `standings ${scene.standings.length > 2 ? "many" : ""}` },
    scene.standings.map(({ label, before, now, side, own }) => {
      const text = side ? "points" : "number";
      const change = before && before !== now;
      return h(
        "li",
        { class: `standing side-${side || "none"} ${own ? "own" : ""}` },
        h("span", { class: "swatch", "aria-hidden": "true" }),
        h("span", { class: "who" }, isolated(label)),
        h("span", { class: "total" }, t(text, now)),
        change ? h("span", { class: "before" }, t("before", t(text, before))) : null,
      );
    }),
  );

/**
 * A line of the score; one with a clause opens the rules.
 *
 * @param {ScoreLine} line
 * @param {string} side the side of its area
 * @param {Scene} scene
 * @param {OpenRules} rules
 */
function scoreLine(line, side, scene, rules) {
  const points = line.side ? pointsFor(scene, line.side, line.points) : t(side ? "points" : "number", line.points);
  const parts = [
    h("span", {}, line.what),
    line.clause ? h("span", { class: "clause" }, t("clauseSign", line.clause)) : null,
    h("span", { class: `number ${line.side ? `side-${line.side}` : ""}` }, points),
  ];
  if (!line.clause) return h("li", { class: "score-line" }, parts);
  const attributes = { type: "button", class: "score-line", title: t("clause", line.clause) };
  return h("li", {}, h("button", { ...attributes, on: { click: () => rules(line.clause) } }, parts));
}

/**
 * The sum of an area's score lines.
 *
 * @param {Area} area
 * @param {ScoreLine[]} lines
 * @param {Scene} scene
 */
function total(area, lines, scene) {
  if (area.points_for) return pointsFor(scene, area.points_for, area.points ?? 0);
  const sum = lines.reduce((points, line) => points + line.points, 0);
  return t(area.side ? "points" : "number", sum);
}

/**
 * The running score by area; null without lines.
 *
 * @param {Scene} scene
 * @param {OpenRules} rules
 */
export function scoreLines(scene, rules) {
  const areas = scene.areas.filter((area) => scene.score.some((line) => line.area === area.id));
  if (!areas.length) return null;
  return h(
    "div",
    { class: "score-lines" },
    areas.map((area) => {
      const lines = scene.score.filter((line) => line.area === area.id);
      const sum = h("b", { class: area.points_for ? `side-${area.points_for}` : "" }, total(area, lines, scene));
      const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
      const own = area.seat !== null && area.seat === scene.seat;
      return h(
        "section",
        { class: `score-area side-${area.side || "none"} ${own ? "own" : ""}` },
        h("h3", { class: "score-of" }, swatch, area.title, lines.length > 1 ? sum : null),
        h(
          "ul",
          {},
          lines.map((line) => scoreLine(line, area.side, scene, rules)),
        ),
      );
    }),
  );
}

/**
 * An explanation of "red +3", where points are for a side.
 *
 * @param {Scene} scene
 */
export const scoreNote = (scene) => (scene.score_note ? h("p", { class: "fine-print" }, scene.score_note) : null);

/**
 * The standings below their unit. The unit is left out if it is points, or if the score has points for sides.
 *
 * @param {Scene} scene
 */
export function standingsPart(scene) {
  const named = scene.standings.length && scene.counted !== "points" && !scene.score.some((line) => line.side);
  return [named ? h("p", { class: "counted" }, scene.counted) : null, standingsList(scene)];
}

/**
 * The standings and the running score.
 *
 * @param {Scene} scene
 * @param {OpenRules} rules
 */
export const scoreContent = (scene, rules) => [
  standingsPart(scene),
  scoreNote(scene),
  scene.score.length ? h("h3", {}, t("countsNow")) : null,
  scene.score.length ? scoreLines(scene, rules) : null,
];

/**
 * Lines of the log as items of a list; `gloss` makes items that explain the words of a line.
 *
 * @param {string[]} log
 * @param {(line: string) => Child} gloss
 */
export const logLines = (log, gloss) =>
  nodesOf(
    log.map((line) =>
      line === "" ? h("li", { class: "gap", "aria-hidden": "true" }) : [h("li", {}, line), gloss(line)],
    ),
  );

/**
 * The log as a list; `gloss` makes items that explain the words of a line.
 *
 * @param {string[]} log
 * @param {(line: string) => Child} [gloss]
 */
export function logList(log, gloss = () => []) {
  if (log.every((line) => line === "")) return h("p", { class: "fine-print" }, t("logEmpty"));
  return h("ol", { class: "log", tabindex: "0", "aria-label": t("logTitle") }, logLines(log, gloss));
}

/**
 * @param {Scene} scene
 * @param {string[]} log
 * @param {OpenRules} rules
 * @param {(line: string) => Child} [gloss]
 */
export const scoreSheet = (scene, log, rules, gloss) =>
  openSheet("score", t("score"), [...scoreContent(scene, rules), h("h3", {}, t("logTitle")), logList(log, gloss)]);

/**
 * Open the sheet at the end of a round.
 *
 * @param {Scene} scene
 * @param {OpenRules} rules
 * @param {Child} call the line that calls the viewer when the next round needs an action
 */
export function pauseSheet(scene, rules, call) {
  announce(scene.pause);
  /** @type {SheetAction} */
  const next = (close) => button(t("nextRound"), close, { class: "primary", "data-go": "next" });
  const content = [call, standingsPart(scene), scoreNote(scene), scoreLines(scene, rules)];
  return openSheet("pause", scene.pause, content, { actions: [next], kind: "center", unasked: true });
}
