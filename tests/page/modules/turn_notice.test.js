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
    return noticeOf({ seats: seats(...kinds) });
  }

  function noticeOf(facts) {
    const table = { table: "one", title: "Hearts", seat: 0, begun: true, ...facts };
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

  it("does not vibrate for a game of a club night that the host has closed", () => {
    const at = noticeOf({ seats: seats("person", "person"), club: { counts: false } });
    assert.equal(at(5001, 1, "7H", "8H"), 0);
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

describe("the notice of a turn", () => {
  let shown;
  let closed;
  let facts;

  beforeEach(() => {
    emptyStorage();
    remember({ notify: true });
    [shown, closed] = [[], []];
    globalThis.Notification = class extends EventTarget {
      static permission = "granted";
      constructor(title, { body, tag }) {
        super();
        this.text = `${tag}: ${title}, ${body}`;
        shown.push(this.text);
      }
      close() {
        closed.push(this.text);
      }
    };
    globalThis.location = { pathname: "/table/one" };
    Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });
    Object.assign(document, { addEventListener() {}, querySelector: () => null, hidden: true });
    const seats = ["Ann", "Bo", "Cy"].map((name) => ({ kind: "person", name }));
    facts = { table: "one", title: "Hearts", seat: 0, begun: false, over: false, seats };
  });
  afterEach(() => {
    document.hidden = false;
    delete globalThis.Notification;
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it("comes once for each turn while the player looks elsewhere, with the names of the others", async () => {
    const notice = new TurnNotice(() => facts);
    for (const [seen, legal] of [
      [1, []],
      [2, ["7H", "8H"]],
      [2, ["7H", "8H"]],
      [4, ["8H", "9H"]],
    ]) {
      notice.note({ ...scene(legal), seen });
      await settled();
    }
    assert.deepEqual(shown, Array(2).fill("one: Your turn, Hearts with Bo and Cy"));
  });

  it("comes for the only legal action among people, and not where the page does it among bots", async () => {
    for (const [kind, number] of [
      ["person", 1],
      ["bot", 0],
    ]) {
      shown = [];
      facts = { ...facts, seats: [facts.seats[0], { kind, name: "Bo" }] };
      new TurnNotice(() => facts).note({ ...scene(["7H"]), seen: 1 });
      await settled();
      assert.equal(shown.length, number);
    }
  });

  it("does not come while the page is seen", async () => {
    document.hidden = false;
    new TurnNotice(() => facts).note({ ...scene(["7H", "8H"]), seen: 1 });
    await settled();
    assert.deepEqual(shown, []);
  });

  it("comes when the game begins, once, for those who play and look elsewhere", async () => {
    const notice = new TurnNotice(() => facts);
    for (const begun of [false, true, true]) {
      facts = { ...facts, begun };
      notice.noteTable();
      await settled();
    }
    assert.deepEqual(shown, ["one: The game begins, Hearts"]);
    shown = [];
    facts = { ...facts, begun: false, seat: -1 };
    const watching = new TurnNotice(() => facts);
    facts = { ...facts, begun: true };
    watching.noteTable();
    await settled();
    assert.deepEqual(shown, []);
  });

  it("is removed when the turn has ended without a look at the page, as by an action on another device", async () => {
    const notice = new TurnNotice(() => facts);
    for (const [seen, legal, removed] of [
      [1, ["7H", "8H"], 0],
      [2, [], 1],
    ]) {
      notice.note({ ...scene(legal), seen });
      await settled();
      assert.deepEqual(closed, shown.slice(0, removed));
    }
    assert.equal(shown.length, 1);
  });

  it("is removed when the player looks at the table again", async () => {
    const asked = [];
    const worker = { getNotifications: ({ tag }) => Promise.resolve(asked.push(tag) && []) };
    const serviceWorker = { getRegistration: () => Promise.resolve(worker) };
    Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker, configurable: true });
    let changed;
    document.addEventListener = (_, listener) => (changed = listener);
    new TurnNotice(() => facts);
    for (const hidden of [true, false]) {
      document.hidden = hidden;
      changed();
      await settled();
      assert.deepEqual(asked, hidden ? [] : ["one"]);
    }
  });

  it("stands in the title and the icon as long as it is the player's turn", () => {
    const icon = { href: "http://h/page/img/icon.svg" };
    document.querySelector = () => icon;
    const notice = new TurnNotice(() => facts);
    for (const [legal, title, file] of [
      [["7H", "8H"], "● Your turn · Hearts · Parlour", "icon-turn.svg"],
      [[], "Hearts · Parlour", "icon.svg"],
    ]) {
      notice.note({ ...scene(legal), seen: legal.length });
      assert.deepEqual([document.title, icon.href], [title, `http://h/page/img/${file}`]);
    }
  });
});
