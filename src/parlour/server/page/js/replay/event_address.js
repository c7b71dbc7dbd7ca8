// The number of the shown event in the page's address.

/** Milliseconds between two changes. Safari refuses more than 100 in 30 seconds, earlier versions with an error. */
export const CHANGE_TIME = 400;

export class EventAddress {
  #changed = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;

  /**
   * Write the number into the address, at the latest when the time since the last change is long enough.
   *
   * @param {number} number
   */
  show(number) {
    clearTimeout(this.#timer);
    const wait = this.#changed + CHANGE_TIME - Date.now();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.show(number), wait);
    } else {
      this.#changed = Date.now();
      history.replaceState(null, "", `#${number}`);
    }
  }
}
