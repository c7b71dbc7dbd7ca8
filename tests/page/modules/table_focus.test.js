// The page of a table: the focus after an element that had it is gone, the wait for players, and the end of a table
// that the room refuses.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { press, settle, texts } from "./elements.js";
import { COMPANY, turn } from "./scenes.js";
import { socket, sockets } from "./sockets.js";
import * as room from "./table_room.js";
import { CLOSING } from "../../../src/parlour/server/page/js/close_codes.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";

beforeEach(room.begin);
afterEach(room.end);

const named = (label) => room.body.querySelectorAll("button").find(({ textContent }) => textContent === t(label));
/** The first class of the element with the focus, or null. */
const focus = () => document.activeElement?.className.split(" ")[0] ?? null;

/** Press a button as the keyboard does. */
async function pressFocused(button) {
  button.focus();
  await press(button);
}

describe("the focus at a table", () => {
  it("goes to the hand when the missed moves have been read", async () => {
    settings.keepRead("one", 1);
    await room.open(turn(3, ["7H", "8H"]), { log: ["one", "two"] });
    await pressFocused(named("missedRead"));
    assert.equal(focus(), "hand");
  });

  it("goes to the field of the table as text, and for onlookers to the text", async () => {
    settings.remember({ text: true });
    settings.keepRead("one", 1);
    await room.open(turn(3, ["7H", "8H"]), { log: ["one", "two"] });
    await pressFocused(named("missedRead"));
    assert.equal(document.activeElement.id, "text-do");
    await room.open(turn(3, [], [], { seat: -1 }), { seat: -1, table: { seat: -1 } });
    room.body.querySelector(".actions").append(document.createElement("button"));
    room.body.querySelector(".actions button").focus();
    await room.scenes(turn(4, [], [], { seat: -1 }));
    assert.equal(focus(), "as-text");
  });

  it("goes to the hand when a finished trick is cleared by its button", async () => {
    settings.remember({ pace: "normal", rest: "click" });
    await room.open(turn(3, ["7H", "8H"]));
    await room.scenes(turn(4, ["8H"], [], { rest: true }));
    await pressFocused(named("goOn"));
    assert.deepEqual([named("goOn"), focus()], [undefined, "hand"]);
  });

  it("goes to the hand when a request has been answered and its buttons are gone", async () => {
    await room.open(turn(3, ["7H"], []));
    await room.say({ ...COMPANY, undo_request: { seat: 1, waiting: [0] } });
    await pressFocused(named("allow"));
    await room.say(COMPANY);
    assert.equal(focus(), "hand");
  });

  it("goes to the hand when the note with it is cleared", async () => {
    await room.open(turn(3, ["7H"], []));
    await room.say({ type: "why", reasons: [{ reason: "Follow suit.", clause: "W-7" }] });
    room.body.querySelector(".note .clause").focus();
    await room.scenes(turn(4, ["7H"], []));
    assert.equal(focus(), "hand");
  });

  it("goes on in the panel, from watching to joining and back", async () => {
    const seats = [{ ...room.person(""), kind: "open", taken: false }, room.person("Bo")];
    await room.open(null, { seat: -1, table: { seats, begun: false }, company: null });
    await pressFocused(named("watch"));
    assert.equal(document.activeElement.textContent, t("join"));
    await press(document.activeElement);
    assert.equal(document.activeElement.getAttribute("type"), "submit");
  });

  it("stays outside the table", async () => {
    settings.keepRead("one", 1);
    await room.open(turn(3, ["7H", "8H"]), { log: ["one", "two"] });
    const tool = room.body.querySelector("[data-tool=hint]");
    tool.focus();
    await press(named("missedRead"));
    assert.equal(document.activeElement, tool);
  });
});

describe("a table that the room refuses for good", () => {
  const later = async (time) => {
    mock.timers.tick(time);
    await settle();
  };
  const refuse = async () => {
    room.told();
    socket().fail(CLOSING.BANNED);
    await settle();
  };
  const isAlone = async () => {
    for (let wait = 0; wait < 3; wait += 1) await later(5000);
    assert.deepEqual([texts("[role=alert]"), room.sheet(), room.told()], [[t("banned")], null, []]);
    assert.equal(document.title, t("parlour"));
    assert.equal(room.body.querySelector("dialog"), null);
  };

  it("shows none of the scenes that wait, nor the sheet at the end", async () => {
    settings.remember({ pace: "normal" });
    await room.open(turn(3, ["7H"], []));
    await room.scenes(turn(4, ["7H"], [], { log: ["four"] }), turn(5, ["7H"], [], { log: ["five"], over: true }));
    await refuse();
    await isAlone();
  });

  for (const [what, more] of [
    ["at the end of a round", { pause: "Round 1 is over." }],
    ["at the end of the game", { over: true }],
    ["before the viewer's turn", { legal: ["play 8H"] }],
  ]) {
    it(`ends the show of a finished trick ${what}`, async () => {
      settings.remember({ pace: "normal" });
      await room.open(turn(3, ["7H"], []));
      await later(1000);
      await room.scenes(turn(4, ["8H"], [], { rest: true, log: ["four"], ...more }));
      assert.notEqual(named("goOn"), undefined);
      await refuse();
      await isAlone();
      assert.deepEqual(room.heard, []);
    });
  }

  it("closes the sheets over the sentence, and opens none that waited for them", async () => {
    await room.open(turn(3, ["7H", "8H"]));
    await room.key("s");
    await room.scenes(turn(4, ["7H"], [], { pause: "Round 1 is over." }), turn(5, ["7H", "8H"]));
    await refuse();
    await isAlone();
  });

  it("closes the sheet at the end of a round, and does not go on after it", async () => {
    await room.open(turn(3, ["7H"], []));
    await room.scenes(turn(4, ["7H"], [], { pause: "Round 1 is over." }), turn(5, ["7H", "8H"]));
    assert.equal(room.sheet(), "pause");
    const turns = room.turns();
    await refuse();
    await isAlone();
    assert.equal(room.turns(), turns);
  });

  it("has no keys, which would open sheets of the table", async () => {
    await room.open(turn(3, ["7H", "8H"]));
    await refuse();
    for (const name of ["c", "s", "h", "n"]) await room.key(name);
    await isAlone();
  });

  it("does no action that waits for its pause", async () => {
    const bot = { ...room.person("Ada"), kind: "bot" };
    await room.open(turn(3, ["7H"]), { table: { seats: [room.person("Ann"), bot] } });
    await refuse();
    await isAlone();
    assert.deepEqual(room.sent("act"), []);
  });
});

describe("a table with an open seat", () => {
  const seats = [room.person("Bo"), { ...room.person(""), kind: "open", taken: false }];
  for (const [who, seat, heading] of [
    ["a player", 0, t("waiting")],
    ["a guest", -1, `${t("invitedTo")} Whist`],
  ]) {
    it(`tells ${who} what it waits for, and what it is dealt when it has begun`, async () => {
      await room.open(turn(0, [], [], { seat }), { seat, table: { seats, begun: false } });
      assert.deepEqual(room.told(), [heading]);
      await room.say({ ...room.TABLE, seat });
      await room.scenes(turn(1, [], [], { seat, log: ["Each gets a card."] }));
      assert.deepEqual(room.told(), ["Each gets a card."]);
    });
  }
});

describe("a seat whose key is refused", () => {
  it("takes its log, its hint and its action along", async () => {
    await room.open(turn(3, ["7H", "8H"]), { log: ["own"] });
    await room.key("h");
    await press(room.card("7H"));
    socket().fail();
    mock.timers.tick(600);
    await settle();
    socket().accept();
    socket().fail(CLOSING.WRONG_KEY);
    assert.equal(room.sheet(), null);
    socket().accept();
    await room.say({ ...room.TABLE, seat: -1 });
    await room.history([turn(3, [], [], { seat: -1 })], ["public"]);
    assert.deepEqual(socket().sent, [{ type: "hello", key: null }]);
    assert.deepEqual([texts(".side-panel .log li"), room.note()], [["public"], t("wrongKey")]);
    assert.equal(sockets.length, 3);
  });
});
