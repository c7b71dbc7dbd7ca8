// The page of a club night in Node: its server, and the night that it shows.

import { mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, emptyPage, settle } from "./elements.js";
import { serve } from "./server.js";
import { clubPage } from "../../../src/parlour/server/page/js/club/club.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { takeKey } from "../../../src/parlour/server/page/js/player/player_key.js";

export const KEY = "0123456789abcdef012345";

export let body;
export let visited;
export const field = (name) => body.querySelector(`[name=${name}]`);

/** Begin a test with an empty page, and nothing kept but the player's key. */
export function begin() {
  emptyStorage();
  takeKey(KEY);
  ({ body, visited } = emptyPage());
}

export const player = (number, name) => ({ number, name });
export const NIGHT = {
  club: "c1",
  game: "whist",
  title: "Whist",
  options: {},
  system: "swiss",
  rounds: 3,
  begun: 0,
  closed: 0,
  you: 0,
  players: [player(0, "Ann"), player(1, "Bo"), player(2, "")],
  games: [],
  standings: [],
};
export const played = (round, deal, seats, more = {}) => ({
  round,
  deal,
  board: 0,
  seats,
  table: `t${round}${deal}`,
  over: false,
  won: null,
  scores: [null, null],
  ...more,
});

/** Show a night, as the host or another viewer, with these later answers. Return the requests. */
export async function show(night, { host = false, then = [], others = {} } = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval"] });
  body = emptyDocument();
  if (host) settings.keepHostKey("c1", "host key");
  const sent = serve({
    ...others,
    "/api/club/c1": [{ ...NIGHT, ...night }, ...then.map((each) => ({ ...NIGHT, ...each }))],
  });
  await clubPage(body, "c1");
  await settle();
  return sent;
}
export const bodyTo = (sent, path) => sent.find((request) => request.path === path).body;
export const later = async () => {
  mock.timers.tick(5000);
  await settle();
};
