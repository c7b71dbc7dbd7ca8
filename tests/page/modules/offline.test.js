// The notice that the room is away: it comes and goes with the answers to requests.

import "./browser.js";
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { noteAnswer, startOffline } from "../../../src/parlour/server/page/js/common/offline.js";

const answer = (headers = {}) => /** @type {Response} */ ({ headers: new Headers(headers) });
const KEPT = answer({ "X-Parlour-Kept": "yes" });
const CACHEABLE = answer({ "Cache-Control": "public, max-age=31536000" });
const FRESH = answer({ "Cache-Control": "no-store" });

const listeners = new Map();
let notice;

beforeEach(() => {
  listeners.clear();
  notice = { append() {}, setAttribute: (name) => name === "hidden" && (notice.hidden = true) };
  globalThis.addEventListener = (name, listener) => listeners.set(name, listener);
  document.createElement = () => notice;
  document.body = { prepend() {} };
  startOffline();
});

describe("the notice that the room is away", () => {
  it("is hidden at first", () => {
    assert.equal(notice.hidden, true);
  });

  for (const [what, lost] of [
    ["no answer", null],
    ["an answer that the browser has kept", KEPT],
  ]) {
    it(`comes with ${what}, and goes with the room's next one`, () => {
      noteAnswer(lost);
      assert.equal(notice.hidden, false);
      assert.match(notice.textContent, /cannot be reached/);
      noteAnswer(FRESH);
      assert.equal(notice.hidden, true);
      noteAnswer(answer());
      assert.equal(notice.hidden, true);
    });
  }

  it("is not changed by an answer that may come from the browser's cache", () => {
    noteAnswer(CACHEABLE);
    assert.equal(notice.hidden, true);
    noteAnswer(null);
    noteAnswer(CACHEABLE);
    assert.equal(notice.hidden, false);
  });

  it("comes and goes with the network", () => {
    listeners.get("offline")();
    assert.equal(notice.hidden, false);
    listeners.get("online")();
    assert.equal(notice.hidden, true);
  });
});

describe("the service worker", () => {
  const registered = [];
  const serviceWorker = {
    register: (path) => {
      registered.push(path);
      return Promise.reject(new Error("forbidden"));
    },
  };
  afterEach(() => mock.timers.reset());

  it("is installed three seconds after the page has been loaded, where there is one", () => {
    assert.equal(listeners.has("load"), false);
    Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker, configurable: true });
    mock.timers.enable({ apis: ["setTimeout"] });
    startOffline();
    listeners.get("load")();
    mock.timers.tick(2999);
    assert.deepEqual(registered, []);
    mock.timers.tick(1);
    assert.deepEqual(registered, ["/worker.js"]);
  });
});
