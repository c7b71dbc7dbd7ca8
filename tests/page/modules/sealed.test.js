import assert from "node:assert/strict";
import { describe, it } from "node:test";
import "./browser.js";
import { sealOf } from "../../../src/parlour/server/page/js/common/sealed.js";

const DAILY = { day: "2026-11-26", counts: true, sealed: true };
const CLUB = { id: "c1", round: 1, sealed: true };

describe("the seal of a game", () => {
  it("leads to the day of a daily deal", () => {
    const { address, words } = sealOf({ daily: DAILY, club: null });
    assert.equal(address, "/daily/2026-11-26");
    assert.match(words, /when the day is over/);
  });

  it("leads to the club night of a round", () => {
    const { address, words } = sealOf({ daily: null, club: CLUB });
    assert.equal(address, "/club/c1");
    assert.match(words, /round/);
  });

  it("is gone when the others have played, and missing at other tables", () => {
    assert.equal(sealOf({ daily: { ...DAILY, sealed: false }, club: null }), null);
    assert.equal(sealOf({ daily: null, club: { ...CLUB, sealed: false } }), null);
    assert.equal(sealOf({}), null);
  });
});
