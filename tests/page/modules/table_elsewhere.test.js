// A table's page while something happens elsewhere: on another device, behind a sheet, by the clock, without the room.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { press, settle, texts } from "./elements.js";
import { COMPANY, turn } from "./scenes.js";
import { answer } from "./server.js";
import { socket } from "./sockets.js";
import * as room from "./table_room.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";

beforeEach(room.begin);
afterEach(room.end);

const waits = (seen, more) => turn(seen, ["7H", "8H"], [], { prompt: "Bo is to play.", ...more });
const clocks = { left: [48_000, 60_000], running: 0 };

describe("the sheet after a round", () => {
  const line = () => room.body.querySelector("[data-sheet=pause] .offer");
  const pause = (seen) => waits(seen, { pause: "Round 1 is over." });

  it("calls the viewer whose turn has come behind it, with the clock and the sound", async () => {
    await room.open(waits(3), { company: { ...COMPANY, clocks } });
    await room.scenes(pause(4), waits(5));
    assert.deepEqual([room.sheet(), line().hidden, room.turns()], ["pause", true, 0]);
    room.told();
    await room.scenes(turn(6, ["7H", "8H"]));
    assert.deepEqual([texts(".offer"), room.turns()], [[`${t("yourTurnNow")} 0:48`], 1]);
    assert.deepEqual(room.told(), [t("yourTurnNow")]);
  });

  it("calls the viewer whose turn has come before it opens, and once", async () => {
    await room.open(waits(3));
    await room.scenes(pause(4), turn(5, ["7H", "8H"]));
    assert.deepEqual([texts(".offer"), room.turns()], [[`${t("yourTurnNow")} `], 1]);
    await press(room.body.querySelector("[data-go=next]"));
    assert.deepEqual([room.sheet(), room.turns()], [null, 1]);
  });

  it("calls no more when a bot has played instead", async () => {
    await room.open(waits(3));
    await room.scenes(pause(4), turn(5, ["7H", "8H"]));
    await room.scenes(waits(6));
    assert.equal(line().hidden, true);
  });
});

describe("a player who is out of time", () => {
  it("reads and hears that a bot plays on, and chooses nothing in advance any more", async () => {
    await room.open(waits(3));
    await press(room.card("7H"));
    assert.ok(room.body.querySelector("[data-go=put-back]"));
    room.told();
    await room.say({ ...COMPANY, out: [0] });
    assert.deepEqual([room.prompt(), room.told()], [t("outPrompt"), [t("outPrompt")]]);
    assert.equal(room.body.querySelector("[data-go=put-back]"), null);
    await press(room.card("7H"));
    assert.equal(room.body.querySelector("[data-go=put-back]"), null);
  });
});

describe("a player whose seat a bot plays to the end", () => {
  for (const [reason, sentence] of [
    ["out", t("outPrompt")],
    ["resigned", t("resignedPrompt")],
  ]) {
    const company = { ...COMPANY, [reason]: [0] };
    const isTurn = () => document.title.includes(t("yourTurnNow"));

    it(`has no turn any more, neither in the prompt nor in the title, the sounds or the cards: ${reason}`, async () => {
      await room.open(turn(3, ["7H", "8H"]), { company });
      assert.deepEqual([room.prompt(), isTurn()], [sentence, false]);
      [room.heard.length] = [0];
      room.told();
      await room.scenes(waits(4));
      await room.scenes(turn(5, ["7H", "8H"]));
      assert.deepEqual([room.prompt(), isTurn(), room.turns(), room.told()], [sentence, false, 0, []]);
      assert.equal(room.body.querySelector(".my-turn"), null);
      await press(room.card("7H"));
      assert.deepEqual(room.sent("act"), []);
    });

    it(`reads so at once, in the middle of a turn: ${reason}`, async () => {
      await room.open(turn(3, ["7H", "8H"]));
      assert.deepEqual([room.prompt(), isTurn()], ["Play a card.", true]);
      await room.say(company);
      assert.deepEqual([room.prompt(), isTurn()], [sentence, false]);
    });
  }
});

describe("an action in two tabs", () => {
  it("is refused in a sentence in the second tab, which has seen that of the first", async () => {
    await room.open(turn(3, ["7H", "8H"]));
    await press(room.card("7H"));
    await room.scenes(waits(4));
    await room.say({ type: "refused", do: "play 7H", reason: "After 3 events, not 4.", clause: "", seen: 4 });
    assert.equal(room.note(), t("refusedNow"));
  });

  it("does not give its sentence to a later refusal of another request", async () => {
    await room.open(turn(3, ["7H", "8H"]));
    await press(room.card("7H"));
    await room.scenes(waits(4));
    await room.say({ type: "refused", do: "", reason: "Too late to take it back.", clause: "", seen: 5 });
    assert.equal(room.note(), "Too late to take it back.");
  });
});

describe("an invitation", () => {
  it("says at the table that the game has begun without the viewer", async () => {
    const seats = [room.person("Ann"), { kind: "open", name: "", taken: false, rating: null }];
    await room.open(waits(0), { seat: -1, table: { begun: false, seats } });
    await room.say({ ...room.TABLE, seat: -1 });
    await room.scenes(waits(1));
    assert.equal(room.note(), t("seatsGone"));
  });
});

describe("a request without the connection", () => {
  it("has a note, which the connection takes away when it is back", async () => {
    await room.open(turn(3, ["7H", "8H"]), { company: { ...COMPANY, undo_request: { seat: 1, waiting: [0] } } });
    socket().fail();
    await press(room.body.querySelector("[data-help=allow]"));
    assert.equal(room.note(), t("needsConnection"));
    mock.timers.tick(600);
    await settle();
    socket().accept();
    await room.history([turn(3, ["7H", "8H"])], null);
    assert.equal(room.note(), "");
  });
});

describe("a table that is loaded while the room is away", () => {
  const retry = () => room.body.querySelector("[data-go=retry]");
  let reloads;
  const openWith = (status, health = status) => {
    reloads = 0;
    location.reload = () => (reloads += 1);
    const answers = { "/api/tables/one": status, "/healthz": health };
    return room.open(null, { answers, company: null }).catch(() => {});
  };
  /** Let the time pass in which the page looks for the room, which answers with this status. */
  const look = async (status) => {
    globalThis.fetch = () => Promise.resolve(answer(status));
    mock.timers.tick(3500);
    await settle();
  };

  for (const status of [null, 502]) {
    it(`is loaded again when the room is back, or by a button: ${status}`, async () => {
      await openWith(status);
      await look(503);
      assert.equal(reloads, 0);
      await press(retry());
      assert.equal(reloads, 1);
      await look(200);
      assert.equal(reloads, 2);
    });
  }

  it("is loaded again only by the button if the room is there, since the cause may last", async () => {
    await openWith(null, {});
    assert.ok(retry());
    await look(200);
    assert.equal(reloads, 0);
  });

  it("is loaded again only by the button if the room fails, and not at all if it refuses", async () => {
    await openWith(500);
    assert.ok(retry());
    await look(200);
    assert.equal(reloads, 0);
    await openWith(404);
    assert.equal(retry(), null);
  });
});
