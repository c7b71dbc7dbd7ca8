// The page of a club night after its rounds: the standings, the results, and the refreshes.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { begin, body, field, later, played, player, show } from "./club_page.js";
import { settle, texts } from "./elements.js";
import { serve } from "./server.js";
import { clubPage } from "../../../src/parlour/server/page/js/club/club.js";
import { CLUB_TEXTS } from "../../../src/parlour/server/page/js/club/club_texts.js";

beforeEach(begin);
afterEach(() => mock.timers.reset());

describe("the results of a club night", () => {
  it("are not there before the end of the first round, but the players are", async () => {
    await show({ begun: 1, games: [played(1, 0, [0, 1])] });
    assert.deepEqual([texts(".club-standings li"), texts(".club-players li")], [[], ["Ann", "Bo", "a player"]]);
  });

  const first = [
    played(1, 1, [1, 0], { board: 0, won: [], over: true }),
    played(1, 0, [0, 1], { board: 1, table: null, scores: [1, 0], won: [1, 0], points: [12, -3], over: true }),
    played(1, 0, [2, null], { board: 0, scores: [0.5, 0.5], won: [0, 1], points: [4, 9], over: true }),
  ];
  const standings = [
    { number: 1, rank: 1, score: 1.5, won: 2, played: 3 },
    { number: 0, rank: 2, score: 1 / 3, won: 1, played: 3 },
  ];
  const rows = () => texts("tbody tr");

  it("have the standings, and the games of each closed round by deal and board", async () => {
    await show({ begun: 2, closed: 1, games: first, standings });
    assert.deepEqual(texts(".club-standings li"), ["1Bo2 of 3 won1.50", "2Ann1 of 3 won0.33"]);
    assert.deepEqual(texts(".club-standings .own .who"), ["Ann"]);
    assert.deepEqual(
      body.querySelectorAll("tbody tr").map((row) => texts("td", row)),
      [
        ["1", "a player 0.50", "a bot 0.50", "4\u00a0:\u00a09 Replay"],
        ["1", "Ann 1.00", "Bo 0.00", "12\u00a0:\u00a0−3 "],
        ["2", "Bo ", "Ann ", "not finished Replay"],
      ],
    );
    assert.deepEqual(texts("td b"), ["a bot", "Ann"]);
    assert.deepEqual(
      body.querySelectorAll("td a").map(({ href }) => href),
      ["/game/t10", "/game/t11"],
    );
  });

  it("are in the order of the numbers of more than ten boards and deals", async () => {
    const numbers = [11, 2, 10, 0, 9, 1, 8, 3, 7, 4, 6, 5];
    const players = numbers.map((number) => player(number, `P${number}`));
    const seated = (number, more) => played(1, 0, [number, null], { ...more, won: [1, 0], over: true });
    for (const [by, heads] of [
      ["board", numbers.map(() => "1")],
      ["deal", numbers.map((_, number) => `${number + 1}`)],
    ]) {
      await show({ begun: 1, closed: 1, players, games: numbers.map((number) => seated(number, { [by]: number })) });
      const found = body.querySelectorAll("tbody tr").map((row) => texts("td", row));
      assert.deepEqual(
        found.map(([deal, name]) => [deal, name.trim()]),
        heads.map((head, number) => [head, `P${number}`]),
      );
    }
  });

  it("say how a game has ended", async () => {
    for (const [won, points, words] of [
      [[1, 0], [5, 3], "5\u00a0:\u00a03"],
      [[1, 0], null, ""],
      [[0.5, 0.5], [4, 4], "draw 4\u00a0:\u00a04"],
      [[0.5, 0.5], null, "draw"],
      [[-1, 1], [5, 3], "resigned"],
      [[1, -1], [5, 3], "resigned"],
      [[-1, -1], [5, 3], "resigned"],
      [[], null, "not finished"],
    ]) {
      await show({ begun: 1, closed: 1, games: [played(1, 0, [0, 1], { won, points })] });
      assert.equal(texts("tbody td")[3], `${words} Replay`);
    }
  });

  it("have no names in bold but those of winners", async () => {
    for (const [won, bold] of [
      [[1, 0], ["Ann"]],
      [[0, 1], ["Bo"]],
      [[0.5, 0.5], []],
      [[-1, 1], ["Bo"]],
      [[1, -1], ["Ann"]],
      [[-1, -1], []],
      [[], []],
      [null, []],
    ]) {
      await show({ begun: 1, closed: 1, games: [played(1, 0, [0, 1], { won })] });
      assert.deepEqual(texts("td b"), bold);
    }
  });

  it("are open for the latest round, and for all when the evening is over", async () => {
    const second = first.map((each) => ({ ...each, round: 2 }));
    const night = { begun: 3, closed: 2, games: [...first, ...second], standings };
    const opened = () => body.querySelectorAll("details").map(({ open }) => open);
    await show(night);
    assert.deepEqual(opened(), [false, true]);
    await show({ ...night, rounds: 2, begun: 2 });
    assert.deepEqual(opened(), [true, true]);
    assert.ok(body.textContent.includes(CLUB_TEXTS.clubOverTitle));
  });

  it("stay through refreshes, for which the room gives only the games of later rounds", async () => {
    const sent = await show(
      { begun: 2, closed: 1, games: [...first, played(2, 0, [0, 1])], standings },
      { then: [{ begun: 2, closed: 1, games: [played(2, 0, [0, 1], { over: true })], standings }] },
    );
    const before = rows();
    await later();
    assert.match(texts("[role=status]").join(), /^1 of 1 games are over/);
    assert.deepEqual(rows(), before);
    assert.match(sent[1].path, /known=1$/);
  });
});

describe("a club night that is open for long", () => {
  it("is asked for every five seconds while it is seen, until it is over", async () => {
    const sent = await show({ begun: 1 }, { then: [{ begun: 1 }, { begun: 3, closed: 3 }] });
    document.hidden = true;
    await later();
    assert.equal(sent.length, 1);
    document.hidden = false;
    for (let time = 0; time < 4; time += 1) await later();
    assert.equal(sent.length, 3);
  });

  it("is not redrawn while nothing changes", async () => {
    await show({}, { then: [{}, { players: [player(0, "Ann"), player(1, "Di")] }] });
    const [list] = body.querySelectorAll(".club-players");
    await later();
    assert.equal(body.querySelector(".club-players"), list);
    await later();
    assert.deepEqual(texts(".club-players li"), ["Ann", "Di"]);
  });

  it("keeps the name that the viewer is typing while others join", async () => {
    await show({ you: null, players: [] }, { then: [{ you: null, players: [player(1, "Bo")] }] });
    field("name").value = "Annab";
    field("name").focus();
    await later();
    assert.deepEqual(texts(".club-players li"), ["Bo"]);
    assert.deepEqual([field("name").value, document.activeElement], ["Annab", field("name")]);
  });

  it("keeps the results open that the viewer has opened, until another round is over", async () => {
    const second = (over) => ({ begun: 2, closed: 1, games: [played(2, 0, [0, 1], { over })] });
    await show(second(false), { then: [second(true), { begun: 3, closed: 2 }] });
    const open = () => body.querySelectorAll("[data-round]").map((part) => part.open);
    body.querySelector("[data-round]").open = false;
    await later();
    assert.deepEqual(open(), [false]);
    await later();
    assert.deepEqual(open(), [false, true]);
  });

  it("that cannot be opened says why", async () => {
    serve({ "/api/club/c1": 404 });
    await clubPage(body, "c1");
    await settle();
    assert.deepEqual(texts("[role=alert]"), ["Refused: 404."]);
  });
});
