// WebSockets of the page's modules in Node: what they were sent, and what they are told.

import "./browser.js";

/** The sockets that were opened, the latest last. */
export const sockets = [];

class FakeSocket extends EventTarget {
  static OPEN = 1;
  readyState = 0;
  sent = [];
  closed = [];

  constructor(address) {
    super();
    this.address = address;
    sockets.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close(code) {
    this.closed.push(code);
    this.readyState = 3;
  }

  accept() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  say(message = { type: "pong" }) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }

  fail(code = 1006) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

/** Begin without sockets. */
export function noSockets() {
  sockets.length = 0;
  globalThis.WebSocket = FakeSocket;
}

/** The latest socket. */
export const socket = () => sockets.at(-1);
