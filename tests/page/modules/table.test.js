import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { page } from "./browser.js";

const { EndNotice, State, stateOf } = await import(page("table_state"));
const { Presses } = await import(page("pending_action"));
const { missedLines } = await import(page("missed_lines"));
const { Queue } = await import(page("scene_queue"));
const settings = await import(page("settings"));

const IDLE = { open: false, waits: false };

describe("the state of a table", () => {
  const scene = { legal: ["pass"], over: false };
  const states = [
    ["loading without a scene", [null, true, IDLE], State.LOADING],
    ["showing while scenes wait, whoever is to act", [scene, true, IDLE], State.SHOWING],
    ["held while an action waits for the connection", [scene, false, { open: true, waits: true }], State.HELD],
    ["sent while an action is not answered", [scene, false, { open: true, waits: false }], State.SENT],
    ["over at the end", [{ legal: [], over: true }, false, IDLE], State.OVER],
    ["turn where something is legal", [scene, false, IDLE], State.TURN],
    ["others where nothing is", [{ legal: [], over: false }, false, IDLE], State.OTHERS],
  ];
  for (const [name, asked, state] of states) it(`is ${name}`, () => assert.equal(stateOf(...asked), state));
});

describe("the end's sheet", () => {
  it("opens once, however often the last scene comes", () => {
    const end = new EndNotice();
    assert.deepEqual(
      [false, true, true, true].map((over) => end.isDue(over)),
      [false, true, false, false],
    );
  });

  it("opens again when the end was taken back and comes again", () => {
    const end = new EndNotice();
    assert.deepEqual(
      [true, false, true].map((over) => end.isDue(over)),
      [true, false, true],
    );
  });
});

describe("an action that was pressed", () => {
  const line = (...sends) => {
    const sent = [];
    const presses = new Presses((message) => {
      sent.push(message);
      return sends.shift() ?? true;
    });
    return { presses, sent };
  };

  it("that was sent and not answered is sent again with the moment it was pressed at", () => {
    const { presses, sent } = line();
    presses.press("pass", 7);
    assert.equal(presses.again(9), true);
    assert.deepEqual(sent, [
      { type: "do", do: "pass", seen: 7 },
      { type: "do", do: "pass", seen: 7 },
    ]);
  });

  it("that was never sent is dropped where the table has moved on", () => {
    const { presses, sent } = line(false);
    presses.press("pass", 7);
    assert.equal(presses.waits, true);
    assert.equal(presses.again(8), false);
    assert.equal(presses.open, false);
    assert.equal(sent.length, 1);
  });

  it("that was never sent is sent where the table has not moved", () => {
    const { presses, sent } = line(false);
    presses.press("pass", 7);
    assert.equal(presses.again(7), true);
    assert.equal(presses.waits, false);
    assert.equal(sent.length, 2);
  });

  it("is sent no more once it is answered", () => {
    const { presses, sent } = line();
    presses.press("pass", 7);
    presses.settle();
    assert.equal(presses.again(7), true);
    assert.equal(sent.length, 1);
  });
});

describe("what was missed", () => {
  const told = ["one", "", "two", "three"];

  it("is what was told after the last sentence shown here", () =>
    assert.deepEqual(missedLines(told, 1, 0, []), ["two", "three"]));
  it("is what was told after the last sentence read before, where nothing was shown", () =>
    assert.deepEqual(missedLines(told, 0, 3, []), ["three"]));
  it("is nothing where everything was shown", () => assert.deepEqual(missedLines(told, 4, 0, ["by a bot"]), []));
  it("is what a bot did where nothing else is known", () =>
    assert.deepEqual(missedLines(told, 0, 4, ["by a bot"]), ["by a bot"]));
});

describe("the queue of scenes", () => {
  const scene = (seen, more = {}) => ({ seen, legal: [], over: false, pause: "", rest: false, ...more });
  const watch = (pause = async () => {}) => {
    const shown = [];
    let drained;
    const done = new Promise((resolve) => {
      drained = resolve;
    });
    const queue = new Queue({
      show: ({ seen }, gathered) => shown.push([seen, gathered]),
      pause,
      drained: ({ seen }) => drained(seen),
    });
    return { queue, shown, done };
  };
  settings.rememberQuietly({ pace: "instant" });

  it("shows every scene in order and drains with the last", async () => {
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

  it("shows a finished trick first on the table, then gathered", async () => {
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

  it("waits at the end of a round, and not at the end of the game", async () => {
    const pauses = [];
    const { queue, done } = watch(async ({ seen }) => {
      pauses.push(seen);
    });
    queue.push([scene(1, { pause: "Round 1 is over." }), scene(2, { pause: "Round 2 is over.", over: true })]);
    await done;
    assert.deepEqual(pauses, [1]);
  });

  it("forgets on a reset what has not been shown", async () => {
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
