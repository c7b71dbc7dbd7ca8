// The tables at which this browser has a seat, asked for by the landing.

const GONE = 404;

/**
 * The tables with these ids that the server tells of (`ask(id)`). `forget(id)` is called for a table that no longer
 * exists, and for no other failure: the key of a seat cannot be had again.
 */
export async function lookUp(ids, ask, forget) {
  const found = await Promise.all(
    ids.map((id) =>
      ask(id).catch((error) => {
        if (error.status === GONE) forget(id);
        return null;
      }),
    ),
  );
  return found.filter(Boolean);
}
