import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import "./browser.js";
import { SceneQueue } from "../../../src/parlour/server/page/js/scene/scene_queue.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";

const scene = (seen, more = {}) => ({ seen, legal: [], over: false, rest: false, pause: "", ...more });
const OWN_TURN = { legal: ["pass"] };

/** Show these scenes. Return the waits in milliseconds and the scenes that need not be drawn; no wait takes time. */
async function waitsOf(scenes) {
  const waits = [];
  const passing = [];
  mock.method(globalThis, "setTimeout", (call, time) => {
    waits.push(time);
    queueMicrotask(call);
    return 0;
  });
  await new Promise((drained) => {
    const show = ({ seen }, _, isPassing) => isPassing && passing.push(seen);
    new SceneQueue({ show, pause: () => Promise.resolve(), drained }).push(scenes);
  });
  return { waits, passing };
}

describe("the pace of scenes", () => {
  beforeEach(() => settings.rememberQuietly({ pace: "normal", rest: "short" }));
  afterEach(() => {
    mock.restoreAll();
    settings.rememberQuietly({ pace: "instant", rest: "short" });
  });

  const paces = [
    ["slow", 1100, 2600, 600],
    ["normal", 600, 1600, 450],
    ["fast", 250, 1500, 300],
  ];
  for (const [pace, step, rest, gather] of paces) {
    it(`is ${pace}`, async () => {
      settings.rememberQuietly({ pace });
      const { waits } = await waitsOf([scene(1), scene(2, { rest: true }), scene(3)]);
      assert.deepEqual(waits, [step, rest, gather, step]);
    });
  }

  it("is instant without any wait", async () => {
    settings.rememberQuietly({ pace: "instant" });
    assert.deepEqual((await waitsOf([scene(1), scene(2, { rest: true }), scene(3)])).waits, []);
  });

  it("does not wait before the viewer's turn, nor at the end of the game", async () => {
    for (const last of [OWN_TURN, { over: true }]) {
      const { waits, passing } = await waitsOf([scene(1), scene(2, last)]);
      assert.deepEqual([waits, passing], [[600], [2]]);
    }
  });

  it("waits after an own turn that has passed, and after the last action of another seat", async () => {
    const { waits, passing } = await waitsOf([scene(1, OWN_TURN), scene(2)]);
    assert.deepEqual([waits, passing], [[600, 600], []]);
  });

  it("leaves a finished trick twice as long on request", async () => {
    settings.rememberQuietly({ rest: "long" });
    assert.deepEqual((await waitsOf([scene(1, { rest: true, ...OWN_TURN })])).waits, [3200, 450]);
  });

  it("leaves it until a click on request, with no clock", async () => {
    settings.rememberQuietly({ rest: "click" });
    const shown = [];
    const queue = new SceneQueue({ show: ({ seen }, gathered) => shown.push([seen, gathered]) });
    queue.push([scene(1, { rest: true })]);
    await new Promise(setImmediate);
    assert.deepEqual([shown, queue.resting], [[[1, false]], true]);
    mock.method(globalThis, "setTimeout", () => 0);
    queue.goOn();
    await new Promise(setImmediate);
    assert.deepEqual([shown[1], queue.resting], [[1, true], false]);
  });
});
