import assert from "node:assert/strict";
import { describe, it } from "node:test";
import "./browser.js";
import { EndNotice, State, stateOf } from "../../../src/parlour/server/page/js/table/table_state.js";
import { PendingAction } from "../../../src/parlour/server/page/js/table/pending_action.js";
import { missedLines } from "../../../src/parlour/server/page/js/table/missed_lines.js";
import { SceneQueue } from "../../../src/parlour/server/page/js/scene/scene_queue.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";

const IDLE = { open: false, waits: false };

describe("the state of a table", () => {
  const scene = { legal: ["pass"], over: false };
  const states = [
    ["loading without a scene", [null, true, IDLE], State.LOADING],
    ["showing while scenes wait, even in the viewer's turn", [scene, true, IDLE], State.SHOWING],
    ["held while an action waits for the connection", [scene, false, { open: true, waits: true }], State.HELD],
    ["sent while an action has no answer", [scene, false, { open: true, waits: false }], State.SENT],
    ["over at the end", [{ legal: [], over: true }, false, IDLE], State.OVER],
    ["turn with a legal action", [scene, false, IDLE], State.TURN],
    ["others without one", [{ legal: [], over: false }, false, IDLE], State.OTHERS],
    ["others where a bot plays the seat to the end", [scene, false, IDLE, true], State.OTHERS],
  ];
  for (const [name, [shown, busy, pending, isPlayedOut = false], state] of states) {
    it(`is ${name}`, () => assert.equal(stateOf(shown, busy, pending, isPlayedOut), state));
  }
});

describe("the end's sheet", () => {
  it("opens once, however often the last scene arrives", () => {
    const end = new EndNotice();
    assert.deepEqual(
      [false, true, true, true].map((over) => end.isDue(over)),
      [false, true, false, false],
    );
  });

  it("opens again after the end has been taken back", () => {
    const end = new EndNotice();
    assert.deepEqual(
      [true, false, true].map((over) => end.isDue(over)),
      [true, false, true],
    );
  });
});

describe("an action without an answer", () => {
  const line = (...sends) => {
    const sent = [];
    const pending = new PendingAction((message) => {
      sent.push(message);
      return sends.shift() ?? true;
    });
    return { pending, sent };
  };

  it("is sent again with the number of events that its player had seen", () => {
    const { pending, sent } = line();
    pending.start("pass", 7);
    assert.equal(pending.resume(9), true);
    assert.deepEqual(sent, [
      { type: "act", do: "pass", seen: 7 },
      { type: "act", do: "pass", seen: 7 },
    ]);
  });

  it("is dropped if it was never sent and the table has moved on", () => {
    const { pending, sent } = line(false);
    pending.start("pass", 7);
    assert.equal(pending.waits, true);
    assert.equal(pending.resume(8), false);
    assert.equal(pending.open, false);
    assert.equal(sent.length, 1);
  });

  it("is sent if it was never sent and the table has not moved", () => {
    const { pending, sent } = line(false);
    pending.start("pass", 7);
    assert.equal(pending.resume(7), true);
    assert.equal(pending.waits, false);
    assert.equal(sent.length, 2);
  });

  it("is not sent again after an answer", () => {
    const { pending, sent } = line();
    pending.start("pass", 7);
    pending.settle();
    assert.equal(pending.resume(7), true);
    assert.equal(sent.length, 1);
  });
});

describe("the missed lines", () => {
  const log = ["one", "", "two", "three"];

  it("are those after the last line shown on this page", () =>
    assert.deepEqual(missedLines(log, 1, 0, []), ["two", "three"]));
  it("are those after the last line shown on an earlier page, if this one has shown none", () =>
    assert.deepEqual(missedLines(log, 0, 3, []), ["three"]));
  it("are none if all lines have been shown", () => assert.deepEqual(missedLines(log, 4, 0, ["by a bot"]), []));
  it("are those of a bot's actions if there are no others", () =>
    assert.deepEqual(missedLines(log, 0, 4, ["by a bot"]), ["by a bot"]));
});

describe("the queue of scenes", () => {
  const scene = (seen, more = {}) => ({ seen, legal: [], over: false, pause: "", rest: false, ...more });
  const watch = (pause = () => Promise.resolve()) => {
    const shown = [];
    let drained;
    const done = new Promise((resolve) => {
      drained = resolve;
    });
    const queue = new SceneQueue({
      show: ({ seen }, gathered) => shown.push([seen, gathered]),
      pause,
      drained: ({ seen }) => drained(seen),
    });
    return { queue, shown, done };
  };
  settings.rememberQuietly({ pace: "instant" });

  it("shows all scenes in order, and drains with the last", async () => {
    const { queue, shown, done } = watch();
    queue.push([scene(1), scene(2)]);
    queue.push([scene(3)]);
    assert.equal(await done, 3);
    assert.deepEqual(
      shown.map(([seen]) => seen),
      [1, 2, 3],
    );
    assert.equal(queue.busy, false);
  });

  it("shows a finished trick on the table, then gathered", async () => {
    const { queue, shown, done } = watch();
    queue.push([scene(1, { rest: true })]);
    await done;
    assert.deepEqual(
      shown.filter(([seen]) => seen === 1),
      [
        [1, false],
        [1, true],
      ],
    );
  });

  it("pauses at the end of a round, but not at the end of the game", async () => {
    const pauses = [];
    const { queue, done } = watch(({ seen }) => {
      pauses.push(seen);
      return Promise.resolve();
    });
    queue.push([scene(1, { pause: "Round 1 is over." }), scene(2, { pause: "Round 2 is over.", over: true })]);
    await done;
    assert.deepEqual(pauses, [1]);
  });

  it("drops the scenes that have not been shown on a reset", async () => {
    let go;
    const { queue, shown, done } = watch(
      () =>
        new Promise((resolve) => {
          go = resolve;
        }),
    );
    queue.push([scene(1, { pause: "Round 1 is over." }), scene(2)]);
    while (!go) await new Promise(setImmediate);
    queue.reset();
    queue.push([scene(9)]);
    go();
    assert.equal(await done, 9);
    assert.deepEqual(
      shown.map(([seen]) => seen),
      [1, 9],
    );
  });
});
