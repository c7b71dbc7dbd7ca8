// Forms whose choices are kept: the settings, the manners of a table, and the options of a game.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, enter, settle } from "./elements.js";
import { late, serve } from "./server.js";
import { chosenLanguage, settings } from "../../../src/parlour/server/page/js/common/settings.js";
import "../../../src/parlour/server/page/js/common/push.js"; // the sheet loads it when it is first needed
import { settingsSheet } from "../../../src/parlour/server/page/js/common/settings_sheet.js";
import { SETTINGS_TEXTS } from "../../../src/parlour/server/page/js/texts/texts_settings.js";
import * as manners from "../../../src/parlour/server/page/js/landing/manners.js";
import { optionRows } from "../../../src/parlour/server/page/js/landing/options.js";

let body;

beforeEach(() => {
  emptyStorage();
  body = emptyDocument();
  delete globalThis.Notification;
});

/** How the choices of the sheet are kept where it is not by their own name and value. */
const YES = (value) => value === "yes";
const KEPT = {
  confirm: ["confirm", YES],
  forced: ["forced", YES],
  letters: ["letters", YES],
  sound: ["sound", YES],
  print: ["large", (value) => value === "large"],
  shown: ["text", (value) => value === "text"],
};

describe("the sheet of the settings", () => {
  const choices = () => body.querySelectorAll("[type=radio]").filter((one) => one.getAttribute("name") !== "notify");
  const kept = (choice) => {
    const [name, valueOf] = KEPT[choice.getAttribute("name")] ?? [choice.getAttribute("name"), (value) => value];
    return [settings()[name], valueOf(choice.value)];
  };

  for (const [order, sorted] of [
    ["order", (list) => list],
    ["opposite order", (list) => list.reverse()],
  ]) {
    it(`keeps each choice, pressed in their ${order}, and has it checked when it is opened again`, () => {
      settingsSheet();
      assert.ok(choices().length > 20);
      for (const choice of sorted(choices())) {
        enter(choice, true);
        assert.equal(...kept(choice), choice.getAttribute("name"));
      }
      settingsSheet();
      for (const choice of choices()) assert.equal(choice.checked, Object.is(...kept(choice)));
    });
  }

  it("keeps a name without spaces around it", () => {
    settingsSheet();
    enter(body.querySelector("[name=own-name]"), " Ann ", "input");
    assert.equal(settings().name, "Ann");
  });
});

describe("the choice of notices", () => {
  const answers = ["granted", "denied"];
  const choose = async (value) => {
    enter(body.querySelector(`[name=notify][value=${value}]`), true);
    await settle();
    const [checked] = body.querySelectorAll("[name=notify]").filter((one) => one.checked);
    return [checked.value, settings().notify, body.querySelector(".with-fine-print .fine-print").textContent];
  };
  beforeEach(() => {
    globalThis.Notification = { requestPermission: () => Promise.resolve(answers[0]) };
  });

  for (const order of [
    ["yes granted", "no", "yes denied", "no", "yes granted"],
    ["no", "yes denied", "yes granted", "yes denied"],
  ]) {
    it(`is that of the player and of the browser in the order ${order.join(", ")}`, async () => {
      settingsSheet();
      for (const [value, answer] of order.map((one) => one.split(" "))) {
        answers[0] = answer;
        const on = answer === "granted";
        const hint = SETTINGS_TEXTS[answer === "denied" ? "noticesRefused" : "noticesHint"];
        assert.deepEqual(await choose(value), [on ? "yes" : "no", on, hint]);
      }
    });
  }

  it("is the last one, also if the browser still asks about an earlier one", async () => {
    const { body: answer, give } = late();
    globalThis.Notification = { requestPermission: () => answer };
    settingsSheet();
    await choose("yes");
    await choose("no");
    give("granted");
    await settle();
    assert.equal(settings().notify, false);
  });

  it("is none in a browser without notices", async () => {
    delete globalThis.Notification;
    settingsSheet();
    assert.deepEqual(await choose("yes"), ["no", false, SETTINGS_TEXTS.noticesRefused]);
  });
});

describe("the hint about notices", () => {
  let subscription;
  const hint = () => body.querySelector(".with-fine-print .fine-print").textContent;
  const wait = async () => {
    for (let turn = 0; turn < 20; turn += 1) await settle();
  };
  const choose = (value) => {
    enter(body.querySelector(`[name=notify][value=${value}]`), true);
    return wait();
  };

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] }); // the page gives the service worker ten seconds
    subscription = null;
    globalThis.Notification = { requestPermission: () => Promise.resolve("granted"), permission: "granted" };
    globalThis.PushManager = class {};
    const made = { endpoint: "https://push", unsubscribe: () => Promise.resolve((subscription = null)) };
    const pushManager = {
      getSubscription: () => Promise.resolve(subscription),
      subscribe: () => Promise.resolve((subscription = made)),
    };
    const found = Promise.resolve({ pushManager });
    const serviceWorker = { ready: found, getRegistration: () => found };
    Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker, configurable: true });
  });
  afterEach(() => {
    mock.timers.reset();
    delete globalThis.PushManager;
    Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });
  });

  it("says that they come to the closed page, too, as long as they do", async () => {
    serve({ "/api/push": { key: "BPcM" } });
    settingsSheet();
    await choose("yes");
    assert.deepEqual([hint(), subscription !== null], [SETTINGS_TEXTS.noticesClosedHint, true]);
    settingsSheet();
    await wait();
    assert.equal(hint(), SETTINGS_TEXTS.noticesClosedHint);
    await choose("no");
    assert.deepEqual([hint(), subscription], [SETTINGS_TEXTS.noticesHint, null]);
  });

  it("does not say so in a room without them", async () => {
    serve({ "/api/push": { key: null } });
    settingsSheet();
    await choose("yes");
    assert.deepEqual([hint(), subscription], [SETTINGS_TEXTS.noticesHint, null]);
  });
});

describe("the choice of the language", () => {
  it("is kept, and the page is loaded in it", () => {
    globalThis.location = { reloads: 0, reload: () => (location.reloads += 1) };
    settingsSheet();
    const select = () => body.querySelector("[name=language]");
    assert.equal(select().value, "");
    enter(select(), "en");
    assert.deepEqual([chosenLanguage(), location.reloads], ["en", 1]);
    settingsSheet();
    assert.equal(select().value, "en");
  });
});

describe("the manners of a table", () => {
  const BOTS = { titles: { casual: "Casual", master: "Master" }, usual: "casual" };
  const form = (listed) => manners.mannersFields(listed, true, BOTS);
  const fields = (place) => place.querySelectorAll("select");
  const values = (field) => field.querySelectorAll("option").map(({ value }) => value);
  const shown = (listed) =>
    Object.fromEntries(fields(form(listed)).map((field) => [field.getAttribute("name"), chosen(field)]));
  const chosen = (field) => field.querySelector("option[selected]").value;
  const OWN = ["talk", "fill"];

  for (const listed of [false, true]) {
    it(`are kept at a ${listed ? "listed" : "private"} table, some of them for such tables only`, () => {
      for (const field of fields(form(listed))) {
        const name = field.getAttribute("name");
        for (const value of values(field)) {
          const other = shown(!listed)[name];
          enter(field, value);
          assert.deepEqual([name, shown(listed)[name]], [name, value]);
          assert.equal(shown(!listed)[name], OWN.includes(name) ? other : value);
        }
      }
    });
  }

  const choose = (name, value, listed = false) => enter(form(listed).querySelector(`[name=${name}]`), value);

  it("have no hints and no bots' seats at a rated table", () => {
    choose("hints", "yes");
    choose("take_over", "yes");
    for (const [value, allowed] of [
      ["yes", false],
      ["no", true],
    ]) {
      choose("rated", value);
      const { hints, take_over: takeOver, rated } = manners.chosenManners(false, true);
      assert.deepEqual([hints, takeOver, rated], [allowed, allowed, !allowed]);
    }
  });

  it("have days or a clock, and no patience over days", () => {
    const expected = {
      none: [null, null, 120],
      quick: [{ seconds: 120, increment: 3 }, null, 120],
      calm: [{ seconds: 600, increment: 10 }, null, 120],
      long: [{ seconds: 3600, increment: 30 }, null, 120],
      oneDay: [null, 1, null],
      threeDays: [null, 3, null],
      oneWeek: [null, 7, null],
    };
    for (const [value, found] of Object.entries(expected)) {
      choose("clock", value);
      const { clock, days, patience } = manners.chosenManners(false);
      assert.deepEqual([clock, days, patience], found);
    }
  });

  it("have the times that their choices name", () => {
    const times = (field, choices, read) =>
      choices.map((value) => {
        choose(field, value);
        return read(manners.chosenManners(false));
      });
    assert.deepEqual(
      times("patience", ["short", "usual", "endless"], ({ patience }) => patience),
      [30, 120, null],
    );
    assert.deepEqual(
      times("fill", ["never", "one", "three", "five"], ({ fill }) => fill?.seconds ?? null),
      [null, 60, 180, 300],
    );
  });

  it("fill seats that stay free with the chosen bot, at listed tables from the beginning", () => {
    form(false);
    assert.deepEqual(manners.chosenManners(true).fill, { seconds: 180, bot: "casual" });
    assert.equal(manners.chosenManners(false).fill, null);
    choose("fill", "one", true);
    choose("fillBot", "master", true);
    assert.deepEqual(manners.chosenManners(true).fill, { seconds: 60, bot: "master" });
  });
});

describe("the option of a game", () => {
  const OPTION = { name: "o", title: "O", clause: "W-1", help: "help", limits: {}, titles: {}, depends: {} };

  /** The value that is set when this one is entered over `now`. */
  function set(option, now, entered, property = "value", place = "[name=o]") {
    const whole = { ...OPTION, defaults: { 2: now }, ...option };
    let value;
    const rows = optionRows(
      { options: [whole] },
      2,
      {},
      (_, found) => (value = found),
      () => {},
    );
    const field = rows[0].querySelector(place);
    Object.assign(field, { [property]: entered });
    field.dispatchEvent(new Event("change"));
    return value;
  }

  for (const [what, option, now, examples] of [
    ["that is a number is whole", { kind: "number" }, 3, { 5: 5, 4.6: 5, x: 3, "": 3, " ": 3 }],
    ["that is a number keeps its limits", { kind: "number", min: 2, max: 6 }, 3, { 1: 2, 9: 6, 4: 4 }],
    [
      "that is a number keeps those of the players",
      { kind: "number", min: 1, max: 9, limits: { 2: [3, 5] } },
      3,
      { 2: 3, 6: 5 },
    ],
  ]) {
    it(what, () => {
      for (const [entered, value] of Object.entries(examples)) assert.equal(set(option, now, entered), value);
    });
  }

  it("that is a text has a usual value, or another text that it may be, in its letters", () => {
    const text = { kind: "text", values: ["none", "pairs"], pattern: "[A-Z]+", pattern_words: "letters" };
    assert.equal(set(text, "none", 1, "selectedIndex"), "pairs");
    assert.equal(set(text, "none", 2, "selectedIndex"), undefined, "the last entry only opens the field");
    const examples = { ABAB: "ABAB", " abab ": "ABAB", "2-2": undefined, "": undefined, "  ": undefined };
    for (const [entered, value] of Object.entries(examples))
      assert.equal(set(text, "none", entered, "value", ".own-text input"), value);
  });

  it("that is a choice or a switch has the value that was chosen", () => {
    assert.equal(set({ kind: "choice", values: [2, 4, 6] }, 2, 1, "selectedIndex"), 4);
    for (const on of [true, false]) assert.equal(set({ kind: "boolean" }, !on, on, "checked"), on);
  });
});
