// Which page this is: the landing, a game's setting up or lesson, a table, or a game that was played.

import { clear, h } from "./dom.js";
import { takeSeatFromLink } from "./door.js";
import { showFailure } from "./failed.js";
import { landing } from "./landing.js";
import { lessonPage } from "./lesson.js";
import { replayPage } from "./replay.js";
import { reviewPage } from "./review.js";
import { applyLooks } from "./settings.js";
import { setup } from "./setup.js";
import { tablePage } from "./table.js";
import { t } from "./texts.js";

applyLooks();
const app = document.getElementById("app");
const [, place, id, part] = location.pathname.match(/^\/(\w+)\/([\w-]+)(\/review)?\/?$/) ?? [];
const pages = { table: tablePage, game: replayPage, learn: lessonPage, games: setup };
document.body.classList.add(part ? "at-review" : ["table", "game", "learn"].includes(place) ? "at-table" : "at-landing");
clear(app, h("p", { class: "loading" }, t("loading")));
if (place === "table") takeSeatFromLink(id);
addEventListener("pageshow", (event) => event.persisted && location.reload()); // as it was left it waits for what has been answered
const told = document.querySelector("meta[name=parlour-error]")?.content;
if (told) nowhere(told);
else (part ? reviewPage : pages[place] ?? landing)(app, id);

/** What the server says of an address at which there is nothing to see. */
function nowhere(text) {
  const sentence = text === "there is no such page" ? t("nowhere") : `${text[0].toUpperCase()}${text.slice(1)}.`;
  document.title = t("house");
  showFailure(app, sentence, h("h1", {}, t("house")));
}
