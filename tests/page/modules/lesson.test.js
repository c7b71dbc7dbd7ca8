// The page of a lesson: its steps, tries, ways back and its end.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, press, pressKey, settle } from "./elements.js";
import { area, scene, turn } from "./scenes.js";
import { late, serve } from "./server.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import "../../../src/parlour/server/page/js/common/help_sheet.js"; // loaded when it is first needed
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { lessonPage } from "../../../src/parlour/server/page/js/lesson/lesson.js";
import { after, before, BEGINNING, startOf } from "../../../src/parlour/server/page/js/lesson/lesson_position.js";
import { setTaskApart } from "../../../src/parlour/server/page/js/lesson/lesson_task.js";
import { LESSON_TEXTS } from "../../../src/parlour/server/page/js/lesson/lesson_texts.js";

const HANDS = [
  { title: "Tricks", steps: 2 },
  { title: "Walls", steps: 1 },
];
const LESSON = { game: "whist", title: "Learn Whist", minutes: 3, hands: HANDS };
const READ = {
  scenes: [scene(1, { log: ["The deal."] }), scene(2, { log: ["The lead."] })],
  say: "<p>Look.</p>",
  do: "",
};
const TASK = {
  scenes: [turn(3, ["7H", "8H"])],
  say: "<p>Cards are led. <strong>Play the seven.</strong></p>",
  do: "play 7H",
};
const LAST = { ...READ, say: '<p>Walls <span class="cited" data-clause="W-3">3</span>.</p>' };

let body;
let sent;
const words = () => body.querySelector(".coach-words").textContent;
const where = () => body.querySelector(".coach-where").textContent;
const ways = () => body.querySelectorAll(".coach-ways [data-way]").map(({ dataset }) => dataset.way);
const go = (way) => press(body.querySelector(`[data-way=${way}]`));
const note = () => body.querySelector(".note").textContent;
const card = (name) => body.querySelector(`[data-card="${name}"]`);
const kept = () => settings.settings().lessons.whist;

/** Open the lesson with these answers besides its steps. */
async function open(answers = {}, hash = "") {
  body = emptyDocument();
  globalThis.location = { hash, assign: (address) => location.visited.push(address), visited: [] };
  const steps = { "/0/0": READ, "/0/1": TASK, "/1/0": LAST };
  const paths = Object.entries(steps).map(([path, step]) => [`/api/games/whist/lesson${path}`, step]);
  const all = Object.fromEntries([...paths, ["/api/games/whist/lesson", LESSON]]);
  sent = serve({ ...answers, ...all, ...answers });
  await lessonPage(body, "whist");
  await settle();
}

beforeEach(() => {
  emptyStorage();
  settings.remember({ pace: "instant" });
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.timers.reset());

describe("a lesson", () => {
  it("leads step by step to its end, and back", async () => {
    await open({ "POST /api/games/whist/lesson/0/1": { kind: "done" } });
    assert.deepEqual([where(), words(), ways()], ["Part 1 of 2: Tricks · Step 1 of 2", "Look.", ["on"]]);
    assert.equal(document.title, "Learn Whist · Parlour");
    await go("on");
    assert.deepEqual([where(), ways()], ["Part 1 of 2: Tricks · Step 2 of 2", ["fold", "show", "unfold", "back"]]);
    await go("back");
    await go("on");
    await press(card("7H"));
    assert.deepEqual([where(), ways()], ["Part 2 of 2: Walls · Step 1 of 1", ["on", "back"]]);
    await go("back");
    assert.equal(where(), "Part 1 of 2: Tricks · Step 2 of 2");
  });

  it("keeps the focus of the keyboard from step to step", async () => {
    await open();
    body.querySelector("[data-way=on]").focus();
    await go("on");
    assert.equal(document.activeElement, body.querySelector(".coach-words"));
    body.querySelector("[data-way=back]").focus();
    await go("back");
    assert.equal(document.activeElement, body.querySelector("[data-way=on]"));
    body.querySelector(".table-title").focus();
    await go("on");
    assert.equal(document.activeElement, body.querySelector(".table-title"));
  });

  it("shows where one is, and begins there at the next visit, without the scenes before", async () => {
    await open();
    await go("on");
    assert.deepEqual(kept(), [0, 1]);
    await open();
    assert.equal(where(), "Part 1 of 2: Tricks · Step 2 of 2");
    assert.equal(body.querySelector("progress").value, "1");
  });

  it("is known at its end, and begins anew at the next visit", async () => {
    settings.remember({ lessons: { whist: [1, 0] } });
    await open();
    await go("on");
    assert.deepEqual([kept(), settings.knowsGame("whist"), ways()], [[0, 0], true, ["play"]]);
    assert.ok(words().includes(LESSON_TEXTS.lessonOver));
    assert.equal(document.activeElement, body.querySelector(".coach-words"));
    await open();
    assert.equal(where(), "Part 1 of 2: Tricks · Step 1 of 2");
  });

  it("leads a learner who comes from a table back to it", async () => {
    settings.remember({ lessons: { whist: [1, 0] } });
    await open({}, "#one");
    assert.equal(body.querySelector(".tool-home").href, "/table/one");
    await go("on");
    assert.deepEqual([ways(), body.querySelector("[data-way=table]").href], [["table"], "/table/one"]);
  });

  it("ends with a game, or says why there is none", async () => {
    settings.remember({ lessons: { whist: [1, 0] } });
    const games = { games: [{ id: "whist", usual: 2 }], bots: [], usual_bot: "casual" };
    await open({ "/api/tables": { table: "t", seat: 0, key: "k" } });
    await go("on");
    serve({ "/api/games": [503, games], "/api/tables": { table: "t", seat: 0, key: "k" } });
    await go("play");
    assert.deepEqual([note(), location.visited], ["refused: 503", []]);
    await go("play");
    assert.deepEqual(location.visited, ["/table/t"]);
  });

  it("that cannot be opened says why", async () => {
    await open({ "/api/games/whist/lesson": 404 });
    assert.equal(body.querySelector("[role=alert]").textContent, "Refused: 404.");
  });

  it("cites clauses as buttons, which open the rules there", async () => {
    settings.remember({ lessons: { whist: [1, 0] } });
    await open({ "/api/games/whist/rules": { html: '<p><b data-clause="W-3">3</b> Walls.</p>' } });
    const [cited] = body.querySelectorAll(".coach-words .cited");
    assert.equal(cited.textContent, "rule\u00a03");
    await press(cited);
    assert.equal(body.querySelector(".asked-for").textContent, "3 Walls.");
  });
});

describe("a task of a lesson", () => {
  /** Open the task; the next request has this answer. */
  async function task(answer) {
    settings.remember({ lessons: { whist: [0, 1] } });
    await open({ "POST /api/games/whist/lesson/0/1": answer });
  }

  it("is done by the suggested action", async () => {
    await task({ kind: "done" });
    await press(card("7H"));
    const [tried] = sent.filter(({ method }) => method === "POST");
    assert.deepEqual([tried.body, where()], [{ do: "play 7H" }, "Part 2 of 2: Walls · Step 1 of 1"]);
  });

  it("says why an action is refused, and stays open", async () => {
    await task([{ kind: "refused", reason: "Follow suit.", clause: "W-7" }, { kind: "done" }]);
    await press(card("8H"));
    assert.equal(note(), "Follow suit.Rule 7");
    await press(card("7H"));
    assert.equal(where(), "Part 2 of 2: Walls · Step 1 of 1");
  });

  for (const [say, shown] of [
    ["<p>Bo takes it.</p>", "Bo takes it."],
    ["", LESSON_TEXTS.otherWay],
  ]) {
    it(`shows what another legal action leads to, and takes it back or goes on: ${shown}`, async () => {
      await task({ kind: "other", scene: scene(9, { log: ["Bo has won."] }), say });
      await press(card("8H"));
      assert.deepEqual(
        [words(), ways(), body.querySelector(".prompt").textContent],
        [shown, ["take-back", "as-suggested"], "Bo has won."],
      );
      await go("take-back");
      assert.deepEqual([ways()[0], card("8H") !== null], ["fold", true]);
      await press(card("8H"));
      await go("as-suggested");
      assert.equal(where(), "Part 2 of 2: Walls · Step 1 of 1");
    });
  }

  it("is judged without the room if it is the suggested action, and no other", async () => {
    await task(null);
    await press(card("8H"));
    assert.deepEqual([note(), ways()[0]], [LESSON_TEXTS.lessonOffline, "fold"]);
    await press(card("7H"));
    assert.equal(where(), "Part 2 of 2: Walls · Step 1 of 1");
  });

  it("stays where it is after a failure, and can be tried again", async () => {
    await task([503, { kind: "done" }]);
    await press(card("7H"));
    assert.deepEqual([note(), where()], ["refused: 503", "Part 1 of 2: Tricks · Step 2 of 2"]);
    await press(card("7H"));
    assert.equal(where(), "Part 2 of 2: Walls · Step 1 of 1");
  });

  for (const [what, answer] of [
    ["done", () => ({ kind: "done" })],
    ["refused", () => ({ kind: "refused", reason: "No.", clause: "" })],
    ["another one", () => ({ kind: "other", scene: scene(9), say: "<p>Bo.</p>" })],
    ["lost", () => Promise.reject(new TypeError("no network"))],
  ]) {
    it(`that is ${what} changes nothing after the learner has gone back`, async () => {
      const slow = late();
      await task(slow.body);
      await press(card("8H"));
      await go("back");
      slow.give(answer());
      await settle();
      assert.deepEqual([where(), words(), note()], ["Part 1 of 2: Tricks · Step 1 of 2", "Look.", ""]);
    });
  }

  it("shows the things to choose, whose first has the focus, until one acts", async () => {
    await task({ kind: "refused", reason: "No.", clause: "" });
    await go("show");
    assert.deepEqual(
      body.querySelectorAll(".suggested").map(({ dataset }) => dataset.card),
      ["7H"],
    );
    assert.equal(document.activeElement, card("7H"));
    assert.equal(body.querySelector(".coach").classList.contains("folded"), true);
  });

  it("has the prompt of the table, then the next step of what is chosen", async () => {
    const choices = [{ do: "play 7H", label: "Lay", tokens: ["7H", "8H"] }];
    const scenes = [turn(3, ["7H", "8H"], [], { choices, legal: ["play 7H"] })];
    settings.remember({ lessons: { whist: [0, 1] } });
    await open({ "/api/games/whist/lesson/0/1": { ...TASK, scenes } });
    const prompt = () => body.querySelector(".prompt").textContent;
    assert.equal(prompt(), "Play a card.");
    await press(card("7H"));
    assert.equal(prompt(), t("chooseOn"));
    pressKey("Escape");
    assert.equal(prompt(), "Play a card.");
    await open();
    await go("back");
    assert.equal(prompt(), "The lead.");
  });

  it("is folded and unfolded by its buttons and by a press on the words", async () => {
    await task({ kind: "done" });
    const folded = () => body.querySelector(".coach").classList.contains("folded");
    await go("unfold");
    assert.equal(folded(), false);
    await go("fold");
    assert.equal(folded(), true);
    await press(body.querySelector(".coach-words"));
    assert.equal(folded(), false);
  });
});

describe("the space bar in a lesson", () => {
  it("presses the main button, unless a button has the focus", async () => {
    await open();
    body.querySelector(".tool").focus();
    assert.equal(pressKey(" "), false);
    document.activeElement = null;
    assert.equal(pressKey(" "), true);
    await settle();
    assert.equal(where(), "Part 1 of 2: Tricks · Step 2 of 2");
  });

  for (const [what, goOn] of [
    ["as the space bar does", () => assert.equal(pressKey(" "), true)],
    ["as a press on a card does", () => card("7H").click()],
    ["as a press on the middle does", () => body.querySelector(".middle").click()],
  ]) {
    it(`ends the wait between two scenes, ${what}`, async () => {
      settings.remember({ pace: "slow" });
      const middle = area("middle", null, [], { seat: null });
      const scenes = [1, 2].map((number) => {
        const shown = turn(number, ["7H"], []);
        return { ...shown, areas: [middle, ...shown.areas] };
      });
      await open({ "/api/games/whist/lesson/0/0": { ...READ, scenes } });
      assert.equal(words(), "");
      for (let wait = 0; wait < 2; wait += 1) {
        goOn();
        await settle();
      }
      assert.equal(words(), "Look.");
    });
  }

  it("is one of the keys of a lesson: R opens the rules, ? and H the help", async () => {
    await open({ "/api/games/whist/rules": { html: "<p>Rules.</p>" } });
    for (const [key, sheet] of [
      ["r", "rules"],
      ["?", "help"],
      ["h", "help"],
    ]) {
      pressKey(key);
      await new Promise((done) => setImmediate(() => setImmediate(done)));
      assert.equal(body.querySelector("dialog").dataset.sheet, sheet);
      body.querySelector("dialog").close();
    }
  });
});

describe("the position in a lesson", () => {
  it("is the kept one, if the lesson still has it", () => {
    assert.deepEqual(startOf(HANDS, [0, 1]), [0, 1]);
    for (const gone of [[0, 2], [2, 0], undefined]) assert.deepEqual(startOf(HANDS, gone), BEGINNING);
  });

  it("moves through all steps of all hands, and back", () => {
    const way = [
      [0, 0],
      [0, 1],
      [1, 0],
    ];
    way.forEach((position, at) => {
      assert.deepEqual(after(HANDS, position), way[at + 1] ?? null);
      assert.deepEqual(before(HANDS, position), way[at - 1] ?? null);
    });
  });
});

describe("the task in the words of a step", () => {
  /** The words before the task, the task, and whether there are other words. */
  function apart(html) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const others = setTaskApart(holder.content);
    const text = (part) => holder.content.querySelector(`.${part}`)?.textContent ?? null;
    return [text("before-task"), text("task"), others];
  }

  it("begins with the sentence of the last bold words", () => {
    assert.deepEqual(apart("<p>One. Two! Now <strong>play</strong> it. Go.</p>"), [
      "One. Two! ",
      "Now play it. Go.",
      true,
    ]);
    assert.deepEqual(apart("<p>See <strong>this</strong>. <strong>Play</strong> it.</p>"), [
      "See this. ",
      "Play it.",
      true,
    ]);
    assert.deepEqual(apart("<p><strong>Play</strong> it.</p>"), ["", "Play it.", false]);
    assert.deepEqual(apart("<p>First.</p><p><strong>Play</strong> it.</p>"), ["", "Play it.", true]);
  });

  it("begins after a sentence that ends within an element, such as a cited rule with its full stop", () => {
    const cited = '<span class="together">(<button>rule 11</button>).</span>';
    assert.deepEqual(apart(`<p>Then a judge decides ${cited} <strong>Decline</strong> too.</p>`), [
      "Then a judge decides (rule 11).",
      " Decline too.",
      true,
    ]);
    assert.deepEqual(apart("<p><em>Beware.</em> Now <strong>play</strong> it.</p>"), [
      "Beware.",
      " Now play it.",
      true,
    ]);
    const within = '<span class="together">(<button>rule 11</button>),</span>';
    assert.deepEqual(apart(`<p>One. A judge comes ${within} so <strong>decline</strong>.</p>`), [
      "One. ",
      "A judge comes (rule 11), so decline.",
      true,
    ]);
    assert.deepEqual(apart("<p>Ask <em>who?</em> and <strong>play</strong>.</p>"), ["", "Ask who? and play.", false]);
  });

  it("is missing without bold words in the last paragraph", () => {
    assert.deepEqual(apart("<p><strong>One</strong>.</p><p>Two.</p>"), [null, null, false]);
    assert.deepEqual(apart(""), [null, null, false]);
  });
});
