// What the page remembers on this device: settings, the last choice of a game, and the keys of seats.

const STORE = "parlour";
const DEFAULTS = {
  name: "",
  pace: "normal",
  rest: "pace",
  confirm: false,
  sound: true,
  hear: true,
  large: false,
  text: false,
  deck: "two",
  scheme: "auto",
  manners: {},
  turns: {},
  glossed: {},
  still: false,
  game: null,
  players: null,
  options: {},
  seats: [],
  met: [],
};

/** What storage refuses, because it is blocked or full: remembered as long as the page is open. */
const unstored = new Map();

function read(name, otherwise) {
  try {
    return { ...otherwise, ...JSON.parse(unstored.get(name) ?? localStorage.getItem(name) ?? "{}") };
  } catch {
    return { ...otherwise };
  }
}

/** True if it will be there still when the page is gone. */
function write(name, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(name, text);
    unstored.delete(name);
    return true;
  } catch {
    unstored.set(name, text);
    return false;
  }
}

function storedNames() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

export const settings = () => read(STORE, DEFAULTS);

export function remember(changes) {
  write(STORE, { ...settings(), ...changes });
  applyLooks();
  dispatchEvent(new Event("parlour-settings"));
}

/** What changes nothing that is seen. */
export const rememberQuietly = (changes) => write(STORE, { ...settings(), ...changes });

/** Who has once played a game, or has been taught it, has met it. */
export const hasMet = (game) => settings().met.includes(game);
export const meet = (game) => hasMet(game) || remember({ met: [...settings().met, game] });

/** Whoever has acted so often in a game has met it. */
const FIRST_TURNS = 5;
export function actedIn(game) {
  const { turns } = settings();
  const acted = (turns[game] ?? 0) + 1;
  if (acted >= FIRST_TURNS) meet(game);
  if (!hasMet(game)) rememberQuietly({ turns: { ...turns, [game]: acted } });
}
/** Whether nothing has been played in this browser yet. */
export const isNew = () => !settings().met.length && !Object.keys(settings().turns).length;

export const seatAt = (table) => read(`${STORE}:${table}`, { seat: -1, key: null });
/** Keeps a seat, at a table that was `opened` from this browser or not. True if the next page will find it. */
export const keepSeat = (table, seat, key, opened = false) =>
  write(`${STORE}:${table}`, { seat, key, opened, at: Date.now() });

const readName = (table) => `${STORE}-read:${table}`;
/** How many sentences of a table were told when it was last looked at here; `otherwise` if it never was. */
export const lastRead = (table, otherwise) => read(readName(table), { told: otherwise }).told;
export const keepRead = (table, told) => write(readName(table), { told });

/** The tables at which this browser has a seat, the latest first. */
export function ownSeats() {
  const names = storedNames().filter((name) => name.startsWith(`${STORE}:`));
  const kept = names.map((name) => ({ table: name.slice(STORE.length + 1), ...read(name, { seat: -1, at: 0 }) }));
  return kept
    .filter(({ seat }) => seat >= 0)
    .sort((one, other) => other.at - one.at)
    .map(({ table }) => table);
}

/** The table that was asked for last, until it is answered: `path`, `body`, `key`, and `at` what time. */
export const opening = () => read(`${STORE}-opening`, {});
export const keepOpening = (asked) => write(`${STORE}-opening`, asked);

export function forgetSeat(table) {
  localStorage.removeItem(`${STORE}:${table}`);
  localStorage.removeItem(readName(table));
}

/** Scheme and deck are classes of the document, so that style sheets alone decide what they mean. */
export function applyLooks() {
  const { scheme, deck, large } = settings();
  const root = document.documentElement;
  root.classList.toggle("light", scheme === "light");
  root.classList.toggle("dark", scheme === "dark");
  root.classList.toggle("four-colours", deck === "four");
  root.classList.toggle("large", large);
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
