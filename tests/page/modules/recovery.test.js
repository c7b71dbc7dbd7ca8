// The script that loads an incomplete page again.

import assert from "node:assert/strict";
import { beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, settle } from "./elements.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";

let body;
let visits = 0;
/** Statuses of the answers to /healthz; the last one repeats, and 0 is no answer. */
let answers;

/** The listeners of the page; a page that is loaded has none of the page before. */
const listeners = [];
const listen = globalThis.addEventListener;

/** Load the page with the script. */
async function load() {
  for (const each of listeners.splice(0)) removeEventListener(...each);
  globalThis.addEventListener = (type, listener, options) => {
    listeners.push([type, listener, options]);
    listen(type, listener, options);
  };
  body = emptyDocument();
  body.append(h("p", { id: "incomplete", hidden: true }), h("script", { src: "/page/a.js" }), h("img"));
  globalThis.location = { reload: () => (location.reloads += 1), reloads: 0 };
  globalThis.fetch = () => {
    const status = answers.length > 1 ? answers.shift() : answers[0];
    return status ? Promise.resolve({ ok: status === 200 }) : Promise.reject(new Error("no network"));
  };
  visits += 1;
  await import(`../../../src/parlour/server/page/js/recovery.js?visit=${visits}`);
}

/** Let an element report that its file has not arrived. */
const fail = (tag) => body.querySelector(tag).dispatchEvent(new Event("error"));

/** Let a time pass, and the requests in it be answered. */
async function pass(milliseconds) {
  mock.timers.tick(milliseconds);
  await settle();
}

beforeEach(() => {
  emptyStorage();
  globalThis.sessionStorage = localStorage;
  answers = [200];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(Math, "random", () => 0);
});

describe("a page without one of its scripts", () => {
  it("says that it loads again, and does so after a pause", async () => {
    await load();
    assert.equal(body.querySelector("[id=incomplete]").hidden, true);
    fail("script");
    assert.equal(body.querySelector("[id=incomplete]").hidden, false);
    await pass(2999);
    assert.equal(location.reloads, 0);
    await pass(1);
    assert.equal(location.reloads, 1);
  });

  it("waits for a room that refuses requests or does not answer", async () => {
    await load();
    answers = [429, 0, 200];
    dispatchEvent(new Event("parlour-incomplete"));
    for (const reloads of [0, 0, 1]) {
      await pass(3000);
      assert.equal(location.reloads, reloads);
    }
  });

  it("loads again once, also if several files are missing", async () => {
    await load();
    fail("script");
    fail("script");
    await pass(60_000);
    assert.equal(location.reloads, 1);
  });

  it("pauses longer each time, until a page has been complete", async () => {
    for (const pause of [3000, 6000, 12_000]) {
      await load();
      fail("script");
      await pass(pause - 1);
      assert.equal(location.reloads, 0);
      await pass(1);
      assert.equal(location.reloads, 1);
    }
    await load();
    dispatchEvent(new Event("parlour-complete"));
    await load();
    fail("script");
    await pass(3000);
    assert.equal(location.reloads, 1);
  });

  it("pauses longer each time as well if all modules arrive, but another file is missing", async () => {
    for (const pause of [3000, 6000]) {
      await load();
      fail("script");
      dispatchEvent(new Event("parlour-complete"));
      await pass(pause - 1);
      assert.equal(location.reloads, 0);
      await pass(1);
      assert.equal(location.reloads, 1);
    }
  });

  it("stays as it is after six attempts, so that the page can show an error", async () => {
    for (const [attempt, loadsAgain] of [...Array(6).fill(true), false].entries()) {
      await load();
      const event = new Event("parlour-incomplete", { cancelable: true });
      assert.equal(!dispatchEvent(event), loadsAgain, attempt);
      assert.equal(body.querySelector("[id=incomplete]").hidden, !loadsAgain);
      await pass(100_000);
      assert.equal(location.reloads, Number(loadsAgain));
    }
  });

  it("loads again after six attempts as well if it cannot show an error, with the longest pause", async () => {
    sessionStorage.setItem("parlour-attempts", "6");
    await load();
    fail("script");
    assert.equal(body.querySelector("[id=incomplete]").hidden, false);
    await pass(47_999);
    assert.equal(location.reloads, 0);
    await pass(1);
    assert.equal(location.reloads, 1);
  });

  it("does not load again for a script from elsewhere", async () => {
    await load();
    const foreign = h("script", { src: "https://filter.example/a.js" });
    body.append(foreign);
    foreign.dispatchEvent(new Event("error"));
    await pass(100_000);
    assert.equal(location.reloads, 0);
  });
});

describe("a missing picture", () => {
  it("does not load the page again", async () => {
    await load();
    fail("img");
    await pass(60_000);
    assert.equal(location.reloads, 0);
  });
});
