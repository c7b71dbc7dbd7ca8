// The position in a replay: one event at a time, by hand or by a clock.

export class Playback {
  constructor(total = 0) {
    this.total = total;
    this.now = 0;
    this.running = false;
  }

  within(number) {
    return Math.max(0, Math.min(this.total, number));
  }

  /** To a moment. At the end the clock stops. */
  go(number) {
    this.now = this.within(number);
    if (this.now === this.total) this.running = false;
    return this.now;
  }

  /** To a moment by hand, which stops the clock. */
  step(number) {
    this.running = false;
    return this.go(number);
  }

  /** Starts the clock, at the end from the beginning, or stops it. */
  toggle() {
    const start = !this.running;
    if (start && this.now === this.total) this.now = 0;
    this.running = start && this.total > 0;
    return this.running;
  }

  /** One event on, while the clock runs. */
  tick() {
    return this.running ? this.go(this.now + 1) : this.now;
  }

  get atStart() {
    return this.now === 0;
  }

  get atEnd() {
    return this.now === this.total;
  }
}
