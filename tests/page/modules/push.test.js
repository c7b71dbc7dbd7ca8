// Subscriptions of the browser to notices while the page is closed: what the browser and the room are asked.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { emptyStorage } from "./browser.js";
import { keepSeat, remember } from "../../../src/parlour/server/page/js/common/settings.js";
import {
  isSubscribed,
  subscribe,
  subscribeSeat,
  unsubscribe,
  unsubscribeSeat,
} from "../../../src/parlour/server/page/js/common/push.js";
import { TurnNotice } from "../../../src/parlour/server/page/js/table/turn_notice.js";

// the page gives the service worker ten seconds to begin, for which the tests do not wait at their end
const { setTimeout: usual } = globalThis;
globalThis.setTimeout = (call, time) => (time < 1000 ? usual(call, time) : usual(call, time).unref());

const KEYS = { p256dh: "point", auth: "secret" };
const SERVICE = "https://push.example/ann";

/** The requests to the room. */
let asked = [];
/** The calls of the push manager. */
let calls = [];
/** @type {object | null} the subscription of the browser */
let subscription = null;

const bytesOf = (key) => Uint8Array.from(Buffer.from(key, "base64url")).buffer;

const makeSubscription = (key) => ({
  endpoint: SERVICE,
  options: { applicationServerKey: bytesOf(key) },
  toJSON: () => ({ endpoint: SERVICE, expirationTime: null, keys: KEYS }),
  unsubscribe: () => {
    calls.push("unsubscribe");
    subscription = null;
    return Promise.resolve(true);
  },
});

const pushManager = {
  getSubscription: () => Promise.resolve(subscription),
  subscribe: ({ userVisibleOnly, applicationServerKey }) => {
    calls.push(`subscribe ${userVisibleOnly} ${applicationServerKey}`);
    if (pushManager.refuses) return Promise.reject(new DOMException("no push service", "AbortError"));
    return Promise.resolve((subscription ??= makeSubscription(applicationServerKey)));
  },
  refuses: false,
};

/** Let the room have a key, and answer with a status; 0 is no answer. */
function room(key, status = 200) {
  globalThis.fetch = (path, { method = "GET", body } = {}) => {
    asked.push(`${method} ${path}${body ? ` ${body}` : ""}`);
    const got = path === "/api/push" && method === "GET" ? 200 : status;
    if (!got) return Promise.reject(new TypeError("no network"));
    const json = () => Promise.resolve({ key });
    return Promise.resolve({ ok: got < 400, status: got, headers: new Headers(), json });
  };
}

const serviceWorker = {
  ready: Promise.resolve({ pushManager }),
  getRegistration: () => Promise.resolve({ pushManager }),
};

beforeEach(() => {
  emptyStorage();
  [asked, calls, subscription, pushManager.refuses] = [[], [], null, false];
  globalThis.PushManager = class {};
  Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker, configurable: true });
  keepSeat("one", 1, "seat-key");
  room("BPcM_-8");
});

describe("the browser", () => {
  it("subscribes with the key of the room", async () => {
    assert.equal(await isSubscribed(), false);
    assert.equal((await subscribe()).endpoint, SERVICE);
    assert.deepEqual(calls, ["subscribe true BPcM_-8"]);
    assert.equal(await isSubscribed(), true);
  });

  it("keeps its subscription while the room has the same key, and renews it for another one", async () => {
    subscription = makeSubscription("BPcM_-8");
    await subscribe();
    assert.deepEqual(calls, ["subscribe true BPcM_-8"]);
    room("BPcM_-9");
    await subscribe();
    assert.deepEqual(calls.slice(1), ["unsubscribe", "subscribe true BPcM_-9"]);
  });

  it("has no subscription where the room, the browser or its push service has no notices", async () => {
    room(null);
    assert.equal(await subscribe(), null);
    room("BPcM_-8");
    pushManager.refuses = true;
    assert.equal(await subscribe(), null);
    delete globalThis.PushManager;
    assert.deepEqual([await subscribe(), await isSubscribed()], [null, false]);
    assert.equal(calls.length, 1);
  });

  it("ends its subscription also where the room does not answer", async () => {
    for (const status of [200, 503, 0]) {
      subscription = makeSubscription("BPcM_-8");
      [asked, calls] = [[], []];
      room("BPcM_-8", status);
      await unsubscribe();
      assert.deepEqual(asked, [`DELETE /api/push {"endpoint":"${SERVICE}"}`]);
      assert.deepEqual([calls, subscription], [["unsubscribe"], null]);
    }
    await unsubscribe();
    assert.equal(calls.length, 1);
  });
});

describe("changes of the subscription", () => {
  it("follow one another, also after a failure", async () => {
    const before = makeSubscription("BPcM_-8");
    for (const fails of [false, true]) {
      [calls, subscription] = [[], before];
      subscription.unsubscribe = async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        calls.push("unsubscribe");
        subscription = null;
        if (fails) throw new DOMException("no network", "NetworkError");
      };
      const ended = unsubscribe().catch(() => {});
      const begun = await subscribe();
      await ended;
      assert.deepEqual([calls, begun === before], [["unsubscribe", "subscribe true BPcM_-8"], false]);
    }
  });
});

describe("a seat", () => {
  it("that the player forgets has no more notices, where the browser is subscribed", async () => {
    await unsubscribeSeat("one");
    assert.deepEqual(asked, []);
    for (const status of [200, 0]) {
      subscription = makeSubscription("BPcM_-8");
      asked = [];
      room("BPcM_-8", status);
      await unsubscribeSeat("one");
      assert.deepEqual(asked, [`DELETE /api/push {"endpoint":"${SERVICE}","table":"one"}`]);
      assert.ok(await isSubscribed());
    }
  });

  it("is subscribed with its key and the keys of the browser", async () => {
    await subscribeSeat("one");
    const body = JSON.stringify({ key: "seat-key", endpoint: SERVICE, keys: KEYS });
    assert.deepEqual(asked, ["GET /api/push", `POST /api/tables/one/push ${body}`]);
  });

  it("is not subscribed without a key or a subscription, and the room is asked no more", async () => {
    await subscribeSeat("another");
    assert.deepEqual(asked, []);
    pushManager.refuses = true;
    await subscribeSeat("one");
    assert.deepEqual(asked, ["GET /api/push"]);
    room(null);
    await subscribeSeat("one");
    assert.deepEqual(asked, ["GET /api/push", "GET /api/push"]);
  });

  it("throws an error if the room refuses or does not answer", async () => {
    for (const status of [409, 0]) {
      room("BPcM_-8", status);
      await assert.rejects(subscribeSeat("one"));
    }
    globalThis.fetch = () => Promise.reject(new TypeError("no network"));
    await assert.rejects(subscribeSeat("one"));
    assert.equal(await subscribe(), null);
  });
});

describe("the page of a table", () => {
  const PEOPLE = [
    { kind: "person", name: "Ann" },
    { kind: "person", name: "Bo" },
  ];

  const TABLE = { table: "one", title: "Hearts", seat: 1, begun: true, over: false, seats: PEOPLE };
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
  const posts = () => asked.filter((request) => request.startsWith("POST")).length;

  /** Describe a table with these differences; return the requests for subscriptions. */
  async function describeTable(more) {
    const table = { ...TABLE, ...more };
    const notice = new TurnNotice(() => table);
    notice.noteTable();
    notice.noteTable();
    await settle();
    return posts();
  }

  beforeEach(() => {
    Object.assign(document, { addEventListener() {}, querySelector: () => null, hidden: false });
    globalThis.Notification = class {
      static permission = "granted";
    };
    remember({ notify: true });
  });
  afterEach(() => delete globalThis.Notification);

  it("subscribes its seat once", async () => assert.equal(await describeTable({}), 1));

  it("also before the game, while a seat is open", async () => {
    assert.equal(await describeTable({ begun: false, seats: [{ kind: "open", name: "" }, PEOPLE[1]] }), 1);
  });

  it("asks again after a failure, when the table is described again", async () => {
    const notice = new TurnNotice(() => TABLE);
    for (const status of [0, 503, 200, 200]) {
      room("BPcM_-8", status);
      notice.noteTable();
      await settle();
    }
    assert.equal(posts(), 3);
  });

  it("subscribes its seat again when the player ends notices and wants them again", async () => {
    const [listeners, { addEventListener }] = [[], globalThis];
    globalThis.addEventListener = (name, listener) => listeners.push(listener);
    const notice = new TurnNotice(() => TABLE);
    Object.assign(globalThis, { addEventListener });
    notice.noteTable();
    await settle();
    for (const notify of [false, true]) {
      remember({ notify });
      for (const listener of listeners) listener();
      if (!notify) unsubscribe(); // the sheet of the settings does so
    }
    await settle();
    assert.deepEqual(
      asked.map((request) => request.split(" ")[0]),
      ["GET", "POST", "DELETE", "GET", "POST"],
    );
    assert.equal(await isSubscribed(), true);
  });

  it("does not without a seat, among bots alone, after the game, or without the player's consent", async () => {
    assert.equal(await describeTable({ seat: -1 }), 0);
    assert.equal(await describeTable({ seats: [{ kind: "bot", name: "Ada" }, PEOPLE[1]] }), 0);
    assert.equal(await describeTable({ over: true }), 0);
    Notification.permission = "denied";
    assert.equal(await describeTable({}), 0);
    Notification.permission = "granted";
    remember({ notify: false });
    assert.equal(await describeTable({}), 0);
  });
});
