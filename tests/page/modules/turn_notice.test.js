import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { remember } from "../../../src/parlour/server/page/js/common/settings.js";
import { decides, TurnNotice } from "../../../src/parlour/server/page/js/table/turn_notice.js";

const scene = (legal, more) => ({ legal, over: false, seat: 0, ...more });

describe("the player has to decide", () => {
  it("in the own turn, also among people with one action", () => {
    assert.equal(decides(scene(["7H", "8H"]), true), true);
    assert.equal(decides(scene(["7H"]), false), true);
  });

  it("not in another's turn, at the end, without a seat, or where the page acts by itself", () => {
    assert.equal(decides(scene([]), false), false);
    assert.equal(decides(scene(["7H"], { over: true }), false), false);
    assert.equal(decides(scene(["7H"], { seat: -1 }), false), false);
    assert.equal(decides(scene(["7H"]), true), false);
  });
});

describe("a phone", () => {
  const seats = (...kinds) => kinds.map((kind, at) => ({ kind, name: `Player ${at}` }));
  let vibrated = 0;
  let now = 0;

  /** The notice of a table, in whose scenes `seen` events have happened after so many milliseconds. */
  function noticeAt(...kinds) {
    const table = { table: "one", title: "Hearts", seat: 0, begun: true, seats: seats(...kinds) };
    const notice = new TurnNotice(() => table);
    return (wait, seen, ...legal) => {
      now += wait;
      notice.note({ ...scene(legal), seen });
      return vibrated;
    };
  }

  beforeEach(() => {
    emptyStorage();
    remember({ notify: true });
    [vibrated, now] = [0, 1000];
    mock.method(performance, "now", () => now);
    Object.assign(document, { addEventListener() {}, querySelector: () => null, hidden: false });
    navigator.vibrate = () => (vibrated += 1);
  });
  afterEach(() => mock.restoreAll());

  it("vibrates at a turn after more than five seconds of waiting, once", () => {
    const at = noticeAt("person", "person");
    assert.equal(at(5001, 1, "7H", "8H"), 1);
    assert.equal(at(60_000, 1, "7H", "8H"), 1);
  });

  it("does not vibrate after a short wait, however long the player's own turn was", () => {
    const at = noticeAt("person", "person");
    at(0, 1, "7H", "8H");
    at(60_000, 2);
    assert.equal(at(5000, 3, "7H", "8H"), 0);
    at(0, 4);
    assert.equal(at(5001, 5, "7H", "8H"), 1);
  });

  it("counts the wait from the player's last turn if one message has the action and the next turn", () => {
    const at = noticeAt("person", "person");
    at(0, 1, "7H", "8H");
    at(4000, 3, "7H", "8H");
    assert.equal(at(4000, 5, "7H", "8H"), 0);
    assert.equal(at(5001, 7, "7H", "8H"), 1);
  });

  it("does not vibrate among bots alone, or for players without notices", () => {
    assert.equal(noticeAt("person", "bot")(60_000, 1, "7H", "8H"), 0);
    remember({ notify: false });
    assert.equal(noticeAt("person", "person")(60_000, 1, "7H", "8H"), 0);
  });
});
