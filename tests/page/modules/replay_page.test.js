// The page of a replay: its position by buttons, keys and clock, and the ways from it.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { enter, press, pressKey, settle, texts } from "./elements.js";
import { body, open, position, prompt, scenes, sent, step, tick } from "./open_replay.js";
import { late } from "./server.js";
import { keepSeat, remember, seatAt } from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { CHANGE_TIME } from "../../../src/parlour/server/page/js/replay/event_address.js";
import { MOST_REVIEWED } from "../../../src/parlour/server/page/js/replay/review_link.js";
import { REPLAY_TEXTS } from "../../../src/parlour/server/page/js/replay/replay_texts.js";

describe("a replay", () => {
  it("begins where cards are dealt and a seat is to act, or at the event of the address", async () => {
    await open();
    assert.deepEqual([position(), location.hash], ["2 of 4", "#2"]);
    assert.equal(document.title, "Whist · Replay · Parlour");
    for (const [hash, found] of [
      ["#3", "3 of 4"],
      ["#0", "0 of 4"],
      ["#99", "4 of 4"],
      ["#x", "2 of 4"],
    ]) {
      await open({}, { hash });
      assert.equal(position(), found);
    }
  });

  it("changes the address a few times a second at most, and to the event that is shown in the end", async () => {
    await open({}, { hash: "#0" });
    const changes = [];
    history.replaceState = (_, __, address) => changes.push(address);
    for (const name of ["after", "after", "before", "after", "after"]) await step(name);
    assert.deepEqual([position(), changes], ["3 of 4", []]);
    await tick(CHANGE_TIME);
    assert.deepEqual(changes, ["/game/one#3"]);
    await tick(CHANGE_TIME);
    await step("before");
    assert.deepEqual(changes, ["/game/one#3", "/game/one#2"]);
  });

  describe("that is opened from the review", () => {
    const decided = (at, more) => ({ seen: at, do: "a", best: "b", phrase: "lay a", best_phrase: "lay b", ...more });
    const decisions = [decided(1, { mark: "slip" }), decided(2, { mark: "" }), decided(3, { mark: "find" })];
    const courses = [{ decisions }, { decisions: [decided(4, { mark: "blunder", best: "a" })] }];
    const marks = () =>
      body.querySelectorAll(".prompt .decision-mark").map((mark) => [mark.className, mark.textContent]);
    const opened = (search, answer) => open({}, { hash: "#1", search, answers: { "/api/tables/one/review": answer } });

    it("says at each marked decision what the review says of it", async () => {
      await opened("?review", { courses });
      assert.deepEqual(marks(), [["decision-mark slip", "Slip: Lay a. Better: Lay b."]]);
      await step("after");
      assert.deepEqual(marks(), []);
      await step("after");
      assert.deepEqual(marks(), [["decision-mark find", "Good find: Lay a."]]);
      await step("after");
      assert.deepEqual(marks(), [["decision-mark blunder", "Blunder: Lay a."]]);
    });

    it("says what is known of an unfinished review", async () => {
      await opened("?review", { share: 0.5, review: { courses } });
      assert.deepEqual(marks(), [["decision-mark slip", "Slip: Lay a. Better: Lay b."]]);
    });

    it("says nothing without a review, and asks for none where it was opened otherwise", async () => {
      await opened("?review", { share: 0.1, review: null });
      assert.deepEqual([position(), marks()], ["1 of 4", []]);
      await opened("?review", 500);
      assert.deepEqual([position(), marks()], ["1 of 4", []]);
      await opened("", { courses });
      assert.deepEqual(marks(), []);
      assert.deepEqual(
        sent.filter(({ path }) => path.includes("review")),
        [],
      );
    });
  });

  it("follows the address, and stays where it has no event", async () => {
    await open();
    for (const [hash, found] of [
      ["#1", "1 of 4"],
      ["#here", "1 of 4"],
    ]) {
      location.hash = hash;
      dispatchEvent(new Event("hashchange"));
      await settle();
      assert.equal(position(), found);
    }
  });

  it("moves by its buttons and its slider, as far as it goes", async () => {
    await open();
    for (const [name, found] of [
      ["after", "3 of 4"],
      ["before", "2 of 4"],
      ["first", "0 of 4"],
      ["last-event", "4 of 4"],
    ]) {
      await step(name);
      assert.equal(position(), found);
    }
    enter(body.querySelector(".moment"), "1", "input");
    await settle();
    assert.equal(position(), "1 of 4");
  });

  it("moves by a swipe of more than 50 pixels", async () => {
    await open();
    const swipe = async (from, to) => {
      const board = body.querySelector(".board");
      board.dispatchEvent(Object.assign(new Event("touchstart"), { touches: [{ clientX: from }] }));
      board.dispatchEvent(Object.assign(new Event("touchend"), { changedTouches: [{ clientX: to }] }));
      await settle();
      return position();
    };
    for (const [from, to, found] of [
      [100, 50, "2 of 4"],
      [100, 49, "3 of 4"],
      [100, 151, "2 of 4"],
      [100, 150, "2 of 4"],
    ]) {
      assert.equal(await swipe(from, to), found);
    }
  });

  it("has its views, ways and log in a sheet on small screens, and then beside the table again", async () => {
    await open();
    const log = () => body.querySelector(".log");
    await press(body.querySelector(".more-of-game"));
    assert.equal(log().closest("dialog").dataset.sheet, "game");
    await press(body.querySelectorAll(".log button")[0]);
    assert.deepEqual(
      [position(), body.querySelector("dialog"), log().closest(".side-panel") !== null],
      ["1 of 4", null, true],
    );
  });

  it("has no buttons beyond its ends", async () => {
    await open();
    const disabled = () =>
      body
        .querySelectorAll("[data-step]")
        .filter((one) => one.disabled)
        .map(({ dataset }) => dataset.step);
    assert.deepEqual(disabled(), []);
    await step("first");
    assert.deepEqual(disabled(), ["first", "before"]);
    await step("last-event");
    assert.deepEqual([disabled(), body.querySelector("[data-go=on]").disabled], [["after", "last-event"], true]);
  });

  it("can be played on from its end if a player resigned there", async () => {
    await open({ conceded: 1 }, { hash: "#4" });
    assert.deepEqual([position(), body.querySelector("[data-go=on]").disabled], ["4 of 4", false]);
  });

  it("shows the log until its event, whose lines lead to theirs", async () => {
    await open({}, { hash: "#3" });
    assert.deepEqual(texts(".log button"), ["all event 1", "all event 2", "all event 3"]);
    assert.deepEqual(texts(".log .now"), ["all event 3"]);
    await press(body.querySelectorAll(".log button")[0]);
    assert.deepEqual([position(), prompt()], ["1 of 4", "all event 1"]);
  });

  it("has the outcome as its last words, and the heading where nothing has happened", async () => {
    await open({}, { hash: "#4" });
    assert.equal(prompt(), "Ann wins.");
    await step("first");
    assert.equal(prompt(), "Trick 0");
  });

  it("that is not there says so", async () => {
    await open({}, { answers: { "/api/tables/one": 404 } });
    assert.deepEqual(texts("[role=alert]"), [t("unknownTable")]);
  });
});

describe("the keys of a replay", () => {
  const after = async (...press_) => {
    pressKey(...press_);
    await settle();
    return position();
  };

  it("move it", async () => {
    await open();
    assert.equal(await after("ArrowRight"), "3 of 4");
    assert.equal(await after("ArrowLeft"), "2 of 4");
    assert.equal(await after("End"), "4 of 4");
    assert.equal(await after("Home"), "0 of 4");
  });

  it("open the score, the rules and the keys", async () => {
    await open({}, { answers: { "/api/games/whist/rules": { html: "<p>Rules.</p>" } } });
    for (const [key, sheet] of [
      ["s", "score"],
      ["r", "rules"],
      ["R", "rules"],
      ["?", "help"],
      ["h", "help"],
    ]) {
      pressKey(key);
      await settle();
      const shown = body.querySelector("dialog");
      assert.equal(shown.dataset.sheet, sheet);
      if (key === "s") assert.deepEqual(texts("dialog .log li"), ["all event 1", "all event 2"]);
      shown.close();
    }
  });

  it("are the browser's with Ctrl, Alt or Cmd, in fields and under a sheet", async () => {
    await open();
    for (const held of ["ctrlKey", "metaKey", "altKey"])
      assert.equal(await after("ArrowRight", { [held]: true }), "2 of 4");
    body.querySelector(".moment").focus();
    assert.equal(await after("ArrowRight"), "2 of 4");
    document.activeElement = null;
    pressKey("?");
    assert.equal(await after("ArrowRight"), "2 of 4");
  });

  it("move it from the slider and the chosen view, except the keys that these need", async () => {
    await open();
    for (const [field, moving, left] of [
      [".moment", [" "], ["ArrowLeft", "ArrowRight", "Home", "End"]],
      ["[name=view]", [" ", "Home", "End"], ["ArrowLeft", "ArrowRight"]],
    ]) {
      body.querySelector(field).focus();
      for (const key of moving) assert.equal(pressKey(key), true, `${key} in ${field}`);
      for (const key of left) assert.equal(pressKey(key), false, `${key} in ${field}`);
    }
  });

  it("leave the space bar to a button with the focus", async () => {
    await open();
    body.querySelector("[data-step=before]").focus();
    assert.equal(pressKey(" "), false);
    document.activeElement = null;
    assert.equal(pressKey(" "), true);
  });
});

describe("the clock of a replay", () => {
  const label = () => body.querySelector("[data-step=run]").title;

  it("runs to the end, and then from the beginning", async () => {
    await open();
    assert.equal(label(), REPLAY_TEXTS.run);
    await step("run");
    assert.equal(label(), REPLAY_TEXTS.halt);
    await tick(1099);
    assert.equal(position(), "2 of 4");
    await tick(1);
    assert.equal(position(), "3 of 4");
    await tick(1100);
    assert.deepEqual([position(), label()], ["4 of 4", REPLAY_TEXTS.run]);
    await tick(9000);
    await step("run");
    assert.deepEqual([position(), label()], ["0 of 4", REPLAY_TEXTS.halt]);
    await tick(1100);
    assert.equal(position(), "1 of 4");
  });

  it("stops at a step by hand and at its button", async () => {
    for (const name of ["before", "run"]) {
      await open();
      await step("run");
      await step(name);
      const stopped = position();
      await tick(9000);
      assert.deepEqual([position(), label()], [stopped, REPLAY_TEXTS.run]);
    }
  });

  it("stops at a failure, which is shown", async () => {
    const answers = { "/api/tables/one/replay?view=all&": [{ seen: 60, scenes: scenes("all", 49) }, 503] };
    await open({}, { answers, hash: "#49" });
    await step("run");
    await tick(1100);
    assert.deepEqual([texts(".note"), label()], [["refused: 503"], REPLAY_TEXTS.run]);
  });
});

describe("the failure of a part of a replay", () => {
  it("leaves the replay at the event that it shows", async () => {
    const answers = { "/api/tables/one/replay?view=all&": [{ seen: 60, scenes: scenes("all", 49) }, 503] };
    await open({}, { answers, hash: "#49" });
    enter(body.querySelector(".moment"), "55", "input");
    await settle();
    assert.deepEqual([texts(".note"), position()], [["refused: 503"], "49 of 60"]);
    assert.equal(body.querySelector(".moment").value, "49");
    await step("before");
    assert.equal(position(), "48 of 60");
  });

  it("is not shown where the viewer has gone on", async () => {
    const failing = late();
    const answers = { "/api/tables/one/replay?view=all&": [{ seen: 60, scenes: scenes("all", 49) }, failing.body] };
    await open({}, { answers, hash: "#49" });
    await step("after");
    await step("before");
    failing.give(Promise.reject(new Error("no network")));
    await settle();
    assert.deepEqual([texts(".note"), position()], [[""], "49 of 60"]);
  });
});

describe("the ways from a replay", () => {
  const clipboard = (writeText) =>
    Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  const link = () =>
    body.querySelectorAll(".replay-ways button").find((one) => one.textContent === REPLAY_TEXTS.linkHere);

  it("have a link to the moment, which is shown where it cannot be copied", async () => {
    const copied = [];
    clipboard((text) => Promise.resolve(copied.push(text)));
    await open();
    await press(link());
    assert.deepEqual([copied, texts(".note")], [["http://h/game/one#2"], [REPLAY_TEXTS.linkCopied]]);
    clipboard(() => Promise.reject(new Error("no")));
    await press(link());
    assert.deepEqual(texts(".note"), ["http://h/game/one#2"]);
  });

  it("have a link to the moment as it is seen", async () => {
    clipboard(() => Promise.reject(new Error("no")));
    keepSeat("one", 2, "key");
    await open({}, { search: "?review" });
    await press(link());
    assert.deepEqual(texts(".note"), ["http://h/game/one?view=2#2"]);
  });

  it("have a review of a game that was played to its end", async () => {
    for (const [table, found] of [
      [{}, true],
      [{ conceded: 1 }, false],
      [{ over: false }, false],
    ]) {
      await open(table);
      assert.equal(body.querySelector("[data-go=review]") !== null, found);
    }
  });

  it("have no review of a game that is too long for one", async () => {
    for (const [total, found] of [
      [MOST_REVIEWED, true],
      [MOST_REVIEWED + 1, false],
    ]) {
      const answers = { "/api/tables/one/replay?view=all&": { seen: total, scenes: scenes("all", 49) } };
      await open({}, { answers, hash: "#3" });
      assert.equal(body.querySelector("[data-go=review]") !== null, found);
    }
  });

  it("say why no table can be begun", async () => {
    await open({}, { answers: { "/api/games": 503 } });
    await press(body.querySelector("[data-go=on]"));
    assert.deepEqual(texts("dialog .failure"), ["refused: 503"]);
  });

  it("begin a table at the event, at a seat and against a bot that the viewer chooses", async () => {
    const catalogue = {
      games: [],
      bots: [
        { id: "casual", title: "Casual" },
        { id: "master", title: "Master" },
      ],
      usual_bot: "casual",
    };
    const answers = { "/api/games": catalogue, "/api/tables/one/on": [422, { table: "two", key: "k", seat: 0 }] };
    remember({ name: "Dov" });
    await open({}, { answers, hash: "#3" });
    await press(body.querySelector("[data-go=on]"));
    const sheet = body.querySelector("[data-sheet=on]");
    assert.equal(sheet.querySelector("h2").textContent, "Play on after event 3");
    assert.deepEqual(
      [sheet.querySelector("select").value, sheet.querySelector("[name=seat]:checked").value],
      ["casual", "0"],
    );
    enter(sheet.querySelector('[name=seat][value="2"]'), true);
    enter(sheet.querySelector("select"), "master");
    await press(sheet.querySelector("[data-go=begin]"));
    assert.equal(sheet.querySelector(".failure").textContent, "refused: 422");
    await press(sheet.querySelector("[data-go=begin]"));
    const bot = (name) => ({ kind: "bot", bot: "master", name });
    const asked = sent.filter(({ path }) => path.endsWith("/on")).at(-1).body;
    assert.deepEqual([asked.seen, asked.seats], [3, [bot("Bruno"), bot("Ada"), { kind: "you", name: "Dov" }]]);
    assert.deepEqual([location.visited, seatAt("two").seat], [["/table/two"], 2]);
  });

  it("begin a table without two seats of one name, where a bot has the viewer's", async () => {
    const catalogue = { games: [], bots: [{ id: "casual", title: "Casual" }], usual_bot: "casual" };
    const answers = { "/api/games": catalogue, "/api/tables/one/on": { table: "two", key: "k", seat: 0 } };
    remember({ name: "Ada" });
    await open({}, { answers, hash: "#3" });
    await press(body.querySelector("[data-go=on]"));
    await press(body.querySelector("[data-go=begin]"));
    const { seats } = sent.find(({ path }) => path.endsWith("/on")).body;
    const names = seats.map(({ name }) => name);
    assert.deepEqual(names, ["Ada", "Cleo", "Dov"]);
  });
});
