// The entry of the page: which page an address opens, and what is shown where there is none.

import assert from "node:assert/strict";
import { beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, settle, texts } from "./elements.js";
import { serve } from "./server.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import { seatAt } from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";

let body;
let visits = 0;

/** Open an address, for which the server may have named an error. Return the first path that the page asks for. */
async function visit(pathname, { hash = "", error = "", status = "404" } = {}) {
  body = emptyDocument();
  if (error) {
    body.append(
      h("meta", { name: "parlour-error", content: error }),
      h("meta", { name: "parlour-status", content: status }),
    );
  }
  body.append(h("div", { id: "app" }));
  globalThis.location = {
    pathname,
    hash,
    origin: "http://h",
    host: "h",
    hostname: "h",
    reload: () => (location.reloads += 1),
    reloads: 0,
  };
  globalThis.history = { state: null, replaceState() {} };
  const sent = serve({});
  visits += 1;
  await import(`../../../src/parlour/server/page/js/app.js?visit=${visits}`);
  while (!sent.length && !error) await new Promise((go) => setTimeout(go, 2)); // the modules of the page are loaded
  await settle();
  return sent[0]?.path;
}

beforeEach(() => {
  emptyStorage();
  mock.timers.reset();
});

describe("an address", () => {
  for (const [address, path, kind] of [
    ["/", "/api/games", "at-landing"],
    ["/games/whist", "/api/games", "at-landing"],
    ["/table/one", "/api/tables/one", "at-table"],
    ["/table/one/", "/api/tables/one", "at-table"],
    ["/game/one", "/api/tables/one", "at-table"],
    ["/game/one/review", "/api/tables/one", "at-review"],
    ["/learn/whist", "/api/games/whist/lesson", "at-table"],
    ["/mine", "/api/games", "at-landing"],
    ["/puzzles", "/api/puzzles", "at-landing"],
    ["/puzzles/whist", "/api/puzzles/whist", "at-table"],
    ["/daily", "/api/daily", "at-landing"],
    ["/daily/2026-11-23", "/api/daily/2026-11-23", "at-landing"],
    ["/club", "/api/games", "at-landing"],
  ]) {
    it(`opens its page, in the layout of such pages: ${address}`, async () => {
      assert.deepEqual([await visit(address), body.className], [path, kind]);
    });
  }

  it("of a table may give a seat to this browser, and none of another kind", async () => {
    await visit("/table/one", { hash: "#seat=1&key=k" });
    assert.equal(seatAt("one").key, "k");
    await visit("/game/two", { hash: "#seat=1&key=k" });
    assert.equal(seatAt("two").key, null);
  });
});

describe("a link to a seat of the table that is shown", () => {
  it("loads the page again, which takes the seat; another part of the address does not", async () => {
    await visit("/table/one");
    for (const [hash, reloads] of [
      ["#hand", 0],
      ["#seat=1&key=k", 1],
    ]) {
      location.hash = hash;
      dispatchEvent(new Event("hashchange"));
      assert.equal(location.reloads, reloads);
    }
  });

  it("is none of another page", async () => {
    await visit("/game/one", { hash: "#seat=1&key=k" });
    dispatchEvent(new Event("hashchange"));
    assert.equal(location.reloads, 0);
  });
});

describe("an address without a page", () => {
  for (const [address, text] of [
    ["/table/one", t("unknownTable")],
    ["/game/one", t("unknownTable")],
    ["/learn/chess", t("unknownGame")],
    ["/games/chess", t("unknownGame")],
    ["/nowhere", t("nowhere")],
    ["/a/b/c", t("nowhere")],
    ["/daily/2026-11-23", "No such day."],
  ]) {
    it(`says so: ${address}`, async () => {
      assert.deepEqual([await visit(address, { error: "no such day" }), texts("[role=alert]")], [undefined, [text]]);
    });
  }

  it("has a button that loads it again where the server has failed", async () => {
    await visit("/table/one", { error: "The store is busy.", status: "503" });
    assert.ok(body.querySelector("[data-go=retry]"));
    await visit("/table/one", { error: "There is no table.", status: "404" });
    assert.equal(body.querySelector("[data-go=retry]"), null);
  });

  it("is loaded again by itself where the server has had too many requests, and only there", async () => {
    for (const [status, times] of [
      ["503", 0],
      ["429", 1],
    ]) {
      let incomplete = 0;
      const before = globalThis.dispatchEvent;
      globalThis.dispatchEvent = (event) => {
        incomplete += event.type === "parlour-incomplete" ? 1 : 0;
        return before(event);
      };
      await visit("/club", { error: "too many requests: try again in 2 seconds", status });
      globalThis.dispatchEvent = before;
      assert.deepEqual([incomplete, texts("[role=alert]")], [times, ["Too many requests: try again in 2 seconds."]]);
    }
  });

  it("says another reason as the server does", async () => {
    await visit("/table/one", { error: "the room is full!", status: "503" });
    assert.deepEqual(texts("[role=alert]"), ["The room is full!"]);
  });
});

describe("a page that the Back button restores", () => {
  it("is loaded again, since its buttons may be disabled; one that is shown first is not", async () => {
    await visit("/nowhere", { error: "gone" });
    for (const [persisted, reloads] of [
      [false, 0],
      [true, 1],
    ]) {
      dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
      assert.equal(location.reloads, reloads);
    }
  });
});
