// A table's page in Node: its room, its server, and what is seen, heard and sent of it.

import { mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, pressKey, settle, texts } from "./elements.js";
import { COMPANY } from "./scenes.js";
import { serve } from "./server.js";
import { noSockets, socket } from "./sockets.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import "../../../src/parlour/server/page/js/common/help_sheet.js"; // loaded when it is first needed
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { tablePage } from "../../../src/parlour/server/page/js/table/table.js";

export const person = (name) => ({ kind: "person", name, taken: true, rating: null });
export const TABLE = {
  type: "table",
  table: "one",
  game: "whist",
  title: "Whist",
  players: 2,
  options: {},
  seats: [person("Ann"), person("Bo")],
  begun: true,
  over: false,
  conceded: null,
  actor: 0,
  manners: {
    clock: null,
    days: null,
    patience: 120,
    talk: "words",
    hints: true,
    take_over: false,
    fill: null,
    rated: false,
  },
  hints: true,
  take_over: false,
  daily: null,
  club: null,
  fills_in: null,
  deadline: null,
};
export const TERMS = [{ word: "trump", means: "the best suit", clause: "W-4" }];
export const PRIMER = { short: "<p>In short.</p>", lesson: 4, terms: TERMS };

export let body;
export let heard;
export const card = (name) => body.querySelector(`[data-card="${name}"]`);
export const note = () => (body.querySelector(".note").hidden ? "" : texts(".note")[0]);
export const prompt = () => texts(".prompt")[0];
export const sent = (type) => socket().sent.filter((message) => message.type === type);
export const say = async (message) => {
  socket().say(message);
  await settle();
};
export const scenes = (...list) => say({ type: "scenes", scenes: list });
export const history = (list, log = [], meanwhile = []) => say({ type: "scenes", scenes: list, log, meanwhile });
export const sheet = () => body.querySelectorAll("dialog").at(-1)?.dataset.sheet ?? null;
export const key = async (name) => {
  pressKey(name);
  await settle();
};
/** What screen readers are told from now on, in the page or in an open sheet. */
export function told() {
  mock.timers.tick(60);
  const regions = [document.getElementById("live"), ...body.querySelectorAll("[data-live]")];
  const lines = regions.flatMap((region) => region.children.map(({ textContent }) => textContent));
  for (const region of regions) region.replaceChildren();
  return lines;
}

/** Open the table, and answer its hello with this scene. */
export async function open(
  first,
  { table = {}, seat = 0, log = [], company = COMPANY, answers = {}, meanwhile = [] } = {},
) {
  body = emptyDocument();
  const app = h("div", { id: "app" });
  body.append(h("div", { id: "live" }), app);
  if (seat >= 0) settings.keepSeat("one", seat, "key");
  noSockets();
  const usual = { "/api/tables/one": { ...TABLE, ...table }, "/api/games/whist/primer": PRIMER, "/healthz": {} };
  serve({ ...answers, ...usual, ...answers });
  await tablePage(app, "one");
  await settle();
  socket().accept();
  if (first) await history([first], log, meanwhile);
  if (company) await say(company);
}

/** Begin each test without anything kept, with a clock that stands still. */
export function begin() {
  emptyStorage();
  settings.remember({ pace: "instant", sound: true, met: ["whist"] });
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  heard = [];
  globalThis.window = globalThis;
  globalThis.AudioContext = class {
    currentTime = 0;
    sampleRate = 10;
    state = "running";
    createBuffer = () => ({ getChannelData: () => [] });
    suspend() {}
  };
  for (const name of ["AudioBufferSource", "BiquadFilter", "Gain", "Oscillator"]) {
    globalThis[`${name}Node`] = class {
      gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
      connect = (next) => next;
      stop() {}
      constructor(_, { frequency } = {}) {
        this.start = () => heard.push(frequency);
      }
    };
  }
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: true }, configurable: true });
  globalThis.location = {
    protocol: "http:",
    host: "h",
    hostname: "h",
    origin: "http://h",
    pathname: "/table/one",
    hash: "",
    visited: [],
  };
  location.assign = (address) => location.visited.push(address);
  globalThis.history = { state: null, replaceState() {} };
}

/** End each test, so that neither an announcement nor a lost connection goes on in the next one. */
export async function end() {
  told();
  await settle();
  mock.timers.reset();
}

/** The frequency of the first tone of the sound at a turn. */
const TURN = 523.25;
export const turns = () => heard.filter((frequency) => frequency === TURN).length;
