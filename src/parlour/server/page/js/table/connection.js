// The WebSocket to a table. A lost connection is replaced, and begins with another hello.
//
// Before each new WebSocket, a request to /healthz asks whether the server answers: it is cheap, and browsers delay
// WebSockets after failures. A server that answers but refuses the connection gets longer and longer pauses, because
// all clients of one address may be returning at once.

import { CLOSING, FINAL_CODES, OVERLOAD_CODES } from "../close_codes.js";
import { noteReached } from "../common/offline.js";
import { TOO_MANY_REQUESTS } from "../common/retry.js";

/** @import { ClientMessage, ServerMessage } from "../protocol.d.ts" */

/** @typedef {readonly [least: number, most: number]} Span a range of milliseconds */

/** @type {Span} after a loss */
const FIRST_PROBE = [100, 600];
/** @type {Span} while the server does not answer */
const PROBE = [400, 1200];
/** @type {Span} the same in a hidden page, or after `FREQUENT_PROBES` */
const SLOW_PROBE = [5000, 15000];
/** Milliseconds for which a server without an answer is probed often. */
const FREQUENT_PROBES = 300_000;
/** Milliseconds of the pause after a refusal; each pause is twice as long as the previous one. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 16_000;
// Milliseconds until a connection without the expected answer counts as lost, and a probe as failed.
const PROBE_PATIENCE = 3000;
const OPEN_PATIENCE = 5000;
const HELLO_PATIENCE = 30_000;
const PING_PATIENCE = 10_000;
const SHORT_PING_PATIENCE = 3000;
export const ACTION_PATIENCE = 5000;
/** Milliseconds between two pings. */
const PING_TIME = 20_000;
/** Milliseconds after which a connection has proved steady. */
const STEADY_TIME = 10_000;

/** The number of answers without a WebSocket after which it counts as blocked: half a minute: a crowd may wait. */
const VAIN_PROBES = 5;

/**
 * A random time in a span, so that clients that were cut off together do not return together.
 *
 * @param {Span} span
 */
const within = ([least, most]) => least + Math.random() * (most - least);

/**
 * @typedef {object} Viewer
 * @property {() => string | null} key the key of the viewer's seat
 * @property {() => string} name the name of an onlooker; empty without one
 * @property {() => number | undefined} seen the number of events that this page has shown
 */

/**
 * @typedef {object} Listener
 * @property {(message: ServerMessage) => void} message
 * @property {() => void} lost
 * @property {() => void} found is called when a lost connection is back
 * @property {(why: "sockets" | "crowded") => void} blocked is called when the server answers requests again and again,
 *   but no WebSocket opens (sockets), or when it admits no more spectators of this address (crowded)
 * @property {(code: number) => void} refused is called with a final close code
 */

export class Connection {
  /** @type {WebSocket} */
  socket;
  /** @type {number | undefined} the timer after which the connection counts as lost */
  deadline;
  /** @type {number | undefined} the timer of the next probe */
  probeTimer;
  /** @type {number | undefined} the timer of pings */
  pings;
  /** @type {number | undefined} the timer after which refusals are forgotten */
  steadyTimer;
  /** @type {AbortController | undefined} the present probe */
  probing;
  /** @type {number | null} the time of the loss */
  lostSince = null;

  /**
   * @param {string} table
   * @param {Viewer} viewer
   * @param {Listener} on
   */
  constructor(table, viewer, on) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${table}/play`;
    this.viewer = viewer;
    this.on = on;
    /** The number of refusals in a row. */
    this.refusals = 0;
    /** Whether the server has refused the connection for good; `restart` may still try another key. */
    this.isFinal = false;
    this.closed = false;
    this.alive = false;
    /** Whether a WebSocket has opened. */
    this.hasOpened = false;
    /** The number of answers to probes before any WebSocket has opened. */
    this.vainProbes = 0;
    /** Whether there has been a connection, or the loss of one. */
    this.hadConnection = false;
    this.onOnline = () => this.hurry();
    this.onVisible = () => {
      if (!document.hidden) this.hurry();
    };
    addEventListener("online", this.onOnline);
    document.addEventListener("visibilitychange", this.onVisible);
    this.open();
  }

  open() {
    this.stopProbes(); // a late answer to one would replace the new connection
    this.isFinal = false;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.expect(OPEN_PATIENCE);
    socket.addEventListener("open", () => {
      if (socket !== this.socket) return;
      this.hasOpened = true;
      this.expect(HELLO_PATIENCE);
      const name = this.viewer.name();
      this.send({ type: "hello", key: this.viewer.key(), seen: this.viewer.seen(), ...(name ? { name } : {}) });
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.handleClose(event.code);
    });
  }

  /** @param {ServerMessage} message */
  receive(message) {
    clearTimeout(this.deadline);
    noteReached();
    if (!this.alive) {
      this.alive = true;
      this.lostSince = null;
      this.pings = setInterval(() => this.ping(PING_PATIENCE), PING_TIME);
      this.steadyTimer = setTimeout(() => {
        this.refusals = 0;
      }, STEADY_TIME);
      if (this.hadConnection) this.on.found();
      this.hadConnection = true;
    }
    if (message.type !== "pong") this.on.message(message);
  }

  /**
   * Count the connection as lost if no message arrives within `patience` milliseconds. Connections can fail silently.
   *
   * @param {number} patience
   */
  expect(patience) {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => this.abandon(), patience);
  }

  /** @param {number} [patience] milliseconds until the connection counts as lost */
  ping(patience = SHORT_PING_PATIENCE) {
    this.expect(patience);
    this.send({ type: "ping" });
  }

  abandon() {
    this.stopTimers();
    this.lose();
    this.probe();
  }

  stopTimers() {
    clearInterval(this.pings);
    clearTimeout(this.steadyTimer);
    clearTimeout(this.deadline);
    this.alive = false;
  }

  lose() {
    this.lostSince ??= Date.now();
    this.hadConnection = true;
    this.on.lost();
  }

  /** @param {number} code */
  handleClose(code) {
    const wasAlive = this.alive;
    this.stopTimers();
    if (this.closed) return;
    if (FINAL_CODES.includes(code)) {
      this.isFinal = true;
      this.stopProbes();
      this.on.refused(code);
      return;
    }
    this.lose();
    if (code === CLOSING.TOO_MANY && !wasAlive && !this.viewer.key()) this.on.blocked("crowded");
    if (OVERLOAD_CODES.includes(code)) this.backOff(2);
    else if (wasAlive) this.probeAfter(within(FIRST_PROBE));
    else if (code === CLOSING.ELSEWHERE) this.probeAfter(within(PROBE));
    else this.backOff(1);
  }

  /**
   * Pause after a refusal, which counts as `refusals`.
   *
   * @param {number} refusals
   */
  backOff(refusals) {
    this.refusals += refusals;
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (this.refusals - 1));
    this.probeAfter(pause * within([0.5, 1]));
  }

  /** @param {number} time milliseconds */
  probeAfter(time) {
    clearTimeout(this.probeTimer);
    this.probeTimer = setTimeout(() => this.probe(), time);
  }

  /** Ask whether the server answers, and connect if it does. */
  async probe() {
    this.stopProbes();
    const probing = new AbortController();
    this.probing = probing;
    const timer = setTimeout(() => probing.abort(), PROBE_PATIENCE);
    const status = await fetch("/healthz", { cache: "no-store", signal: probing.signal }).then(
      (answer) => answer.status,
      () => 0,
    );
    clearTimeout(timer);
    if (probing !== this.probing) return;
    if (status === TOO_MANY_REQUESTS) this.backOff(1);
    else if (status === 0 || status >= 500) {
      this.refusals = 0;
      this.probeAfter(within(this.probesSlowly() ? SLOW_PROBE : PROBE));
    } else {
      this.vainProbes += 1;
      if (!this.hasOpened && this.vainProbes >= VAIN_PROBES) this.on.blocked("sockets");
      this.replace();
    }
  }

  stopProbes() {
    clearTimeout(this.probeTimer);
    this.probing?.abort();
    this.probing = undefined;
  }

  probesSlowly() {
    return document.hidden || Date.now() - (this.lostSince ?? Infinity) > FREQUENT_PROBES;
  }

  /** Check the connection at once, since the network is back or the page visible; after refusals do nothing. */
  hurry() {
    if (this.closed || this.isFinal) return;
    if (this.alive) this.ping();
    else if (!this.refusals) this.probe();
  }

  /**
   * Send a message; false without a connection.
   *
   * @param {ClientMessage} message
   */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Begin again with another hello, for example with another key. */
  restart() {
    this.stopTimers();
    this.replace();
  }

  /** Open another WebSocket, and close the present one. */
  replace() {
    const old = this.socket;
    this.open();
    old.close();
  }

  close() {
    this.closed = true;
    removeEventListener("online", this.onOnline);
    document.removeEventListener("visibilitychange", this.onVisible);
    this.stopTimers();
    this.stopProbes();
    this.socket.close(1000);
  }
}
