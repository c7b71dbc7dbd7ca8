// The tables at which this browser has a seat, as the server knows them.

import { isNotFound } from "../common/api.js";

/**
 * The tables about which the server answers. `forget` is called for a table that no longer exists; other failures must
 * not lose the key of a seat, because it cannot be restored.
 *
 * @template Table
 * @param {string[]} ids
 * @param {(id: string) => Promise<Table>} fetchTable
 * @param {(id: string) => void} forget
 */
export async function lookUp(ids, fetchTable, forget) {
  const found = await Promise.all(
    ids.map((id) =>
      fetchTable(id).catch((error) => {
        if (isNotFound(error)) forget(id);
        return null;
      }),
    ),
  );
  return found.filter((table) => table !== null);
}
