// Requests with a key, which are repeated until the room answers: how often, after which pauses, and for seats by which
// key.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import "./browser.js";
import { settle } from "./elements.js";
import { serve } from "./server.js";
import * as api from "../../../src/parlour/server/page/js/common/api.js";
import { isRefusal, persist, retry } from "../../../src/parlour/server/page/js/common/retry.js";
import { newKey } from "../../../src/parlour/server/page/js/table/seat_key.js";
import { requestSeat } from "../../../src/parlour/server/page/js/table/seat_request.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** Repeat a request with these answers. Return its answer or status, and the seconds at which it was sent. */
async function outcome(...answers) {
  const times = [];
  let halves = 0;
  let result;
  serve({ "/api/games": answers });
  const request = () => {
    times.push(halves / 2);
    return api.games();
  };
  retry(request).then(
    (answer) => (result = answer),
    (error) => (result = api.statusOf(error)),
  );
  for (; halves < 30 && result === undefined; halves += 1) {
    await settle();
    mock.timers.tick(500);
  }
  return [result, times];
}

describe("a request with a key", () => {
  const found = { games: [] };

  it("is sent once if it is answered or refused", async () => {
    assert.deepEqual(await outcome(found), [found, [0]]);
    for (const status of [400, 404, 409, 422, 429, 499]) assert.deepEqual(await outcome(status), [status, [0]]);
  });

  for (const failure of [null, 500, 502, 503, 504]) {
    it(`is repeated with longer and longer pauses after ${failure ?? "no answer"}`, async () => {
      assert.deepEqual(await outcome(failure), [failure ?? 0, [0, 0.5, 1.5, 3.5, 7.5]]);
      assert.deepEqual(await outcome(failure, failure, found), [found, [0, 0.5, 1.5]]);
    });
  }

  it("is refused also when it is repeated", async () => {
    assert.deepEqual(await outcome(503, null, 409), [409, [0, 0.5, 1.5]]);
  });

  it("is not refused by an error of the page itself", () => assert.equal(isRefusal(new Error("no")), false));
});

describe("a key of a seat", () => {
  it("is new, and fits into an address", () => {
    const keys = Array.from({ length: 200 }, newKey);
    assert.equal(new Set(keys).size, 200);
    for (const key of keys) assert.match(key, /^[\w-]{32}$/);
  });

  it("is the same for each request for one seat, and another for each other seat", async () => {
    const sent = serve({ "/api/tables": { seat: 0, key: "k" } });
    for (const [table, seat] of [
      ["one", 0],
      ["one", 0],
      ["one", 1],
      ["two", 0],
    ]) {
      await requestSeat(table, seat, "Ann");
    }
    const [first, again, ...others] = sent.map(({ body }) => body.key);
    assert.equal(first, again);
    assert.equal(new Set([first, ...others]).size, 3);
  });
});

describe("a request for what is shown already", () => {
  /** Repeat a request with these answers every two seconds. Return its answer or status, and the number of requests. */
  async function last(...answers) {
    let result;
    const sent = serve({ "/api/games": answers });
    persist(api.games, 2000).then(
      (answer) => (result = answer),
      (error) => (result = api.statusOf(error)),
    );
    for (let time = 0; time < 40 && result === undefined; time += 1) {
      await settle();
      mock.timers.tick(2000);
    }
    return [result, sent.length];
  }

  it("is repeated until it is answered", async () => {
    const found = { games: [] };
    assert.deepEqual(await last(...Array(20).fill(null), 503, 429, found), [found, 23]);
  });

  it("is not repeated after a refusal", async () => assert.deepEqual(await last(404, {}), [404, 1]));
});
