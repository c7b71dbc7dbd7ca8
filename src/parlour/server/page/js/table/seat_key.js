// Keys of seats and hosts. The page makes the key, so that a request without an answer can be repeated with it.

/** A random key of 24 bytes in URL-safe Base64. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** The key of a request. The same request has the same key until it is answered; another one has a new key. */
export class RequestKey {
  #request = "";
  #key = "";

  /**
   * The key of a request.
   *
   * @param {unknown} request
   */
  of(request) {
    const text = JSON.stringify(request);
    if (text !== this.#request) this.#key = newKey();
    this.#request = text;
    return this.#key;
  }

  /** Note that the request has been answered or refused. */
  settle() {
    this.#request = "";
  }
}
