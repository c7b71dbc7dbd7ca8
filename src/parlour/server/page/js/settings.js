// What the page remembers on this device: settings, the last choice of a game, and the keys of seats.

const STORE = "parlour";
const DEFAULTS = { name: "", pace: "normal", deck: "two", scheme: "auto", game: null, players: null, options: {}, seats: [] };

function read(name, otherwise) {
  try {
    return { ...otherwise, ...JSON.parse(localStorage.getItem(name) ?? "{}") };
  } catch {
    return { ...otherwise };
  }
}

function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage the page works, it only forgets.
  }
}

export const settings = () => read(STORE, DEFAULTS);

export function remember(changes) {
  write(STORE, { ...settings(), ...changes });
  applyLooks();
}

export const seatAt = (table) => read(`${STORE}:${table}`, { seat: -1, key: null });
/** The key of a seat; and, where the table was opened here, how, so that the like can be opened again. */
export const keepSeat = (table, seat, key, request = undefined) => write(`${STORE}:${table}`, { seat, key, request, at: Date.now() });

/** The tables at which this browser has a seat, the latest first. */
export function ownSeats() {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(`${STORE}:`));
  const kept = names.map((name) => ({ table: name.slice(STORE.length + 1), ...read(name, { seat: -1, at: 0 }) }));
  return kept.filter(({ seat }) => seat >= 0).sort((one, other) => other.at - one.at).map(({ table }) => table);
}

export function forgetSeat(table) {
  localStorage.removeItem(`${STORE}:${table}`);
}

/** Scheme and deck are classes of the document, so that style sheets alone decide what they mean. */
export function applyLooks() {
  const { scheme, deck } = settings();
  const root = document.documentElement;
  root.classList.toggle("light", scheme === "light");
  root.classList.toggle("dark", scheme === "dark");
  root.classList.toggle("four-colours", deck === "four");
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
