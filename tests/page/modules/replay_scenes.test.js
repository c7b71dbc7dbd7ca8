import assert from "node:assert/strict";
import { describe, it } from "node:test";
import "./browser.js";
import { ReplayScenes } from "../../../src/parlour/server/page/js/replay/replay_scenes.js";

const EVENTS = 120;
const scene = (seen) => ({ seen, log: seen % 2 ? [`line ${seen}`, ""] : [] });

/** A server of a game's scenes; the first `failures` requests fail. Return the first events of all requests. */
function server(failures = 0) {
  const asked = [];
  globalThis.fetch = (path) => {
    const first = Number(new URL(path, "http://room").searchParams.get("first"));
    asked.push(first);
    if (asked.length <= failures) return Promise.reject(new TypeError("no network"));
    const scenes = [...Array(50).keys()].map((step) => scene(first + step)).filter(({ seen }) => seen <= EVENTS);
    const body = { scenes, seen: EVENTS };
    return Promise.resolve({ ok: true, status: 200, headers: new Headers(), json: () => Promise.resolve(body) });
  };
  return asked;
}

describe("the scenes of a replay", () => {
  it("come in slices, each requested once, however many want it at the same time", async () => {
    const asked = server();
    const scenes = new ReplayScenes("t", "0", null);
    const found = await Promise.all([7, 49, 0, 50, 99].map((number) => scenes.at(number)));
    assert.deepEqual(
      found.map(({ seen }) => seen),
      [7, 49, 0, 50, 99],
    );
    await scenes.at(8);
    assert.deepEqual([asked, scenes.total], [[0, 50], EVENTS]);
  });

  it("are requested again after a failure", async () => {
    const asked = server(1);
    const scenes = new ReplayScenes("t", "0", null);
    await assert.rejects(scenes.at(7));
    assert.equal((await scenes.at(7)).seen, 7);
    assert.deepEqual(asked, [0, 0]);
  });

  it("fail quietly when they are fetched ahead, and stay within the game", async () => {
    const asked = server(1);
    const scenes = new ReplayScenes("t", "0", null);
    scenes.prefetch(0);
    await new Promise(setImmediate);
    await scenes.at(110);
    scenes.prefetch(110);
    await new Promise(setImmediate);
    assert.deepEqual(asked, [0, 100]);
  });

  it("tell the log until an event, that event included and no later one", async () => {
    server();
    const scenes = new ReplayScenes("t", "0", null);
    await scenes.at(3);
    assert.deepEqual(scenes.log(3), [
      { line: "line 1", event: 1 },
      { line: "line 3", event: 3 },
    ]);
    assert.deepEqual(
      scenes.log(2).map(({ event }) => event),
      [1],
    );
  });
});
