// The landing: the games as one sees them played, one's own tables, and those where a seat is open.

import * as api from "./api.js";
import { clear, h } from "./dom.js";
import { factsOf, houseBar, lessonLink } from "./games.js";
import { ownTables, quickGame, tableLine } from "./own.js";
import { livePicture } from "./picture.js";
import { t } from "./texts.js";

export async function landing(app) {
  document.title = t("house");
  let offer;
  try {
    offer = await api.games();
  } catch (error) {
    clear(app, h("main", { class: "failed" }, h("p", {}, error.message)));
    return;
  }
  const own = h("div", { class: "own-place" });
  clear(app, h("main", { class: "landing" },
    h("header", { class: "house" }, houseBar(false), h("p", { class: "tagline" }, t("tagline"))),
    own,
    h("section", { class: "games", "aria-label": t("games") }, offer.games.map((game) => gameCard(game, offer)), openTables())));
  ownTables().then((section) => section && own.append(section));
}

function gameCard(game, offer) {
  const failure = h("p", { class: "failure", role: "alert" });
  const play = h("button", { type: "button", class: "button primary play", "aria-label": t("playNow", game.title), on: { click: start } }, t("play"));
  async function start() {
    play.disabled = true;
    try {
      await quickGame(game, offer);
    } catch (error) {
      failure.textContent = error.message;
      play.disabled = false;
    }
  }
  return h("article", { class: "game", "data-game": game.id, "aria-labelledby": `game-${game.id}` },
    livePicture(game),
    h("div", { class: "game-words" }, h("h2", { id: `game-${game.id}` }, game.title), h("p", {}, game.summary), factsOf(game)),
    failure,
    h("div", { class: "game-ways" }, play, lessonLink(game),
      h("a", { class: "button quiet", href: `/games/${game.id}`, "aria-label": t("setUpGame", game.title) }, t("setUp"))));
}

/** Tables whose openers want company; looked for again from time to time. */
function openTables() {
  const list = h("ul", { class: "table-list" });
  const none = h("p", { class: "hint" }, t("noOpenTables"));
  const look = async () => {
    const { tables } = await api.openTables().catch(() => ({ tables: [] }));
    none.hidden = tables.length > 0;
    clear(list, tables.map((about) => tableLine(about, -1)));
  };
  look();
  setInterval(() => !document.hidden && look(), 15_000);
  return h("section", { class: "open-tables", "aria-labelledby": "open-title" }, h("h2", { id: "open-title" }, t("openTables")), list, none,
    h("p", { class: "fine-print" }, t("openTablesHint")));
}
