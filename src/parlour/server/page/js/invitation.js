// What whoever opens a table's link is told before sitting down: the game, in a sentence, and where it can be learnt.

import * as api from "./api.js";
import { button, h } from "./dom.js";
import { factsOf, lessonLink } from "./game_info.js";
import { rulesSheet } from "./sheets.js";
import { t } from "./texts.js";

let offer = null;

/** The head of the invitation to a table; what the room says of the game comes a moment later. */
export function invitationHead(about) {
  const words = h("div", { class: "invited-words" });
  const ways = h(
    "div",
    { class: "row invited-ways" },
    button(t("readRules"), () => rulesSheet(t("rules"), () => api.rules(about.game))),
  );
  const fill = ({ games }) => {
    const game = games.find((one) => one.id === about.game);
    words.append(h("p", { class: "lead" }, game.summary), factsOf({ ...game, players: [about.players] }));
    const lesson = lessonLink(game, about.table);
    if (lesson) ways.prepend(lesson);
  };
  offer ??= api.games();
  offer.then(fill).catch(() => {
    offer = null;
  }); // the name of the game is enough to sit down
  return h(
    "header",
    { class: "invited" },
    h("p", { class: "invited-to" }, t("invitedTo")),
    h("h2", {}, about.title),
    words,
    ways,
  );
}
