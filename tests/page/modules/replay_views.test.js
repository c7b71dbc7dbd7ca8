// The views of a replay: all cards, a seat's or an onlooker's.

import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { settle, texts } from "./elements.js";
import { body, choose, open, position, prompt, scenes, step, tick, TOTAL, views } from "./open_replay.js";
import { late } from "./server.js";
import { keepSeat, remember } from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { CHANGE_TIME } from "../../../src/parlour/server/page/js/replay/event_address.js";
import { REPLAY_TEXTS } from "../../../src/parlour/server/page/js/replay/replay_texts.js";

describe("the views of a replay", () => {
  it("are all of a finished game, all cards first, and from its review the viewer's own", async () => {
    await open();
    assert.deepEqual([prompt(), views()], ["all event 2", ["all", "0", "1", "2", "spectator"]]);
    assert.deepEqual(texts(".views span"), [REPLAY_TEXTS.everyone, "Ann", "Ada", "Cy", REPLAY_TEXTS.spectator]);
    keepSeat("one", 2, "key");
    await open();
    const first = prompt();
    await open({}, { search: "?review" });
    assert.deepEqual([first, prompt(), texts(".views span")[3]], ["all event 2", "2 event 2", t("you")]);
  });

  it("are the own one and the onlooker's while the game goes on, which begins at its present event", async () => {
    await open({ over: false });
    assert.deepEqual([views(), position()], [["spectator"], "4 of 4"]);
    assert.ok(body.textContent.includes(REPLAY_TEXTS.stillOn));
    keepSeat("one", 0, "key");
    await open({ over: false });
    assert.deepEqual(views(), ["0", "spectator"]);
  });

  it("are the own one alone while others play the same cards", async () => {
    keepSeat("one", 1, "key");
    await open({ club: { id: "c1", sealed: true } });
    assert.deepEqual([views(), body.querySelector("[data-go=review]")], [["1"], null]);
    assert.ok(body.textContent.includes(REPLAY_TEXTS.onlyOwnView));
  });

  it("are in the address, and opened by it; one that the game does not have is not", async () => {
    await open();
    for (const [view, search] of [
      ["spectator", "?view=spectator"],
      ["1", "?view=1"],
      ["all", ""],
    ]) {
      await choose(view);
      await tick(CHANGE_TIME);
      assert.deepEqual([location.search, location.hash], [search, "#2"]);
    }
    for (const [search, found] of [
      ["?view=spectator", "spectator"],
      ["?view=0", "0"],
      ["?view=3", "all"],
    ]) {
      await open({}, { search, hash: "#3" });
      assert.deepEqual([prompt(), body.querySelector("[name=view]:checked").value], [`${found} event 3`, found]);
    }
    await open({ over: false }, { search: "?view=all" });
    assert.equal(prompt(), "Ann wins.");
    assert.equal(body.querySelector("[name=view]:checked").value, "spectator");
  });

  it("are beside the review in the address, where the viewer's own is the usual one", async () => {
    keepSeat("one", 2, "key");
    await open({}, { search: "?review" });
    assert.equal(location.search, "?review");
    await choose("all");
    await tick(CHANGE_TIME);
    assert.equal(location.search, "?review&view=all");
    await open({}, { search: "?review&view=all" });
    assert.equal(prompt(), "all event 2");
  });

  it("move cards from event to event, and not from view to view", async () => {
    remember({ pace: "normal" });
    await open();
    let left = 0;
    const somewhere = () => ({ left: (left += 10), top: 0, width: 40, height: 60 });
    mock.method(Element.prototype, "getBoundingClientRect", somewhere);
    const moved = () => body.querySelectorAll("[data-card]").some(({ motions }) => motions.length > 0);
    await step("after");
    assert.equal(moved(), true);
    await choose("1");
    assert.equal(moved(), false);
    mock.restoreAll();
  });

  it("stay at the event, and show the view that was chosen last, in whichever order the answers come", async () => {
    const [first, second] = [late(), late()];
    await open(
      {},
      {
        answers: { "/api/tables/one/replay?view=1&": first.body, "/api/tables/one/replay?view=2&": second.body },
        hash: "#3",
      },
    );
    await choose("1");
    await choose("2");
    second.give({ seen: TOTAL, scenes: scenes("2") });
    await settle();
    first.give({ seen: TOTAL, scenes: scenes("1") });
    await settle();
    assert.deepEqual([prompt(), position()], ["2 event 3", "3 of 4"]);
    assert.deepEqual(texts(".log .now"), ["2 event 3"]);
  });
});
