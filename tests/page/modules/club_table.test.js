// The page of a table of a club night: the viewer's seat there, and a game that its host has cut off.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { press, settle, texts } from "./elements.js";
import { turn } from "./scenes.js";
import { socket } from "./sockets.js";
import { TABLE, begin, body, end, open, say } from "./table_room.js";
import { CLOSING } from "../../../src/parlour/server/page/js/close_codes.js";
import "../../../src/parlour/server/page/js/club/club_table.js"; // loaded when it is first needed
import { CLUB_TEXTS } from "../../../src/parlour/server/page/js/club/club_texts.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { takeKey } from "../../../src/parlour/server/page/js/player/player_key.js";

const KEY = "0123456789abcdef012345";
const CLUB = { id: "c1", round: 1, deal: 0, sealed: true, counts: true };
const CUT_OFF = { ...CLUB, sealed: false, counts: false };
const manners = { ...TABLE.manners, rated: true };

beforeEach(begin);
afterEach(end);

describe("a table of an open round", () => {
  it("leads another viewer to the club night", async () => {
    await open(null, { table: { club: CLUB }, company: null });
    socket().fail(CLOSING.SEALED);
    await settle();
    const way = body.querySelector(".failed a").href;
    assert.deepEqual([texts("[role=alert]"), way], [[CLUB_TEXTS.clubSealedTable], "/club/c1"]);
  });

  const others = { table: null, seats: [7, 8] };
  const hello = async (night) => {
    takeKey(KEY);
    await open(null, { seat: -1, table: { club: CLUB }, company: null, answers: { "/api/club/c1": night } });
    return [settings.seatAt("one").seat, socket().sent[0].key];
  };

  it("has the seat of the player whose key came from another device", async () => {
    assert.deepEqual(await hello({ you: 7, games: [others, { table: "one", seats: [8, 7] }] }), [1, KEY]);
  });

  it("has no seat for another viewer", async () => {
    assert.deepEqual(await hello({ you: null, games: [others, others] }), [-1, null]);
  });
});

describe("a table of a round that the host has closed", () => {
  const openSheet = async (club) => {
    await open(turn(3, ["7H"]), { table: { club, manners } });
    await press(body.querySelector("[data-tool=people]"));
    return texts("[data-sheet=people] .fine-print:not([hidden])").includes(t("ratedTable"));
  };

  it("says that the game no longer counts, with the way to the club night", async () => {
    await open(turn(3, ["7H"]), { table: { club: CLUB } });
    assert.equal(body.querySelector(".door").hidden, true);
    await say({ ...TABLE, seat: 0, club: CUT_OFF });
    assert.equal(body.querySelector(".door").hidden, false);
    const way = body.querySelector(".door a");
    assert.deepEqual([texts(".door p"), way.href], [[CLUB_TEXTS.clubCutOff], "/club/c1"]);
    await say({ ...TABLE, seat: 0, club: CUT_OFF });
    assert.equal(body.querySelector(".door a"), way);
  });

  it("does not call the game rated in the sheet about the table", async () => {
    assert.deepEqual([await openSheet(CLUB), await openSheet(CUT_OFF)], [true, false]);
  });
});
