// What calls a player who looks elsewhere: notices of the system and sounds.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument } from "./elements.js";
import { allowNotices, forgetNotice, notify, vibrate } from "../../../src/parlour/server/page/js/common/notices.js";
import { remember, settings } from "../../../src/parlour/server/page/js/common/settings.js";
import { sound, toggleSound } from "../../../src/parlour/server/page/js/common/sound.js";

let shown = [];

/** A notice of the system, with the table it is about as its tag. */
class Notice extends EventTarget {
  static permission = "granted";
  static requestPermission = () => Promise.resolve(Notice.permission);

  constructor(title, { tag }) {
    super();
    this.close = () => (shown = shown.filter((each) => each !== this));
    shown = [...shown.filter((each) => each.tag !== tag), Object.assign(this, { title, tag })];
  }
}

/** The service worker of a phone, which shows the notices there. */
const WORKER = {
  showNotification: (title, options) => Promise.resolve(new Notice(title, options)),
  getNotifications: ({ tag } = {}) => Promise.resolve(shown.filter((each) => tag === undefined || each.tag === tag)),
};
const setWorker = (worker) => {
  const serviceWorker = worker && { getRegistration: () => Promise.resolve(worker) };
  Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker, configurable: true });
};
const titles = () => shown.map(({ title }) => title);

beforeEach(() => {
  emptyStorage();
  emptyDocument();
  shown = [];
  Notice.permission = "granted";
  globalThis.Notification = Notice;
  globalThis.location = { pathname: "/table/one" };
  remember({ notify: true, sound: true });
});

describe("notices", () => {
  for (const [where, worker] of [
    ["the page", undefined],
    ["the service worker", WORKER],
  ]) {
    it(`of a table take each other's place, and leave those of other tables, by ${where}`, async () => {
      setWorker(worker);
      for (const [table, title] of [
        ["one", "first"],
        ["two", "other"],
        ["one", "second"],
      ])
        await notify(table, title, "");
      assert.deepEqual(titles(), ["other", "second"]);
    });
  }

  it("are removed for the table that the player looks at, and for no other", async () => {
    setWorker(WORKER);
    for (const table of ["one", "two", "three"]) await notify(table, table, "");
    await forgetNotice("two");
    assert.deepEqual(titles(), ["one", "three"]);
  });

  it("need the player, the browser and its permission", async () => {
    setWorker(undefined);
    const isShown = async () => {
      shown = [];
      await notify("one", "title", "");
      return shown.length === 1;
    };
    assert.deepEqual([await isShown(), await allowNotices()], [true, true]);
    Notice.permission = "denied";
    assert.deepEqual([await isShown(), await allowNotices()], [false, false]);
    Notice.permission = "granted";
    remember({ notify: false });
    assert.equal(await isShown(), false);
    remember({ notify: true });
    delete globalThis.Notification;
    assert.deepEqual([await isShown(), await allowNotices()], [false, false]);
  });
});

describe("a notice", () => {
  it("of the page leads to it by a press, and is then gone", async () => {
    setWorker(undefined);
    let focused = 0;
    globalThis.focus = () => (focused += 1);
    await notify("one", "title", "");
    shown[0].dispatchEvent(new Event("click"));
    assert.deepEqual([focused, titles()], [1, []]);
  });

  it("on a phone that the player holds is a vibration, for those who want notices", () => {
    const vibrations = [];
    navigator.vibrate = (time) => vibrations.push(time);
    vibrate();
    remember({ notify: false });
    vibrate();
    assert.deepEqual(vibrations, [200]);
  });
});

describe("sounds", () => {
  const NAMES = ["card", "deal", "gone", "flip", "turn", "end", "no", "word"];
  const CALLS = ["turn", "end", "word"];
  let voices = 0;
  let stops = 0;

  /** Audio that counts the sounds that begin, and the times that it is stopped. */
  class FakeAudio {
    /** @type {FakeAudio} */
    static latest;
    state = "running";
    constructor() {
      FakeAudio.latest = this;
    }
    currentTime = 0;
    sampleRate = 10;
    suspend = () => (stops += 1);
    createBuffer = () => ({ getChannelData: () => [] });
  }
  class FakeNode {
    gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
    connect = (next) => next;
    start = () => (voices += 1);
    stop() {}
  }

  beforeEach(() => {
    globalThis.window = globalThis;
    globalThis.AudioContext = FakeAudio;
    for (const name of ["AudioBufferSource", "BiquadFilter", "Gain", "Oscillator"])
      globalThis[`${name}Node`] = FakeNode;
    Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: true }, configurable: true });
  });

  /** The sounds that are heard. */
  const heard = () =>
    NAMES.filter((name) => {
      voices = 0;
      sound(name);
      return voices > 0;
    });

  it("are all heard while the page is seen, and only those that call the player while it is hidden", () => {
    assert.deepEqual(heard(), NAMES);
    document.hidden = true;
    assert.deepEqual(heard(), CALLS);
  });

  it("are switched off, which stops one, and on, which plays one", () => {
    [voices, stops] = [0, 0];
    assert.equal(toggleSound(), false);
    assert.deepEqual([settings().sound, voices, stops, heard()], [false, 0, 1, []]);
    assert.equal(toggleSound(), true);
    assert.deepEqual([settings().sound, voices > 0, heard()], [true, true, NAMES]);
  });

  it("are heard again after the browser has suspended them, or a call has interrupted them", () => {
    let resumed = 0;
    sound("card");
    const { latest } = FakeAudio;
    for (const [state, resumptions] of [
      ["suspended", 1],
      ["interrupted", 1],
      ["running", 0],
    ]) {
      resumed = 0;
      Object.assign(latest, { state, resume: () => (resumed += 1) });
      sound("card");
      assert.equal(resumed, resumptions);
    }
  });

  it("are none before the player has touched the page", () => {
    Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false }, configurable: true });
    assert.deepEqual(heard(), []);
  });
});
