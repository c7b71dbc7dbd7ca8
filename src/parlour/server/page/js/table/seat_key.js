// Keys of seats. The page makes the key, so that a request for a seat can be repeated with it.

/** A random key of 24 bytes in URL-safe Base64. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
