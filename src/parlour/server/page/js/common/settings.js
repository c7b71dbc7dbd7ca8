// Browser storage: settings, known games, keys, results in puzzles, and a table request without an answer.

const STORE = "parlour";

/** Actions after which a player knows a game. */
const FIRST_TURNS = 5;

/** Seconds for which the choice of a language lasts. */
const YEAR = 31_536_000;

/** @typedef {import("../answers.d.ts").OptionValues} OptionValues */

/**
 * `turns` counts the player's actions by game until the player knows the game, which is then in `met`. `glossed` has
 * the explained words by game, `lessons` the position in each game's lesson. `game`, `players`, `options` and `seats`
 * are the last setup.
 *
 * @typedef {object} Settings
 * @property {string} name
 * @property {string} pace
 * @property {string} rest how long a finished trick stays
 * @property {boolean} confirm whether a card needs a second tap
 * @property {boolean} forced whether the only legal action is done by itself against bots
 * @property {boolean} letters whether letters, digits and signs are shortcuts
 * @property {boolean} sound
 * @property {boolean} hear whether messages are shown as bubbles
 * @property {boolean} notify whether the system shows notices of turns
 * @property {boolean} large
 * @property {boolean} text whether a table is shown as text
 * @property {string} deck
 * @property {string} faces the kind of the cards' faces
 * @property {string} back the pattern of the cards' backs
 * @property {string} scheme
 * @property {Partial<Record<import("../landing/manners.js").MannersKey, string>>} manners
 * @property {Record<string, number>} turns
 * @property {Record<string, string[]>} glossed
 * @property {Record<string, import("../lesson/lesson_position.js").Position>} lessons
 * @property {boolean} still whether the landing's pictures stand still
 * @property {string | null} game
 * @property {number | null} players
 * @property {OptionValues} options
 * @property {string[]} seats
 * @property {string[]} met
 */

/** @type {Settings} */
const DEFAULTS = {
  name: "",
  pace: "normal",
  rest: "pace",
  confirm: false,
  forced: true,
  letters: true,
  sound: true,
  hear: true,
  notify: false,
  large: false,
  text: false,
  deck: "two",
  faces: "usual",
  back: "bricks",
  scheme: "auto",
  manners: {},
  turns: {},
  glossed: {},
  lessons: {},
  still: false,
  game: null,
  players: null,
  options: {},
  seats: [],
  met: [],
};

/**
 * Entries that a blocked or full storage refused. They last as long as the page.
 *
 * @type {Map<string, string>}
 */
const unstored = new Map();

/**
 * Read an entry over its defaults.
 *
 * @template {object} Entry
 * @param {string} name
 * @param {Entry} defaults
 * @returns {Entry}
 */
function read(name, defaults) {
  try {
    return { ...defaults, ...JSON.parse(unstored.get(name) ?? localStorage.getItem(name) ?? "{}") };
  } catch {
    return { ...defaults };
  }
}

/**
 * Write an entry. Returns false if the browser does not store it; it then lasts as long as the page.
 *
 * @param {string} name
 * @param {object} value
 */
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

/**
 * Remove an entry, also one that the browser has not stored.
 *
 * @param {string} name
 */
function remove(name) {
  unstored.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // a blocked storage has no entries
  }
}

function storedNames() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** The settings of this browser. */
export const settings = () => read(STORE, DEFAULTS);

/**
 * Whether a key is no shortcut by the settings: speech input types the letters of a word that it takes for a text.
 *
 * @param {string} key
 */
export const isMuted = (key) => key.length === 1 && key !== " " && !settings().letters;

/**
 * Change settings, and redraw the page by the event `parlour-settings`.
 *
 * @param {Partial<Settings>} changes
 */
export function remember(changes) {
  write(STORE, { ...settings(), ...changes });
  applyLooks();
  dispatchEvent(new Event("parlour-settings"));
}

/**
 * Change settings that have no effect on the page that is open.
 *
 * @param {Partial<Settings>} changes
 */
export const rememberQuietly = (changes) => write(STORE, { ...settings(), ...changes });

/**
 * Whether the player knows a game from play or from its lesson.
 *
 * @param {string} game
 */
export const knowsGame = (game) => settings().met.includes(game);

/** @param {string} game */
export function markKnown(game) {
  if (!knowsGame(game)) remember({ met: [...settings().met, game] });
}

/**
 * Count an action of the player in a game.
 *
 * @param {string} game
 */
export function countAction(game) {
  const { turns } = settings();
  const acted = (turns[game] ?? 0) + 1;
  if (acted >= FIRST_TURNS) markKnown(game);
  if (!knowsGame(game)) rememberQuietly({ turns: { ...turns, [game]: acted } });
}

/** Whether no game has been played in this browser. */
export const isNew = () => !settings().met.length && !Object.keys(settings().turns).length;

/**
 * A seat at a table with its key; −1 is no seat. `opened` is true for the browser that opened the table. `linked` is
 * whether the room has the seat in the player's list, or has refused it; it is missing until the room has answered.
 * "left" is the seat of a forgotten player, which is forgotten, too, if its game is over. `fromLink` is true if the
 * seat came by a link, whose author has its key as well; `proposed` where this browser has opened the table as a
 * rematch.
 *
 * @typedef {object} KeptSeat
 * @property {number} seat
 * @property {string | null} key
 * @property {boolean} [opened]
 * @property {number} at
 * @property {"yes" | "refused" | "left"} [linked]
 * @property {boolean} [fromLink]
 * @property {boolean} [proposed]
 * @property {string} [repeated]
 */

/**
 * The seat of this browser at a table.
 *
 * @param {string} table
 */
export const seatAt = (table) => read(`${STORE}:${table}`, /** @type {KeptSeat} */ ({ seat: -1, key: null, at: 0 }));

/**
 * Keep a seat. Returns false if the browser does not store it.
 *
 * @param {string} table
 * @param {number} seat
 * @param {string | null} key
 * @param {boolean} [opened] whether this browser opened the table
 */
export const keepSeat = (table, seat, key, opened = false) =>
  write(`${STORE}:${table}`, { seat, key, opened, at: Date.now() });

/**
 * Whether the browser has refused to store the seat at a table, so that it is lost with the page.
 *
 * @param {string} table
 */
export const isSeatUnstored = (table) => unstored.has(`${STORE}:${table}`) && seatAt(table).seat >= 0;

/**
 * Keep whether the room has a seat in the player's list. Undefined means that the room has to be asked again.
 *
 * @param {string} table
 * @param {KeptSeat["linked"]} linked
 */
export const markLinked = (table, linked) => write(`${STORE}:${table}`, { ...seatAt(table), linked });

/** Keep that this browser has proposed a rematch, at its table. @param {string} table */
export const markProposed = (table) => write(`${STORE}:${table}`, { ...seatAt(table), proposed: true });

/** Keep that a seat came by a link. @param {string} table */
export const markFromLink = (table) => write(`${STORE}:${table}`, { ...seatAt(table), fromLink: true });

/** Keep the table at which the deal of a table is played again. @type {(table: string, repeated: string) => boolean} */
export const markRepeated = (table, repeated) => write(`${STORE}:${table}`, { ...seatAt(table), repeated });

/** @param {string} table */
const readName = (table) => `${STORE}-read:${table}`;

/** The host's key of a club night that this browser has opened; empty for others. @param {string} club */
export const hostKey = (club) => read(`${STORE}-club:${club}`, { key: "" }).key;

/** Keep the host's key of a club night. @type {(club: string, key: string) => boolean} */
export const keepHostKey = (club, key) => write(`${STORE}-club:${club}`, { key });

/**
 * The number of log lines of a table that this browser has shown; `otherwise` if it has shown none.
 *
 * @param {string} table
 * @param {number} otherwise
 */
export const lastRead = (table, otherwise) => read(readName(table), { lines: otherwise }).lines;

/** @type {(table: string, lines: number) => boolean} */
export const keepRead = (table, lines) => write(readName(table), { lines });

/**
 * The name by which this browser looks on at a table; empty if there is none.
 *
 * @param {string} table
 */
export const onlookerName = (table) => read(`${STORE}-onlooker:${table}`, { name: "" }).name;

/** @type {(table: string, name: string) => boolean} */
export const keepOnlookerName = (table, name) => write(`${STORE}-onlooker:${table}`, { name });

/** The tables at which this browser has a seat, the latest first. */
export function ownSeats() {
  const tables = storedNames()
    .filter((name) => name.startsWith(`${STORE}:`))
    .map((name) => name.slice(STORE.length + 1));
  const kept = tables.map((table) => ({ table, ...seatAt(table) })).filter(({ seat }) => seat >= 0);
  return kept.sort((one, other) => other.at - one.at).map(({ table }) => table);
}

/** @param {string} table */
export function forgetSeat(table) {
  for (const name of [`${STORE}:${table}`, readName(table)]) remove(name);
}

/**
 * A request for a new table: `path` and `body`, the key of the seat, and the time in milliseconds.
 *
 * @typedef {{ path: string, body: object, key: string, at: number }} TableRequest
 */

/**
 * The latest table request without an answer; empty if there is none.
 *
 * @returns {Partial<TableRequest>}
 */
export const tableRequest = () => read(`${STORE}-opening`, {});

/** @param {Partial<TableRequest>} request */
export const keepTableRequest = (request) => write(`${STORE}-opening`, request);

/**
 * The player's key (empty before it is needed), and the commitments to daily deals that were seen, by day.
 *
 * @returns {{ key: string, seen: Record<string, string> }}
 */
export const dailyEntry = () => read(`${STORE}-daily`, { key: "", seen: {} });

/** Whether the browser has refused to store the player's key, so that it is lost with the page. */
export function isPlayerKeyUnstored() {
  const { key } = dailyEntry();
  if (!unstored.has(`${STORE}-daily`)) return false;
  try {
    return !localStorage.getItem(`${STORE}-daily`)?.includes(key); // a full storage may have the key, but not more
  } catch {
    return true;
  }
}

/** @param {{ key: string, seen: Record<string, string> }} entry */
export const keepDailyEntry = (entry) => write(`${STORE}-daily`, entry);

/**
 * The player's standings in puzzles and the puzzles tried, by game.
 *
 * @typedef {Record<string, { standing: import("../answers.d.ts").PuzzleStanding | null, tried: string[] }>} PuzzleEntry
 */

/** @returns {PuzzleEntry} */
export const puzzleEntry = () => read(`${STORE}-puzzles`, {});

/** @param {PuzzleEntry} entry */
export const keepPuzzleEntry = (entry) => write(`${STORE}-puzzles`, entry);

/** The code of the language that was chosen in this browser; empty for that of the browser. */
export const chosenLanguage = () => document.cookie.match(/(?:^|; )language=(\w+)/)?.[1] ?? "";

/** Choose the language of the pages that are loaded from now on. @param {string} code empty: that of the browser */
export function chooseLanguage(code) {
  document.cookie = `language=${code}; path=/; max-age=${code ? YEAR : 0}; SameSite=Lax`;
}

/** Apply the looks to the document, where style sheets and drawings find them. */
export function applyLooks() {
  const { scheme, deck, faces, back, large } = settings();
  const root = document.documentElement;
  root.classList.toggle("light", scheme === "light");
  root.classList.toggle("dark", scheme === "dark");
  root.classList.toggle("four-colours", deck === "four");
  root.classList.toggle("large", large);
  Object.assign(root.dataset, { faces, back });
}

/** Whether the browser prefers reduced motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
