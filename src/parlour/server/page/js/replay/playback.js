// The position in a replay: a number of events. It moves by hand, or with the page's clock, which calls `tick`.

export class Playback {
  constructor(total = 0) {
    this.total = total;
    this.now = 0;
    this.running = false;
  }

  /** The nearest possible position. @param {number} number */
  within(number) {
    return Math.max(0, Math.min(this.total, number));
  }

  /**
   * Go to an event. The clock stops at the end.
   *
   * @param {number} number
   */
  go(number) {
    this.now = this.within(number);
    if (this.now === this.total) this.running = false;
    return this.now;
  }

  /**
   * Go to an event by hand, which stops the clock.
   *
   * @param {number} number
   */
  step(number) {
    this.running = false;
    return this.go(number);
  }

  /** Start or stop the clock, and return whether it runs. At the end it starts from the beginning. */
  toggle() {
    const start = !this.running;
    if (start && this.now === this.total) this.now = 0;
    this.running = start && this.total > 0;
    return this.running;
  }

  /** Advance by one event while the clock runs. */
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
