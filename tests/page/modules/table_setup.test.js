// The page that sets up a table, and the links to a table and to a seat.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { emptyStorage, storage } from "./browser.js";
import { emptyPage, enter, press, settle, texts } from "./elements.js";
import { option } from "./game_options.js";
import { late, serve } from "./server.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { mannersFields } from "../../../src/parlour/server/page/js/landing/manners.js";
import { setupPage } from "../../../src/parlour/server/page/js/landing/setup.js";
import * as links from "../../../src/parlour/server/page/js/landing/table_links.js";

const GAME = {
  id: "whist",
  title: "Whist",
  players: [2, 3],
  usual: 2,
  summary: "Tricks.",
  credit: "by Ann",
  lesson: null,
  minutes: null,
  options: [
    option("nil"),
    option("rounds", { kind: "number", min: 1, max: 9, limits: { 3: [1, 5] }, defaults: { 2: 4, 3: 4 } }),
    option("rare", { advanced: true }),
  ],
};
const BOTS = [
  { id: "casual", title: "Casual", study: false, description: "plays well" },
  { id: "master", title: "Master", study: false, description: "plays best" },
  { id: "rule", title: "Rule", study: true, description: "for study" },
];
const CATALOGUE = {
  games: [GAME, { ...GAME, id: "duel", title: "Duel", players: [2], options: [] }],
  bots: BOTS,
  usual_bot: "casual",
};

let body;
let visited;
const field = (name) => body.querySelector(`[name=${name}]`);
const go = () => body.querySelector("[type=submit]");
const submit = () => press(body.querySelector("form"), "submit");
const choose = async (one, value, event) => {
  enter(one, value, event);
  await settle();
};
const players = (number) => choose(body.querySelector(`[name=players][value="${number}"]`), true);

/** Open the page of a game. Return the requests. */
async function open(game = "whist", answers = {}) {
  body.replaceChildren();
  const usual = {
    "/api/games": CATALOGUE,
    "/api/check": { advice: [] },
    "/api/tables": { table: "t", seat: 0, key: "k" },
  };
  const sent = serve({ ...answers, ...usual, ...answers });
  await setupPage(body, game);
  await settle();
  return () =>
    sent
      .filter(({ path }) => path === "/api/tables")
      .map((request) => request.body)
      .at(-1);
}

beforeEach(() => {
  emptyStorage();
  ({ body, visited } = emptyPage());
});

describe("a table against bots", () => {
  it("has the usual players and bots, the chosen name and options", async () => {
    const asked = await open();
    await choose(field("name"), "Ann", "input");
    await choose(field("nil"), true);
    await submit();
    const { key, ...rest } = asked();
    assert.ok(key.length > 20);
    assert.deepEqual(rest, {
      game: "whist",
      players: 2,
      options: { nil: true },
      listed: false,
      manners: { rated: false, studied: false },
      seats: [
        { kind: "you", name: "Ann" },
        { kind: "bot", bot: "casual", name: "Ada" },
      ],
    });
    assert.deepEqual([visited, go().textContent], [["/table/t"], t("play")]);
    assert.equal(document.title, "Whist · Parlour");
  });

  it("has the name that was last changed, on the page or in the settings", async () => {
    settings.remember({ name: "Ann" });
    const asked = await open();
    field("name").focus();
    await choose(field("name"), "Eva ", "input");
    assert.deepEqual([field("name").value, settings.settings().name], ["Eva ", "Eva"]);
    field("nil").focus();
    settings.remember({ name: "Ida" });
    assert.equal(field("name").value, "Ida");
    await choose(field("nil"), true);
    assert.equal(settings.settings().name, "Ida");
    await submit();
    assert.equal(asked().seats[0].name, "Ida");
  });

  it("has the bot of each seat that was chosen, and tells what it is", async () => {
    const asked = await open();
    await players(3);
    await choose(field("seat-2"), "master");
    assert.deepEqual(texts(".bots-legend p"), ["Casual plays well", "Master plays best"]);
    assert.deepEqual(
      field("seat-1")
        .querySelectorAll("optgroup")
        .map((group) => group.children.length),
      [2, 1],
    );
    await submit();
    assert.deepEqual(asked().seats.slice(1), [
      { kind: "bot", bot: "casual", name: "Ada" },
      { kind: "bot", bot: "master", name: "Bruno" },
    ]);
  });

  it("is set up as the last time for the same game, and as usual for another", async () => {
    await open();
    await players(3);
    await choose(field("seat-1"), "master");
    await choose(field("rounds"), "5");
    await choose(field("name"), "Ann", "input");
    await submit();
    const again = await open();
    await submit();
    const { players: number, options, seats } = again();
    assert.deepEqual([number, options, seats[0].name, seats[1].bot], [3, { rounds: 5 }, "Ann", "master"]);
    const other = await open("duel");
    assert.deepEqual([field("players"), texts(".players-fixed").length], [null, 1]);
    await submit();
    assert.deepEqual([other().players, other().options, other().seats[1].bot], [2, {}, "master"]);
  });

  it("loses the options that another number of players excludes", async () => {
    const asked = await open();
    await choose(field("rounds"), "8");
    await choose(field("nil"), true);
    await players(3);
    await submit();
    assert.deepEqual(asked().options, { nil: true });
    await open();
    await choose(field("rounds"), "5");
    await players(3);
    assert.equal(field("rounds").value, "5");
  });

  it("returns to the rules by its button, which is there while there is something to return from", async () => {
    const asked = await open();
    const reset = () => body.querySelectorAll("button").find((one) => one.textContent === t("reset"));
    assert.equal(reset(), undefined);
    await choose(field("nil"), true);
    await press(reset());
    assert.equal(reset(), undefined);
    await submit();
    assert.deepEqual(asked().options, {});
  });

  it("folds rare options, unless one of them was changed, and keeps them as the player folds them", async () => {
    await open();
    const details = () => body.querySelector("details");
    assert.deepEqual([details().open, texts("summary")], [false, ["More numbers of the rules (1)"]]);
    details().open = true;
    details().dispatchEvent(new Event("toggle"));
    await choose(field("rare"), true);
    assert.equal(details().open, true);
    await open();
    assert.equal(details().open, true);
  });

  it("keeps the focus when it is drawn again", async () => {
    await open();
    field("seat-1").focus();
    await choose(field("seat-1"), "master");
    assert.equal(document.activeElement, field("seat-1"));
  });
});

describe("a table for friends", () => {
  it("is opened with its manners, for those who have the link or for everyone", async () => {
    const asked = await open();
    await choose(field("seat-1"), "open");
    assert.deepEqual([go().textContent, texts(".seat-line span").includes("Seat 2")], [t("openTable"), true]);
    await choose(field("clock"), "quick");
    await submit();
    assert.deepEqual(
      [asked().listed, asked().manners.clock, asked().manners.talk, asked().seats[1]],
      [false, { seconds: 120, increment: 3 }, "words", { kind: "open" }],
    );
    await choose(body.querySelector("[id=listed]"), true);
    await submit();
    assert.deepEqual([asked().listed, asked().manners.talk], [true, "none"]);
    await choose(field("seat-1"), "casual");
    await submit();
    assert.deepEqual([asked().listed, asked().manners], [false, { rated: false, studied: false }]);
  });

  it("has fields only for what can happen at it", () => {
    const bots = { titles: { casual: "Casual" }, usual: "casual" };
    const made = (changes, hasBots = true) => {
      settings.remember({ manners: changes });
      const form = mannersFields(false, hasBots, bots);
      const hidden = form.querySelectorAll(".seat-line").filter((line) => line.hidden);
      return hidden.map((line) => line.querySelector("select").getAttribute("name")).sort();
    };
    assert.deepEqual(made({}), ["fillBot"]);
    assert.deepEqual(made({}, false), ["fillBot", "take_over"]);
    assert.deepEqual(made({ fill: "one" }, false), []);
    assert.deepEqual(made({ rated: "yes", fill: "one" }), ["hints", "take_over"]);
    assert.deepEqual(made({ clock: "oneDay" }), ["fillBot", "patience"]);
  });

  it("lets people take over bots' seats only where bots play, whatever was chosen for another table", async () => {
    settings.remember({ manners: { take_over: "yes" } });
    const asked = await open();
    await choose(field("seat-1"), "open");
    await submit();
    assert.equal(asked().manners.take_over, false);
    await players(3);
    await choose(field("seat-2"), "casual");
    await submit();
    assert.equal(asked().manners.take_over, true);
  });

  it("shows a field as soon as another choice makes it possible", () => {
    const form = mannersFields(false, true, { titles: { casual: "Casual" }, usual: "casual" });
    const line = (name) => form.querySelectorAll(".seat-line").find((one) => one.querySelector(`[name=${name}]`));
    const over = () => form.querySelector(".fine-print");
    assert.deepEqual([line("fillBot").hidden, over().hidden], [true, true]);
    enter(line("fill").querySelector("select"), "one");
    enter(line("clock").querySelector("select"), "quick");
    assert.deepEqual([line("fillBot").hidden, over().hidden, over().textContent], [false, false, t("mannersTimeOver")]);
    enter(line("clock").querySelector("select"), "oneWeek");
    assert.equal(over().textContent, t("mannersDaysOver"));
  });

  it("fills seats with the usual bot if the one of the last time is gone", () => {
    settings.remember({ manners: { fillBot: "gone" } });
    mannersFields(false, true, { titles: { casual: "Casual" }, usual: "casual" });
    assert.equal(settings.settings().manners.fillBot, "casual");
  });
});

describe("the button that opens a table", () => {
  it("is used once, in spite of a late check, and again after a failure", async () => {
    const check = late();
    const asked = await open("whist", {
      "/api/check": [check.body, { advice: [] }],
      "/api/tables": [422, { table: "t", seat: 0, key: "k" }],
    });
    const sending = submit();
    assert.equal(go().disabled, true);
    check.give({ advice: ["Late."] });
    await sending;
    await settle();
    assert.deepEqual([texts(".advice"), texts(".failure"), go().disabled], [[""], ["refused: 422"], false]);
    await submit();
    assert.deepEqual([visited, asked().game], [["/table/t"], "whist"]);
  });

  it("stays unused while the request is on its way", async () => {
    const [check, table] = [late(), late()];
    await open("whist", { "/api/check": check.body, "/api/tables": table.body });
    submit();
    check.give({ advice: [] });
    await settle();
    assert.equal(go().disabled, true);
  });
});

describe("a page for an unknown game", () => {
  it("says so, or why there are no games", async () => {
    await open("chess");
    assert.deepEqual(texts("[role=alert]"), [t("unknownGame")]);
    await open("whist", { "/api/games": 503 });
    assert.deepEqual(texts("[role=alert]"), ["Refused: 503."]);
  });
});

describe("a link", () => {
  const clipboard = (writeText) =>
    Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  const show = (place) => body.replaceChildren(place);
  const note = () => texts("[role=status]")[0];
  afterEach(() => delete navigator.share);

  it("is copied, or selected where it cannot be", async () => {
    const copied = [];
    clipboard((text) => Promise.resolve(copied.push(text)));
    show(links.invitationLink("one"));
    assert.equal(note(), t("copyThis"));
    await press(body.querySelector(".copy"));
    assert.deepEqual([copied, note()], [["http://h/table/one"], t("copied")]);
    clipboard(() => Promise.reject(new Error("no")));
    document.execCommand = () => false;
    show(links.invitationLink("one"));
    await press(body.querySelector(".copy"));
    assert.deepEqual([body.querySelector("input").isSelected, note()], [true, t("copySelected")]);
    const copyButton = body.querySelector(".copy");
    copyButton.focus();
    document.execCommand = (command) => {
      copied.push([command, document.activeElement.textContent]);
      return true;
    };
    await press(copyButton);
    delete document.execCommand;
    assert.deepEqual([copied.at(-1), note()], [["copy", "http://h/table/one"], t("copied")]);
    assert.deepEqual([document.activeElement, body.querySelectorAll("textarea").length], [copyButton, 0]);
  });

  it("is shown as a code, hidden, and shown again without another request", async () => {
    const sent = serve({ "/api/link": { svg: "<svg></svg>" } });
    show(links.invitationLink("one"));
    const code = () => [body.querySelector(".link-code").hidden, body.querySelectorAll(".link-code svg").length];
    assert.deepEqual(code(), [true, 0]);
    for (const hidden of [false, true, false]) {
      await press(body.querySelector(".show-code"));
      assert.deepEqual(code(), [hidden, 1]);
    }
    assert.deepEqual(
      sent.map((request) => request.body),
      [{ address: "http://h/table/one" }],
    );
  });

  it("is shown as one code after a slow answer and many presses, and says why there is none", async () => {
    const slow = late();
    serve({ "/api/link": [slow.body, { svg: "<svg></svg>" }, 429] });
    show(links.invitationLink("one"));
    for (let time = 0; time < 3; time += 1) press(body.querySelector(".show-code"));
    slow.give({ svg: "<svg></svg>" });
    await settle();
    assert.equal(body.querySelectorAll(".link-code svg").length, 1);
    show(links.invitationLink("two"));
    await press(body.querySelector(".show-code"));
    assert.deepEqual([note(), body.querySelector(".link-code").hidden], ["refused: 429", true]);
  });

  it("is sent where the device can", async () => {
    const shared = [];
    navigator.share = (what) => Promise.resolve(shared.push(what));
    show(links.invitationLink("one"));
    const send = body.querySelectorAll("button").find((one) => one.textContent === t("send"));
    await press(send);
    assert.deepEqual(shared, [{ url: "http://h/table/one" }]);
  });

  it("of a room for this machine only says so, with the command for the player who opened the table", async () => {
    location.hostname = "localhost";
    serve({ "/api/addresses": { addresses: [] } });
    for (const opened of [true, false]) {
      settings.keepSeat("one", 0, "k", opened);
      show(links.invitationLink("one"));
      await settle();
      assert.deepEqual(texts("code"), opened ? [t("openCommand")] : []);
    }
    assert.equal(body.querySelector(".show-code"), null);
    clipboard(() => Promise.resolve());
    await press(body.querySelector(".copy"));
    assert.equal(note(), t("copiedHere"));
  });

  it("to the own seat has its key, and is none without a seat", () => {
    assert.equal(links.ownSeatLink("one"), null);
    settings.keepSeat("one", 1, "a+b");
    show(links.ownSeatLink("one"));
    assert.equal(body.querySelector("input").value, "http://h/table/one#seat=1&key=a%2Bb");
  });

  it("to the own seat is open only where the browser does not store the seat", () => {
    const isOpen = () => links.ownSeatLink("one").hasAttribute("open");
    settings.keepSeat("one", 1, "k");
    assert.equal(isOpen(), false);
    storage.refuses = true;
    settings.keepSeat("one", 1, "k");
    assert.equal(isOpen(), true);
    assert.equal(settings.isSeatUnstored("one"), true);
    settings.keepSeat("one", -1, null);
    assert.equal(settings.isSeatUnstored("one"), false);
  });

  it("leads to a seat, with its key only where the browser does not store it", () => {
    links.goToSeat("one", 1, "k");
    storage.refuses = true;
    links.goToSeat("full", 1, "k", false);
    assert.deepEqual(visited, ["/table/one", "/table/full#seat=1&key=k"]);
    assert.deepEqual([settings.seatAt("one").opened, settings.seatAt("full").opened], [true, false]);
  });
});
