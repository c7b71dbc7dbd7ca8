// Parts of a table's page: the table as text, the banner of the connection, automatic actions.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage, storage } from "./browser.js";
import { emptyDocument, press } from "./elements.js";
import { noSockets } from "./sockets.js";
import { openSheet } from "../../../src/parlour/server/page/js/common/sheets.js";
import { keepSeat, remember, seatAt } from "../../../src/parlour/server/page/js/common/settings.js";
import { TextView } from "../../../src/parlour/server/page/js/scene/text_view.js";
import { forcedPause, ForcedActions } from "../../../src/parlour/server/page/js/table/forced_action.js";
import { ConnectionBanner, MissedLog, requireSockets } from "../../../src/parlour/server/page/js/table/reconnection.js";
import { takeSeatFromLink } from "../../../src/parlour/server/page/js/table/seat_panel.js";
import { State } from "../../../src/parlour/server/page/js/table/table_state.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { BLOCKED_TEXTS } from "../../../src/parlour/server/page/js/texts/texts_blocked.js";

beforeEach(() => {
  emptyStorage();
  emptyDocument();
});

describe("a seat in the address", () => {
  /** Open a table with this seat in a link, or in the history. Return the seat that the browser keeps. */
  function open(hash, state = null) {
    globalThis.location = { hash, pathname: "/table/one" };
    globalThis.history = { state, replaceState: (kept) => (globalThis.history.state = kept) };
    takeSeatFromLink("one");
    return seatAt("one");
  }

  afterEach(() => {
    delete globalThis.location;
    delete globalThis.history;
  });

  it("is kept as one that came by a link", () => {
    const { seat, key, fromLink } = open("#seat=1&key=sent");
    assert.deepEqual([seat, key, fromLink], [1, "sent", true]);
  });

  it("does not replace a seat that this browser has", () => {
    keepSeat("one", 0, "own");
    const { seat, key, fromLink } = open("#seat=1&key=sent");
    assert.deepEqual([seat, key, fromLink], [0, "own", undefined]);
  });

  it("may be this browser's own where storage is blocked", () => {
    storage.refuses = true;
    assert.equal(open("#seat=1&key=own").fromLink, undefined);
    assert.deepEqual(globalThis.history.state, { seat: 1, key: "own" });
  });
});

describe("the field of the table as text", () => {
  let done = [];

  /** Type a text while these actions are legal. Return what stays in the field. */
  function type(text, legal, accepted = true) {
    done = [];
    const act = (action) => (done.push(action), accepted);
    const view = new TextView({ act, hurry: () => done.push("hurried") });
    view.offer(legal, legal, true);
    view.field.value = text;
    press(view.form, "submit");
    return view.field.value;
  }

  it("takes a notation, or a number of the list, and is then empty", () => {
    for (const [text, action] of Object.entries({
      pass: "pass",
      2: "pass",
      " 1 ": "play 7H",
      3: "3",
      "play 7h": "play 7h",
    })) {
      assert.equal(type(text, ["play 7H", "pass"]), "");
      assert.deepEqual(done, [action]);
    }
  });

  it("takes numbers as notations in a game that has such ones", () => {
    type("2", ["3", "2"]);
    assert.deepEqual(done, ["2"]);
  });

  it("keeps a text that was refused, and does nothing without one", () => {
    assert.equal(type("pass", ["play 7H"], false), "pass");
    assert.equal(type("  ", ["play 7H"]), "  ");
    assert.deepEqual(done, []);
  });

  it("ends a pause outside the player's turn, and keeps what is typed", () => {
    assert.equal(type("pass", []), "pass");
    assert.deepEqual(done, ["hurried"]);
  });
});

describe("the banner of the connection", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("stays while the connection is lost, however often it has come back in between", () => {
    const banner = new ConnectionBanner();
    assert.equal(banner.element.hidden, true);
    for (const wait of [0, 1000, 1999]) {
      banner.show(true);
      mock.timers.tick(wait);
      banner.show(false);
      mock.timers.tick(60_000);
      assert.deepEqual([banner.element.hidden, banner.element.textContent], [false, t("lost")]);
    }
  });

  it("shows for two seconds, counted from the last return, that the connection is back", () => {
    const banner = new ConnectionBanner();
    banner.show(true);
    mock.timers.tick(1500);
    banner.show(true);
    mock.timers.tick(1999);
    assert.deepEqual([banner.element.hidden, banner.element.textContent], [false, t("connectedAgain")]);
    mock.timers.tick(1);
    assert.equal(banner.element.hidden, true);
  });

  for (const why of ["sockets", "crowded"]) {
    it(`says why no connection comes, not of one that has come meanwhile: ${why}`, async () => {
      const banner = new ConnectionBanner();
      for (const [connected, text] of [
        [false, BLOCKED_TEXTS[why]],
        [true, t("connectedAgain")],
      ]) {
        banner.show(connected);
        await banner.explain(why);
        assert.equal(banner.element.textContent, text);
      }
    });
  }
});

describe("a browser without WebSockets", () => {
  it("is told so in place of a table", async () => {
    noSockets();
    await requireSockets();
    delete globalThis.WebSocket;
    await assert.rejects(requireSockets, { message: BLOCKED_TEXTS.missing });
  });
});

describe("the log of missed moves", () => {
  const lines = (number) => [...Array(number).keys()].map((line) => `move ${line + 1}`);
  const shown = (...what) => {
    const log = new MissedLog("one");
    log.show(...what);
    const list = log.element.querySelectorAll("li").map(({ textContent }) => textContent);
    return log.element.hidden ? null : [list, log.element.querySelector(".fine-print")?.textContent ?? ""];
  };

  it("has the last ten, and the number of earlier ones", () => {
    assert.equal(shown([]), null);
    assert.deepEqual(shown(lines(10)), [lines(10), ""]);
    assert.deepEqual(shown(lines(11)), [lines(11).slice(1), "1 earlier move: see Score."]);
    assert.deepEqual(shown(lines(13))[1], "3 earlier moves: see Score.");
  });

  it("is shown for an action that came too late, also without moves", () => {
    assert.deepEqual(shown([], "Too late."), [[], ""]);
  });
});

describe("automatic actions", () => {
  let acted = 0;

  beforeEach(() => {
    acted = 0;
    mock.timers.enable({ apis: ["setTimeout"] });
  });
  afterEach(() => mock.timers.reset());

  /** Whether the only legal action is done after these messages of the player. */
  const acts = (...messages) => actsAfter(true, messages);

  /** The same where the messages are sent, or are not for want of a connection. */
  function actsAfter(connected, messages) {
    const scene = { legal: ["pass"], over: false };
    const table = { seat: 0, seats: [{ kind: "person" }, { kind: "bot" }] };
    const selection = { picked: new Set() };
    const sent = [];
    const connection = { send: (message) => connected && sent.push(message) > 0 };
    const page = { scene, table, state: State.TURN, selection, connection, input: { act: () => (acted += 1) } };
    const forced = new ForcedActions(page);
    for (const type of messages) assert.equal(forced.send({ type }), connected);
    assert.equal(sent.length, connected ? messages.length : 0);
    acted = 0;
    forced.begin(scene);
    mock.timers.tick(60_000);
    return acted > 0;
  }

  it("are not done once the player has done something else in their pause", () => {
    const scene = { legal: ["pass"], over: false };
    const table = { seat: 0, seats: [{ kind: "person" }, { kind: "bot" }] };
    for (const [change, times] of [
      [() => {}, 1],
      [(page) => page.selection.picked.add("7H"), 0],
      [(page) => (page.state = State.SENT), 0],
      [(page) => (page.scene = { ...scene }), 0],
      [() => openSheet("rules", "", []), 0],
    ]) {
      acted = 0;
      emptyDocument();
      const page = {
        scene,
        table,
        state: State.TURN,
        selection: { picked: new Set() },
        input: { act: () => (acted += 1) },
      };
      new ForcedActions(page).begin(scene);
      change(page);
      mock.timers.tick(60_000);
      assert.equal(acted, times);
    }
  });

  it("have a pause by the pace of the page", () => {
    for (const [pace, pause] of [
      ["slow", 1800],
      ["normal", 1100],
      ["fast", 600],
      ["instant", 250],
      ["gone", 1100],
    ]) {
      remember({ pace });
      assert.equal(forcedPause(), pause);
    }
  });

  it("are not stopped by a request to take back that could not be sent", () => {
    assert.equal(actsAfter(false, ["undo"]), true);
  });

  it("are stopped by a request to take back, whatever is sent besides", () => {
    const others = ["say", "rename", "why"];
    assert.equal(acts(), true);
    assert.equal(acts(...others), true);
    assert.equal(acts("undo"), false);
    for (const other of others)
      for (const order of [
        ["undo", other],
        [other, "undo"],
      ])
        assert.equal(acts(...order), false);
  });
});
