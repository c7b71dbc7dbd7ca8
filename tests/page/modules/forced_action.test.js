// Actions that the page does by itself: the only legal one of a player among bots.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { emptyStorage } from "./browser.js";
import { remember } from "../../../src/parlour/server/page/js/common/settings.js";
import { forcedAction } from "../../../src/parlour/server/page/js/table/forced_action.js";

const table = (seat, ...kinds) => ({ seat, seats: kinds.map((kind) => ({ kind })) });
const scene = (...legal) => ({ legal, over: false });

beforeEach(emptyStorage);

test("the only legal action is done by itself, from the start", () => {
  assert.equal(forcedAction(scene("decline"), table(1, "bot", "person", "bot")), "decline");
});

test("a choice is left to the player, and nothing is done at the end or for an onlooker", () => {
  assert.equal(forcedAction(scene("draw", "decline"), table(0, "person", "bot")), null);
  assert.equal(forcedAction({ legal: ["decline"], over: true }, table(0, "person", "bot")), null);
  assert.equal(forcedAction(scene("decline"), table(-1, "bot", "bot")), null);
});

test("among people nothing is done by itself", () => {
  assert.equal(forcedAction(scene("decline"), table(0, "person", "person")), null);
  assert.equal(forcedAction(scene("decline"), table(0, "person", "open")), null);
});

test("the setting switches forced actions off", () => {
  remember({ forced: false });
  assert.equal(forcedAction(scene("decline"), table(0, "person", "bot")), null);
});
