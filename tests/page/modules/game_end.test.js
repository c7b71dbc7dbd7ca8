// The end of a game: the ways that its sheet offers, and the rematch, which a player proposes and the others accept.

import assert from "node:assert/strict";
import { beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, press, settle } from "./elements.js";
import { serve } from "./server.js";
import {
  keepSeat,
  markFromLink,
  markLinked,
  remember,
  seatAt,
} from "../../../src/parlour/server/page/js/common/settings.js";
import { GameEnd } from "../../../src/parlour/server/page/js/table/game_end.js";

const scene = { over: true, outcome: "Ann wins.", standings: [], areas: [], score: [] };
const SEATS = ["Ann", "Bo", "Cy"].map((name) => ({ kind: "person", name }));
const TAKEN = "Another person has taken your seat in the next game.";
const offered = { type: "rematch", table: "two", seat: 1, by: [1] };

beforeEach(() => {
  emptyStorage();
  emptyDocument();
  globalThis.location = { visited: [], assign: (address) => location.visited.push(address) };
  keepSeat("one", 0, "key");
});

/** The end of a game at a table, whose facts and whose page may be given. */
function endOf(more = {}, further = {}) {
  const app = document.createElement("div");
  app.id = "app";
  emptyDocument().append(app);
  const facts = { seat: 0, daily: null, club: null, conceded: null, title: "Whist", manners: {} };
  const table = { table: "one", seats: SEATS, ...facts, ...more };
  const said = [];
  const shown = { scene, next: null, rated: {}, openRules() {} };
  const page = { id: "one", table, ...shown, said, say: (text) => said.push(text), ...further };
  return new GameEnd(page);
}

const sheet = () => document.querySelector("[data-sheet=end]");

describe("the sheet at the end of a game", () => {
  /** The ways that the sheet offers. */
  async function ways(...what) {
    await endOf(...what).open();
    return sheet()
      .querySelectorAll("[data-go]")
      .map((way) => way.dataset.go);
  }
  const again = async (...what) => (await ways(...what)).includes("again");

  it("offers players another game, and everyone the way to one that exists", async () => {
    assert.equal(await again(), true);
    assert.equal(await again({ seat: -1 }), false);
    assert.equal(await again({}, { next: offered }), true);
    assert.equal(await again({ seat: -1 }, { next: { ...offered, seat: -1 } }), true);
  });

  it("leads an onlooker to the next game", async () => {
    const sent = serve({});
    await ways({ seat: -1 }, { next: { ...offered, seat: -1 } });
    assert.equal(document.querySelector("[data-go=again]").textContent, "To the next game");
    await press(document.querySelector("[data-go=again]"));
    assert.deepEqual([location.visited, sent], [["/table/two"], []]);
  });

  it("leads back to a club night instead, whoever looks, and hides a game that others still play", async () => {
    const club = { id: "c1", sealed: false };
    for (const seat of [0, -1]) {
      assert.deepEqual(await ways({ club, seat }, { next: offered }), ["game", "review", "record", "club"]);
      assert.deepEqual(await ways({ club: { ...club, sealed: true }, seat }), ["club"]);
    }
    assert.deepEqual(await ways({ daily: { sealed: true, counts: false } }), ["again"]);
  });

  it("leads on to the other deals after a daily deal, and to another game after practice", async () => {
    serve({ "/api/tables/one/daily": new Promise(() => {}) });
    for (const [daily, primary, others] of [
      [{ sealed: true, counts: true }, "The other deals of today", true],
      [{ sealed: true, counts: false }, "Play again", false],
    ]) {
      assert.deepEqual(await ways({ daily }), ["again"]);
      const onward = sheet().querySelectorAll(".sheet-foot .primary");
      assert.deepEqual([onward.map((way) => way.textContent), onward.length], [[primary], 1]);
      assert.equal(sheet().textContent.includes("The other deals of today"), others);
    }
  });

  it("says who wants to play again, to those who have not agreed", async () => {
    const cases = [
      [0, [1], "Bo wants to play again."],
      [0, [1, 2], "Bo and Cy want to play again."],
      [0, [0, 2], "Cy wants to play again."],
      [0, [0], undefined],
      [-1, [1], undefined],
    ];
    for (const [seat, by, sentence] of cases) {
      await ways({ seat }, { next: { ...offered, by } });
      assert.equal(sheet().querySelector(".offer")?.textContent, sentence);
    }
  });
});

describe("the sheet of a game whose rematch", () => {
  const shown = async (next, more = {}) => {
    await endOf(more, { next }).open();
    return [sheet().querySelector(".offer")?.textContent, sheet().querySelector("[data-go=again]").textContent];
  };

  it("has begun says so, and leads there instead of proposing it", async () => {
    for (const by of [[0, 1], [1]]) {
      assert.deepEqual(await shown({ ...offered, by, begun: true }), ["The next game has begun.", "To the next game"]);
    }
    assert.deepEqual(await shown({ ...offered, begun: false }), ["Bo wants to play again.", "Play again"]);
  });

  it("has no seat for the viewer any more says so, and leads there without a request", async () => {
    const sent = serve({});
    for (const begun of [true, false]) {
      assert.deepEqual(await shown({ ...offered, seat: -1, begun }), [TAKEN, "To the next game"]);
    }
    await press(document.querySelector("[data-go=again]"));
    assert.deepEqual([location.visited, sent], [["/table/two"], []]);
  });
});

describe("a rematch", () => {
  const REMATCH = "/api/tables/one/rematch";
  const SIT = "/api/tables/two/seats";

  it("is proposed by the first player who asks, and its page knows that", async () => {
    const sent = serve({ [REMATCH]: { table: "two", seat: 1, by: [0] } });
    await endOf().rematch();
    assert.deepEqual(
      sent.map(({ path, body }) => [path, body]),
      [[REMATCH, { key: "key" }]],
    );
    const { seat, key, opened, proposed } = seatAt("two");
    assert.deepEqual([seat, key, opened, proposed], [1, "key", true, true]);
    assert.deepEqual(location.visited, ["/table/two"]);
  });

  it("is accepted with the same key and name", async () => {
    const sent = serve({ [REMATCH]: offered, [SIT]: { table: "two", seat: 1, key: "key" } });
    await endOf().rematch();
    assert.deepEqual(sent[1].body, { seat: 1, name: "Ann", key: "key" });
    const { seat, key, opened, proposed } = seatAt("two");
    assert.deepEqual([seat, key, opened, proposed], [1, "key", false, undefined]);
    assert.deepEqual(location.visited, ["/table/two"]);
  });

  it("keeps that the key came by a link, unless the seat is in the player's list", async () => {
    for (const [linked, fromLink] of [
      [undefined, true],
      ["refused", true],
      ["yes", undefined],
    ]) {
      keepSeat("one", 0, "key");
      markFromLink("one");
      if (linked) markLinked("one", linked);
      serve({ [REMATCH]: offered, [SIT]: { table: "two", seat: 1, key: "key" } });
      await endOf().rematch();
      assert.equal(seatAt("two").fromLink, fromLink);
    }
  });

  it("is asked for again without an answer, and shows a refusal", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const sent = serve({ [REMATCH]: [null, 503, offered], [SIT]: [null, { table: "two", seat: 1, key: "key" }] });
    const done = endOf().rematch();
    for (let each = 0; each < 40; each++) {
      await new Promise(setImmediate);
      mock.timers.tick(1000);
    }
    await done;
    mock.timers.reset();
    assert.equal(sent.length, 5);
    for (const answers of [{ [REMATCH]: 429 }, { [REMATCH]: offered, [SIT]: 429 }]) {
      emptyStorage();
      keepSeat("one", 0, "key");
      serve(answers);
      const end = endOf({}, { next: offered });
      await end.open();
      await press(document.querySelector("[data-go=again]"));
      await new Promise(setImmediate);
      assert.equal(sheet().querySelector(".failure").textContent, "refused: 429");
      assert.equal(document.querySelector("[data-go=again]").disabled, false);
      assert.equal(seatAt("two").seat, -1);
    }
  });

  it("is shown without a seat if another person or a bot has taken that", async () => {
    for (const answer of [409, { table: "two", seat: 1, waiting: [0] }]) {
      serve({ [REMATCH]: offered, [SIT]: answer });
      location.visited.length = 0;
      await endOf().rematch();
      assert.deepEqual([location.visited, seatAt("two").seat], [["/table/two"], -1]);
    }
  });

  it("whose seat another person takes at the same moment is not shown before this has been said", async () => {
    serve({ "/api/tables/one/rematch": { table: "two", seat: -1, by: [1] } });
    const end = endOf({}, { next: offered });
    await end.open();
    await press(document.querySelector("[data-go=again]"));
    await settle();
    assert.deepEqual([sheet().querySelector(".offer").textContent, location.visited], [TAKEN, []]);
    await press(document.querySelector("[data-go=again]"));
    assert.deepEqual(location.visited, ["/table/two"]);
  });

  it("proposed by others is said in the open sheet or at the table, and leads nobody away", async () => {
    for (const open of [true, false]) {
      const end = endOf();
      if (open) await end.open();
      end.page.next = offered;
      end.receive(offered);
      await new Promise(setImmediate);
      assert.deepEqual(end.page.said, open ? [] : ["Bo wants to play again."]);
      assert.equal(sheet()?.querySelector(".offer").textContent, open ? "Bo wants to play again." : undefined);
      assert.deepEqual(location.visited, []);
    }
  });

  it("names the players who have accepted it meanwhile in the open sheet", async () => {
    const end = endOf();
    await end.open();
    for (const by of [[1], [1, 2]]) {
      end.page.next = { ...offered, by };
      end.receive(end.page.next);
      await new Promise(setImmediate);
    }
    assert.equal(sheet().querySelector(".offer").textContent, "Bo and Cy want to play again.");
  });

  it("is said once, though the room repeats its message when a seat is taken", () => {
    const end = endOf({}, { next: offered });
    for (const seat of [1, 1, -1]) {
      end.page.next = { ...offered, seat };
      end.receive(end.page.next);
    }
    assert.deepEqual(end.page.said, ["Bo wants to play again.", TAKEN]);
  });

  it("proposed by others is a notice of the system while the player looks elsewhere", () => {
    const shown = [];
    globalThis.Notification = class extends EventTarget {
      static permission = "granted";
      constructor(title, { body, tag }) {
        super();
        shown.push([tag, title, body]);
      }
    };
    Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });
    remember({ notify: true });
    for (const hidden of [false, true]) {
      const end = endOf({}, { next: offered });
      document.hidden = hidden;
      end.receive(offered);
    }
    return settle().then(() => {
      delete globalThis.Notification;
      assert.deepEqual(shown, [["one", "Bo wants to play again.", "Whist"]]);
    });
  });

  it("is not offered to an onlooker, nor to the player who has proposed it on another device", () => {
    for (const [seat, by] of [
      [-1, [1]],
      [0, [0]],
    ]) {
      const next = { ...offered, by };
      const end = endOf({ seat }, { next });
      end.receive(next);
      assert.deepEqual([end.page.said, location.visited], [[], []]);
    }
  });

  it("leads the page that has proposed it there, though its request has no answer yet", () => {
    serve({ [REMATCH]: new Promise(() => {}) });
    const next = { ...offered, by: [0] };
    const end = endOf({}, { next });
    end.rematch();
    end.receive(next);
    assert.deepEqual(location.visited, ["/table/two"]);
  });

  it("keeps its sheet while its request has no answer, since another one would enable the button", async () => {
    let refuse;
    serve({ [REMATCH]: new Promise((resolve) => (refuse = resolve)) });
    const end = endOf({}, { next: offered });
    const beside = document.createElement("dialog");
    beside.className = "sheet";
    beside.show();
    document.body.append(beside);
    const done = end.rematch().catch(() => {});
    end.receive(offered);
    assert.equal(beside.open, true);
    refuse({ ...offered, by: [0, 1] });
    await done;
    assert.equal(end.asking, false);
  });

  it("leads there once, though the answer and a message say so, and again after a way back", async () => {
    const next = { ...offered, by: [0] };
    serve({ [REMATCH]: next });
    const end = endOf({}, { next });
    const done = end.rematch();
    end.receive(next);
    await done;
    assert.deepEqual(location.visited, ["/table/two"]);
    await end.rematch();
    assert.deepEqual(location.visited, ["/table/two", "/table/two"]);
  });
});
