// The lobby: the cards of the tables where people wait, their words, and the press to sit down.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyPage, press, settle, texts } from "./elements.js";
import { CATALOGUE, game, MANNERS, NIL, OPEN, PERSON, table } from "./lobby_tables.js";
import { late, serve } from "./server.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { Lobby } from "../../../src/parlour/server/page/js/landing/lobby.js";
import { botsInWords, optionsInWords } from "../../../src/parlour/server/page/js/landing/lobby_words.js";

const option = (name, kind, usual, titles = {}) => ({ name, title: name, kind, titles, defaults: { 2: usual } });
const GAME = {
  options: [
    option("Rounds", "number", 4),
    option("Jokers", "boolean", false),
    option("Half", "choice", "a", { b: "B" }),
  ],
};
const LEVELS = { bots: [{ id: "casual", title: "Casual player" }] };

describe("the rules of a table in the lobby", () => {
  it("are the options that differ from their defaults", () => {
    const options = { Rounds: 2, Jokers: true, Half: "b" };
    assert.deepEqual(optionsInWords(GAME, { players: 2, options }), ["Rounds: 2", "Jokers: yes", "Half: B"]);
  });

  it("are also those whose value is zero or no", () => {
    const other = { options: [option("Rounds", "number", 4), option("Jokers", "boolean", true)] };
    assert.deepEqual(optionsInWords(other, { players: 2, options: { Rounds: 0, Jokers: false } }), [
      "Rounds: 0",
      "Jokers: no",
    ]);
  });

  it("are the usual ones without such options", () => {
    const options = { Rounds: 4, Jokers: false, Half: "a" };
    assert.deepEqual(optionsInWords(GAME, { players: 2, options }), ["as the rules have it"]);
  });
});

describe("the bots of a table in the lobby", () => {
  const fill = { seconds: 300, bot: "casual" };
  const words = (bots, manners, seconds) => botsInWords(LEVELS, { bots, manners, fills_in: seconds });

  it("are those who sit there, by level", () => {
    assert.deepEqual(words([], { fill: null }, null), ["None"]);
    assert.deepEqual(words(["casual"], { fill: null }, null), ["One (Casual player)"]);
    assert.deepEqual(words(["casual", "new", "casual"], { fill: null }, null), ["3 (Casual player, new)"]);
  });

  it("are also those who come in time", () => {
    assert.deepEqual(words([], { fill }, 125), ["None", "a bot (Casual player) takes what stays free in 3 minutes"]);
    for (const seconds of [60, 5, 0])
      assert.deepEqual(words([], { fill }, seconds)[1], "a bot (Casual player) takes what stays free within a minute");
    assert.deepEqual(words([], { fill }, null), ["None"]);
  });
});

let body;
let visited;

describe("the lobby", () => {
  let lobby;
  const refresh = async (...found) => {
    serve({ "/api/tables": { tables: found } });
    await lobby.refresh();
  };
  const cards = () => body.querySelectorAll(".lobby-card").map(({ dataset }) => dataset.table);
  const sit = (at = 0) => body.querySelectorAll("[data-go=sit]")[at];

  beforeEach(() => {
    emptyStorage();
    ({ body, visited } = emptyPage());
    mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
    lobby = new Lobby(CATALOGUE);
    body.append(lobby.waiting, lobby.others);
  });
  afterEach(() => mock.timers.reset());

  it("has the tables where people wait as cards, and the others in a list", async () => {
    await refresh(table("one"), table("two", { waits: false }));
    assert.deepEqual([cards(), lobby.waiting.hidden, lobby.none.hidden], [["one"], false, true]);
    assert.deepEqual(
      body.querySelectorAll(".table-line").map(({ dataset }) => dataset.table),
      ["two"],
    );
    await refresh();
    assert.deepEqual([cards(), lobby.waiting.hidden, lobby.none.hidden], [[], true, false]);
  });

  it("leaves out tables at which this browser has a seat", async () => {
    settings.keepSeat("one", 0, "key");
    await refresh(table("one"), table("two"));
    assert.deepEqual(cards(), ["two"]);
  });

  it("keeps what it shows without an answer", async () => {
    await refresh(table("one"));
    for (const failure of [null, 503]) {
      serve({ "/api/tables": failure });
      await lobby.refresh();
      assert.deepEqual(cards(), ["one"]);
    }
  });

  it("is not redrawn while nothing changes but seconds, and keeps the focus at a button", async () => {
    const waiting = (seconds) => table("one", { manners: { ...MANNERS, fill: { bot: "casual" } }, fills_in: seconds });
    await refresh(waiting(119));
    const first = sit();
    first.focus();
    await refresh(waiting(61));
    assert.equal(sit(), first);
    await refresh(waiting(60));
    assert.notEqual(sit(), first);
    assert.equal(document.activeElement, sit());
  });

  it("is asked for every ten seconds while the page is seen", async () => {
    const sent = serve({ "/api/tables": { tables: [] } });
    lobby.begin();
    await settle();
    document.hidden = true;
    mock.timers.tick(10_000);
    document.hidden = false;
    mock.timers.tick(10_000);
    assert.equal(sent.length, 2);
  });

  it("tells who waits, which seats are free, and by which rules", async () => {
    const manners = { ...MANNERS, clock: { seconds: 120, increment: 3 }, talk: "none", rated: true, studied: true };
    const seats = [
      { ...PERSON, rating: { value: 1512, provisional: true } },
      OPEN,
      { kind: "bot", name: "Ada", taken: true },
    ];
    await refresh(table("one", { manners, seats, bots: ["casual"] }));
    assert.deepEqual(texts(".lobby-who"), ["Bo (1512?) waits · 1 of 3 seats is free"]);
    assert.deepEqual(texts("dd"), [
      "as the rules have it",
      "2 minutes, and 3 seconds for each action.",
      "None",
      "One (Casual)",
      t("mannersRatings").yes,
      t("mannersAgreed"),
    ]);
    lobby.catalogue = { ...CATALOGUE, games: [game("hearts"), game("whist", { options: [NIL] })] };
    await refresh(table("one", { options: { nil: true } }));
    assert.equal(texts("dd")[0], "Nil: yes");
    await refresh(table("two"));
    assert.deepEqual(texts("dt"), [t("rules"), t("mannersClock"), t("talk"), t("botsToPlay")]);
  });

  it("lets one sit down on the first free seat by the kept name", async () => {
    settings.remember({ name: "Ann" });
    await refresh(table("one"));
    assert.equal(sit().getAttribute("aria-label"), "Sit down at Whist as Ann");
    const sent = serve({ "/api/tables/one/seats": { seat: 1, key: "k" } });
    await press(sit());
    assert.deepEqual([sent[0].body.seat, sent[0].body.name, visited], [1, "Ann", ["/table/one"]]);
    assert.equal(settings.seatAt("one").opened, false);
  });

  it("has the player's name on its cards, also after it has changed", async () => {
    settings.remember({ name: "Ann" });
    await refresh(table("one"));
    settings.remember({ name: "Eva" });
    assert.deepEqual(texts("[data-go=sit]"), ["Sit down as Eva"]);
    settings.rememberQuietly({ name: "Ida" }); // as in another tab
    await refresh(table("one"));
    const sent = serve({ "/api/tables/one/seats": { seat: 1, key: "k" } });
    await press(sit());
    assert.equal(sent[0].body.name, "Ida");
  });

  it("keeps its cards as they are when other settings change", async () => {
    await refresh(table("one"));
    const card = sit();
    settings.remember({ sound: false });
    assert.equal(sit(), card);
  });

  it("leads to a table that bots have filled meanwhile without a seat there", async () => {
    await refresh(table("one"));
    serve({ "/api/tables/one/seats": { table: "one", seat: 1, waiting: [0] } });
    await press(sit());
    assert.deepEqual([visited, settings.ownSeats()], [["/table/one"], []]);
  });

  it("lets one sit down once, although the room shows the new seat before it answers", async () => {
    await refresh(table("one"));
    const request = late();
    serve({ "/api/tables/one/seats": request.body });
    press(sit());
    await settle();
    await refresh(table("zero"), table("one", { options: { nil: true } }));
    assert.deepEqual([Boolean(sit(0).disabled), sit(1).disabled], [false, true]);
    request.give({ seat: 1, key: "k" });
    await settle();
    assert.deepEqual(visited, ["/table/one"]);
  });

  it("shows the newest answer, in whichever order they come", async () => {
    const [first, second] = [late(), late()];
    serve({ "/api/tables": [first.body, second.body] });
    const both = [lobby.refresh(), lobby.refresh()];
    second.give({ tables: [table("two")] });
    first.give({ tables: [table("one")] });
    await Promise.all(both);
    assert.deepEqual(cards(), ["two"]);
  });

  it("keeps the reason why one could not sit down while other tables come and go", async () => {
    await refresh(table("one"));
    serve({ "/api/tables/one/seats": 409 });
    const go = sit();
    press(go);
    assert.equal(go.disabled, true);
    await settle();
    assert.deepEqual([texts(".failure"), go.disabled], [["refused: 409"], false]);
    await refresh(table("zero"), table("one"));
    assert.deepEqual(texts(".failure"), ["", "refused: 409"]);
    serve({ "/api/tables/one/seats": late().body });
    press(sit(1));
    assert.deepEqual(texts(".failure"), ["", ""]);
  });
});
