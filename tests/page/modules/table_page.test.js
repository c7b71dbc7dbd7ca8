// The page of a table: the server's messages, the player's actions, lost connections, seats.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { press, settle, texts } from "./elements.js";
import { COMPANY, area, row, seen, turn } from "./scenes.js";
import { socket, sockets } from "./sockets.js";
import {
  begin,
  end,
  TABLE,
  person,
  body,
  card,
  note,
  prompt,
  sent,
  say,
  scenes,
  history,
  sheet,
  key,
  open,
  turns,
} from "./table_room.js";
import { CLOSING } from "../../../src/parlour/server/page/js/close_codes.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";

beforeEach(begin);
afterEach(end);

describe("the page of a table", () => {
  it("shows a scene with its prompt, its log and the player's turn", async () => {
    await open(turn(3, ["7H", "8H"]), { log: ["Bo leads."] });
    assert.deepEqual([prompt(), texts(".log li"), texts(".table-title")], ["Play a card.", ["Bo leads."], ["Whist"]]);
    assert.equal(body.querySelector(".room").classList.contains("my-turn"), true);
    assert.deepEqual(socket().sent[0], { type: "hello", key: "key" });
  });

  it("keeps the lines of the log that it shows, unless another log comes", async () => {
    const first = () => body.querySelector(".side-panel .log li");
    await open(turn(3, ["7H"], []), { log: ["one"] });
    const shown = first();
    await scenes(turn(4, ["7H"], [], { log: ["two"] }));
    assert.deepEqual([first() === shown, texts(".side-panel .log li")], [true, ["one", "two"]]);
    await history([turn(5, ["7H"], [])], ["three", "two", "four"]);
    assert.deepEqual(texts(".side-panel .log li"), ["three", "two", "four"]);
  });

  it("adds the lines of each event to the log, those of a repeated scene once", async () => {
    await open(turn(3, ["7H"], []), { log: ["one"] });
    await scenes(turn(4, ["7H"], [], { log: ["two", ""] }), turn(5, ["7H"], [], { log: ["three"] }));
    assert.deepEqual(texts(".log li"), ["one", "two", "", "three"]);
    const again = turn(5, ["7H"], [], { log: ["three"] });
    await history([again], null);
    assert.deepEqual(texts(".log li"), ["one", "two", "", "three"]);
  });

  it("plays the sound of the turn once for each turn, also if the scene comes again", async () => {
    await open(turn(3, ["7H", "8H"]));
    assert.equal(turns(), 1);
    await history([turn(3, ["7H", "8H"])], null);
    assert.equal(turns(), 1);
    await scenes(turn(5, ["7H", "8H"]));
    assert.equal(turns(), 2);
  });

  it("says that there is no such table", async () => {
    await open(null, { answers: { "/api/tables/one": 404 }, company: null }).catch(() => {});
    assert.deepEqual(texts("[role=alert]"), [t("unknownTable")]);
  });

  for (const [code, text] of [
    [CLOSING.NO_TABLE, t("unknownTable")],
    [CLOSING.BANNED, t("banned")],
    [CLOSING.SEALED, t("dailySealedTable")],
  ]) {
    it(`says why the room refuses the connection: ${text}`, async () => {
      await open(null, { company: null });
      socket().fail(code);
      assert.deepEqual(texts("[role=alert]"), [text]);
    });
  }

  it("looks on without its seat if the key is wrong", async () => {
    await open(null, { company: null });
    socket().fail(CLOSING.WRONG_KEY);
    assert.deepEqual([note(), settings.seatAt("one").key, sockets.length], [t("wrongKey"), null, 2]);
    socket().accept();
    assert.deepEqual(socket().sent[0], { type: "hello", key: null });
  });
});

describe("an action at a table", () => {
  it("is sent once with the number of events, and shown as sent", async () => {
    await open(turn(3, ["7H", "8H"]));
    await press(card("7H"));
    await press(card("8H"));
    assert.deepEqual(sent("act"), [{ type: "act", do: "play 7H", seen: 3 }]);
    assert.equal(body.querySelector(".room").classList.contains("my-turn"), false);
    await scenes(turn(4, ["8H"], []));
    await scenes(turn(5, ["8H"]));
    await press(card("8H"));
    assert.equal(sent("act").length, 2);
  });

  it("needs a second press where the player has set that", async () => {
    settings.remember({ confirm: true });
    await open(turn(3, ["7H", "8H"]));
    await press(card("7H"));
    assert.deepEqual([sent("act"), note()], [[], t("onceMore", "Play")]);
    await press(card("7H"));
    assert.equal(sent("act").length, 1);
  });

  it("that is refused shows the reason with its clause, and can be chosen anew", async () => {
    await open(turn(3, ["7H", "8H"]));
    await press(card("7H"));
    await say({ type: "refused", do: "play 7H", reason: "Follow suit.", clause: "W-7", seen: 3 });
    assert.equal(note(), "Follow suit.Rule 7");
    await press(card("8H"));
    assert.equal(sent("act").length, 2);
  });

  it("that came too late is refused as such", async () => {
    await open(turn(3, ["7H", "8H"]));
    await press(card("7H"));
    await say({ type: "refused", do: "play 7H", reason: "Not your turn.", clause: "", seen: 4 });
    assert.equal(note(), t("refusedNow"));
  });

  it("that a thing does by itself needs no choice", async () => {
    const stack = row("stack", "pile", [], { hidden: 3, do: "draw", token: "stack" });
    const shown = turn(3, ["7H"], [], { legal: ["draw"] });
    await open({ ...shown, areas: [...shown.areas, area("middle", null, [stack], { seat: null })] });
    await press(body.querySelector("[data-token=stack]"));
    assert.deepEqual(
      sent("act").map((message) => message.do),
      ["draw"],
    );
  });

  it("that is not legal is asked about", async () => {
    await open(turn(3, ["7H", "8H"], ["7H"]));
    await press(card("8H"));
    assert.deepEqual([sent("act"), sent("why")], [[], [{ type: "why", tokens: ["8H"] }]]);
    await say({ type: "why", reasons: [{ reason: "Follow suit.", clause: "" }] });
    assert.equal(note(), "Follow suit.");
  });

  it("waits for the connection, can be cancelled, and is sent when it is back", async () => {
    await open(turn(3, ["7H", "8H"]));
    socket().fail();
    await press(card("7H"));
    assert.equal(prompt(), t("waitsToBeSent", "“Play: seven of hearts”"));
    await press(body.querySelector("[data-go=put-back]"));
    assert.equal(prompt(), "Play a card.");
    await press(card("8H"));
    mock.timers.tick(600);
    await settle();
    socket().accept();
    await history([turn(3, ["7H", "8H"])], null);
    assert.deepEqual(sent("act"), [{ type: "act", do: "play 8H", seen: 3 }]);
  });

  it("that waited is dropped with a sentence if the table has moved on", async () => {
    await open(turn(3, ["7H", "8H"]), { log: ["one"] });
    socket().fail();
    await press(card("7H"));
    mock.timers.tick(600);
    await settle();
    socket().accept();
    await history([turn(6, ["7H", "8H"])], ["one", "two"]);
    assert.deepEqual(sent("act"), []);
    assert.deepEqual(texts(".missed .late"), [t("tooLate", "“Play: seven of hearts”")]);
    assert.deepEqual(texts(".missed li"), ["two"]);
  });

  it("is counted until the player knows the game, whose primer is offered before", async () => {
    settings.remember({ met: [] });
    await open(turn(3, ["7H", "8H"]));
    assert.equal(body.querySelectorAll("[data-go=primer]").length, 1);
    await press(card("7H"));
    assert.deepEqual(settings.settings().turns, { whist: 1 });
    settings.markKnown("whist");
    await scenes(turn(5, ["8H"]));
    assert.equal(body.querySelector("[data-go=primer]"), null);
  });

  it("composed of several things shows what to choose next", async () => {
    const choices = [
      { do: "lay 7H 8H", label: "Lay", tokens: ["7H", "8H"] },
      { do: "lay 7H", label: "Lay", tokens: ["7H"] },
    ];
    await open(turn(3, ["7H", "8H"], [], { choices, legal: ["lay 7H 8H", "lay 7H"] }));
    await press(card("7H"));
    assert.equal(prompt(), t("chooseMore", "“Lay”"));
    await press(card("8H"));
    assert.equal(prompt(), t("chooseWhich", "“Lay”"));
    await key("Escape");
    assert.equal(prompt(), "Play a card.");
    await press(card("7H"));
    await press(body.querySelector("[data-button]"));
    assert.deepEqual(
      sent("act").map((message) => message.do),
      ["lay 7H"],
    );
  });

  it("chosen in advance is done at the turn, and taken back by a second press", async () => {
    await open(turn(3, ["7H", "8H"], []));
    await press(card("7H"));
    assert.ok(prompt().endsWith(t("planWaits")));
    await press(card("7H"));
    assert.ok(!prompt().includes(t("planWaits")));
    await press(card("8H"));
    await scenes(turn(4, ["7H", "8H"]));
    assert.equal(prompt(), t("planComes"));
    mock.timers.tick(20_000);
    assert.deepEqual(
      sent("act").map((message) => message.do),
      ["play 8H"],
    );
  });

  it("that is the only one is done by the page among bots, unless one has asked to take back", async () => {
    const seats = [person("Ann"), { ...person("Ada"), kind: "bot" }];
    const acts = async (prepare) => {
      await open(turn(3, ["7H", "8H"], ["7H"]), { table: { seats } });
      await prepare();
      mock.timers.tick(20_000);
      return sent("act").length;
    };
    assert.equal(await acts(() => {}), 1);
    assert.equal(await acts(() => key("s")), 0);
    const undo = async () => {
      await open(turn(2, ["7H", "8H"], []), { table: { seats }, company: { ...COMPANY, undoable: 0 } });
      await key("u");
      await scenes(turn(3, ["7H", "8H"], ["7H"]));
      mock.timers.tick(20_000);
      return sent("act").length;
    };
    assert.equal(await undo(), 0);
  });
});

describe("a finished trick", () => {
  const rest = () => {
    const middle = area("middle", null, [row("trick", "trick", [seen("KC", null, { area: "Bo", by: "Bo" })])]);
    const shown = turn(4, ["7H", "8H"]);
    return { ...shown, areas: [middle, ...shown.areas], rest: true };
  };
  const wait = () => {
    mock.timers.tick(1000);
    return settle();
  };
  beforeEach(async () => {
    settings.remember({ rest: "click", pace: "normal" });
    await open(turn(3, ["7H", "8H"], []));
    await wait();
    await scenes(rest());
    assert.deepEqual([texts(".go-on"), card("KC") !== null], [[t("goOn")], true]);
  });

  it("stays until the player goes on by a press on any thing, which does nothing else", async () => {
    await wait();
    await press(card("7H"));
    assert.deepEqual([sent("act"), texts(".go-on")], [[], []]);
    await wait();
    await press(card("7H"));
    assert.equal(sent("act").length, 1);
  });

  it("is ended by the space bar", async () => {
    await key(" ");
    assert.deepEqual(texts(".go-on"), []);
  });

  it("does not hold up a page that comes back to the table", async () => {
    await history([turn(6, ["8H"])], ["one"]);
    await wait();
    assert.deepEqual([texts(".heading"), card("8H") !== null], [["Trick 6"], true]);
  });
});

describe("a connection that is lost", () => {
  it("is shown, dims what needs it, and is shown to be back", async () => {
    await open(turn(3, ["7H"], []));
    const dimmed = () => body.querySelector("[data-tool=hint]").classList.contains("pale");
    assert.equal(dimmed(), false);
    socket().fail();
    assert.equal(dimmed(), true);
    assert.deepEqual(
      [texts(".banner"), body.querySelector(".room").classList.contains("cut-off")],
      [[t("lost")], true],
    );
    await key("h");
    mock.timers.tick(600);
    await settle();
    socket().accept();
    await history([turn(3, ["7H"], [])], null);
    assert.deepEqual(
      [texts(".banner"), body.querySelector(".room").classList.contains("cut-off")],
      [[t("connectedAgain")], false],
    );
  });

  it("drops what was chosen in advance", async () => {
    await open(turn(3, ["7H", "8H"], []));
    await press(card("7H"));
    socket().fail();
    assert.equal(note(), t("planCutOff", "seven of hearts"));
  });

  it("makes a hint that is waited for be asked for again", async () => {
    await open(turn(3, ["7H", "8H"]));
    await key("h");
    assert.deepEqual([sheet(), sent("hint").length], ["hint", 1]);
    socket().fail();
    mock.timers.tick(600);
    await settle();
    socket().accept();
    await history([turn(3, ["7H", "8H"])], null);
    assert.equal(sent("hint").length, 1);
  });
});

describe("the moves that were missed", () => {
  it("are those since the last visit, until one acts or reads them", async () => {
    settings.keepRead("one", 1);
    await open(turn(3, ["7H", "8H"]), { log: ["one", "two", "", "three"] });
    assert.deepEqual(texts(".missed li"), ["two", "three"]);
    await press(card("7H"));
    assert.equal(body.querySelector(".missed").hidden, true);
    assert.equal(settings.lastRead("one", 0), 4);
  });

  it("are those without an event that came while the connection was lost", async () => {
    await open(turn(3, ["7H"]), { log: ["one", "two"] });
    socket().fail();
    mock.timers.tick(600);
    await settle();
    socket().accept();
    await history([turn(3, ["7H"])], ["one", "two", "Bo is Bea now."]);
    assert.deepEqual(texts(".missed li"), ["Bo is Bea now."]);
  });

  it("are those of a bot that stood in, if there are no others, and none for onlookers", async () => {
    settings.keepRead("one", 1);
    await open(turn(3, ["7H", "8H"]), { log: ["one"], meanwhile: ["A bot played."] });
    assert.deepEqual(texts(".missed li"), ["A bot played."]);
    emptyStorage();
    await open(turn(3, ["7H"], [], { seat: -1 }), { log: ["one"], seat: -1, meanwhile: ["A bot played."] });
    assert.deepEqual(texts(".missed li"), []);
  });
});

describe("the seats of a table", () => {
  it("change without taking the focus from a name that is being typed", async () => {
    const seats = [
      { ...person(""), kind: "open", taken: false },
      { ...person(""), kind: "open", taken: false },
    ];
    await open(null, { seat: -1, table: { seats, begun: false }, company: null });
    const field = () => body.querySelector(".door .field");
    field().focus();
    field().setSelectionRange(1, 2);
    await say({ ...TABLE, seat: -1, begun: false, seats: [person("Bo"), seats[1]] });
    assert.equal(document.activeElement, field());
    assert.deepEqual([field().selectionStart, field().selectionEnd], [1, 2]);
    body.querySelector(".door [type=submit]").focus();
    await say({ ...TABLE, seat: -1, begun: false, seats });
    assert.notEqual(document.activeElement, field());
  });

  it("begin a new connection when one sits down", async () => {
    const seats = [{ ...person(""), kind: "open", taken: false }, person("Bo")];
    await open(null, {
      seat: -1,
      table: { seats, begun: false },
      company: null,
      answers: { "/api/tables/one/seats": { seat: 0, key: "k" } },
    });
    await press(body.querySelector(".join-form"), "submit");
    assert.deepEqual([settings.seatAt("one").key, sockets.length], ["k", 2]);
  });
});

describe("a card that is dragged at a table", () => {
  const slots = (choices) => {
    const shown = turn(3, ["7H", "8H"], [], { choices, legal: choices.map((choice) => choice.do) });
    const places = ["slot 1", "slot 2"].map((id) => row(id, "slot", [], { token: id, do: null }));
    return { ...shown, areas: [...shown.areas, area("middle", null, places, { seat: null })] };
  };
  const put = (name, place) => ({ do: `put ${name} ${place}`, label: "Put", tokens: [name, place] });
  const slot = (id) => body.querySelector(`[data-token="${id}"]`);

  /** Drag a card to a thing, or to the table (null). */
  async function drag(name, target) {
    const point = (type, x, on) =>
      on.dispatchEvent(
        Object.assign(new Event(type, { bubbles: true, cancelable: true }), {
          isPrimary: true,
          button: 0,
          pointerId: 1,
          clientX: x,
          clientY: 0,
        }),
      );
    const below = target ?? body.querySelector(".board");
    document.elementsFromPoint = () => [below];
    document.elementFromPoint = () => below;
    point("pointerdown", 0, card(name));
    point("pointermove", 50, card(name));
    const goals = body.querySelectorAll(".goal").map(({ dataset }) => dataset.token);
    point("pointerup", 50, card(name));
    await settle();
    return goals;
  }

  it("goes where it may, which is marked", async () => {
    await open(slots([put("7H", "slot 1"), put("8H", "slot 2")]));
    assert.deepEqual(await drag("7H", slot("slot 1")), ["slot 1"]);
    assert.deepEqual(
      sent("act").map((message) => message.do),
      ["put 7H slot 1"],
    );
  });

  it("to the wrong place asks why, and nothing stays picked", async () => {
    await open(slots([put("7H", "slot 1"), put("8H", "slot 2")]));
    await press(card("7H"));
    await drag("8H", slot("slot 1"));
    assert.deepEqual([sent("act"), sent("why")], [[], [{ type: "why", tokens: ["8H", "slot 1"] }]]);
    assert.equal(body.querySelector(".picked"), null);
  });

  it("to the table is chosen, and does its action if it is one alone", async () => {
    await open(slots([put("7H", "slot 1"), { do: "play 8H", label: "Play", tokens: ["8H"] }]));
    await drag("7H", null);
    assert.equal(card("7H").classList.contains("picked"), true);
    await drag("7H", null);
    assert.equal(card("7H").classList.contains("picked"), true);
    await drag("8H", null);
    assert.deepEqual(
      sent("act").map((message) => message.do),
      ["play 8H"],
    );
  });

  it("with others that are picked goes with them", async () => {
    const both = { do: "lay both", label: "Put", tokens: ["7H", "8H", "slot 1"] };
    await open(slots([both]));
    await press(card("7H"));
    await drag("8H", slot("slot 1"));
    assert.deepEqual(
      sent("act").map((message) => message.do),
      ["lay both"],
    );
  });

  it("does not move in another's turn", async () => {
    await open(turn(3, ["7H", "8H"], []));
    assert.deepEqual([await drag("7H", null), sent("act"), body.querySelector(".later")], [[], [], null]);
  });
});

describe("facts about a table that change", () => {
  it("are shown: its title, its tools, who looks on, an error", async () => {
    await open(turn(3, ["7H"], []));
    const tool = (name) => body.querySelector(`[data-tool=${name}]`);
    assert.equal(tool("hint").hidden, false);
    await say({ ...TABLE, seat: 0, title: "Whist for two", hints: false });
    assert.deepEqual([texts(".table-title"), tool("hint").hidden], [["Whist for two"], true]);
    await say({ type: "onlookers", number: 1, names: [] });
    assert.equal(tool("people").title, "This table; 1 looks on");
    await say({ type: "error", error: "Too many messages." });
    assert.equal(note(), "Too many messages.");
  });

  it("count in what follows: names, and the viewer's own seat", async () => {
    await open(turn(3, ["7H"], []));
    await say({ ...TABLE, seat: 0, seats: [person("Ann"), person("Eve")] });
    await say({ type: "hinted", by: 1 });
    assert.equal(note(), "Eve took a hint.");
  });
});

describe("a pile at a table", () => {
  it("can be looked through by a press", async () => {
    const pile = row("pile", "pile", [seen("2C"), seen("3C")]);
    const shown = turn(3, ["7H"], []);
    await open({ ...shown, areas: [...shown.areas, area("middle", null, [pile], { seat: null })] });
    await press(body.querySelector("[data-show=pile]"));
    const cards = body.querySelectorAll("dialog [data-card]").map(({ dataset }) => dataset.card);
    assert.deepEqual(cards, ["2C", "3C"]);
  });
});
