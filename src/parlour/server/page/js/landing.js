// The landing: the games as one sees them played, one's own tables, and those where a seat is open.

import * as api from "./api.js";
import { button, clear, h } from "./dom.js";
import { showFailure } from "./failure.js";
import { factsOf, houseBar, lessonLink } from "./game_info.js";
import { ownTables, quickGame, tableLine } from "./my_tables.js";
import { livePicture, pictureSwitch } from "./picture.js";
import { isNew } from "./settings.js";
import { rulesSheet } from "./sheets.js";
import { t } from "./texts.js";

export async function landing(app) {
  document.title = t("house");
  let offer;
  try {
    offer = await api.games();
  } catch (error) {
    showFailure(app, error.message);
    return;
  }
  const own = h("div", { class: "own-place" });
  const games = byLesson(offer.games);
  clear(
    app,
    h(
      "main",
      { class: "landing" },
      h("header", { class: "house" }, houseBar(false), h("p", { class: "tagline" }, t("tagline"))),
      own,
      h(
        "section",
        { class: "games-part", "aria-labelledby": "games-title" },
        h(
          "div",
          { class: "games-head" },
          h("h2", { id: "games-title" }, t("games")),
          h("p", { class: "hint" }, t("gamesHint")),
          pictureSwitch(),
        ),
        h(
          "div",
          { class: "games" },
          games.map((game, index) => gameCard(game, offer, index === 0 && isNew())),
          openTables(),
        ),
      ),
      about(games),
    ),
  );
  ownTables().then((section) => section && own.append(section));
}

/** The shortest lesson first, then the shortest game. */
function byLesson(games) {
  const least = ({ lesson, minutes }) => [lesson ?? Infinity, minutes?.[0] ?? Infinity];
  return [...games].sort((one, other) => {
    const [[lesson, time], [otherLesson, otherTime]] = [least(one), least(other)];
    return lesson === otherLesson ? time - otherTime : lesson - otherLesson;
  });
}

/** The rules of all games, whose games they are, and what this is. */
function about(games) {
  return h(
    "footer",
    { class: "about-house" },
    h("h2", {}, t("about")),
    h("h3", {}, t("aboutRules")),
    h(
      "p",
      { class: "row" },
      games.map((game) =>
        button(game.title, () => rulesSheet(game.title, () => api.rules(game.id)), { class: "quiet" }),
      ),
    ),
    h("h3", {}, t("aboutGames")),
    h(
      "ul",
      {},
      games.map((game) => h("li", {}, game.credit)),
    ),
    h("p", { class: "fine-print" }, t("aboutHouse")),
  );
}

function gameCard(game, offer, first) {
  const failure = h("p", { class: "failure", role: "alert" });
  const play = h(
    "button",
    { type: "button", class: "button primary play", "aria-label": t("playNow", game.title), on: { click: start } },
    t("play"),
  );
  async function start() {
    play.disabled = true;
    try {
      await quickGame(game, offer);
    } catch (error) {
      failure.textContent = error.message;
      play.disabled = false;
    }
  }
  return h(
    "article",
    { class: "game", "data-game": game.id, "aria-labelledby": `game-${game.id}` },
    livePicture(game),
    h(
      "div",
      { class: "game-words" },
      first && game.lesson
        ? h("p", { class: "start-here" }, h("b", {}, t("startHere")), `: ${t("startHereHint", game.lesson)}`)
        : null,
      h("h3", { id: `game-${game.id}` }, game.title),
      h("p", {}, game.summary),
      factsOf(game),
    ),
    failure,
    h(
      "div",
      { class: "game-ways" },
      play,
      lessonLink(game),
      h(
        "a",
        { class: "button quiet", href: `/games/${game.id}`, "aria-label": t("setUpGame", game.title) },
        h("span", {}, t("setUp")),
        h("small", {}, t("setUpWith")),
      ),
    ),
  );
}

/** Tables whose openers want company; looked for again from time to time. */
function openTables() {
  const list = h("ul", { class: "table-list" });
  const none = h("p", { class: "hint" }, t("noOpenTables"));
  const look = async () => {
    const { tables } = await api.openTables().catch(() => ({ tables: [] }));
    none.hidden = tables.length > 0;
    clear(
      list,
      tables.map((about) => tableLine(about, -1)),
    );
  };
  look();
  setInterval(() => !document.hidden && look(), 15_000);
  return h(
    "section",
    { class: "open-tables", "aria-labelledby": "open-title" },
    h("h2", { id: "open-title" }, t("openTables")),
    list,
    none,
    h("p", { class: "fine-print" }, t("openTablesHint")),
  );
}
