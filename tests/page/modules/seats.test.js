// Seats of a table: the panel that offers them, and the sheet about the table.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage, storage } from "./browser.js";
import { emptyDocument, emptyPage, enter, press, settle, texts } from "./elements.js";
import { answer, late, serve } from "./server.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { mannersList, paceOf } from "../../../src/parlour/server/page/js/landing/manners_list.js";
import { RatedSeat, seatName } from "../../../src/parlour/server/page/js/table/rated_seat.js";
import { SeatPanel, StorageNote, takeSeatFromLink } from "../../../src/parlour/server/page/js/table/seat_panel.js";
import { TableSheet } from "../../../src/parlour/server/page/js/table/table_sheet.js";

const MANNERS = {
  clock: null,
  days: null,
  patience: 120,
  talk: "words",
  hints: false,
  take_over: false,
  fill: null,
  rated: false,
  studied: false,
};
const person = (name) => ({ kind: "person", name, taken: true, rating: null });
const bot = (name) => ({ kind: "bot", name, taken: true, rating: null });
const OPEN = { kind: "open", name: "", taken: false, rating: null };
const table = (more) => ({
  table: "one",
  game: "whist",
  title: "Whist",
  players: 2,
  seats: [person("Ann"), OPEN],
  seat: -1,
  begun: false,
  over: false,
  take_over: false,
  fills_in: null,
  daily: null,
  club: null,
  conceded: null,
  manners: MANNERS,
  ...more,
});

let body;

beforeEach(() => {
  emptyStorage();
  ({ body } = emptyPage({ hash: "", pathname: "/table/one" }));
  globalThis.history = { state: null, replaceState: (state, _, address) => Object.assign(history, { state, address }) };
  serve({ "/api/games": 503 });
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  mock.method(performance, "now", () => 0);
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

describe("the manners of a table", () => {
  const facts = (manners, seats = [person("Ann")]) => {
    const list = mannersList({ manners: { ...MANNERS, ...manners }, seats });
    const [names, values] = ["dt", "dd"].map((part) => texts(part, list));
    return Object.fromEntries(names.map((name, at) => [name, values[at]]));
  };

  it("have a clock, days or neither, and what happens to the absent", () => {
    const [clock, patience] = [t("mannersClock"), t("mannersPatience")];
    assert.deepEqual([facts({})[clock], facts({})[patience]], ["None: take your time", "a bot plays after 2 minutes"]);
    assert.equal(facts({ patience: null })[patience], t("mannersPatiences").endless);
    const quick = facts({ clock: { seconds: 120, increment: 3 } })[clock];
    assert.equal(quick, `2 minutes, and 3 seconds for each action. ${t("mannersTimeOver")}`);
    const slow = facts({ days: 3, patience: null });
    assert.deepEqual([slow[clock], patience in slow], [`3 days for each action. ${t("mannersDaysOver")}`, false]);
    assert.equal(paceOf({ clock: { seconds: 60, increment: 0 }, days: null }), "A minute.");
  });

  it("have the choices that matter at the table, and no others", () => {
    const usual = [t("mannersClock"), t("mannersPatience"), t("talk"), t("hints")];
    assert.deepEqual(Object.keys(facts({})), usual);
    const all = facts(
      { rated: true, take_over: true, fill: { seconds: 60 }, studied: true, hints: true, talk: "none" },
      [bot("Ada")],
    );
    assert.deepEqual(all, {
      [t("mannersRated")]: t("mannersRatings").yes,
      [t("mannersClock")]: "None: take your time",
      [t("mannersPatience")]: "a bot plays after 2 minutes",
      [t("talk")]: "None",
      [t("hints")]: t("mannersHints").yes,
      [t("mannersTakeOver")]: t("mannersTakeOvers").yes,
      [t("mannersFill")]: "a bot takes it a minute after the table was opened",
      [t("mannersStudied")]: t("mannersAgreed"),
    });
  });
});

describe("the panel of a table", () => {
  let sat;
  let said;
  let redrawn;
  const link = h("p", {}, "link");
  let panels;
  const panel = (more) => {
    const made = panels.draw(table(more));
    if (made) body.replaceChildren(made);
    return made;
  };
  const join = () => press(body.querySelector("form"), "submit");

  beforeEach(() => {
    [sat, said, redrawn] = [[], [], 0];
    panels = new SeatPanel("one", link, {
      sit: (...seat) => sat.push(seat),
      redraw: () => (redrawn += 1),
      say: (text) => said.push(text),
      absence: () => "",
    });
  });

  it("lets a viewer sit down at the free seat, by a name that is kept", async () => {
    panel({});
    enter(body.querySelector("[name=name]"), " Bo ", "input");
    assert.equal(settings.settings().name, "Bo");
    const sent = serve({ "/api/tables/one/seats": { seat: 1, key: "k" } });
    await join();
    assert.deepEqual([sent[0].body.seat, sent[0].body.name, sat], [1, "Bo", [[1, "k"]]]);
  });

  it("offers a choice among several free seats, and Guest as a name", async () => {
    panel({ seats: [OPEN, person("Ann"), OPEN] });
    assert.deepEqual(texts(".chooser span"), ["Seat 1", "Seat 3"]);
    enter(body.querySelector('[name=seat][value="2"]'), true);
    const sent = serve({ "/api/tables/one/seats": { seat: 2, key: "k" } });
    await join();
    assert.deepEqual([sent[0].body.seat, sent[0].body.name], [2, "Guest"]);
  });

  it("says why a seat was not to be had, and lets one try again", async () => {
    panel({});
    serve({ "/api/tables/one/seats": 409 });
    const [go] = body.querySelectorAll("[type=submit]");
    join();
    assert.equal(go.disabled, true);
    await settle();
    assert.deepEqual([texts(".failure"), go.disabled, sat], [["refused: 409"], false, []]);
  });

  it("keeps its form, with the failure of a request, while the same seats are open", async () => {
    const made = panel({ seats: [person("Ann"), OPEN] });
    serve({ "/api/tables/one/seats": 409 });
    await join();
    assert.equal(panels.draw(table({ seats: [person("Bo"), OPEN] })), made);
    assert.deepEqual([texts(".seats-now li")[0], texts(".failure")], ["Bo", ["refused: 409"]]);
    assert.notEqual(panels.draw(table({ seats: [OPEN, OPEN] })), made);
  });

  it("shows who sits where, and waits with the link while seats are free", () => {
    panel({ seat: 0, seats: [person("Ann"), OPEN, bot("Ada")], fills_in: 61.5 });
    assert.deepEqual(texts(".seats-now li"), ["AnnYou", "Seat 2open", "Ada"]);
    assert.ok(body.textContent.includes(t("waiting")) && body.textContent.includes("link"));
    assert.deepEqual(texts(".fills"), ["Bots take the free seats in 1:02."]);
  });

  it("counts down to the bots", () => {
    panel({ seat: 0, fills_in: 2 });
    let now = 0;
    mock.method(performance, "now", () => now);
    for (const [at, text] of [
      [1000, "Bots take the free seats in 0:01."],
      [2000, "Bots sit down …"],
      [9000, "Bots sit down …"],
    ]) {
      now = at;
      mock.timers.tick(1000);
      assert.deepEqual(texts(".fills"), [text]);
    }
    panel({ seat: 0 });
    assert.deepEqual(texts(".fills"), []);
  });

  it("is nothing while the game goes on, except the way to a bot's seat", () => {
    const playing = { begun: true, seats: [person("Ann"), bot("Ada")] };
    assert.equal(panel(playing), null);
    assert.equal(panel({ ...playing, take_over: true, seat: 0 }), null);
    assert.ok(panel({ ...playing, take_over: true }).querySelector("[data-go=take]"));
  });

  describe("for a bot's seat", () => {
    const seats = [person("Ann"), person("Bo"), bot("Ada")];
    const ask = async (...answers) => {
      panel({ begun: true, take_over: true, seats });
      body.querySelector("[data-go=take]").click();
      const sent = serve({ "/api/tables/one/seats": answers });
      await join();
      return sent;
    };
    const later = async () => {
      mock.timers.tick(2500);
      await settle();
    };
    const waiting = () => texts("form [role=status]")[0];

    it("asks until all have agreed, and names those who have not", async () => {
      const sent = await ask({ waiting: [0, 1] }, { waiting: [1] }, { seat: 2, key: "k" });
      assert.equal(waiting(), t("seatRequested", ["Ann", "Bo"]));
      await later();
      assert.equal(waiting(), t("seatRequested", ["Bo"]));
      await later();
      assert.deepEqual([sat, body.querySelector("dialog"), sent.length], [[[2, "k"]], null, 3]);
      assert.deepEqual([sent[0].body.seat, new Set(sent.map((each) => each.body.key)).size], [2, 1]);
    });

    it("asks no more once its sheet is closed", async () => {
      const sent = await ask({ waiting: [0] }, { seat: 2, key: "k" });
      body.querySelector("dialog").close();
      await later();
      assert.deepEqual([sat, sent.length], [[], 1]);
    });

    it("says at the table if it is refused after its sheet was closed", async () => {
      const refused = late();
      panel({ begun: true, take_over: true, seats });
      body.querySelector("[data-go=take]").click();
      globalThis.fetch = () => refused.body;
      join();
      body.querySelector("dialog").close();
      refused.give(answer(409, { error: "Ada plays on." }));
      await settle();
      assert.deepEqual(said, ["Ada plays on."]);
    });

    it("says if it is refused, and waits for none then", async () => {
      await ask({ waiting: [0] }, 409);
      await later();
      assert.deepEqual([waiting(), texts("form .failure")], ["", ["refused: 409"]]);
    });
  });

  it("is put away by those who only watch", () => {
    panel({});
    const watch = body.querySelectorAll("button").find((one) => one.textContent === t("watch"));
    watch.click();
    assert.equal(redrawn, 1);
    panel({});
    assert.deepEqual([body.querySelector("form"), body.textContent.includes(t("waiting"))], [null, true]);
  });
});

describe("a link to a seat", () => {
  it("gives the seat to this browser, and leaves the address", () => {
    location.hash = "#seat=1&key=k";
    takeSeatFromLink("one");
    assert.deepEqual(
      [settings.seatAt("one").seat, settings.seatAt("one").key, history.address],
      [1, "k", "/table/one"],
    );
    assert.equal(history.state, null);
  });

  it("does not take the place of a seat that the browser has", () => {
    settings.keepSeat("one", 0, "own");
    location.hash = "#seat=1&key=k";
    takeSeatFromLink("one");
    assert.deepEqual([settings.seatAt("one").key, history.address], ["own", "/table/one"]);
  });

  for (const hash of ["", "#seat=1", "#key=k", "#seat=x&key=k", "#seat=-1&key=k", "#seat=1&key="]) {
    it(`is ignored if it is incomplete: "${hash}"`, () => {
      location.hash = hash;
      takeSeatFromLink("one");
      assert.equal(settings.seatAt("one").seat, -1);
    });
  }

  it("lasts in the history where the storage is full", () => {
    storage.refuses = true;
    location.hash = "#seat=1&key=k";
    takeSeatFromLink("full");
    assert.deepEqual(history.state, { seat: 1, key: "k" });
    storage.refuses = false;
    location.hash = "";
    takeSeatFromLink("later");
    assert.equal(settings.seatAt("later").key, "k");
  });
});

describe("the sheet about a table", () => {
  let page;
  let sent;
  let said;
  let connected;

  /** Open the sheet of a table. */
  function open(more = {}, { company = {}, absence = () => "", scene = null } = {}) {
    body = emptyDocument();
    [sent, said, connected] = [[], [], true];
    page = {
      id: "one",
      table: table({ begun: true, ...more }),
      scene,
      people: { absence, company: { resigned: [], ...company } },
      view: { bar: { peopleTool: h("button", {}) } },
      request: (message) => connected && sent.push(message) > 0,
      say: (text) => said.push(text),
    };
    const sheet = new TableSheet(page);
    sheet.open();
    return sheet;
  }
  const resign = () => body.querySelector("[data-go=resign]");

  it("tells who sits where, and what they are", () => {
    const seats = [person("Ann"), { ...person("Bo"), rating: { value: 1512, provisional: true } }, bot("Ada"), OPEN];
    open({ seat: 0, seats });
    assert.deepEqual(texts(".seats-now li"), ["AnnYou", "Bo1512?here", "Adaa bot", "Seat 4open"]);
    open({ seat: 0, seats }, { absence: () => "gone" });
    assert.deepEqual(texts(".seats-now i"), ["You, gone", "gone", "gone", "open"]);
  });

  it("tells that the game is rated, and who looks on, as long as they do", () => {
    const sheet = open({ manners: { ...MANNERS, rated: true } });
    const tool = page.view.bar.peopleTool;
    const lines = () =>
      [sheet.rated, sheet.watching].filter(({ hidden }) => !hidden).map(({ textContent }) => textContent);
    const shown = () => [lines(), tool.title, tool.dataset.number];
    assert.deepEqual(shown().slice(0, 1), [[t("ratedTable")]]);
    sheet.receive({ type: "onlookers", number: 3, names: ["Dov"] });
    assert.deepEqual(shown(), [[t("ratedTable"), "Looking on: Dov and 2 more."], "This table; 3 look on", "3"]);
    sheet.receive();
    assert.deepEqual(shown(), [[t("ratedTable")], "This table", undefined]);
  });

  it("changes the name of a player here and for later tables", async () => {
    open({ seat: 0 });
    const field = body.querySelector("[name=name-here]");
    assert.equal(field.value, "Ann");
    field.value = "  ";
    await press(body.querySelector("form"), "submit");
    assert.deepEqual(sent, []);
    field.value = " Eve ";
    await press(body.querySelector("form"), "submit");
    assert.deepEqual(
      [sent, settings.settings().name, body.querySelector("dialog")],
      [[{ type: "rename", name: "Eve" }], "Eve", null],
    );
  });

  it("changes the name of an onlooker at this table only", async () => {
    open({});
    body.querySelector("[name=name-here]").value = "Eve";
    await press(body.querySelector("form"), "submit");
    assert.deepEqual(
      [settings.onlookerName("one"), settings.settings().name, said],
      ["Eve", "", [t("looksOnAs", "Eve")]],
    );
    open({});
    assert.equal(body.querySelector("[name=name-here]").value, "Eve");
  });

  it("leaves a name that the room has numbered out of later tables, and has no form at a club night", async () => {
    open({ seat: 0 });
    await press(body.querySelector("form"), "submit");
    assert.deepEqual([sent, settings.settings().name], [[], ""]);
    open({ seat: 0, club: { id: "night" } });
    assert.equal(body.querySelector("[name=name-here]"), null);
  });

  it("keeps no name that could not be sent", async () => {
    open({ seat: 0 });
    connected = false;
    body.querySelector("[name=name-here]").value = "Eve";
    await press(body.querySelector("form"), "submit");
    assert.deepEqual([settings.settings().name, body.querySelector("dialog")], ["", null]);
  });

  it("lets players resign after a question while the game goes on", async () => {
    for (const [more, further, may] of [
      [{ seat: 0 }, {}, true],
      [{}, {}, false],
      [{ seat: 0, begun: false }, {}, false],
      [{ seat: 0, daily: { day: "2026-11-23" } }, {}, false],
      [{ seat: 0 }, { scene: { over: true } }, false],
      [{ seat: 0 }, { company: { resigned: [0] } }, false],
      [{ seat: 0 }, { company: { resigned: [1] } }, true],
    ]) {
      open(more, further);
      assert.equal(resign() !== null, may);
    }
    for (const [seats, words] of [
      [[person("Ann"), bot("Ada")], t("resignAlone")],
      [[person("Ann"), person("Bo")], t("resignTwo", "Bo")],
      [[person("Ann"), person("Bo"), bot("Ada")], t("resignMore")],
    ]) {
      open({ seat: 0, seats });
      await press(resign());
      assert.deepEqual([sent, texts("[data-sheet=resign] .sheet-body")], [[], [words]]);
    }
    await press(body.querySelector("[data-go=resign-yes]"));
    assert.deepEqual([sent, body.querySelector("dialog")], [[{ type: "resign" }], null]);
  });

  it("has the link to the table, or the way to its club night", () => {
    const addresses = () => body.querySelectorAll("input[readonly]").map(({ value }) => value);
    open({});
    assert.deepEqual(addresses(), ["http://h/table/one"]);
    open({ club: { id: "c1", sealed: false, counts: true } });
    assert.deepEqual([addresses(), body.querySelector("a").href], [[], "/club/c1"]);
    open({ daily: { day: "2026-11-23", sealed: true } });
    assert.deepEqual(addresses(), []);
    settings.keepSeat("one", 0, "k");
    open({ seat: 0 });
    assert.deepEqual(addresses(), ["http://h/table/one", "http://h/table/one#seat=0&key=k"]);
  });
});

describe("a rating at a seat", () => {
  it("stands beside the name", () => {
    assert.equal(seatName({ ...person("Ann"), rating: { value: 1512, provisional: false } }, 0).textContent, "Ann1512");
    assert.equal(seatName(OPEN, 1).textContent, "Seat 2");
  });

  it("is told with its change when the game has changed it", () => {
    const rated = new RatedSeat("one", () => {});
    const at = (value, seat = 0) => ({ seat, seats: [{ rating: value && { value, provisional: false } }] });
    for (const [old, now] of [
      [at(1500), at(1500)],
      [at(null), at(1500)],
      [at(1500), at(null)],
      [at(1500, -1), at(1512, -1)],
    ]) {
      rated.compare(old, now);
      assert.equal(rated.change.textContent, "");
    }
    rated.compare(at(1500), at(1512));
    assert.equal(rated.change.textContent, "Your rating is now 1512 (+12).");
    rated.compare(at(1512), at(1505));
    assert.equal(rated.change.textContent, "Your rating is now 1505 (−7).");
  });
});

describe("the warning that the browser does not keep the seat", () => {
  const [waits, turn] = [{ legal: [] }, { legal: ["a"] }];
  const notes = (...scenes) => {
    const note = new StorageNote("one");
    return scenes.map((scene) => note.text(scene));
  };
  const warning = t("seatUnstored");

  it("stays until the viewer's first turn", () => {
    storage.refuses = true;
    settings.keepSeat("one", 0, "key");
    assert.deepEqual(notes(waits, waits, turn, waits, turn), [warning, warning, warning, "", ""]);
  });

  it("is empty for a seat that is kept, and for onlookers", () => {
    settings.keepSeat("one", 0, "key");
    assert.deepEqual(notes(waits, turn), ["", ""]);
    storage.refuses = true;
    settings.keepSeat("one", -1, null);
    assert.deepEqual(notes(waits, turn), ["", ""]);
  });
});
