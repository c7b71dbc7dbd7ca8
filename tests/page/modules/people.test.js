import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { page } from "./browser.js";

const { Conversation } = await import(page("conversation"));
const ADA = 1;
const BO = 2;
const say = (by, id, words = "Hello") => ({ by, id, words, sign: null });

describe("a conversation", () => {
  let talk;
  beforeEach(() => {
    talk = new Conversation();
    talk.listen([say(ADA, "a")]);
  });

  it("shows a new message and lists it", () => {
    const message = say(ADA, "b");
    assert.deepEqual(talk.listen([message]), [message]);
    assert.deepEqual(
      talk.heard.map(({ id }) => id),
      ["a", "b"],
    );
  });

  it("shows a repeated message once", () => {
    assert.deepEqual(talk.listen([say(ADA, "a")]), []);
    assert.equal(talk.heard.length, 1);
  });

  it("tells two persons' messages of one id apart", () => {
    assert.equal(talk.listen([say(BO, "a")]).length, 1);
  });

  it("shows nothing of the history that a newcomer is sent", () => {
    const fresh = new Conversation();
    assert.deepEqual(fresh.listen([say(ADA, "a"), say(BO, "b")]), []);
    assert.equal(fresh.heard.length, 2);
  });

  it("neither shows nor lists a muted seat, and lists it again afterwards", () => {
    talk.mute(BO, true);
    assert.deepEqual(talk.listen([say(BO, "b")]), []);
    assert.deepEqual(
      talk.heard.map(({ by }) => by),
      [ADA],
    );
    talk.mute(BO, false);
    assert.deepEqual(
      talk.heard.map(({ by }) => by),
      [ADA, BO],
    );
  });

  it("lists without showing while messages are not to be shown", () => {
    assert.deepEqual(talk.listen([say(ADA, "b")], { hear: false }), []);
    assert.equal(talk.heard.length, 2);
  });

  it("keeps an own message until it is heard, and no longer", () => {
    talk.say({ type: "say", id: "own", words: "Hi" });
    assert.deepEqual([...talk.unheard.keys()], ["own"]);
    talk.listen([say(0, "own", "Hi")]);
    assert.equal(talk.unheard.size, 0);
  });

  it("forgets an own message that was refused", () => {
    talk.say({ type: "say", id: "own", words: "Hi" });
    talk.refused();
    assert.equal(talk.unheard.size, 0);
  });
});
