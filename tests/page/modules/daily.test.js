// The commitments to daily deals that a browser keeps, and the check of a key.

import "./browser.js";
import { emptyStorage } from "./browser.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as daily from "../../../src/parlour/server/page/js/daily/daily_key.js";
import { ownKey } from "../../../src/parlour/server/page/js/player/player_key.js";
import { DAILY_PAGE_TEXTS } from "../../../src/parlour/server/page/js/daily/daily_texts.js";
import { withOrdinal } from "../../../src/parlour/server/page/js/texts/texts_daily.js";

const KEY = "d35393ed01f84c48aeeeaa1f3ab21f3efe907ab39d76ff2856be9b49c35e8e0a";
const COMMITMENT = "44f99233ea464d81dda991e83305c8de7f6ac438d81fc5fe95eb56ba79d85e08";
const NOTATION = /\b([2-9TJQKA][CDHS]|X[BR])\b/;

beforeEach(emptyStorage);

test("a commitment is kept, and one that differs later is noticed", () => {
  assert.ok(daily.keepCommitments([{ day: "2026-11-23", commitment: "a" }]));
  assert.ok(daily.keepCommitments([{ day: "2026-11-23", commitment: "a" }]));
  assert.ok(!daily.keepCommitments([{ day: "2026-11-23", commitment: "b" }]));
  assert.equal(daily.seenCommitment("2026-11-23"), "a");
});

test("keeping commitments keeps the key", () => {
  const key = ownKey();
  daily.keepCommitments(Array.from({ length: 90 }, (_, at) => ({ day: `2026-${at + 100}`, commitment: "a" })));
  assert.equal(ownKey(), key);
  assert.equal(daily.seenCommitment("2026-100"), undefined);
  assert.equal(daily.seenCommitment("2026-189"), "a");
});

test("the check of a key is that of the protocol", async () => {
  assert.equal(await daily.commitmentOf(KEY), COMMITMENT);
});

test("a result to share names no card", () => {
  const score = { won: true, points: 23, against: -18 };
  const review = { luck: "+12", others: "−3", own: "+8", signs: ["", "find", "slip", "mistake", "blunder"] };
  const result = { day: "2026-11-23", score, par: score, rank: 2, played: 11, streak: 3, review };
  const text = DAILY_PAGE_TEXTS.dailyLines(result, "Oh Hell");
  assert.equal(
    text,
    "Parlour · Oh Hell · 23 November\nWon 23\u00a0:\u00a0−18 · the strongest bot 23\u00a0:\u00a0−18\n♠♥♦♣♣\n" +
      "luck +12, play +8 · 2nd of 11 · 3 days in a row",
  );
  assert.doesNotMatch(text, NOTATION);
  assert.equal(DAILY_PAGE_TEXTS.dailyLines({ ...result, score: null }, "Oh Hell"), "");
});

test("a rank has the ending of its number", () => {
  const endings = {
    st: [1, 21, 101, 121],
    nd: [2, 22, 102, 122],
    rd: [3, 23, 103, 123],
    th: [4, 10, 11, 12, 13, 14, 20, 100, 111, 112, 113, 211],
  };
  for (const [ending, ranks] of Object.entries(endings)) {
    for (const rank of ranks) assert.equal(DAILY_PAGE_TEXTS.dailyRank(rank, 250), `${rank}${ending} of 250`);
  }
  assert.equal(DAILY_PAGE_TEXTS.dailyRank(1, 1), "The first to finish");
});

test("the first day of a month is an ordinal number in French", () => {
  for (const [language, words, shown] of [
    ["fr", "1 décembre", "1er décembre"],
    ["fr", "mardi 1 décembre", "mardi 1er décembre"],
    ["fr", "21 décembre", "21 décembre"],
    ["es", "1 de diciembre", "1 de diciembre"],
  ])
    assert.equal(withOrdinal(words, language), shown);
});
