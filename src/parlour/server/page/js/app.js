// Entry point: opens the page for an address (landing, own games, puzzles, club night, deals of the day, table, replay,
// review, lesson, setup).

import { AnswerError, unanswered } from "./common/api.js";
import { clear, h } from "./common/dom.js";
import { showError, showFailure } from "./common/failure.js";
import { startOffline } from "./common/offline.js";
import { keepInterruptedPresses } from "./common/presses.js";
import { TOO_MANY_REQUESTS } from "./common/retry.js";
import { applyLooks } from "./common/settings.js";
import { t } from "./common/texts.js";

/** @typedef {(app: HTMLElement, id: string) => unknown} Page */

/**
 * The pages by the first part of their address. The modules of a page are loaded when it is opened.
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

/**
 * Names of the texts about an unknown table or game, by the first part of the address. Other pages show the sentence of
 * the server.
 *
 * @type {Record<string, "unknownTable" | "unknownGame">}
 */
const UNKNOWN = { table: "unknownTable", game: "unknownTable", learn: "unknownGame", games: "unknownGame" };

applyLooks();
startOffline();
keepInterruptedPresses();
const app = /** @type {HTMLElement} */ (document.getElementById("app"));
const [, kind = "", id = "", part] = location.pathname.match(/^\/(\w+)(?:\/([\w-]+)(\/review)?)?\/?$/) ?? [];
document.body.classList.add(bodyClass());
clear(app, h("p", { class: "loading" }, t("loading")));
// a link to a seat of the table that is shown changes only this part of the address, which loads no page
if (kind === "table") addEventListener("hashchange", () => location.hash.includes("key=") && location.reload());
// a page restored by the Back button keeps its buttons disabled, although their requests have been answered
addEventListener("pageshow", (event) => event.persisted && location.reload());
const error = metaContent("parlour-error");
if (error) showAddressError(error);
else openPage(part ? review : (pages[kind] ?? landing));

/** @param {string} name */
function metaContent(name) {
  return document.querySelector(`meta[name=${name}]`)?.getAttribute("content") ?? "";
}

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
    const loadsAgain = !dispatchEvent(new Event("parlour-incomplete", { cancelable: true })); // see recovery.js
    if (!loadsAgain) showError(app, unanswered());
    throw failure;
  });
  dispatchEvent(new Event("parlour-complete"));
  page(app, id);
}

/**
 * Show why there is no page at the address.
 *
 * @param {string} text the server's reason
 */
function showAddressError(text) {
  const status = Number(metaContent("parlour-status"));
  const isUnknown = status === 404;
  if (isUnknown && UNKNOWN[kind]) showFailure(app, t(UNKNOWN[kind]));
  else if (isUnknown && !pages[kind]) showFailure(app, t("nowhere"));
  else showError(app, new AnswerError(text, status));
  if (status === TOO_MANY_REQUESTS) dispatchEvent(new Event("parlour-incomplete"));
}
