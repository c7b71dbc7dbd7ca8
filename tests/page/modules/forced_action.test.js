// Which actions are done by themselves: the only legal one, of a player who has only bots around.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { emptyStorage } from "./browser.js";
import { remember } from "../../../src/parlour/server/page/js/common/settings.js";
import { forcedAction } from "../../../src/parlour/server/page/js/table/forced_action.js";

const table = (seat, ...kinds) => ({ seat, seats: kinds.map((kind) => ({ kind })) });
const scene = (...legal) => ({ legal, over: false });

globalThis.dispatchEvent ??= () => true;
beforeEach(emptyStorage);

test("the only legal action is, from the start", () => {
  assert.equal(forcedAction(scene("decline"), table(1, "bot", "person", "bot")), "decline");
});

test("a choice is not, nor is anything at the end or for an onlooker", () => {
  assert.equal(forcedAction(scene("draw", "decline"), table(0, "person", "bot")), null);
  assert.equal(forcedAction({ legal: ["decline"], over: true }, table(0, "person", "bot")), null);
  assert.equal(forcedAction(scene("decline"), table(-1, "bot", "bot")), null);
});

test("among people nothing is", () => {
  assert.equal(forcedAction(scene("decline"), table(0, "person", "person")), null);
  assert.equal(forcedAction(scene("decline"), table(0, "person", "open")), null);
});

test("the setting switches it off", () => {
  remember({ forced: false });
  assert.equal(forcedAction(scene("decline"), table(0, "person", "bot")), null);
});
