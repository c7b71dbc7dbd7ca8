// The live connection to a table. It comes back by itself, and says hello again each time.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
const HEARTBEAT = 20000;
const PATIENCE = 10000;
const SHORT_PATIENCE = 3000;
const FINAL = [4403, 4404];

export class Connection {
  /** `key()` gives the seat's key; `on` has message(data), lost(), found() and refused(code). */
  constructor(table, key, on) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${table}/play`;
    this.key = key;
    this.on = on;
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.alive = false;
    this.once = false;
    this.online = () => this.hurry();
    addEventListener("online", this.online);
    this.open();
  }

  open() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => socket === this.socket && this.send({ type: "hello", key: this.key() }));
    socket.addEventListener("message", (event) => socket === this.socket && this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => socket === this.socket && this.lose(event.code));
  }

  hear(data) {
    clearTimeout(this.doubt);
    if (!this.alive) {
      this.alive = true;
      this.wait = FIRST_WAIT;
      this.beat = setInterval(() => this.ask(PATIENCE), HEARTBEAT);
      if (this.once) this.on.found();
      this.once = true;
    }
    if (data.type !== "pong") this.on.message(data);
  }

  /** Is anybody there? A connection may die without a word: one over which nothing comes for so long is taken for lost. */
  ask(patience) {
    clearTimeout(this.doubt);
    this.doubt = setTimeout(() => this.abandon(), patience);
    this.send({ type: "ping" });
  }

  abandon() {
    this.on.lost();
    this.again();
  }

  /** Nothing more is expected of this connection. */
  still() {
    clearInterval(this.beat);
    clearTimeout(this.doubt);
    this.alive = false;
  }

  lose(code) {
    this.still();
    if (this.closed) return;
    if (FINAL.includes(code)) {
      this.on.refused(code);
      return;
    }
    this.on.lost();
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  /** The network is there again: what seems alive may have died meanwhile. */
  hurry() {
    if (this.closed) return;
    if (this.alive) {
      this.ask(SHORT_PATIENCE);
      return;
    }
    clearTimeout(this.timer);
    this.wait = FIRST_WAIT;
    this.anew();
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
    this.still();
    clearTimeout(this.timer);
    this.socket.close();
  }
}
