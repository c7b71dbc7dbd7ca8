// Which page this is: the landing, a game's setting up or lesson, a table, or a game that was played.

import { clear, h } from "./dom.js";
import { takeSeatFromLink } from "./seat_panel.js";
import { showFailure } from "./failure.js";
import { applyLooks } from "./settings.js";
import { t } from "./texts.js";

applyLooks();
const app = document.getElementById("app");
const [, place, id, part] = location.pathname.match(/^\/(\w+)\/([\w-]+)(\/review)?\/?$/) ?? [];
// what a page consists of is asked for when it is opened
const landing = () => import("./landing.js").then((module) => module.landing);
const review = () => import("./review.js").then((module) => module.reviewPage);
const pages = {
  table: () => import("./table.js").then((module) => module.tablePage),
  game: () => import("./replay.js").then((module) => module.replayPage),
  learn: () => import("./lesson.js").then((module) => module.lessonPage),
  games: () => import("./setup.js").then((module) => module.setup),
};
document.body.classList.add(
  part ? "at-review" : ["table", "game", "learn"].includes(place) ? "at-table" : "at-landing",
);
clear(app, h("p", { class: "loading" }, t("loading")));
if (place === "table") takeSeatFromLink(id);
addEventListener("pageshow", (event) => event.persisted && location.reload()); // as it was left it waits for what has been answered
const told = document.querySelector("meta[name=parlour-error]")?.content;
if (told) nowhere(told);
else show(part ? review : (pages[place] ?? landing));

/** Show a page as soon as what it consists of is here. */
async function show(asked) {
  const page = await asked().catch((error) => {
    showFailure(app, t("unreachable"));
    throw error;
  });
  page(app, id);
}

/** What the server says of an address at which there is nothing to see. */
function nowhere(text) {
  const known = {
    "there is no such page": "nowhere",
    "there is no such table": "unknownTable",
    "there is no such game": "unknownGame",
  };
  showFailure(app, known[text] ? t(known[text]) : `${text[0].toUpperCase()}${text.slice(1)}.`);
}
