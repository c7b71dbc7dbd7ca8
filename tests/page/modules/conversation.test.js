import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import "./browser.js";
import { Conversation } from "../../../src/parlour/server/page/js/table/conversation.js";
const ADA = 1;
const BO = 2;
const say = (by, id, words = "Hello") => ({ by, id, words, sign: null });

describe("a conversation", () => {
  let talk;
  beforeEach(() => {
    talk = new Conversation();
    talk.receive([say(ADA, "a")]);
  });

  it("shows a new message and lists it", () => {
    const message = say(ADA, "b");
    assert.deepEqual(talk.receive([message]), [message]);
    assert.deepEqual(
      talk.listed.map(({ id }) => id),
      ["a", "b"],
    );
  });

  it("shows a repeated message once", () => {
    assert.deepEqual(talk.receive([say(ADA, "a")]), []);
    assert.equal(talk.listed.length, 1);
  });

  it("distinguishes messages of two players with the same id", () => {
    assert.equal(talk.receive([say(BO, "a")]).length, 1);
  });

  it("shows no history to a newcomer", () => {
    for (const history of [[say(ADA, "a")], [say(ADA, "a"), say(BO, "b")]]) {
      const fresh = new Conversation();
      assert.deepEqual(fresh.receive(history, { history: true }), []);
      assert.equal(fresh.listed.length, history.length);
    }
  });

  it("shows what was said while the connection was lost", () => {
    const missed = [say(BO, "b"), say(BO, "c")];
    assert.deepEqual(talk.receive([say(ADA, "a"), ...missed]), missed);
    assert.deepEqual(new Conversation().receive(missed), missed);
  });

  it("hides a muted seat, and lists it again afterwards", () => {
    talk.mute(BO, true);
    assert.deepEqual(talk.receive([say(BO, "b")]), []);
    assert.deepEqual(
      talk.listed.map(({ by }) => by),
      [ADA],
    );
    talk.mute(BO, false);
    assert.deepEqual(
      talk.listed.map(({ by }) => by),
      [ADA, BO],
    );
  });

  it("keeps an own message until the server repeats it", () => {
    talk.say({ type: "say", id: "own", words: "Hi" });
    assert.deepEqual([...talk.unconfirmed.keys()], ["own"]);
    talk.receive([say(0, "own", "Hi")]);
    assert.equal(talk.unconfirmed.size, 0);
  });

  it("drops the own message that the server refuses", () => {
    const [first, second] = ["first", "second"].map((id) => ({ type: "say", id, words: "Hi" }));
    talk.say(first);
    talk.say(second);
    assert.equal(talk.refused("second"), second);
    assert.deepEqual([...talk.unconfirmed.values()], [first]);
    assert.deepEqual([talk.refused("second"), talk.refused("first")], [undefined, first]);
  });
});
