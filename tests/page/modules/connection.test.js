// The WebSocket to a table: what it says first, when it counts as lost, and how it comes back.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyDocument, settle } from "./elements.js";
import { noSockets, socket, sockets } from "./sockets.js";
import { CLOSING, FINAL_CODES, OVERLOAD_CODES } from "../../../src/parlour/server/page/js/close_codes.js";
import { noteAnswer, startOffline } from "../../../src/parlour/server/page/js/common/offline.js";
import { Connection } from "../../../src/parlour/server/page/js/table/connection.js";

let heard;
let status;
let probes;
let connection;

const tick = async (time) => {
  mock.timers.tick(time);
  await settle();
};
/** Let a time pass second by second. */
const wait = async (seconds) => {
  for (let second = 0; second < seconds; second += 1) await tick(1000);
};

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  emptyDocument();
  [heard, status, probes] = [[], 200, 0];
  noSockets();
  globalThis.location = { protocol: "http:", host: "cards.example" };
  globalThis.fetch = (path, { signal }) => {
    assert.equal(path, "/healthz");
    probes += 1;
    if (status === null) return Promise.reject(new TypeError("no network"));
    if (status === "never")
      return new Promise((_, no) => signal.addEventListener("abort", () => no(new Error("aborted"))));
    return Promise.resolve({ status });
  };
  mock.method(Math, "random", () => 0.5);
  connection = new Connection(
    "one",
    { key: () => "k", seen: () => 7, name: () => "" },
    {
      message: ({ type }) => heard.push(type),
      lost: () => heard.push("lost"),
      found: () => heard.push("found"),
      blocked: (why) => heard.push(why),
      refused: (code) => heard.push(code),
    },
  );
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** Connect, and get a first message. */
function connect() {
  socket().accept();
  socket().say({ type: "table" });
}

describe("a connection", () => {
  it("begins with a hello, and sends nothing before", () => {
    assert.equal(socket().address, "ws://cards.example/api/tables/one/play");
    assert.equal(connection.send({ type: "ping" }), false);
    socket().accept();
    assert.deepEqual(socket().sent, [{ type: "hello", key: "k", seen: 7 }]);
    assert.equal(connection.send({ type: "hint" }), true);
  });

  it("is secure on a secure page, and has the name of an onlooker", () => {
    globalThis.location.protocol = "https:";
    connection.close();
    connection = new Connection("one", { key: () => null, seen: () => undefined, name: () => "Dov" }, {});
    assert.equal(socket().address, "wss://cards.example/api/tables/one/play");
    socket().accept();
    assert.deepEqual(socket().sent, [{ type: "hello", key: null, name: "Dov" }]);
  });

  it("takes the notice away that the room cannot be reached", () => {
    const notice = () => document.body.querySelector(".offline");
    startOffline();
    connect();
    noteAnswer(null); // a request beside the connection fails
    assert.equal(notice().hidden, false);
    socket().say({ type: "pong" });
    assert.equal(notice().hidden, true);
  });

  it("passes on all messages but the answers to its pings", () => {
    connect();
    socket().say({ type: "pong" });
    socket().say({ type: "said" });
    assert.deepEqual(heard, ["table", "said"]);
  });

  it("pings every 20 seconds, and is lost without an answer within 10", async () => {
    connect();
    await tick(20_000);
    assert.deepEqual(socket().sent.slice(1), [{ type: "ping" }]);
    socket().say();
    await tick(20_000);
    await tick(9999);
    assert.deepEqual(heard, ["table"]);
    await tick(1);
    assert.deepEqual([heard, probes], [["table", "lost"], 1]);
    await settle();
    socket().accept();
    socket().say();
    assert.deepEqual([heard.at(-1), sockets.length], ["found", 2]);
  });

  for (const [what, prepare, patience] of [
    ["does not open", () => {}, 5000],
    ["is not answered", () => socket().accept(), 30_000],
  ]) {
    it(`counts as lost if it ${what}`, async () => {
      prepare();
      await tick(patience - 1);
      assert.deepEqual(heard, []);
      await tick(1);
      assert.deepEqual(heard, ["lost"]);
    });
  }

  it("counts as lost soon after an action without an answer", async () => {
    connect();
    connection.ping(5000);
    await tick(5000);
    assert.deepEqual(heard, ["table", "lost"]);
  });
});

describe("a lost connection", () => {
  it("is replaced as soon as the server answers, and then found", async () => {
    connect();
    const [old] = sockets;
    old.fail();
    await tick(349);
    assert.equal(probes, 0);
    await tick(1);
    assert.deepEqual([probes, sockets.length, old.closed.length], [1, 2, 1]);
    socket().accept();
    assert.deepEqual(heard, ["table", "lost"]);
    socket().say({ type: "scenes" });
    assert.deepEqual(heard, ["table", "lost", "found", "scenes"]);
  });

  it("hears nothing more from its old socket", async () => {
    connect();
    const [old] = sockets;
    old.fail();
    await tick(350);
    old.say({ type: "said" });
    old.fail(CLOSING.WRONG_KEY);
    old.accept();
    assert.deepEqual([heard, old.sent.length], [["table", "lost"], 1]);
  });

  for (const [what, answer] of [
    ["does not answer", null],
    ["cannot answer", 503],
  ]) {
    it(`is asked for about every second while the server ${what}, and rarely after five minutes`, async () => {
      connect();
      status = answer;
      socket().fail();
      await wait(60);
      const often = probes;
      assert.ok(often > 40 && often < 80, String(often));
      await wait(300);
      probes = 0;
      await wait(60);
      assert.ok(probes >= 5 && probes <= 7, String(probes));
      status = 200;
      for (let second = 0; second < 11 && sockets.length === 1; second += 1) await wait(1);
      assert.equal(sockets.length, 2);
    });
  }

  it("is asked for often again after another loss, however long ago the first one was", async () => {
    connect();
    socket().fail();
    await tick(350);
    connect();
    for (let ping = 0; ping < 20; ping += 1) {
      await tick(20_000);
      socket().say();
    }
    status = null;
    probes = 0;
    socket().fail();
    await wait(60);
    assert.ok(probes > 40, String(probes));
  });

  it("is asked for rarely in a hidden page, and at once when it is seen again or the network is back", async () => {
    connect();
    status = null;
    document.hidden = true;
    socket().fail();
    await wait(60);
    assert.ok(probes < 10, String(probes));
    for (const event of ["visibilitychange", "online"]) {
      document.hidden = false;
      probes = 0;
      if (event === "online") dispatchEvent(new Event(event));
      else document.dispatchEvent(new Event(event));
      await settle();
      assert.equal(probes, 1);
    }
  });

  it("gives a probe three seconds", async () => {
    connect();
    status = "never";
    socket().fail();
    await tick(350);
    await tick(2999);
    await tick(1);
    status = 200;
    await tick(800);
    assert.deepEqual([probes, sockets.length], [2, 2]);
  });

  it("that the server refuses pauses longer each time, until it has been steady", async () => {
    const pauses = [];
    for (const expected of [750, 1500, 3000, 6000, 12_000, 12_000]) {
      socket().fail();
      await tick(expected - 1);
      const before = probes;
      await tick(1);
      pauses.push(probes - before);
    }
    assert.deepEqual(pauses, [1, 1, 1, 1, 1, 1]);
    connect();
    await tick(10_000);
    socket().fail();
    await tick(350);
    assert.equal(sockets.length, 8);
  });

  it("that has never opened counts as blocked when the server has answered five times", async () => {
    for (const pause of [750, 1500, 3000, 6000]) {
      socket().fail();
      await tick(pause);
    }
    assert.deepEqual([sockets.length, heard], [5, Array(4).fill("lost")]);
    await tick(5000); // without an answer
    assert.deepEqual([sockets.length, heard.slice(4)], [6, ["lost", "sockets"]]);
    socket().accept();
    socket().fail();
    await tick(12_000);
    assert.deepEqual([sockets.length, heard.slice(6)], [7, ["lost"]]);
  });

  for (const code of OVERLOAD_CODES) {
    it(`pauses longer after ${code} than after a loss`, async () => {
      connect();
      socket().fail(code);
      await tick(1499);
      assert.equal(probes, 0);
      await tick(1);
      assert.equal(probes, 1);
    });
  }

  it("of a spectator counts as crowded out where it is refused before any message, and only there", () => {
    const told = (...refusals) => {
      for (const [code, key, isServed] of refusals) {
        connection.viewer.key = () => key;
        connection.restart();
        if (isServed) connect();
        socket().fail(code);
      }
      return heard.filter((one) => one === "crowded").length;
    };
    const others = [
      [CLOSING.TOO_MANY, "k", false],
      [CLOSING.TOO_MANY, null, true],
      [CLOSING.FULL, null, false],
    ];
    assert.equal(told(...others), 0);
    assert.equal(told([CLOSING.TOO_MANY, null, false]), 1);
  });

  it("counts twice as a refusal where the room is full, and once where it is asked too often", async () => {
    connect();
    socket().fail(CLOSING.FULL);
    await tick(1499);
    assert.equal(probes, 0);
    status = 429;
    await tick(1);
    assert.deepEqual([probes, sockets.length], [1, 1]);
    status = 200;
    await tick(3000);
    assert.equal(sockets.length, 2);
  });

  it("is asked for at once by none that was refused", async () => {
    socket().fail();
    dispatchEvent(new Event("online"));
    await settle();
    assert.equal(probes, 0);
  });

  it("of a table that moves is asked for again soon", async () => {
    socket().fail(CLOSING.ELSEWHERE);
    await tick(799);
    assert.equal(probes, 0);
    await tick(1);
    assert.equal(sockets.length, 2);
  });
});

describe("a connection that is there", () => {
  it("is checked when the page is seen again, and is lost without an answer within 3 seconds", async () => {
    connect();
    document.hidden = true;
    document.dispatchEvent(new Event("visibilitychange"));
    assert.equal(socket().sent.length, 1);
    document.hidden = false;
    document.dispatchEvent(new Event("visibilitychange"));
    assert.deepEqual(socket().sent.at(-1), { type: "ping" });
    await tick(3000);
    assert.deepEqual(heard, ["table", "lost"]);
  });

  it("begins again with another hello on request", async () => {
    connect();
    connection.restart();
    assert.deepEqual([sockets.length, sockets[0].closed.length], [2, 1]);
    connect();
    assert.deepEqual(heard, ["table", "found", "table"]);
    await tick(20_000);
    assert.deepEqual(
      sockets.map(({ sent }) => sent.length),
      [1, 2],
    );
  });

  it("that has begun again is not replaced by the one that was awaited before", async () => {
    connect();
    socket().fail();
    connection.restart();
    connect();
    await wait(5);
    status = "never";
    socket().fail();
    await tick(350);
    connection.restart();
    connect();
    await wait(5);
    assert.deepEqual([probes, sockets.length], [1, 3]);
  });
});

describe("a connection after another one", () => {
  /** Let seconds pass in which the server answers each ping. Return the seconds at which pings were sent. */
  const pingsIn = async (seconds) => {
    const found = [];
    for (let second = 1; second <= seconds; second += 1) {
      const { length } = socket().sent;
      await tick(1000);
      if (socket().sent.length === length) continue;
      found.push(second);
      socket().say();
    }
    return found;
  };
  /** Let these refusals follow one another. */
  const refuse = async (...pauses) => {
    for (const pause of pauses) {
      socket().fail();
      await tick(pause);
    }
  };
  /** The milliseconds until the server is asked again, at most ten seconds. */
  const untilProbe = async () => {
    const before = probes;
    for (let time = 50; time <= 10_000; time += 50) {
      await tick(50);
      if (probes > before) return time;
    }
    return Infinity;
  };
  const ends = {
    "that broke": async () => {
      socket().fail();
      await tick(350);
    },
    "that fell silent": async () => {
      connection.ping();
      await tick(3000);
    },
    "that the page replaced": () => connection.restart(),
  };

  for (const [which, end] of Object.entries(ends)) {
    it(`has no timers of one ${which}`, async () => {
      connect();
      await wait(7);
      await end();
      connect();
      heard = [];
      assert.deepEqual([await pingsIn(65), heard, sockets.length], [[20, 40, 60], [], 2]);
    });

    it(`has not proved steady by the time of one ${which}`, async () => {
      await refuse(750, 1500);
      connect();
      await wait(6);
      await end();
      socket().accept();
      await wait(9);
      socket().fail();
      assert.equal(await untilProbe(), 3000);
    });
  }

  it("that proved steady is asked for soon after a refusal", async () => {
    await refuse(750, 1500);
    connect();
    await wait(10);
    socket().fail();
    await tick(350);
    socket().fail();
    assert.equal(await untilProbe(), 750);
  });

  it("that fell silent keeps the pause of a refusal that comes late", async () => {
    connect();
    status = null;
    connection.abandon();
    await settle();
    socket().fail(CLOSING.FULL);
    status = 200;
    assert.equal(await untilProbe(), 1500);
  });

  it("waits no longer for a probe than for the refusal that comes meanwhile", async () => {
    connect();
    status = "never";
    connection.abandon();
    await settle();
    socket().fail(CLOSING.FULL);
    status = 200;
    assert.deepEqual([await untilProbe(), sockets.length], [1500, 2]);
  });
});

describe("the end of a connection", () => {
  for (const code of FINAL_CODES) {
    it(`is final after a refusal with ${code}`, async () => {
      socket().fail(code);
      await wait(60);
      dispatchEvent(new Event("online"));
      document.dispatchEvent(new Event("visibilitychange"));
      await wait(60);
      assert.deepEqual([heard, sockets.length, probes], [[code], 1, 0]);
    });
  }

  it("is final after a refusal also while the server is asked whether it answers", async () => {
    connect();
    status = "never";
    connection.abandon();
    socket().fail(CLOSING.NO_TABLE);
    await wait(60);
    assert.deepEqual([heard, sockets.length, probes], [["table", "lost", CLOSING.NO_TABLE], 1, 1]);
  });

  it("is not final for another key", async () => {
    socket().fail(CLOSING.WRONG_KEY);
    connection.restart();
    connect();
    dispatchEvent(new Event("online"));
    assert.deepEqual(socket().sent.at(-1), { type: "ping" });
    socket().fail();
    await tick(350);
    assert.equal(sockets.length, 3);
  });

  it("is final when the page closes it", async () => {
    connect();
    connection.close();
    assert.deepEqual(socket().closed, [1000]);
    await wait(60);
    assert.equal(socket().sent.length, 1);
    socket().fail(1000);
    dispatchEvent(new Event("online"));
    document.dispatchEvent(new Event("visibilitychange"));
    await wait(60);
    assert.deepEqual([heard, sockets.length, probes], [["table"], 1, 0]);
  });
});
