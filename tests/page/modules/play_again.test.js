// The ways to another game after one against bots.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyPage, press, settle, texts } from "./elements.js";
import { serve } from "./server.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { playAgainWays } from "../../../src/parlour/server/page/js/table/play_again.js";

const person = (name) => ({ kind: "person", name, taken: true, rating: null });
const TABLE = {
  table: "one",
  seat: 0,
  seats: [person("Ann"), { ...person("Ada"), kind: "bot" }],
  manners: { rated: false },
  daily: null,
  club: null,
};
const BESIDE = { level: "regular", lower: "beginner" };
const OPENED = { table: "two", seat: 0, key: "k" };

let body;
let visited;

beforeEach(() => {
  emptyStorage();
  ({ body, visited } = emptyPage());
  settings.keepSeat("one", 0, "key");
});

/** Show the ways from a table to another game; null where there are none. */
async function ways(table = {}, beside = BESIDE, opened = OPENED, more = {}) {
  const sent = serve({ "GET /api/tables/one/again": beside, "POST /api/tables/one/again": opened, ...more });
  const made = playAgainWays({ ...TABLE, ...table });
  if (made) body.append(made);
  await settle();
  return { made, sent };
}
const labels = () => texts("[data-again]");
const go = (what) => press(body.querySelectorAll(`[data-again=${what}]`).at(-1));

describe("another game against bots", () => {
  it("is the same deal, or one against the levels beside, by their names", async () => {
    await ways();
    assert.deepEqual(labels(), ["The same deal again", "Against beginners", "Against regulars"]);
    assert.equal(texts("[data-place=again] > *").at(-1), ""); // the place of a failure
  });

  for (const [beside, expected] of [
    [{ level: "casual", lower: null }, ["Against casual players"]],
    [{ level: null, lower: "expert" }, ["Against experts"]],
    [{ level: null, lower: null }, []],
    [503, []],
  ]) {
    it(`has only levels that there are: ${expected.join() || "none"}`, async () => {
      await ways({}, beside);
      assert.deepEqual(labels(), ["The same deal again", ...expected]);
    });
  }

  it("says that it is rated, except with the same deal", async () => {
    await ways({ manners: { rated: true } });
    assert.deepEqual(labels(), ["The same deal again", "Against beginners (rated)", "Against regulars (rated)"]);
  });

  it("is not a deal that others still play, and none for others than a player alone with bots", async () => {
    await ways({ daily: { day: "2026-11-23", sealed: true } });
    assert.deepEqual(labels(), ["Against beginners", "Against regulars"]);
    assert.equal((await ways({ seats: [person("Ann"), person("Bo")] })).made, null);
    assert.equal((await ways({ seat: -1 })).made, null);
  });

  it("is opened with the key of the seat, or says why not", async () => {
    const { sent } = await ways({}, BESIDE, [409, OPENED]);
    await go("lower");
    assert.deepEqual([texts(".failure"), visited], [["refused: 409"], []]);
    await go("lower");
    body.querySelector("[data-again=lower]").click(); // while the page is left
    await settle();
    assert.deepEqual([texts(".failure"), visited], [[""], ["/table/two"]]);
    const { seat_key: key, what } = sent.find(({ method }) => method === "POST").body;
    assert.deepEqual([key, what], ["key", "lower"]);
  });

  it("goes on with the same deal while that game is not over", async () => {
    const third = { table: "three", seat: 0, key: "l" };
    const { sent } = await ways({}, BESIDE, [OPENED, third], { "/api/tables/two": [{ over: false }, { over: true }] });
    await go("deal");
    for (const expected of ["/table/two", "/table/three"]) {
      body.replaceChildren(playAgainWays(TABLE)); // by the back button
      await go("deal");
      assert.equal(visited.at(-1), expected);
    }
    assert.equal(sent.filter(({ method }) => method === "POST").length, 2);
  });
});
