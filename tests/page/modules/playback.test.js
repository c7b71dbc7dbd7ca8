// The position in a replay, by hand and with the clock.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Playback } from "../../../src/parlour/server/page/js/replay/playback.js";

describe("the position of a playback", () => {
  it("stays within the game", () => {
    const playback = new Playback(3);
    assert.deepEqual([playback.go(9), playback.atEnd, playback.step(-1), playback.atStart], [3, true, 0, true]);
  });

  it("does not run without events", () => assert.equal(new Playback(0).toggle(), false));
});
