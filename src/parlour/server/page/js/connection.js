// The live connection to a table. It comes back by itself, and says hello again each time.
//
// While the server does not answer, small requests ask for it about once a second: they cost little, and a browser slows
// down WebSockets that fail. A server that answers and yet turns us away is given more and more time, for everybody behind
// this address may be coming back at once.

const FIRST_LOOK = [100, 600];
const OFTEN = [400, 1200];
const SELDOM = [5000, 15000];
const OFTEN_FOR = 300000;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 16000;
const LOOK_PATIENCE = 3000;
const OPEN_PATIENCE = 5000;
const HELLO_PATIENCE = 30000;
const HEARTBEAT = 20000;
const PATIENCE = 10000;
/** Milliseconds until a connection over which an action went without an answer is taken for lost. */
export const ANSWER_PATIENCE = 5000;
const SHORT_PATIENCE = 3000;
const STEADY = 10000;
const FINAL = [4403, 4404, 4410];
/** The table is at another server: whoever stands in front of them leads us there, in a moment. */
const ELSEWHERE = 4421;
/** The room is full (1013), or this was too much. */
const TOO_MUCH = [1013, 4400, 4429, 4430];

/** Some moment of a span: those who were cut off together do not all come back at the same one. */
const within = ([least, most]) => least + Math.random() * (most - least);

export class Connection {
  /**
   * `key()` gives the seat's key, and `seen()` how many events this page has been shown there, if it knows; `on` has
   * message(data), lost(), found() (not the first time, if all goes well) and refused(code).
   */
  constructor(table, { key, seen }, on) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${table}/play`;
    this.key = key;
    this.seen = seen;
    this.on = on;
    this.understands = [];
    this.turnedAway = 0;
    this.closed = false;
    this.alive = false;
    this.once = false;
    this.online = () => this.hurry();
    this.watched = () => document.hidden || this.hurry();
    addEventListener("online", this.online);
    document.addEventListener("visibilitychange", this.watched);
    this.open();
  }

  open() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.expect(OPEN_PATIENCE);
    socket.addEventListener("open", () => {
      if (socket !== this.socket) return;
      this.expect(HELLO_PATIENCE);
      this.greet(this.understands.includes("seen") ? this.seen() : undefined);
    });
    socket.addEventListener("message", (event) => socket === this.socket && this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => socket === this.socket && this.lose(event.code));
  }

  /** What we have been `seen` need not be told again; a server that may not understand this is not told so. */
  greet(seen) {
    this.hopes = seen !== undefined;
    this.send({ type: "hello", key: this.key(), seen });
  }

  hear(data) {
    if (data.type === "table") {
      this.understands = data.understands ?? [];
      this.hopes = false;
    } else if (this.hopes && data.type === "refused") {
      // an older server is there now
      this.greet();
      return;
    }
    clearTimeout(this.doubt);
    if (!this.alive) {
      this.alive = true;
      this.lostSince = null;
      this.beat = setInterval(() => this.ask(PATIENCE), HEARTBEAT);
      this.steady = setTimeout(() => {
        this.turnedAway = 0;
      }, STEADY);
      if (this.once) this.on.found();
      this.once = true;
    }
    if (data.type !== "pong") this.on.message(data);
  }

  /** Something has to come within so long, or the connection is taken for lost: it may die without a word. */
  expect(patience) {
    clearTimeout(this.doubt);
    this.doubt = setTimeout(() => this.abandon(), patience);
  }

  /** Is anybody there? */
  ask(patience = SHORT_PATIENCE) {
    this.expect(patience);
    this.send({ type: "ping" });
  }

  abandon() {
    this.still();
    this.lost();
    this.look();
  }

  /** Nothing more is expected of this connection. */
  still() {
    clearInterval(this.beat);
    clearTimeout(this.steady);
    clearTimeout(this.doubt);
    this.alive = false;
  }

  lost() {
    this.lostSince ??= Date.now();
    this.once = true;
    this.on.lost();
  }

  lose(code) {
    const heard = this.alive;
    this.still();
    if (this.closed) return;
    if (FINAL.includes(code)) {
      this.on.refused(code);
      return;
    }
    this.lost();
    if (TOO_MUCH.includes(code)) this.giveTime(2);
    else if (heard) this.later(within(FIRST_LOOK));
    else if (code === ELSEWHERE) this.later(within(OFTEN));
    else this.giveTime(1);
  }

  /** The server answers but does not want us now. */
  giveTime(more) {
    this.turnedAway += more;
    this.later(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.turnedAway - 1)) * within([0.5, 1]));
  }

  later(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), wait);
  }

  /** Asks whether the server answers; if it does, connects. */
  async look() {
    clearTimeout(this.timer);
    this.looking?.abort();
    const looking = (this.looking = new AbortController());
    const tired = setTimeout(() => looking.abort(), LOOK_PATIENCE);
    const status = await fetch("/healthz", { cache: "no-store", signal: looking.signal }).then(
      (answer) => answer.status,
      () => 0,
    );
    clearTimeout(tired);
    if (this.closed || looking !== this.looking) return;
    if (status === 429) this.giveTime(1);
    else if (status === 0 || status >= 500) {
      this.turnedAway = 0;
      this.later(within(document.hidden || Date.now() - this.lostSince > OFTEN_FOR ? SELDOM : OFTEN));
    } else this.anew();
  }

  /** The network is there again, or somebody looks again: what seems alive may have died meanwhile. */
  hurry() {
    if (this.closed) return;
    if (this.alive) this.ask();
    else if (!this.turnedAway) this.look();
  }

  /** False if nothing could be sent. */
  send(data) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(data));
    return true;
  }

  /** Say hello anew, with another key perhaps. */
  again() {
    this.still();
    this.anew();
  }

  /** Another connection instead of this one. */
  anew() {
    const old = this.socket;
    this.open();
    old.close();
  }

  close() {
    this.closed = true;
    removeEventListener("online", this.online);
    document.removeEventListener("visibilitychange", this.watched);
    this.still();
    clearTimeout(this.timer);
    this.looking?.abort();
    this.socket.close(1000);
  }
}
