// Entry point: opens the page for an address (landing, own games, club, puzzles, setup, lesson, table, replay, review).

import { clear, h } from "./common/dom.js";
import { showFailure } from "./common/failure.js";
import { startOffline } from "./common/offline.js";
import { takeSeatFromLink } from "./table/seat_panel.js";
import { applyLooks } from "./common/settings.js";
import { t } from "./common/texts.js";

/** @typedef {(app: HTMLElement, id: string) => unknown} Page */

/**
 * The pages of tables and games. Each loads its modules when it is opened.
 *
 * @type {Record<string, () => Promise<Page>>}
 */
const pages = {
  mine: () => import("./player/own_games.js").then((module) => module.ownGamesPage),
  puzzles: () => import("./puzzles/puzzles.js").then((module) => module.puzzlesPage),
  club: () => import("./club/club.js").then((module) => module.clubPage),
  daily: () => import("./daily/daily.js").then((module) => module.dailyPage),
  table: () => import("./table/table.js").then((module) => module.tablePage),
  game: () => import("./replay/replay.js").then((module) => module.replayPage),
  learn: () => import("./lesson/lesson.js").then((module) => module.lessonPage),
  games: () => import("./landing/setup.js").then((module) => module.setupPage),
};
const landing = () => import("./landing/landing.js").then((module) => module.landingPage);
const review = () => import("./replay/review.js").then((module) => module.reviewPage);

/** Keys of the texts that replace sentences of the server. */
const ADDRESS_ERRORS = /** @type {const} */ ({
  "there is no such page": "nowhere",
  "there is no such table": "unknownTable",
  "there is no such game": "unknownGame",
});

applyLooks();
startOffline();
const app = /** @type {HTMLElement} */ (document.getElementById("app"));
const [, kind = "", id = "", part] = location.pathname.match(/^\/(\w+)(?:\/([\w-]+)(\/review)?)?\/?$/) ?? [];
document.body.classList.add(bodyClass());
clear(app, h("p", { class: "loading" }, t("loading")));
if (kind === "table") takeSeatFromLink(id);
// a page from the browser's cache would wait for answers that have arrived already
addEventListener("pageshow", (event) => event.persisted && location.reload());
const error = document.querySelector("meta[name=parlour-error]")?.getAttribute("content");
if (error) showAddressError(error);
else openPage(part ? review : (pages[kind] ?? landing));

function bodyClass() {
  if (part) return "at-review";
  if (kind === "puzzles") return id ? "at-table" : "at-landing";
  return ["table", "game", "learn"].includes(kind) ? "at-table" : "at-landing";
}

/**
 * Load the modules of a page and show it.
 *
 * @param {() => Promise<Page>} load
 */
async function openPage(load) {
  const page = await load().catch((failure) => {
    showFailure(app, t("unreachable"));
    throw failure;
  });
  page(app, id);
}

/**
 * Show the server's sentence about an address without a page.
 *
 * @param {string} text
 */
function showAddressError(text) {
  const key = text in ADDRESS_ERRORS ? ADDRESS_ERRORS[/** @type {keyof typeof ADDRESS_ERRORS} */ (text)] : null;
  showFailure(app, key ? t(key) : `${text[0].toUpperCase()}${text.slice(1)}.`);
}
