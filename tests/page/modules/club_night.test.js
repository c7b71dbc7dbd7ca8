// The pages of a club night: the form that opens it, its door and its rounds.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage, storage } from "./browser.js";
import { KEY, NIGHT, begin, body, bodyTo, field, later, played, player, show, visited } from "./club_page.js";
import { enter, press, texts } from "./elements.js";
import { serve } from "./server.js";
import { clubPage } from "../../../src/parlour/server/page/js/club/club.js";
import { clubOfTable } from "../../../src/parlour/server/page/js/club/club_address.js";
import { CLUB_TEXTS } from "../../../src/parlour/server/page/js/club/club_texts.js";
import { labelled } from "../../../src/parlour/server/page/js/common/phrases.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { ownKey, takeKey } from "../../../src/parlour/server/page/js/player/player_key.js";

const option = (name) => ({
  name,
  title: name,
  kind: "boolean",
  clause: "",
  help: "help",
  limits: {},
  titles: {},
  defaults: { 2: false },
});
const game = (id, players, ...options) => ({ id, title: id, players, options: options.map(option) });
const CATALOGUE = {
  games: [game("whist", [2], "nil"), game("hearts", [4]), game("euchre", [2, 4])],
  bots: [
    { id: "casual", title: "Casual", study: false },
    { id: "rule", title: "Rule", study: true },
  ],
  usual_bot: "casual",
};

beforeEach(begin);

describe("the form that opens a club night", () => {
  const values = (name) =>
    field(name)
      .querySelectorAll("option")
      .map(({ value }) => value);

  /** Open the form. Return what is asked for at each press. */
  async function form(catalogue = CATALOGUE) {
    const sent = serve({ "/api/games": catalogue, "/api/club": { club: "c1" } });
    await clubPage(body, "");
    return async () => {
      await press(body.querySelector("form"), "submit");
      const { key, ...asked } = sent.at(-1).body;
      assert.ok(key.length > 20);
      return asked;
    };
  }

  it("offers games for two and bots for play, and has usual values", async () => {
    const open = await form();
    assert.deepEqual([values("game"), values("bot")], [["whist", "euchre"], ["casual"]]);
    assert.deepEqual(values("rounds").map(Number), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    assert.deepEqual(values("system"), ["swiss", "all"]);
    const usual = { game: "whist", options: {}, system: "swiss", rounds: 3, bot: "casual" };
    assert.deepEqual(await open(), usual);
  });

  it("asks for what was chosen, and for no rounds where everyone meets everyone", async () => {
    const open = await form();
    enter(field("rounds"), "5");
    enter(field("nil"), true);
    assert.deepEqual(await open(), {
      game: "whist",
      options: { nil: true },
      system: "swiss",
      rounds: 5,
      bot: "casual",
    });
    enter(field("system"), "all");
    assert.equal(field("rounds"), null);
    assert.equal((await open()).system, "all");
  });

  it("calls the games rated only while the options are the default ones", async () => {
    await form();
    const rated = () => texts(".club-form p").includes(CLUB_TEXTS.clubRated);
    assert.ok(rated());
    enter(field("nil"), true);
    assert.ok(!rated());
    enter(field("nil"), false);
    assert.ok(rated());
  });

  it("leaves the options of a game behind when another one is chosen, and keeps the focus", async () => {
    const open = await form();
    enter(field("nil"), true);
    field("game").focus();
    enter(field("game"), "euchre");
    assert.deepEqual([field("nil"), document.activeElement], [null, field("game")]);
    const { game: asked, options } = await open();
    assert.deepEqual([asked, options], ["euchre", {}]);
  });

  it("keeps the rules unfolded while options are changed", async () => {
    await form();
    assert.equal(body.querySelector("details").open, false);
    body.querySelector("details").open = true;
    enter(field("nil"), true);
    assert.equal(body.querySelector("details").open, true);
  });

  it("leads its host to the night although storage refuses the host's key, also when it is loaded anew", async () => {
    const open = await form();
    const forget = () => {
      storage.refuses = false;
      settings.keepHostKey("c1", "");
    };
    storage.refuses = true;
    await open();
    forget(); // the key lasts as long as the page
    const [pathname, key] = visited[0].split("#");
    Object.assign(location, { pathname, hash: `#${key}` });
    for (const load of ["first", "second"]) {
      storage.refuses = true;
      await show({});
      assert.ok(body.querySelector("[data-go=begin]"), load);
      assert.deepEqual([location.pathname, location.hash], ["/club/c1", ""]);
      forget();
    }
  });

  describe("as a player whose key storage refuses", () => {
    let refusedKey;

    /** Load the night on a page of its own: what storage has refused is lost with the page before. */
    async function load(hash = "") {
      storage.refuses = false;
      takeKey("");
      storage.refuses = true;
      Object.assign(location, { pathname: "/club/c1", hash });
      await show({});
      return ownKey();
    }

    beforeEach(async () => {
      refusedKey = await load();
    });

    it("has the same key after the page is loaded anew", async () => {
      assert.match(refusedKey, /^\w{22}$/);
      assert.notEqual(refusedKey, KEY);
      assert.equal(await load(), refusedKey);
      assert.ok(body.textContent.includes(CLUB_TEXTS.clubUnstored));
    });

    it("has the same key on the way back from a table, and none in the address there", async () => {
      settings.keepSeat("t1", 0, refusedKey);
      const [, hash] = clubOfTable("c1", "t1").split("#");
      history.state = null;
      assert.equal(await load(`#${hash}`), refusedKey);
      assert.equal(location.hash, "");
    });

    it("has another key elsewhere", async () => {
      history.state = null;
      assert.notEqual(await load(), refusedKey);
    });
  });

  it("does not take a player's key from a link where storage keeps keys", async () => {
    Object.assign(location, { pathname: "/club/c1", hash: `#player=${"x".repeat(22)}` });
    await show({});
    assert.deepEqual([ownKey(), location.hash, history.state], [KEY, "", null]);
    assert.ok(!body.textContent.includes(CLUB_TEXTS.clubUnstored));
    settings.keepSeat("t1", 0, KEY);
    assert.equal(clubOfTable("c1", "t1"), "/club/c1");
  });

  it("keeps the host's key of the browser where a link has another one", async () => {
    Object.assign(location, { pathname: "/club/c1", hash: "#host=other" });
    await show({}, { host: true });
    assert.deepEqual([settings.hostKey("c1"), location.hash], ["host key", ""]);
  });

  it("says if no game is for two, and why there are no games", async () => {
    await form({ ...CATALOGUE, games: [game("hearts", [4])] });
    assert.ok(body.textContent.includes(CLUB_TEXTS.clubNone));
    serve({ "/api/games": 503 });
    await clubPage(body, "");
    assert.deepEqual(texts(".failure"), ["refused: 503"]);
    assert.ok(body.querySelector("[data-go=retry]"));
  });
});

afterEach(() => mock.timers.reset());

describe("the door of a club night", () => {
  it("calls the games rated only with the default options", async () => {
    for (const [options, rated] of [
      [{}, true],
      [{ nil: true }, false],
    ]) {
      await show({ you: null, options }, { others: { "/api/games": CATALOGUE } });
      const [words] = texts(".club-door p").filter((each) => each.startsWith(CLUB_TEXTS.clubWords));
      assert.equal(words.includes(CLUB_TEXTS.clubRated), rated);
    }
  });

  it("has the players, of whom one may have no name, and the viewer among them", async () => {
    await show({});
    assert.equal(document.title, "Club night: Whist · Parlour");
    assert.deepEqual(texts(".club-players li"), ["Ann", "Bo", CLUB_TEXTS.clubNameless]);
    assert.deepEqual([texts(".own"), texts("h2")], [["Ann"], ["3 players"]]);
    await show({ players: [], you: null });
    assert.ok(body.textContent.includes(CLUB_TEXTS.clubNobodyYet));
  });

  it("gives the host of a room for this machine only the command that opens it, and no other viewer", async () => {
    location.hostname = "localhost";
    const others = { "/api/addresses": { addresses: [] } };
    for (const host of [false, true]) {
      await show({}, { host, others });
      assert.deepEqual(texts(".club-door .here-only"), [t("hereOnly")]);
      assert.deepEqual(texts(".club-door code"), host ? [t("openCommand")] : []);
    }
  });

  it("says by which rules and how often one plays, before a viewer joins", async () => {
    const others = { "/api/games": CATALOGUE };
    await show({ you: null, options: { nil: true }, system: "swiss" }, { others });
    const swiss = ["Rules", "nil: yes", "Who plays whom", "Swiss: equals meet", "Rounds", "3"];
    assert.deepEqual(texts(".club-door :is(dt, dd)"), swiss);
    await show({ options: {}, system: "all" }, { others });
    const all = ["Rules", "as the rules have it", "Who plays whom", "Everyone with everyone (up to 16)"];
    assert.deepEqual(texts(".club-door :is(dt, dd)"), all);
  });

  it("lets a viewer join by name, which is kept, and then change it", async () => {
    const joined = { players: [player(0, "Cy")], you: 0 };
    const sent = await show({ you: null, players: [] }, { then: [joined], others: { "/api/club/c1/players": {} } });
    assert.equal(body.querySelector("[data-go=join]").textContent, CLUB_TEXTS.clubJoin);
    assert.equal(body.querySelector("[data-go=join]").className, "button primary");
    field("name").value = " Cy ";
    body.querySelector("[data-go=join]").focus();
    await press(body.querySelector("form"), "submit");
    assert.equal(document.activeElement.tagName, "H1");
    assert.deepEqual(bodyTo(sent, "/api/club/c1/players"), { name: "Cy", key: KEY });
    assert.equal(settings.settings().name, "Cy");
    assert.ok(body.textContent.includes(CLUB_TEXTS.clubJoined("Cy")));
    assert.deepEqual(
      [body.querySelector("[data-go=join]").textContent, field("name").value],
      [CLUB_TEXTS.clubRename, "Cy"],
    );
  });

  it("lets the host alone begin, with two players", async () => {
    await show({});
    assert.equal(body.querySelector("[data-go=begin]"), null);
    await show({ players: [player(0, "Ann")] }, { host: true });
    assert.equal(body.querySelector("[data-go=begin]").disabled, true);
    assert.ok(body.textContent.includes(CLUB_TEXTS.clubTooFew));
    assert.ok(body.textContent.includes(CLUB_TEXTS.clubHostJoined("Ann")));
    const begun = { begun: 1, games: [played(1, 0, [0, 1])] };
    const sent = await show(
      { players: NIGHT.players.slice(0, 2) },
      { host: true, then: [begun], others: { "/api/club/c1/begin": {} } },
    );
    assert.ok(!body.textContent.includes(CLUB_TEXTS.clubTooFew));
    body.querySelector("[data-go=begin]").focus();
    await press(body.querySelector("[data-go=begin]"));
    assert.equal(document.activeElement.tagName, "H1");
    assert.deepEqual(bodyTo(sent, "/api/club/c1/begin"), { key: "host key" });
    assert.ok(body.textContent.includes("Round 1 of 3"));
  });

  it("lets the host alone remove a player, before the first round", async () => {
    const left = { players: [player(0, "Ann"), player(2, "")] };
    const sent = await show({}, { host: true, then: [left], others: { "/api/club/c1/remove": {} } });
    const remove = () => body.querySelector("[data-go=remove-1]");
    assert.equal(remove().getAttribute("aria-label"), labelled(CLUB_TEXTS.clubRemove, "Bo"));
    await press(remove());
    assert.deepEqual(bodyTo(sent, "/api/club/c1/remove"), { key: "host key", number: 1, name: "Bo" });
    assert.equal(remove(), null);
    await show({ begun: 1, games: [played(1, 0, [0, 1])] }, { host: true });
    assert.equal(remove(), null);
    emptyStorage();
    await show({});
    assert.equal(remove(), null);
  });

  it("shows to a player who has been removed that the place is gone, until there is another one", async () => {
    const removed = { you: null, players: NIGHT.players.slice(1) };
    const isShown = () => texts(".club-door p").includes(CLUB_TEXTS.clubRemoved);
    await show(removed, { then: [{}, removed, {}] });
    const shown = [isShown()];
    for (let refresh = 0; refresh < 3; refresh += 1) {
      await later();
      shown.push(isShown());
    }
    assert.deepEqual(shown, [false, false, true, false]);
  });

  it("explains the game to those who wait, without leaving the page", async () => {
    const primer = { short: "<p>Take tricks.</p>", lesson: 9, terms: [] };
    await show({}, { others: { "/api/games/whist/primer": primer, "/api/games/whist/rules": { html: "All rules" } } });
    await press(body.querySelector("[data-go=primer]"));
    const lesson = body.querySelector("[data-go=lesson]");
    assert.deepEqual([lesson.getAttribute("href"), lesson.getAttribute("target")], ["/learn/whist", "_blank"]);
    await press(body.querySelector("[data-sheet=primer] .ways button"));
    assert.ok(body.querySelector("[data-sheet=rules]"));
    await show({ begun: 1 });
    assert.equal(body.querySelector("[data-go=primer]"), null);
  });

  it("shows why a request has failed, and takes it away with the next", async () => {
    await show({}, { host: true, others: { "/api/club/c1/begin": [409, {}] } });
    await press(body.querySelector("[data-go=begin]"));
    assert.equal(texts(".failure").join(""), "refused: 409");
    await press(body.querySelector("[data-go=begin]"));
    assert.equal(texts(".failure").join(""), "");
  });
});

describe("a round of a club night", () => {
  const games = [played(1, 0, [0, 1]), played(1, 1, [1, 0], { over: true }), played(1, 0, [2, null])];

  it("has the viewer's games against the others, which can be played until they are over", async () => {
    await show({ begun: 1, games });
    assert.deepEqual(texts(".club-own li"), ["Deal 1 against BoPlay", "Deal 2 against Boover"]);
    assert.ok(body.textContent.includes("1 of 3 games are over."));
    await press(body.querySelector("[data-go=play]"));
    const { seat, key } = settings.seatAt("t10");
    assert.deepEqual([visited, seat, key], [["/table/t10"], 0, KEY]);
  });

  it("has the viewer's own seat and the name of the other one, a bot included", async () => {
    await show({ begun: 1, you: 2, games: [played(1, 0, [null, 2])] });
    assert.deepEqual(texts(".club-own span")[0], `Deal 1 against ${CLUB_TEXTS.clubTheBot}`);
    await press(body.querySelector("[data-go=play]"));
    assert.equal(settings.seatAt("t10").seat, 1);
  });

  it("names more than ten boards and deals in the order of their numbers", async () => {
    const numbers = [11, 2, 10, 0, 9, 1, 8, 3, 7, 4, 6, 5];
    const players = numbers.map((number) => player(number, `P${number}`));
    const boards = numbers.map((board) => played(1, 0, [board, null], { board }));
    const deals = numbers.slice(0, 3).map((deal) => played(1, deal, [0, 1], { board: 12 }));
    await show({ begun: 1, players, games: [...deals, ...boards] });
    const expected = numbers.map((_, board) => `P${board} and a botdeal 1`);
    assert.deepEqual(texts(".club-boards li"), [...expected, `P0 and P1deals 3, 11 and 12`]);
  });

  it("names the boards that still play, with their deals, also before the host closes it", async () => {
    const boards = [
      ...[played(1, 0, [0, 1], { board: 1 }), played(1, 1, [1, 0], { board: 1 })],
      ...[played(1, 0, [2, null], { over: true }), played(1, 1, [null, 2])],
      ...[played(1, 0, [3, 4], { board: 2, over: true }), played(1, 1, [4, 3], { board: 2, over: true })],
    ];
    const lines = ["a bot and a playerdeal 2", "Ann and Bodeals 1 and 2"];
    await show({ begun: 1, games: boards }, { host: true });
    assert.deepEqual(texts(".club-boards li"), lines);
    await press(body.querySelector("[data-go=close]"));
    assert.deepEqual(texts("[data-sheet=close-round] li"), lines);
    await show({ begun: 1, games: boards.map((each) => ({ ...each, over: true })) });
    assert.equal(body.querySelector(".club-boards"), null);
  });

  it("takes no more players, and says so to those who come late, but not to its host", async () => {
    for (const [host, you, late] of [
      [false, null, true],
      [false, 0, false],
      [true, null, false],
    ]) {
      emptyStorage();
      await show({ begun: 1, you, games }, { host });
      assert.equal(body.textContent.includes(CLUB_TEXTS.clubBegun), late);
    }
  });

  it("says that one has played both deals, or does not play, and nothing to those who look on", async () => {
    const over = games.map((each) => ({ ...each, over: true }));
    for (const [you, shown, words] of [
      [0, over, "clubWait"],
      [0, games, ""],
      [0, [games[2]], "clubFree"],
      [null, games, ""],
    ]) {
      await show({ begun: 1, you, games: shown });
      for (const text of ["clubWait", "clubFree"])
        assert.equal(body.textContent.includes(CLUB_TEXTS[text]), text === words);
    }
  });

  it("is closed by the host after a question, at the round that was shown", async () => {
    await show({ begun: 1, games });
    assert.equal(body.querySelector("[data-go=close]"), null);
    const sent = await show({ begun: 1, games }, { host: true, others: { "/api/club/c1/close": {} } });
    await press(body.querySelector("[data-go=close]"));
    assert.equal(sent.length, 1);
    await press(body.querySelector("[data-go=close-yes]"));
    assert.deepEqual([sent[1].body, body.querySelector("dialog")], [{ key: "host key", round: 1 }, null]);
  });
});
