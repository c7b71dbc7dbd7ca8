// What is told about a game before it is played, and the head of the pages where one is chosen.

import { h, svg } from "./dom.js";
import { icon } from "./glyphs.js";
import { settingsSheet } from "./sheets.js";
import { t } from "./texts.js";

/** The way home, and the settings. */
export function houseBar(home = true) {
  const open = h(
    "button",
    {
      type: "button",
      class: "tool",
      "aria-label": t("settings"),
      title: t("settings"),
      on: { click: () => settingsSheet() },
    },
    svg(icon("settings")),
  );
  const back = h("a", { class: "tool tool-home", href: "/", "aria-label": t("home") }, svg(icon("back")), t("house"));
  return h("div", { class: "house-line" }, home ? back : h("h1", {}, t("house")), open);
}

/** How many play, how long it takes, and whom it suits. */
export function factsOf(game) {
  const facts = [
    t("playersRange", game.players[0], game.players.at(-1)),
    game.minutes ? t("minutesRange", ...game.minutes) : null,
  ];
  return h(
    "div",
    { class: "game-facts" },
    h("p", { class: "game-numbers" }, facts.filter(Boolean).join(" · ")),
    game.fits ? h("p", { class: "game-fits" }, game.fits) : null,
  );
}

/** The way to the guided first game, where there is one; from the door of a `table` it leads back there. */
export const lessonLink = (game, table = "") =>
  game.lesson === null
    ? null
    : h(
        "a",
        { class: "button learn", href: `/learn/${game.id}${table && `#${table}`}` },
        t("learn"),
        h("small", {}, t("minutes", game.lesson)),
      );
