// The texts of the landing and the lobby: a part of texts.js.

import { gettext, listed, locale, ngettext, pgettext } from "../common/language.js";
import { labelled } from "../common/phrases.js";

/** @type {Intl.DateTimeFormatOptions} */
const MOMENT = { weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" };

/** A time in words, as in "Mon 30 Nov, 14:05". @param {number} at in seconds since 1970 */
const timeInWords = (at) => new Date(1000 * at).toLocaleString(locale, MOMENT);

export const LOBBY_TEXTS = {
  /** @type {(from: number, to: number) => string} */
  minutesRange: (from, to) => gettext("{from}–{to} minutes", { from, to }),
  /** @type {(number: number) => string} */
  minutes: (number) => ngettext("{number} minute", "{number} minutes", number),
  learn: gettext("Learn it"),
  stillPictures: gettext("Stop the pictures"),
  runPictures: gettext("Let the pictures run"),
  unknownGame: gettext("There is no such game here."),
  ownTables: gettext("Your tables"),
  lobby: gettext("Sit down with others"),
  /** @type {(names: string[]) => string} */
  waits: (names) => ngettext("{names} waits", "{names} wait", names.length, { names: listed(names) }),
  ratedShort: pgettext("table", "rated"),
  usualRules: gettext("as the rules have it"),
  optionOn: pgettext("option", "yes"),
  optionOff: pgettext("option", "no"),
  optionIs: labelled,
  noBots: pgettext("bots", "None"),
  /** @type {(number: number, levels: string[]) => string} */
  botsThere: (number, levels) =>
    // Translators: the number of bots, with their levels: "3 (Regular, Expert)"
    ngettext("One ({levels})", "{number} ({levels})", number, { levels: levels.join(", ") }),
  /** @type {(level: string, seconds: number) => string} */
  botsCome: (level, seconds) =>
    seconds > 60
      ? ngettext(
          "a bot ({level}) takes what stays free in {number} minute",
          "a bot ({level}) takes what stays free in {number} minutes",
          Math.ceil(seconds / 60),
          { level },
        )
      : gettext("a bot ({level}) takes what stays free within a minute", { level }),
  puzzles: gettext("Puzzles"),
  puzzlesHint: gettext("One decision, and one action that is best beyond doubt. Find it."),
  puzzleStart: pgettext("button", "Solve"),
  about: gettext("About"),
  nowhere: gettext("There is no page at this address."),
  listed: gettext("Anyone may sit down"),
  listedHint: gettext(
    "The table is shown to everyone while you wait at it. Otherwise only those to whom you send the link find it.",
  ),
  /** @type {(number: number) => string} */
  seatsOpen: (number) => ngettext("a seat is open", "{number} seats are open", number),
  isOver: pgettext("game", "over"),
  yourTurn: pgettext("game", "your turn"),
  /** @type {(name: string) => string} */
  turnOf: (name) => gettext("{name} is to play", { name }),
  /** @type {(at: number) => string} */
  yourTurnUntil: (at) => gettext("your turn, until {time}", { time: timeInWords(at) }),
  /** @type {(name: string, at: number) => string} */
  turnOfUntil: (name, at) => gettext("{name} is to play, until {time}", { name, time: timeInWords(at) }),
  /** @type {(at: number) => string} */
  untilTime: (at) => gettext("until {time}", { time: timeInWords(at) }),
  goesOn: pgettext("game", "goes on"),
  /** @type {(names: string[]) => string} */
  with: (names) => gettext("with {names}", { names: listed(names) }),
  /** @type {(title: string, names: string[]) => string} */
  titleWith: (title, names) => gettext("{title} with {names}", { title, names: listed(names) }),
  /** @type {(title: string) => string} */
  forget: (title) => gettext("Forget this table of {title}: its seat cannot be had again", { title }),
  forgetShort: gettext("Forget this table"),

  send: pgettext("button", "Send …"),
  code: gettext("Show as a code"),
  codeOf: gettext("The link as a code, to be read by the camera of another device"),
  otherDevice: gettext("Go on with another device"),
  copyOwnLink: gettext("Copy the link to your seat"),
  otherDeviceHint: gettext("This link carries the key to your own seat. Give it to nobody else."),
  /** @type {(name: string) => string} */
  takeSeatOf: (name) => gettext("Take the seat of {name}", { name }),
  takeBotSeat: gettext("Take a bot’s seat"),
  takeBotHint: gettext("You continue the bot’s game with its cards. Everyone who plays here is asked first."),

  lesson: gettext("Lesson"),
  stepBack: pgettext("step", "Back"),

  replay: gettext("Replay"),
  lookAgain: gettext("Replay"),
  lookAgainHint: gettext("the whole game, step by step, with every card open"),
  toTable: gettext("To the table"),
};
