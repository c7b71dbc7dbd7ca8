// A replay of a short game on the test page, with the scenes of each view. Each test begins with empty storage and a
// clock of its own.

import { afterEach, beforeEach, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, enter, press, settle } from "./elements.js";
import { area, PLAYED, row, scene, seen } from "./scenes.js";
import { serve } from "./server.js";
import { remember } from "../../../src/parlour/server/page/js/common/settings.js";
import { replayPage } from "../../../src/parlour/server/page/js/replay/replay.js";

export const TOTAL = 4;
const TABLE = {
  ...PLAYED,
  seats: [
    { name: "Ann", kind: "person" },
    { name: "Ada", kind: "bot" },
    { name: "Cy", kind: "person" },
  ],
};

/** The scenes of a view. At event 1 the cards are dealt, from event 2 on a seat is to act. */
export const scenes = (view, total = TOTAL) =>
  [...Array(total + 1).keys()].map((event) => {
    const cards = event ? [seen("7H")] : [];
    const areas = [area("you", 0, [row("hand", "hand", cards)], { active: event > 1 })];
    const log = event ? [`${view} event ${event}`, ""] : [];
    return scene(event, { areas, log, over: event === total, outcome: event === total ? "Ann wins." : "" });
  });

export let body;
export let sent;
export const position = () => body.querySelector(".counter").textContent;
export const prompt = () => body.querySelector(".prompt").textContent;
export const step = (name) => press(body.querySelector(`[data-step=${name}]`));
export const views = () => body.querySelectorAll("[name=view]").map(({ value }) => value);
export const choose = async (view) => {
  enter(body.querySelector(`[name=view][value="${view}"]`), true);
  await settle();
};
export const tick = async (time) => {
  mock.timers.tick(time);
  await settle();
};

/** The query and the fragment of a replay's address. */
const partsOf = (address) => {
  const { search, hash } = new URL(address, "http://h");
  return { search, hash };
};

/** Open a replay, with the scenes of each view. */
export async function open(table = {}, { hash = "", search = "", answers = {} } = {}) {
  body = emptyDocument();
  globalThis.location = {
    hash,
    search,
    origin: "http://h",
    host: "h",
    hostname: "h",
    assign: (to) => location.visited.push(to),
    visited: [],
  };
  globalThis.history = { replaceState: (_, __, address) => Object.assign(location, partsOf(address)) };
  const replays = ["all", "0", "1", "2", "spectator"].map((view) => [
    `/api/tables/one/replay?view=${view}&`,
    { seen: TOTAL, scenes: scenes(view) },
  ]);
  sent = serve({ ...answers, ...Object.fromEntries(replays), "/api/tables/one": { ...TABLE, ...table }, ...answers });
  await replayPage(body, "one");
  await settle();
}

beforeEach(() => {
  emptyStorage();
  remember({ pace: "instant", sound: false });
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
});
afterEach(() => mock.timers.reset());
