// The rules of a table that differ from the usual ones, where people may sit down and in the sheet about the table.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyPage, settle } from "./elements.js";
import { serve } from "./server.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import { changedRules } from "../../../src/parlour/server/page/js/landing/changed_rules.js";
import { invitationHead } from "../../../src/parlour/server/page/js/landing/invitation.js";
import { TableSheet } from "../../../src/parlour/server/page/js/table/table_sheet.js";

const option = (name, kind, usual) => ({ name, title: name, kind, titles: {}, defaults: { 2: usual } });
const WHIST = {
  id: "whist",
  title: "Whist",
  summary: "",
  players: [2],
  minutes: [5, 10],
  fits: "",
  options: [option("Rounds", "number", 4), option("Nil", "boolean", false)],
};
const CHANGED = { Rounds: 2, Nil: false };
const MANNERS = { clock: null, days: null, rated: false };
const SEATS = [{ kind: "person", name: "Ann", taken: true, rating: null }];
const table = (options, game = "whist") => ({
  table: "one",
  game,
  title: "Whist",
  players: 2,
  options,
  seats: SEATS,
  seat: 0,
  club: null,
  daily: null,
  manners: MANNERS,
});

let body;
const line = () => body.querySelector(".changed-rules");

async function show(element) {
  body.replaceChildren(element);
  await settle();
}

beforeEach(() => {
  emptyStorage();
  ({ body } = emptyPage({ hash: "", pathname: "/table/one" }));
});

describe("the changed rules of a table", () => {
  it("are asked for again after the room has not answered, and are hidden until then", async () => {
    serve({ "/api/games": [503, { games: [WHIST], bots: [] }] });
    await show(changedRules(table(CHANGED)));
    assert.equal(line().hidden, true);
    await show(changedRules(table(CHANGED)));
    assert.deepEqual([line().hidden, line().textContent], [false, "RulesRounds: 2"]);
  });

  it("are hidden where all are the usual ones, or the game is unknown", async () => {
    serve({ "/api/games": { games: [WHIST], bots: [] } });
    await show(changedRules(table({ Rounds: 4, Nil: false })));
    assert.equal(line().hidden, true);
    await show(changedRules(table(CHANGED, "euchre")));
    assert.equal(line().hidden, true);
  });

  it("are named in the invitation", async () => {
    serve({ "/api/games": { games: [WHIST], bots: [] } });
    await show(invitationHead(table({ Rounds: 4, Nil: true })));
    assert.deepEqual([line().hidden, line().textContent], [false, "RulesNil: yes"]);
  });

  it("leave out the minutes of the invitation, which hold for the usual ones", async () => {
    serve({ "/api/games": { games: [WHIST], bots: [] } });
    for (const [options, minutes] of [
      [{ Rounds: 4, Nil: false }, true],
      [CHANGED, false],
    ]) {
      await show(invitationHead(table(options)));
      assert.equal(body.querySelector(".game-numbers").textContent.includes("minutes"), minutes);
    }
  });

  it("are named in the sheet about the table", async () => {
    serve({ "/api/games": { games: [WHIST], bots: [] } });
    const people = { absence: () => "", company: { resigned: [] } };
    const view = { bar: { peopleTool: h("button", {}) } };
    new TableSheet({ id: "one", table: table(CHANGED), scene: null, people, view }).open();
    await settle();
    assert.deepEqual([line().hidden, line().textContent], [false, "RulesRounds: 2"]);
  });
});
