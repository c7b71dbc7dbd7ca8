// A page with deals that stays open until the day has ended.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyPage, press, texts } from "./elements.js";
import { serve } from "./server.js";
import { dailyPage } from "../../../src/parlour/server/page/js/daily/daily.js";
import { dailySection } from "../../../src/parlour/server/page/js/daily/daily_card.js";
import { DEAL_TEXTS } from "../../../src/parlour/server/page/js/daily/deal_texts.js";

const DEALS = ["whist", "hearts"].map((game) => ({ game, title: game, players: 2, played: 0, mine: null }));
const DEAL = { game: "whist", bot: "casual", commitment: "c", deals: DEALS };
const TODAY = { ...DEAL, day: "2026-11-23", ends: 7200, open: true, coming: [], closing: null, streak: 0, room: "" };
const YESTERDAY = { ...DEAL, day: "2026-11-22", closed: true, left: null, key: "k" };
const opened = (counts) => ({ table: "t", seat: 1, key: "k", counts });

let body;
let visited;
const play = (game) => press(body.querySelector(`[data-daily=${game}]`));

beforeEach(() => {
  emptyStorage();
  const reload = () => visited.push("the same page");
  ({ body, visited } = emptyPage({ reload }));
});

describe("a deal of the day", () => {
  for (const [name, game] of [
    ["of the landing", "whist"],
    ["of another game", "hearts"],
  ]) {
    it(`${name} is not played for practice: the page shows the new day`, async () => {
      const days = [TODAY, { ...TODAY, day: "2026-11-24" }, TODAY];
      const sent = serve({ [`/api/daily/2026-11-23/${game}`]: [409, opened(true)], "/api/daily": days });
      body.append(await dailySection());
      await play(game);
      assert.deepEqual(visited, ["the same page"]);
      const requests = sent.filter(({ method }) => method === "POST");
      assert.deepEqual([requests.length, requests[0].body.counts], [1, true]);
      body.replaceChildren(await dailySection());
      await play(game);
      assert.deepEqual(visited, ["the same page", "/table/t"]);
    });

    it(`${name} that was begun goes on after the end of its day`, async () => {
      const begun = { table: "t", seat: 1, key: "k", score: null };
      const deals = DEALS.map((deal) => ({ ...deal, mine: begun }));
      const sent = serve({ [`/api/daily/2026-11-23/${game}`]: opened(false), "/api/daily": [{ ...TODAY, deals }] });
      body.append(await dailySection());
      await play(game);
      assert.deepEqual([visited, sent.at(-1).body.counts], [["/table/t"], false]);
    });
  }

  for (const [name, now] of [
    ["whose deals another room has now", { room: "https://other.example" }],
    ["that is still today's", TODAY],
    ["of which the room says no more", 404],
  ]) {
    it(`of a day ${name} shows the sentence with which the room refuses it`, async () => {
      serve({ "/api/daily/2026-11-23/whist": 409, "/api/daily": [TODAY, now] });
      body.append(await dailySection());
      await play("whist");
      assert.deepEqual(visited, []);
      assert.deepEqual(texts(".daily > .daily-go .failure"), ["refused: 409"]);
    });
  }

  it("of a day whose own page stays open says why it cannot be begun any more", async () => {
    const own = { ...YESTERDAY, closed: false, key: null };
    serve({ "/api/daily/2026-11-22/whist": 409, "/api/daily/2026-11-22": own, "/api/daily": TODAY });
    location.pathname = "/daily/2026-11-22";
    await dailyPage(body, "2026-11-22");
    await play("whist");
    assert.deepEqual([visited, texts(".daily-deal .failure").filter(Boolean)], [[], [DEAL_TEXTS.dailyEnded]]);
  });

  it("of a past day is played for practice from the page of that day", async () => {
    serve({ "/api/daily/2026-11-22/whist": opened(false), "/api/daily/2026-11-22": YESTERDAY });
    await dailyPage(body, "2026-11-22");
    await play("whist");
    assert.deepEqual(visited, ["/table/t"]);
  });
});
