// The page of a table: what its messages and actions change elsewhere, as in the title, the storage and the talk.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { press, settle, texts } from "./elements.js";
import { turn } from "./scenes.js";
import { socket, sockets } from "./sockets.js";
import * as room from "./table_room.js";
import { CLOSING } from "../../../src/parlour/server/page/js/close_codes.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import "../../../src/parlour/server/page/js/player/seat_links.js"; // the table loads it when it is first needed
import { t } from "../../../src/parlour/server/page/js/common/texts.js";

const { open, say, scenes, history, sent, key, sheet, told } = room;

beforeEach(room.begin);
afterEach(room.end);

/** Lose the connection, and connect again to a table that has this scene. */
async function reconnect(scene, log = null) {
  socket().fail();
  mock.timers.tick(600);
  await settle();
  socket().accept();
  await history([scene], log);
}

describe("the player's turn", () => {
  it("stands in the title of the page, from the first scene on", async () => {
    await open(turn(3, ["7H", "8H"]));
    assert.equal(document.title, "● Your turn · Whist · Parlour");
    await scenes(turn(4, ["7H", "8H"], []));
    assert.equal(document.title, "Whist · Parlour");
  });

  it("is told with its prompt, after the lines of what has happened", async () => {
    await open(turn(3, ["7H", "8H"], []));
    told();
    await scenes(turn(4, ["7H", "8H"], ["7H", "8H"], { log: ["Bo plays 2♥."] }));
    assert.deepEqual(told(), ["Bo plays two of hearts.", "Play a card."]);
  });

  it("ends the note on what was missed with an action, whose answer is expected within five seconds", async () => {
    await open(turn(3, ["7H", "8H"]));
    await press(room.card("7H"));
    assert.deepEqual(sent("ping").length, 1);
    mock.timers.tick(4999);
    assert.deepEqual(texts(".banner"), [""]);
    mock.timers.tick(1);
    assert.deepEqual(texts(".banner"), [t("lost")]);
  });
});

describe("an action without an answer", () => {
  it("cannot be done twice because a scene without an event came before its answer", async () => {
    await open(turn(3, ["7H", "8H"]));
    await press(room.card("7H"));
    await scenes(turn(3, ["7H", "8H"], ["7H", "8H"], { log: ["Bo is now called Eve."] }));
    await press(room.card("8H"));
    assert.equal(sent("act").length, 1);
    await scenes(turn(2, ["7H", "8H"], [])); // another action has been taken back
    await scenes(turn(3, ["7H", "8H"]));
    await press(room.card("8H"));
    assert.equal(sent("act").length, 2);
  });
});

describe("a seat that is another player's", () => {
  it("is explained until the viewer presses something, however much happens at the table", async () => {
    const watched = (number) => turn(number, ["7H"], [], { seat: -1 });
    await open(null, { company: null });
    socket().fail(CLOSING.WRONG_KEY);
    socket().accept();
    await history([watched(3)]);
    await scenes(watched(4));
    assert.equal(room.note(), t("wrongKey"));
    await press(room.card("7H"));
    await scenes(watched(5));
    assert.equal(room.note(), "");
  });
});

describe("a window that changes its width", () => {
  it("has the table drawn for it", async () => {
    await open(turn(3, ["7H", "8H"]));
    const [before] = room.body.querySelector(".hand").children;
    globalThis.innerWidth -= 1;
    dispatchEvent(new Event("resize"));
    assert.notEqual(room.body.querySelector(".hand").children[0], before);
  });
});

describe("words that are said at a table", () => {
  const talk = async (words) => {
    if (sheet() !== "talk") await key("c");
    const form = room.body.querySelector(".talk-line");
    form.querySelector("input").value = words;
    await press(form, "submit");
  };
  const said = () => sent("say").map(({ words }) => words);

  it("without a connection are said when it is back", async () => {
    await open(turn(3, ["7H"], []));
    socket().fail();
    await talk("Hello");
    assert.deepEqual(texts(".said li"), [t("unsent", `${t("you")}: Hello`)]);
    await reconnect(turn(3, ["7H"], []));
    assert.deepEqual(said(), ["Hello"]);
  });

  it("that the room refuses are not said again", async () => {
    await open(turn(3, ["7H"], []));
    await talk("Hello");
    await say({ type: "refused", do: "", reason: "Too fast.", clause: "", seen: 3, id: sent("say")[0].id });
    assert.deepEqual([room.note(), texts("[data-sheet=talk] .failure")], ["Too fast.", ["Too fast."]]);
    await reconnect(turn(3, ["7H"], []));
    assert.deepEqual(said(), []);
  });

  it("stay when a hint is refused, whose sheet stays when they are", async () => {
    await open(turn(3, ["7H", "8H"]));
    await talk("Hello");
    await say({ type: "refused", do: "", reason: "No hints now.", clause: "", seen: 3, id: "" });
    assert.deepEqual([room.note(), texts("[data-sheet=talk] .failure")], ["No hints now.", [""]]);
    await key("c");
    await key("h");
    await say({ type: "refused", do: "", reason: "Too fast.", clause: "", seen: 3, id: sent("say")[0].id });
    assert.deepEqual([sheet(), room.note()], ["hint", "Too fast."]);
  });
});

describe("a refusal", () => {
  it("closes a hint, whose position is no longer the present one", async () => {
    await open(turn(3, ["7H", "8H"]));
    await key("h");
    await say({ type: "refused", do: "", reason: "No hints now.", clause: "", seen: 3, id: "" });
    assert.deepEqual([sheet(), room.note()], [null, "No hints now."]);
  });
});

describe("a connection that is back", () => {
  it("has no onlookers until the room tells of some", async () => {
    await open(turn(3, ["7H"], []));
    await say({ type: "onlookers", number: 2, names: [] });
    const tool = () => room.body.querySelector("[data-tool=people]").title;
    assert.equal(tool(), "This table; 2 look on");
    await reconnect(turn(3, ["7H"], []));
    assert.equal(tool(), "This table");
  });

  it("asks for the text of the table again, once", async () => {
    settings.remember({ text: true });
    await open(turn(3, ["7H"], []));
    assert.equal(sent("text").length, 1);
    settings.remember({ back: "waves" });
    assert.equal(sent("text").length, 1);
    await reconnect(turn(3, ["7H"], []));
    assert.equal(sent("text").length, 1);
    await scenes(turn(4, ["7H"], []));
    assert.equal(sent("text").length, 2);
  });

  it("asks for the text also for a scene with other names after the same events", async () => {
    settings.remember({ text: true });
    await open(turn(3, ["7H"], []));
    await scenes(turn(3, ["7H"], [], { log: ["Bo is now called Eve."] }));
    assert.equal(sent("text").length, 2);
  });

  it("begins with the number of events that are shown, after a new seat with none", async () => {
    const free = { kind: "open", name: "", taken: false, rating: null };
    const table = { seats: [free, room.person("Bo")] };
    const answers = { "/api/tables/one/seats": { seat: 0, key: "k" } };
    await open(turn(3, ["7H"], [], { seat: -1 }), { seat: -1, table, answers });
    assert.equal("seen" in socket().sent[0], false);
    await reconnect(turn(3, ["7H"], [], { seat: -1 }));
    assert.equal(socket().sent[0].seen, 3);
    await press(room.body.querySelector(".join-form"), "submit");
    socket().accept();
    assert.deepEqual([socket().sent[0].key, "seen" in socket().sent[0]], ["k", false]);
    assert.equal(sockets.length, 3);
  });
});

describe("the number of lines that were read", () => {
  it("is kept for those who play, and for no others", async () => {
    await open(turn(3, ["7H"], []), { log: ["one", "two"] });
    assert.equal(settings.lastRead("one", 0), 2);
    await scenes(turn(4, ["7H"], [], { log: ["three"] }));
    assert.equal(settings.lastRead("one", 0), 3);
    settings.forgetSeat("one");
    await open(turn(3, ["7H"], [], { seat: -1 }), { seat: -1, log: ["one"] });
    assert.equal(settings.lastRead("one", 0), 0);
  });
});

describe("what is chosen in advance", () => {
  it("is put back by Esc, with its marks", async () => {
    await open(turn(3, ["7H", "8H"], []));
    await press(room.card("7H"));
    assert.ok(room.body.querySelector(".later"));
    told();
    await key("Escape");
    assert.deepEqual([room.body.querySelector(".later"), room.prompt()], [null, "Play a card."]);
    assert.deepEqual(told(), [t("planNone")]);
  });
});

describe("a hint that is asked for", () => {
  it("is asked for again after a lost connection until it has come", async () => {
    const estimate = { value: 0.6, low: 0.5, high: 0.7 };
    const words = { chance: "60 %", interval: "50–70 %", verdict: "" };
    const candidates = [{ do: "play 7H", phrase: "play 7H", win: estimate, behind: estimate, texts: words }];
    await open(turn(3, ["7H", "8H"]));
    await key("h");
    await reconnect(turn(3, ["7H", "8H"]));
    assert.equal(sent("hint").length, 1);
    await say({ type: "hint", seen: 3, candidates, others: 0, words: [] });
    await reconnect(turn(3, ["7H", "8H"]));
    assert.deepEqual([sheet(), sent("hint")], ["hint", []]);
  });

  it("takes back what was chosen in advance for this turn", async () => {
    settings.remember({ confirm: false });
    await open(turn(3, ["7H", "8H"], []));
    await press(room.card("7H"));
    await scenes(turn(4, ["7H", "8H"]));
    await key("h");
    mock.timers.tick(20_000);
    assert.deepEqual([sent("act"), sent("hint").length], [[], 1]);
  });
});

describe("a rated table", () => {
  it("tells players that it could not be asked to rate, whatever happens until they press something", async () => {
    const manners = { ...room.TABLE.manners, rated: true };
    await open(turn(3, ["7H"], []), { table: { manners }, answers: { "/api/tables/one/player": 409 } });
    await say({ ...room.TABLE, seat: 0, manners });
    await scenes(turn(4, ["7H"], []));
    assert.equal(room.note(), t("ratedUnlinked"));
  });

  it("tells the change of the rating at the end, also when it comes after the sheet", async () => {
    const rated = (value) => [{ ...room.person("Ann"), rating: { value, provisional: false } }, room.person("Bo")];
    const manners = { ...room.TABLE.manners, rated: true };
    await open(turn(8, ["7H"], []), { table: { manners, seats: rated(1500) } });
    await scenes(turn(9, [], [], { over: true, outcome: "Ann wins." }));
    const change = () => texts("[data-sheet=end] [data-place=rating]");
    assert.deepEqual(change(), [""]);
    await say({ ...room.TABLE, seat: 0, manners, over: true, seats: rated(1512) });
    assert.deepEqual(change(), ["Your rating is now 1512 (+12)."]);
  });
});
