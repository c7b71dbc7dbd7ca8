// The people at a table: talk, clocks, absence, and requests that need the others.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, enter, press, texts } from "./elements.js";
import { COMPANY } from "./scenes.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import { remember, settings } from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { tool } from "../../../src/parlour/server/page/js/common/bar.js";
import { People } from "../../../src/parlour/server/page/js/table/people.js";

const NAMES = ["You", "Bo", "Ada"];
const KINDS = ["person", "person", "bot"];

let body;
let people;
let sent;
let said;
let connected;
let own;
let overDays;
let now;
let seen;

const company = (more = {}) => people.receive({ ...COMPANY, ...more });
const help = (name) => body.querySelector(`[data-help=${name}]`);
/** What screen readers have been told since the last call. */
function told() {
  mock.timers.tick(60);
  const region = document.getElementById("live");
  const lines = region.querySelectorAll("p").map(({ textContent }) => textContent);
  region.replaceChildren();
  return lines;
}

beforeEach(() => {
  emptyStorage();
  remember({ sound: false });
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  [now, seen] = [1000, 7];
  mock.method(performance, "now", () => now);
  body = emptyDocument();
  [sent, said, connected, own, overDays] = [[], [], true, 0, false];
  people = new People({
    send: (message) => (connected ? sent.push(message) > 0 : false),
    needsConnection: () => said.push("needs"),
    say: (text) => said.push(text),
    name: (seat) => NAMES[seat],
    kind: (seat) => KINDS[seat],
    own: () => own,
    seen: () => seen,
    isOverDays: () => overDays,
  });
  people.tool = tool("talk", "Talk", () => {});
  const board = h(
    "div",
    { class: "board" },
    NAMES.map((_, seat) => h("section", { class: "area", "data-seat": seat }, h("header", { class: "area-head" }))),
  );
  body.append(people.bubbles, people.helpers, people.notices, people.tool, board, h("div", { id: "live" }));
});
afterEach(() => {
  told();
  mock.timers.reset();
  mock.restoreAll();
});

describe("an action to take back", () => {
  it("is asked for by a button where it is the viewer's own", () => {
    company({ undoable: 0 });
    help("undo").click();
    assert.deepEqual(sent, [{ type: "undo", seen: 7 }]);
  });

  it("has no button otherwise, and a reason", () => {
    const reasons = t("undoRefusals");
    for (const [more, viewer, reason] of [
      [{}, 0, reasons.none],
      [{ undoable: 1 }, 0, reasons.others("Bo")],
      [{ undoable: 0, undo_request: { seat: 0, waiting: [1] } }, 0, reasons.wish],
      [{ undoable: 0 }, -1, reasons.watching],
    ]) {
      own = viewer;
      company(more);
      assert.equal(help("undo"), null);
      people.undo();
      assert.equal(said.pop(), reason);
    }
    assert.deepEqual(sent, []);
  });

  it("needs the connection", () => {
    company({ undoable: 0 });
    connected = false;
    people.undo();
    assert.deepEqual(said, ["needs"]);
  });

  it("waits for the others, or for the viewer, who allows or refuses it", () => {
    company({ undo_request: { seat: 0, waiting: [1] } });
    assert.deepEqual(texts(".wish"), [t("undoRequested", ["Bo"])]);
    company({ undo_request: { seat: 1, waiting: [2] } });
    assert.deepEqual(texts(".wish"), []);
    company({ undo_request: { seat: 1, waiting: [0] } });
    help("allow").click();
    help("refuse").click();
    assert.deepEqual(
      sent,
      [true, false].map((yes) => ({ type: "agree", yes, seen: 7 })),
    );
  });

  it("is announced once to the viewer whom it waits for, and again after it has ended", () => {
    const request = { undo_request: { seat: 1, waiting: [0] } };
    company({ undo_request: { seat: 1, waiting: [2] } });
    assert.deepEqual(told(), []);
    for (const [more, lines] of [
      [request, [t("undoRequest", "Bo")]],
      [{ ...request, there: [0] }, []],
      [{}, []],
      [request, [t("undoRequest", "Bo")]],
    ]) {
      company(more);
      assert.deepEqual(told(), lines);
    }
  });

  it("that another player declines is said once to the players who saw the request, in a note alone", () => {
    assert.equal(t("undoDeclined", "Bo"), "Bo would rather play on.");
    company({ undo_request: { seat: 0, waiting: [1] } });
    told();
    for (const lines of [[t("undoDeclined", "Bo")], []]) {
      company({ undo_declined: 1 });
      assert.deepEqual([said.splice(0), told(), help("undo")], [lines, [], null]);
    }
    company({ undo_request: { seat: 1, waiting: [0] } });
    told();
    company({ undo_declined: 0 });
    assert.deepEqual([said, told()], [[], []]);
  });

  it("that was declined before the page was loaded is not said", () => {
    company({ undo_declined: 1 });
    assert.deepEqual([said, told()], [[], []]);
  });

  it("that was declined is answered by the room, except to onlookers", () => {
    company({ undo_declined: 1 });
    people.undo();
    assert.deepEqual([said, sent.splice(0)], [[], [{ type: "undo", seen: 7 }]]);
    own = -1;
    people.undo();
    assert.deepEqual([said, sent], [[t("undoRefusals").watching], []]);
  });

  it("that the room forgets at a restart says so, but not when it is over by an event", () => {
    for (const [events, after, lines] of [
      [0, {}, [t("undoLapsed")]],
      [1, {}, []],
      [0, { undoable: 0 }, []],
    ]) {
      company({ undoable: 0, undo_request: { seat: 0, waiting: [1] } });
      seen += events;
      company(after);
      assert.deepEqual([said.splice(0), told()], [lines, []]);
    }
  });

  it("keeps the focus on its button while it is redrawn", () => {
    company({ undo_request: { seat: 1, waiting: [0] } });
    help("refuse").focus();
    company({ undo_request: { seat: 1, waiting: [0, 2] } });
    assert.equal(document.activeElement, help("refuse"));
  });
});

describe("a request for a bot's seat", () => {
  const request = (id, waiting) => ({ seat_request: { id, seat: 2, name: "Dov", waiting } });

  it("is allowed or refused by the players whom it waits for, and shown to the others", () => {
    company(request("r1", [0]));
    assert.match(texts(".wish p")[0], /^Dov .* Ada/);
    help("take-allow").click();
    help("take-deny").click();
    assert.deepEqual(
      sent,
      [true, false].map((yes) => ({ type: "allow", id: "r1", yes })),
    );
    company(request("r1", [1]));
    assert.deepEqual(texts(".wish"), [t("seatRequested", ["Bo"])]);
    own = -1;
    company(request("r1", [1]));
    assert.deepEqual(texts(".wish"), []);
  });

  it("needs the connection to be answered", () => {
    company(request("r1", [0]));
    connected = false;
    help("take-allow").click();
    assert.deepEqual(said, ["needs"]);
  });

  it("is announced once, and another one again", () => {
    for (const [id, number] of [
      ["r1", 1],
      ["r1", 0],
      ["r2", 1],
    ]) {
      company(request(id, [0]));
      assert.equal(told().length, number);
    }
  });
});

describe("a room that gets ready to think ahead", () => {
  it("says so once, and shows it as long as it does", () => {
    for (const [readying, lines] of [
      [true, 1],
      [true, 0],
      [false, 0],
      [true, 1],
    ]) {
      company({ readying });
      assert.deepEqual([told().length, texts(".readying").length], [lines, readying ? 1 : 0]);
    }
  });
});

describe("talk", () => {
  const talk = (...messages) => people.receiveTalk({ type: "said", said: messages });
  const word = (id, by, words, more = {}) => ({ id, by, words, sign: "", ...more });
  const badge = () => [people.tool.hidden, people.tool.title, people.tool.classList.contains("unread")];
  const list = () => body.querySelectorAll(".said li").map(({ textContent }) => textContent);

  it("is heard as bubbles for five seconds, and counted until it is opened", () => {
    company();
    talk(word("a", 1, "Hi"), word("b", 1, "", { sign: "well" }));
    assert.deepEqual(
      [texts(".bubble"), told()],
      [
        ["Bo: Hi", "Bo: Well played!"],
        ["Bo: Hi", "Bo: Well played!"],
      ],
    );
    assert.deepEqual(badge(), [false, "Talk, 2 new", true]);
    mock.timers.tick(4999 - 60);
    assert.equal(texts(".bubble").length, 2);
    mock.timers.tick(1);
    assert.equal(texts(".bubble").length, 0);
    people.open();
    assert.deepEqual(
      [list(), badge()],
      [
        ["Bo: Hi", "Bo: Well played!"],
        [false, "Talk", false],
      ],
    );
  });

  it("scrolls to a new message unless one reads earlier ones", () => {
    people.open();
    const { lines } = people;
    Object.defineProperty(lines, "clientHeight", { value: 100 });
    for (const [scrollTop, scrollHeight, then] of [
      [400, 500, 500],
      [390, 500, 500],
      [200, 500, 200],
    ]) {
      Object.assign(lines, { scrollTop, scrollHeight });
      talk(word(`a${scrollTop}`, 1, "Hi"));
      assert.equal(lines.scrollTop, then);
    }
  });

  it("that one has said oneself, or that came before one, or twice, is not counted", () => {
    talk(word("a", 1, "Before"));
    company();
    talk(word("b", 0, "Mine"), word("a", 1, "Before"));
    assert.deepEqual([texts(".bubble"), badge()], [["You: Mine"], [false, "Talk", false]]);
  });

  it("in the open sheet is listed without a bubble", () => {
    company();
    people.open();
    assert.deepEqual(list(), [t("talkEmpty")]);
    talk(word("a", 1, "Hi"));
    assert.deepEqual([list(), texts(".bubble"), badge()[1]], [["Bo: Hi"], [], "Talk"]);
  });

  it("has no bubbles where the viewer does not want them", () => {
    company();
    people.open();
    const [hear] = body.querySelectorAll(".mutes input");
    enter(hear, false);
    body.querySelector("dialog").close();
    talk(word("a", 1, "Hi"));
    assert.deepEqual([settings().hear, texts(".bubble")], [false, []]);
  });

  it("without bubbles is counted and read out nevertheless", () => {
    remember({ hear: false });
    company();
    talk(word("a", 1, "Hi"));
    assert.deepEqual([badge(), told()], [[false, "Talk, 1 new", true], ["Bo: Hi"]]);
  });

  it("of a muted player is neither shown nor listed until he is heard again", () => {
    company();
    talk(word("a", 1, "Hi"));
    people.open();
    const [, bo] = body.querySelectorAll(".mutes input");
    assert.deepEqual([bo.checked, texts(".mutes label")[1]], [true, t("talkMute", "Bo")]);
    enter(bo, false);
    assert.deepEqual(list(), [t("talkEmpty")]);
    body.querySelector("dialog").close();
    mock.timers.tick(5000);
    talk(word("b", 1, "Hello?"));
    assert.deepEqual(texts(".bubble"), []);
    people.open();
    enter(body.querySelectorAll(".mutes input")[1], true);
    assert.deepEqual(list(), ["Bo: Hi", "Bo: Hello?"]);
  });

  it("is sent by its form and by signs, without spaces around it", async () => {
    company();
    people.open();
    const [form] = body.querySelectorAll(".talk-line");
    const field = form.querySelector("input");
    for (const words of [" Good day ", "  "]) {
      field.value = words;
      await press(form, "submit");
      assert.equal(field.value, "");
    }
    body.querySelectorAll(".signs button")[0].click();
    assert.deepEqual(
      sent.map(({ type, words, sign }) => [type, words, sign]),
      [
        ["say", "Good day", undefined],
        ["say", undefined, "hello"],
      ],
    );
    assert.notEqual(sent[0].id, sent[1].id);
  });

  it("waits for the connection, and is then sent with the same id until the room has it", () => {
    company();
    people.open();
    connected = false;
    people.say({ words: "Hi" });
    assert.deepEqual(list(), [t("unsent", "You: Hi")]);
    connected = true;
    people.connect(true);
    people.connect(true);
    assert.deepEqual([sent.length, sent[0]], [2, sent[1]]);
    talk({ ...sent[0], by: 0, sign: "" });
    people.connect(true);
    assert.deepEqual([sent.length, list()], [2, ["You: Hi"]]);
  });

  it("that was sent as the connection broke is listed as unsent", () => {
    company();
    people.open();
    people.say({ words: "Hi" });
    connected = false;
    people.connect(false);
    assert.deepEqual([sent.length, list()], [1, [t("unsent", "You: Hi")]]);
  });

  it("that the room refuses has a reason in the open sheet, and its words are in the field again", () => {
    company();
    people.open();
    const failure = () => texts("dialog .failure")[0];
    const field = body.querySelector(".talk-line input");
    people.say({ words: "Hi" });
    const refuse = (id = sent.at(-1).id) => people.refused({ id, reason: "Not so fast." });
    refuse();
    assert.deepEqual([failure(), field.value], ["Not so fast.", "Hi"]);
    people.connect(true);
    assert.equal(sent.length, 1);
    people.say({ words: "Again" });
    assert.equal(failure(), "");
    refuse("another"); // a message that this page has not sent
    assert.equal(failure(), "");
    field.value = "Half a";
    refuse();
    assert.deepEqual([failure(), field.value], ["Not so fast.", "Half a"]);
    body.querySelector("dialog").close();
    people.open();
    assert.equal(failure(), "");
  });

  it("that waited for the connection and is then refused waits no more", () => {
    company();
    people.open();
    connected = false;
    people.say({ words: "Hi" });
    connected = true;
    people.connect(true);
    people.refused({ id: sent.at(-1).id, reason: "Not so fast." });
    assert.deepEqual(list(), [t("talkEmpty")]);
  });

  it("offers what the table allows", () => {
    for (const [kind, viewer, parts] of [
      ["words", 0, [1, 1, 1]],
      ["signs", 0, [1, 1, 0]],
      ["none", 0, [0, 0, 0]],
      ["words", -1, [1, 0, 0]],
    ]) {
      own = viewer;
      company({ talk: kind });
      people.open();
      assert.deepEqual(
        [".said", ".signs", ".talk-line"].map((part) => body.querySelectorAll(part).length),
        parts,
      );
    }
  });

  it("has a tool where there is another player to talk with, or something was said", () => {
    const hidden = (more, viewer = 0) => {
      own = viewer;
      company(more);
      return people.tool.hidden;
    };
    assert.equal(hidden({}), false);
    assert.equal(hidden({}, -1), true);
    assert.equal(hidden({ talk: "none" }), true);
    assert.equal(hidden({ there: [0] }), true);
    talk(word("a", 1, "Bye"));
    assert.equal(hidden({ there: [0] }), false);
  });
});

describe("clocks", () => {
  const clocks = () => body.querySelectorAll(".clock").map((one) => [one.textContent, one.className]);

  it("are those of people; that of the player to act runs, to its end", () => {
    company({ clocks: { left: [65_000, 600_000, 0], running: 0 } });
    assert.deepEqual(clocks(), [
      ["1:05", "clock runs"],
      ["10:00", "clock"],
    ]);
    now += 44_999;
    mock.timers.tick(250);
    assert.deepEqual(clocks()[0], ["0:21", "clock runs"]);
    now += 2;
    mock.timers.tick(250);
    assert.deepEqual(clocks()[0], ["0:20", "clock runs late"]);
    now += 60_000;
    mock.timers.tick(250);
    assert.deepEqual([clocks()[0][0], clocks()[1]], ["0:00", ["10:00", "clock"]]);
    assert.equal(body.querySelector(".clock").getAttribute("aria-label"), "You: 0:00 left");
  });

  it("go on from what the room says last, and vanish with it", () => {
    company({ clocks: { left: [65_000, 600_000, 0], running: 0 } });
    now += 10_000;
    company({ clocks: { left: [65_000, 600_000, 0], running: 1 } });
    assert.deepEqual(clocks(), [
      ["1:05", "clock"],
      ["10:00", "clock runs"],
    ]);
    company();
    assert.deepEqual(clocks(), []);
  });
});

describe("the seats", () => {
  const notes = () => body.querySelectorAll(".area-head").map(({ textContent }) => textContent);

  it("tell who has resigned, is out of time, is replaced by a bot or not here", () => {
    company({ there: [0], resigned: [0], out: [0, 1], away: [1] });
    assert.deepEqual(notes(), [t("resigned"), t("out"), ""]);
    company({ there: [0], away: [1] });
    assert.deepEqual(notes(), ["", t("away"), ""]);
    company({ there: [0] });
    assert.deepEqual(notes(), ["", t("gone"), ""]);
  });

  it("miss none at a table over days, nor before the room has told who is here", () => {
    company({ there: [] });
    assert.deepEqual(notes(), ["", "", ""]);
    overDays = true;
    company({ there: [0] });
    assert.deepEqual(notes(), ["", "", ""]);
  });

  it("have a deadline at the seat to act, once however often they are drawn", () => {
    const at = new Date(2026, 10, 30, 14, 5).getTime() / 1000;
    company({ deadline: { seat: 1, at } });
    people.decorate();
    assert.deepEqual(notes(), ["", t("untilTime", at), ""]);
  });
});
