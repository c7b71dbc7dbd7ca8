// The result of a player in a daily deal, its parts in work, and the standings.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, emptyPage, press, settle, texts } from "./elements.js";
import { late, serve } from "./server.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { resultPlace, standingsTable } from "../../../src/parlour/server/page/js/daily/daily_result.js";
import { DAILY_PAGE_TEXTS } from "../../../src/parlour/server/page/js/daily/daily_texts.js";

const WON = { won: true, points: 3, against: 2 };
const LOST = { won: false, points: 2, against: 3 };

let body;

beforeEach(() => {
  emptyStorage();
  ({ body } = emptyPage());
  delete navigator.share;
});

describe("the result in a daily deal", () => {
  const review = { luck: "+1", others: "0", own: "−2", signs: ["find", ""] };
  const RESULT = {
    day: "2026-11-23",
    game: "whist",
    score: WON,
    par: LOST,
    review,
    rank: 2,
    played: 11,
    streak: 1,
    closed: false,
    over: true,
  };
  const show = async (more = {}) => {
    body = emptyDocument();
    serve({ "/api/tables/one/daily": { ...RESULT, ...more } });
    body.append(resultPlace("one", "Whist"));
    await settle();
  };
  const button = (what) => body.querySelector(`[data-share=${what}]`);
  const clipboard = (writeText) =>
    Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });

  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("has place, score, bot, luck and skill", async () => {
    await show();
    assert.deepEqual(texts(".daily-place"), ["2nd of 11"]);
    assert.deepEqual(texts(".review-sums b"), ["+1", "0", "−2"]);
    assert.deepEqual(texts("p")[0], "You won: 3\u00a0:\u00a02");
    assert.ok(body.textContent.includes(DAILY_PAGE_TEXTS.dailyMaster(LOST)));
    assert.equal(body.querySelectorAll(".daily-signs svg").length, 2);
    assert.ok(texts(".fine-print").includes(DAILY_PAGE_TEXTS.dailyYardsticks));
  });

  it("has a streak from two days on, and says what is still being computed", async () => {
    await show({ streak: 2, par: null, review: null });
    assert.deepEqual(texts(".daily-place"), ["2nd of 112 days in a row"]);
    for (const text of ["dailyReviewing"]) assert.ok(body.textContent.includes(DAILY_PAGE_TEXTS[text]));
    assert.ok(body.textContent.includes(DAILY_PAGE_TEXTS.dailyMaster(null)));
  });

  it("is not drawn anew while nothing changes, so that a button keeps the focus", async () => {
    await show({ par: null });
    const [copy] = [button("text")];
    mock.timers.tick(2500);
    await settle();
    assert.equal(button("text"), copy);
    serve({ "/api/tables/one/daily": RESULT });
    mock.timers.tick(2500);
    await settle();
    assert.notEqual(button("text"), copy);
  });

  it("stays through a lost connection, and is completed after it", async () => {
    await show({ par: null });
    for (const answer of [null, 503, 429, RESULT]) {
      serve({ "/api/tables/one/daily": answer });
      mock.timers.tick(2500);
      await settle();
      assert.deepEqual([texts(".daily-place"), texts(".failure")], [["2nd of 11"], []]);
    }
    assert.ok(body.textContent.includes(DAILY_PAGE_TEXTS.dailyMaster(LOST)));
  });

  describe("of which a part could not be computed", () => {
    const asked = (answer) => serve({ "/api/tables/one/daily": answer });
    const later = async () => {
      mock.timers.tick(2500);
      await settle();
    };
    const retry = () => body.querySelector("[data-retry]");

    for (const [part, words] of Object.entries(DAILY_PAGE_TEXTS.dailyFailed)) {
      const failed = { [part]: null, failed: [part] };

      it(`says so of ${part}, and is not requested again by itself`, async () => {
        await show(failed);
        assert.deepEqual(texts(".failure p"), [words]);
        assert.ok(!body.textContent.includes(DAILY_PAGE_TEXTS.dailyReviewing));
        assert.ok(!body.textContent.includes(DAILY_PAGE_TEXTS.dailyMaster(null)));
        const sent = asked(RESULT);
        await later();
        assert.deepEqual(sent, []);
      });

      it(`is requested again by a button for ${part}, and then until it is there`, async () => {
        await show(failed);
        asked({ ...RESULT, [part]: null, failed: [] });
        await press(retry());
        assert.deepEqual([texts(".failure"), retry()], [[], null]);
        asked(RESULT);
        await later();
        assert.deepEqual(texts(".review-sums b"), ["+1", "0", "−2"]);
      });
    }

    it("says so anew after a retry that fails, too", async () => {
      await show({ review: null, failed: ["review"] });
      const before = body.querySelector(".failure");
      await press(retry());
      assert.notEqual(body.querySelector(".failure"), before);
      assert.ok(!retry().disabled);
    });

    it("is requested by one loop, however often the button is pressed", async () => {
      const parts = { par: null, review: null, failed: ["par"] };
      await show(parts);
      const sent = asked({ ...RESULT, ...parts });
      for (let presses = 0; presses < 3; presses++) await press(retry());
      assert.equal(sent.length, 3);
      for (const number of [4, 5]) {
        await later();
        assert.equal(sent.length, number);
      }
    });

    it("has one loop after a press while an answer of the loop is late", async () => {
      const parts = { ...RESULT, par: null, review: null, failed: ["par"] };
      await show(parts);
      const { body: answer, give } = late();
      const sent = asked([answer, parts]);
      await later();
      await press(retry());
      give(parts);
      await settle();
      assert.equal(sent.length, 2);
      await later();
      assert.equal(sent.length, 3);
    });

    for (const [what, older] of [
      ["an answer", { ...RESULT, par: null, failed: ["par"] }],
      ["a refusal", 404],
    ]) {
      it(`is not stopped by ${what} to a request before the one of the press`, async () => {
        await show({ par: null, review: null, failed: ["par"] });
        const { body: answer, give } = late();
        const sent = asked([answer, { ...RESULT, par: null, failed: [] }, RESULT]);
        await later();
        await press(retry());
        give(older);
        await settle();
        assert.deepEqual(texts(".failure p"), []);
        await later();
        assert.equal(sent.length, 3);
        assert.ok(body.textContent.includes(DAILY_PAGE_TEXTS.dailyMaster(LOST)));
      });
    }

    it("is completed by a late answer of the loop after a press without an answer", async () => {
      const parts = { ...RESULT, par: null, review: null, failed: ["par"] };
      await show(parts);
      const { body: answer, give } = late();
      const sent = asked([answer, 503, { ...parts, review }]);
      await later();
      await press(retry());
      give(parts);
      await settle();
      await later();
      assert.equal(sent.length, 3);
      assert.deepEqual(texts(".review-sums b"), ["+1", "0", "−2"]);
    });

    it("takes the failure of a retry away when the room answers again, although nothing has changed", async () => {
      const parts = { par: null, review: null, failed: ["par"] };
      await show(parts);
      asked(503);
      await press(retry());
      const before = retry();
      asked({ ...RESULT, ...parts });
      await later();
      assert.deepEqual([retry(), texts("[data-retry-failed]")], [before, [""]]);
    });

    it("shows a retry without an answer, and goes on with the part in work", async () => {
      await show({ par: null, review: null, failed: ["par"] });
      asked(503);
      await press(retry());
      assert.deepEqual(texts("[data-retry-failed]"), ["refused: 503"]);
      assert.ok(!retry().disabled);
      asked({ ...RESULT, par: null, failed: ["par"] });
      await later();
      assert.deepEqual([texts(".review-sums b"), texts("[data-retry-failed]")], [["+1", "0", "−2"], [""]]);
    });

    it("is requested as long as another part is in work", async () => {
      await show({ par: null, review: null, failed: ["par"] });
      asked({ ...RESULT, par: null, failed: ["par"] });
      await later();
      assert.deepEqual(texts(".review-sums b"), ["+1", "0", "−2"]);
    });
  });

  it("is none of a game that goes on, or was too late", async () => {
    for (const [closed, over, text] of [
      [false, false, DAILY_PAGE_TEXTS.dailyNotOver],
      [true, false, DAILY_PAGE_TEXTS.dailyNotInTime],
      [true, true, DAILY_PAGE_TEXTS.dailyTooLate],
    ]) {
      await show({ score: null, closed, over });
      assert.equal(body.textContent, text);
    }
  });

  it("is copied with its address, or shown where it cannot be", async () => {
    const copied = [];
    clipboard((text) => Promise.resolve(copied.push(text)));
    await show();
    const text = `${DAILY_PAGE_TEXTS.dailyLines(RESULT, "Whist")}\nhttp://h/daily/2026-11-23`;
    await press(button("text"));
    assert.deepEqual([copied, texts(".daily-share [role=status]")], [[text], [DAILY_PAGE_TEXTS.dailyCopied]]);
    clipboard(() => Promise.reject(new Error("no")));
    await press(button("text"));
    assert.deepEqual(texts("textarea"), [text]);
  });

  it("is sent where the device can", async () => {
    await show();
    assert.equal(texts("button").includes(DAILY_PAGE_TEXTS.dailyShare), false);
    const shared = [];
    navigator.share = (what) => Promise.resolve(shared.push(what));
    await show();
    await press(body.querySelectorAll("button").find((one) => one.textContent === DAILY_PAGE_TEXTS.dailyShare));
    assert.match(shared[0].text, /^Parlour · Whist/);
  });
});

describe("the standings of a daily deal", () => {
  it("have ranks, names and results, the own one marked", () => {
    const list = standingsTable([
      { rank: 1, name: "", score: WON, own: false },
      { rank: 2, name: "Ann", score: null, own: true },
    ]);
    assert.deepEqual(texts("li", list), [`1${DAILY_PAGE_TEXTS.dailyNameless}won, 3\u00a0:\u00a02`, `2${t("you")}`]);
    assert.deepEqual(texts(".own", list).length, 1);
    assert.equal(standingsTable([]).textContent, DAILY_PAGE_TEXTS.dailyUnplayed);
  });
});
