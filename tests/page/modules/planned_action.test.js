// Actions chosen in advance: what a plan holds through, what it becomes at the turn, and when it is sent.

import assert from "node:assert/strict";
import { after, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { remember } from "../../../src/parlour/server/page/js/common/settings.js";
import { Selection } from "../../../src/parlour/server/page/js/scene/selection.js";
import { AnswerTimes } from "../../../src/parlour/server/page/js/table/answer_times.js";
import { Plan } from "../../../src/parlour/server/page/js/table/plan.js";
import { PlannedAction } from "../../../src/parlour/server/page/js/table/planned_action.js";
import { mayPlan, State } from "../../../src/parlour/server/page/js/table/table_state.js";

const cards = (names, tokens = true) =>
  names.split(" ").map((card) => ({ card, face_up: true, token: tokens ? card : null }));
const row = (id, names, more = {}) => ({ id, label: id, token: null, hidden: 0, cards: cards(names), ...more });

/** A scene with a hand, and two places that hold a card each. */
const scene = (seen, { hand = "7H 8H 9C", first = "2S", second = "3S", choices = [], over = false } = {}) => {
  const places = [first, second].map((card, at) =>
    row(`place ${at}`, card, { token: `p${at}`, cards: cards(card, false) }),
  );
  return {
    seen,
    over,
    seat: 0,
    areas: [{ rows: [row("hand", hand), ...places] }],
    choices,
    legal: choices.map((one) => one.do),
  };
};
const play = (card) => ({ do: card, label: "Play", tokens: [card] });
const lay = (card, place) => ({ do: `${card} ${place}`, label: "Lay", tokens: [card, place] });

beforeEach(emptyStorage);

describe("a plan", () => {
  const planOf = (...tokens) => {
    const plan = new Plan();
    for (const token of tokens) plan.press(token, false, scene(1));
    return plan;
  };

  it("takes things back that are chosen again", () => {
    const plan = planOf("7H", "p1", "7H");
    assert.deepEqual(plan.tokens, ["p1"]);
  });

  it("is replaced by a thing that makes an action alone", () => {
    const plan = planOf("7H");
    plan.press("8H", true, scene(1));
    assert.deepEqual(plan.tokens, ["8H"]);
    plan.press("8H", true, scene(1));
    assert.equal(plan.empty, true);
  });

  const changes = [
    ["holds while others act elsewhere", { first: "KD" }, true],
    ["holds when the hand has drawn a card", { hand: "7H 8H 9C TD" }, true],
    ["is dropped when its place holds another card", { second: "KD" }, false],
    ["is dropped when its place holds one card more", { second: "3S KD" }, false],
    ["is dropped when its card has gone", { hand: "8H 9C" }, false],
    ["is dropped when the hand has lost another card, as after an action in another tab", { hand: "7H 8H" }, false],
    ["is dropped when a new deal has brought the same card", { hand: "7H 2C 3C" }, false],
    ["is dropped at the end", { over: true }, false],
  ];
  for (const [name, change, holds] of changes) {
    it(name, () => {
      const plan = planOf("7H", "p1");
      assert.equal(plan.holds(scene(2, change)), holds);
      assert.equal(plan.empty, !holds);
    });
  }

  it("is dropped when its turn has passed without it", () => {
    const plan = planOf("7H");
    const choices = [play("7H")];
    assert.equal(plan.holds(scene(2, { choices })), true);
    assert.equal(plan.holds(scene(2, { choices })), true);
    assert.equal(plan.holds(scene(3)), false);
  });
});

it("nothing can be planned in one's own turn, as an onlooker, at the end, or while an action is on its way", () => {
  assert.equal(mayPlan(scene(1), State.OTHERS), true);
  assert.equal(mayPlan(scene(1), State.SHOWING), true);
  assert.equal(mayPlan(scene(1, { choices: [play("7H")] }), State.SHOWING), false);
  assert.equal(mayPlan({ ...scene(1), seat: -1 }, State.OTHERS), false);
  assert.equal(mayPlan(scene(1, { over: true }), State.OTHERS), false);
  for (const state of [State.SENT, State.HELD, State.TURN]) assert.equal(mayPlan(scene(1), state), false);
});

/** A page with the parts that a planned action needs; `acts` and `said` are what it has done. */
function pageWith(kinds) {
  const page = {
    acts: [],
    said: [],
    scene: scene(1),
    state: State.OTHERS,
    connected: true,
    people: { playedOut: "" },
    table: { seat: 0, seats: kinds.map((kind) => ({ kind })) },
    selection: new Selection(),
    view: { prompt: { textContent: "" } },
    input: {
      act: (action) => {
        page.planned.done();
        page.acts.push(action);
      },
    },
    say: (text) => page.said.push(text),
    draw() {},
    show(next) {
      page.planned.review(next);
      page.scene = next;
      page.selection.start(next.choices);
      page.state = next.legal.length ? State.TURN : State.OTHERS;
      return page.state === State.TURN && page.planned.begin(next);
    },
  };
  page.planned = new PlannedAction(page);
  return page;
}

describe("an action chosen in advance", () => {
  let page;
  beforeEach(() => {
    mock.timers.reset();
    mock.timers.enable({ apis: ["setTimeout"] });
    page = pageWith(["person", "bot"]);
  });
  after(() => mock.timers.reset());
  const spoken = () => page.said.filter(Boolean).at(-1);

  it("is done after a pause of its turn, and nothing before", () => {
    page.planned.press("7H", "7H");
    mock.timers.tick(60_000);
    assert.deepEqual(page.acts, []);
    assert.equal(page.show(scene(2, { choices: [play("7H"), play("8H")] })), true);
    mock.timers.tick(1099);
    assert.deepEqual(page.acts, []);
    mock.timers.tick(1);
    assert.deepEqual(page.acts, ["7H"]);
    mock.timers.tick(60_000);
    assert.equal(page.acts.length, 1);
  });

  it("waits among people as long as the player does, whatever the pace of the page", () => {
    remember({ pace: "instant" });
    page = pageWith(["person", "person"]);
    page.planned.press("7H", "7H");
    page.show(scene(2, { choices: [play("7H"), play("8H")] }));
    mock.timers.tick(899);
    assert.deepEqual(page.acts, []);
    mock.timers.tick(10_000);
    assert.deepEqual(page.acts, ["7H"]);
  });

  it("is composed of several things", () => {
    for (const token of ["7H", "p1"]) page.planned.press(token);
    page.show(scene(2, { choices: [lay("7H", "p0"), lay("7H", "p1")] }));
    mock.timers.tick(1100);
    assert.deepEqual(page.acts, ["7H p1"]);
  });

  it("is dropped with a sentence if it is not legal", () => {
    page.planned.press("7H", "7H");
    assert.equal(page.show(scene(2, { choices: [play("8H")] })), false);
    mock.timers.tick(60_000);
    assert.deepEqual(page.acts, []);
    assert.match(spoken(), /^Not legal now.*seven of hearts/);
    assert.equal(page.selection.picked.size, 0);
  });

  it("stays chosen if its things leave several actions, or a part of one", () => {
    page.planned.press("7H");
    page.show(scene(2, { choices: [lay("7H", "p0"), lay("7H", "p1")] }));
    mock.timers.tick(60_000);
    assert.deepEqual(page.acts, []);
    assert.deepEqual([...page.selection.picked], ["7H"]);
    assert.equal(page.planned.tokens.size, 0);
  });

  it("waits for a second press where the player has set that", () => {
    remember({ confirm: true });
    page.planned.press("7H", "7H");
    page.show(scene(2, { choices: [play("7H")] }));
    mock.timers.tick(60_000);
    assert.deepEqual(page.acts, []);
    assert.deepEqual([...page.selection.picked], ["7H"]);
  });

  it("is not done once it is taken back in the pause", () => {
    page.planned.press("7H", "7H");
    page.show(scene(2, { choices: [play("7H")] }));
    assert.equal(page.planned.stop(), true);
    mock.timers.tick(60_000);
    assert.deepEqual(page.acts, []);
  });

  it("is not offered to a player who has resigned or is out of time", () => {
    assert.equal(page.planned.open, true);
    page.people.playedOut = "A bot plays on.";
    assert.equal(page.planned.open, false);
  });

  it("that was dropped is noted until the turn has passed, also if its action came from another device", () => {
    const choices = [play("8H")];
    const dropped = () => {
      page.planned.press("7H", "7H");
      page.planned.drop("planCutOff");
    };
    dropped();
    page.show(scene(2));
    page.show(scene(3, { choices }));
    page.show(scene(3, { choices }));
    assert.match(page.planned.note, /^The connection was lost/);
    page.show(scene(4));
    assert.equal(page.planned.note, "");
    dropped();
    page.show(scene(5, { over: true }));
    assert.equal(page.planned.note, "");
  });

  it("is dropped with a sentence when the table has changed or the connection is lost", () => {
    page.planned.press("7H", "7H");
    page.show(scene(2, { hand: "KC KD" }));
    assert.match(page.planned.note, /^The table has changed.*seven of hearts/);
    page.planned.press("KC", "KC");
    page.planned.drop("planCutOff");
    assert.match(spoken(), /^The connection was lost.*king of clubs/);
    page.show(scene(3, { hand: "KC KD", choices: [play("KC")] }));
    mock.timers.tick(60_000);
    assert.deepEqual(page.acts, []);
  });

  it("has a pause that is no answer time of the player, unlike the time of an action of the turn", (context) => {
    const noted = [];
    page.planned.times.note = (time) => noted.push(time);
    let now = 0;
    context.mock.method(performance, "now", () => now);
    const choices = [play("7H"), play("8H")];
    const turn = (seen, at) => {
      page.show(scene(seen - 1));
      now = at;
      page.show(scene(seen, { choices }));
    };
    turn(2, 1000);
    now = 4000;
    page.show(scene(2, { choices })); // a later drawing of the same turn
    now = 6000;
    page.input.act("7H");
    page.input.act("7H"); // which is no action of the turn any more
    now = 8000;
    page.planned.press("8H", "8H");
    turn(5, 10_000);
    now = 12_000;
    mock.timers.tick(60_000);
    assert.deepEqual(page.acts, ["7H", "7H", "8H"]);
    turn(8, 20_000);
    now = 21_500;
    page.input.act("7H");
    assert.deepEqual(noted, [5000, 1500]);
  });

  it("is not chosen by the second press of a double click", () => {
    page.planned.done();
    page.planned.press("7H", "7H");
    assert.equal(page.planned.tokens.size, 0);
  });

  it("is not chosen by a second press that a slow page handles late", () => {
    const pressed = performance.now();
    page.planned.done();
    mock.timers.tick(5000);
    page.planned.press("7H", "7H", pressed + 200);
    assert.equal(page.planned.tokens.size, 0);
    page.planned.press("7H", "7H", pressed + 60_000);
    assert.equal(page.planned.tokens.size, 1);
  });
});

describe("the pause among people", () => {
  const seeded = (seed) => () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };

  /** The chance that a time of the first list is longer than one of the second. */
  const separation = (ones, others) =>
    ones.flatMap((one) => others.map((other) => (one > other ? 1 : one === other ? 0.5 : 0))).reduce((a, b) => a + b) /
    (ones.length * others.length);

  it("is hardly told from the player's own times", () => {
    const random = seeded(5);
    const gauss = () => Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random());
    for (const median of [1500, 2500, 4000]) {
      const pressed = [];
      const drawn = [];
      for (let game = 0; game < 60; game += 1) {
        const times = new AnswerTimes(random);
        for (let turn = 0; turn < 20; turn += 1) {
          const time = median * Math.exp(0.5 * gauss());
          times.note(time);
          if (turn >= 8) {
            pressed.push(time);
            drawn.push(times.draw());
          }
        }
      }
      const told = separation(drawn, pressed);
      assert.ok(told > 0.35 && told < 0.65, `${median} ms: ${told}`);
    }
  });

  it("follows the latest times: after twelve of them no earlier one counts", () => {
    const times = new AnswerTimes();
    const drawn = () => Array.from({ length: 400 }, () => times.draw());
    for (const time of [6000, 2000]) {
      for (let turn = 0; turn < 12; turn += 1) times.note(time);
      const all = drawn();
      assert.ok(Math.min(...all) >= 0.75 * time && Math.max(...all) <= 1.25 * time, `${time} ms: ${all}`);
    }
    for (let turn = 0; turn < 11; turn += 1) times.note(6000);
    assert.ok(Math.min(...drawn()) < 2500, "the twelfth time still counts");
  });

  it("does not repeat a time, and lies between 0.9 and 10 seconds", () => {
    const times = new AnswerTimes();
    for (const time of [10, 500_000, 10_000, 900]) times.note(time);
    const drawn = Array.from({ length: 400 }, () => times.draw());
    assert.ok(Math.min(...drawn) >= 900 && Math.max(...drawn) <= 10_000);
    assert.ok(new Set(drawn.filter((time) => time > 900 && time < 10_000)).size > 250);
  });
});
