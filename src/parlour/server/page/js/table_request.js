// A table that is being opened. It is asked for with a key of this browser's own, and again where the answer got lost: it is one table.

import * as api from "./api.js";
import { newKey } from "./seat_key.js";
import { keepOpening, keepSeat, opening } from "./settings.js";
import { t } from "./texts.js";

const WAITS = [500, 1000, 2000];
const FRESH = 10 * 60_000;

/** What was asked for last without an answer, so that pressing the button again asks for the same. */
let unanswered = null;

const isAnswer = (error) => error.status && error.status < 500;

/** Asks for something that may be asked for again, until it is answered or it has been tried often enough. */
export async function insist(ask) {
  for (const wait of WAITS) {
    try {
      return await ask();
    } catch (error) {
      if (isAnswer(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return ask().catch((error) => {
    throw error.status ? error : new Error(t("unreachable"));
  });
}

const ask = ({ path, body, key }) => api.openTable(path, { ...body, key });

/** Opens a table, or one that plays on from another (`path`); what is asked for is kept, in case this page is closed before the answer. */
export async function open(body, path = "/api/tables") {
  const same = unanswered && JSON.stringify([unanswered.path, unanswered.body]) === JSON.stringify([path, body]);
  unanswered = { path, body, key: same ? unanswered.key : newKey(), at: Date.now() };
  keepOpening(unanswered);
  try {
    const opened = await insist(() => ask(unanswered));
    unanswered = null;
    return opened;
  } catch (error) {
    if (isAnswer(error)) unanswered = null;
    throw error;
  } finally {
    keepOpening({});
  }
}

/** Asks once more for a table whose page was closed before the answer came, and keeps the seat there. */
export async function finishOpening() {
  const before = opening();
  if (!before.key) return;
  try {
    if (Date.now() - before.at < FRESH) {
      const { table, seat, key } = await ask(before);
      keepSeat(table, seat, key);
    }
  } catch (error) {
    if (!isAnswer(error)) return;
  }
  if (opening().key === before.key) keepOpening({});
}
