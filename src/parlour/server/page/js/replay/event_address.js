// The page's address of the shown event.

/** Milliseconds between two changes. Safari refuses more than 100 in 30 seconds, earlier versions with an error. */
export const CHANGE_TIME = 400;

export class EventAddress {
  #changed = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;

  /**
   * Change the page's address, at the latest when the time since the last change is long enough.
   *
   * @param {string} address
   */
  show(address) {
    clearTimeout(this.#timer);
    const wait = this.#changed + CHANGE_TIME - Date.now();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.show(address), wait);
    } else {
      this.#changed = Date.now();
      history.replaceState(null, "", address);
    }
  }
}
