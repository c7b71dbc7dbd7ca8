import assert from "node:assert/strict";
import { describe, it } from "node:test";
import "./browser.js";
import { Playback } from "../../../src/parlour/server/page/js/replay/playback.js";
import { after, before, BEGINNING, startOf } from "../../../src/parlour/server/page/js/lesson/lesson_position.js";

describe("a replay", () => {
  it("starts again from the beginning at its end", () => {
    const replay = new Playback(3);
    replay.step(3);
    assert.equal(replay.toggle(), true);
    assert.equal(replay.now, 0);
    assert.equal(replay.tick(), 1);
  });

  it("continues from its position", () => {
    const replay = new Playback(5);
    replay.step(2);
    replay.toggle();
    assert.equal(replay.tick(), 3);
  });

  it("stops at the end", () => {
    const replay = new Playback(2);
    replay.toggle();
    assert.deepEqual(
      [replay.tick(), replay.running, replay.tick(), replay.running, replay.tick()],
      [1, true, 2, false, 2],
    );
  });

  it("stops at a step by hand, and at a second press", () => {
    const replay = new Playback(9);
    replay.toggle();
    replay.step(4);
    assert.deepEqual([replay.running, replay.tick()], [false, 4]);
    replay.toggle();
    assert.equal(replay.toggle(), false);
    assert.equal(replay.tick(), 4);
  });

  it("stays within the game", () => {
    const replay = new Playback(4);
    assert.deepEqual([replay.step(-1), replay.step(99)], [0, 4]);
  });

  it("of a game without events does not run", () => assert.equal(new Playback(0).toggle(), false));
});

describe("a lesson", () => {
  const hands = [{ steps: 2 }, { steps: 3 }];

  it("passes all steps of all hands, and ends", () => {
    const places = [];
    for (let place = BEGINNING; place; place = after(hands, place)) places.push([...place]);
    assert.deepEqual(places, [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
  });

  it("goes back the same way", () => {
    assert.deepEqual(before(hands, [1, 0]), [0, 1]);
    assert.deepEqual(before(hands, [1, 2]), [1, 1]);
    assert.equal(before(hands, [0, 0]), null);
  });

  it("continues at the kept step", () => assert.deepEqual(startOf(hands, [1, 1]), [1, 1]));
  it("begins at the first step without a kept one", () => assert.deepEqual(startOf(hands), [0, 0]));
  it("begins at the first step if the kept one no longer exists", () => {
    assert.deepEqual(startOf(hands, [0, 2]), [0, 0]);
    assert.deepEqual(startOf(hands, [2, 0]), [0, 0]);
  });
});
