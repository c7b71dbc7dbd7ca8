// Names of bots that the page seats.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { botNames } from "../../../src/parlour/server/page/js/landing/new_table.js";

describe("bots that the page seats", () => {
  it("have names that no other player at the table has", () => {
    assert.deepEqual(botNames(3), ["Ada", "Bruno", "Cleo"]);
    assert.deepEqual(botNames(3, ["Bruno", "Guest"]), ["Ada", "Cleo", "Dov"]);
  });

  it("have a number when all names are taken", () => {
    const names = botNames(9, ["Ada"]);
    assert.deepEqual(names.slice(5), ["Gia", "Bot 7", "Bot 8", "Bot 9"]);
  });
});
