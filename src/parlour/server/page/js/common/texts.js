// The texts of the page. The texts of games, rules and messages come from the server.

import { gettext, listed, listedChoice, ngettext, pgettext } from "./language.js";
import {
  capitalized,
  cardName,
  labelled,
  quoted,
  signed,
  suitCards,
  unbroken,
  withinSentence,
  withSemicolons,
} from "./phrases.js";
import { DAILY_TEXTS } from "../texts/texts_daily.js";
import { HINT_TEXTS } from "../texts/texts_hint.js";
import { LOBBY_TEXTS } from "../texts/texts_lobby.js";
import { OWN_TEXTS } from "../texts/texts_own.js";
import { TABLE_TEXTS } from "../texts/texts_table.js";

/**
 * A time at the beginning of a sentence.
 *
 * @param {number} seconds
 */
function duration(seconds) {
  if (seconds % 60) return ngettext("{number} second", "{number} seconds", seconds);
  return seconds === 60 ? gettext("A minute") : ngettext("{number} minute", "{number} minutes", seconds / 60);
}

/** @param {string} clause */
const clauseNumber = (clause) => clause.split("-").at(-1) ?? "";

const TEXTS = {
  ...DAILY_TEXTS,
  ...HINT_TEXTS,
  ...LOBBY_TEXTS,
  ...OWN_TEXTS,
  ...TABLE_TEXTS,
  parlour: "Parlour",
  tagline: gettext(
    "Unusual card games, against bots or with friends by a link. No account, nothing to install: sit down and deal.",
  ),
  loading: gettext("One moment …"),
  card: cardName,
  cardsOfSuit: suitCards,
  faceDown: pgettext("card", "face down"),
  legal: pgettext("card", "legal"),
  notNow: gettext("not legal now"),
  picked: pgettext("card", "picked"),
  back: gettext("a face-down card"),

  games: gettext("The games"),
  players: gettext("Players"),
  /** @type {(low: number, high: number) => string} */
  playersRange: (low, high) =>
    low === high
      ? ngettext("{number} player", "{number} players", low)
      : ngettext("{low} to {number} player", "{low} to {number} players", high, { low }),
  seats: gettext("At the table"),
  you: pgettext("player", "You"),
  dock: gettext("What you hold and may do"),
  yourName: gettext("Your name"),
  defaultName: gettext("Guest"),
  friend: pgettext("seat", "A friend, by link"),
  botsToPlay: gettext("Bots"),
  botsToStudy: gettext("Bots for study"),
  /** @type {(number: number) => string} */
  seat: (number) => gettext("Seat {number}", { number }),
  manners: gettext("Table manners"),
  mannersClock: gettext("Clocks"),
  mannersClocks: {
    none: gettext("None: take your time"),
    quick: gettext("2 minutes, and 3 seconds for each action"),
    calm: gettext("10 minutes, and 10 seconds for each action"),
    long: gettext("An hour, and 30 seconds for each action"),
    oneDay: gettext("Over days: a day for each action"),
    threeDays: gettext("Over days: 3 days for each action"),
    oneWeek: gettext("Over days: a week for each action"),
  },
  /** @type {(days: number) => string} */
  daysOf: (days) => ngettext("{number} day for each action.", "{number} days for each action.", days),
  mannersDaysOver: gettext(
    "The game goes on without a connection: come back when it is your turn. If you miss the time for an action, " +
      "a bot plays for you until you come back.",
  ),
  mannersPatience: gettext("When somebody has gone"),
  mannersPatiences: {
    short: gettext("a bot plays after half a minute"),
    usual: gettext("a bot plays after two minutes"),
    endless: gettext("the others wait"),
  },
  /** @type {(seconds: number, increment: number) => string} */
  clockOf: (seconds, increment) => {
    const time = duration(seconds);
    if (!increment) return `${time}.`;
    // Translators: {time} is a time at the beginning of the sentence, as in "10 minutes"
    return ngettext(
      "{time}, and {number} second for each action.",
      "{time}, and {number} seconds for each action.",
      increment,
      { time },
    );
  },
  /** @type {(seconds: number) => string} */
  patienceOf: (seconds) => {
    if (seconds % 60) {
      return ngettext("a bot plays after {number} second", "a bot plays after {number} seconds", seconds);
    }
    if (seconds === 60) return gettext("a bot plays after a minute");
    return ngettext("a bot plays after {number} minute", "a bot plays after {number} minutes", seconds / 60);
  },
  mannersTimeOver: gettext(
    "Nobody loses by the clock: for whoever runs out of time a bot plays on to the end. If you lose the " +
      "connection, a bot stands in: come back, and you play on with at least 30 seconds.",
  ),
  mannersFill: gettext("When a seat stays free"),
  mannersFills: {
    never: gettext("we wait"),
    one: gettext("a bot takes it after a minute"),
    three: gettext("a bot takes it after 3 minutes"),
    five: gettext("a bot takes it after 5 minutes"),
  },
  mannersFillBot: gettext("Which bot"),
  /** @type {(seconds: number) => string} */
  fillOf: (seconds) => {
    if (seconds % 60) {
      return ngettext(
        "a bot takes it {number} second after the table was opened",
        "a bot takes it {number} seconds after the table was opened",
        seconds,
      );
    }
    if (seconds === 60) return gettext("a bot takes it a minute after the table was opened");
    return ngettext(
      "a bot takes it {number} minute after the table was opened",
      "a bot takes it {number} minutes after the table was opened",
      seconds / 60,
    );
  },
  /** @type {(seconds: number) => string} */
  fillsAfter: (seconds) => {
    if (!seconds) return gettext("Bots sit down …");
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    return gettext("Bots take the free seats in {time}.", { time });
  },
  hints: gettext("Hints"),
  mannersHints: { no: pgettext("hints", "None"), yes: gettext("For everyone; the others are told of each") },
  mannersTakeOver: gettext("Bots’ seats"),
  mannersTakeOvers: {
    no: gettext("Bots play to the end"),
    yes: gettext("A person may take one over if all who play agree"),
  },
  mannersRated: gettext("Rating"),
  mannersRatings: { no: pgettext("rating", "Casual"), yes: gettext("Rated: no hints, no undo") },
  mannersStudied: gettext("Studies of the rules"),
  mannersStudiedGame: gettext("This game"),
  mannersStudies: { no: gettext("Not used"), yes: gettext("May be used, without names") },
  mannersAgreed: gettext("The room may use the finished game, without names."),
  mannersTalks: { words: gettext("Words and signs"), signs: gettext("Signs only"), none: pgettext("talk", "None") },
  options: gettext("The rules you play by"),
  /** @type {(name: string) => string} */
  valueName: (name) => capitalized(name).replaceAll("_", " "),
  otherValue: pgettext("value of an option", "Other …"),
  /** @type {(low: number, high: number) => string} */
  limitsOf: (low, high) => gettext("From {low} to {high} with so many players.", { low, high }),
  /** @type {(number: number) => string} */
  moreOptions: (number) => gettext("More numbers of the rules ({number})", { number }),
  reset: gettext("As the rules have it"),
  play: pgettext("button", "Play"),
  openTable: gettext("Open the table"),
  openTableHint: gettext("The link for your friends comes next, at the table."),
  readRules: gettext("Read the rules"),
  howPlayed: gettext("How is it played?"),

  home: gettext("Back to the games"),
  copyLinkLong: gettext("Copy the link to this table"),
  copied: gettext("The link is copied. Send it to your friends."),
  copiedHere: gettext("The link is copied. It opens on this machine only."),
  copySelected: gettext("Copy the selected link."),
  copyHere: gettext("For another window on this machine:"),
  hereOnly: gettext("Other devices cannot open this link yet: it works on this machine only."),
  openToNetwork: gettext(
    "To let in everybody in your network, close the room and open it again like this, with the other options " +
      "that you gave it; the tables stay.",
  ),
  openCommand: "parlour serve --host 0.0.0.0 --open",
  inNetwork: gettext("This opens for everybody in the same network as this machine."),
  otherAddress: gettext("In another network of this machine:"),
  copyThis: gettext("Send this link to your friends:"),
  lastTrick: gettext("Last trick"),
  noLastTrick: gettext("There is no last trick to see."),
  score: gettext("Score"),
  rules: gettext("Rules"),
  settings: gettext("Settings"),
  help: gettext("Help"),
  close: gettext("Close"),
  logTitle: gettext("What happened"),
  logEmpty: gettext("Nothing has happened yet."),
  standings: gettext("Standings"),
  /** @type {(points: string) => string} */
  before: (points) => gettext("before this round {points}", { points }),
  countsNow: gettext("Point by point"),
  goOn: gettext("Go on"),
  nextRound: gettext("Go on to the next round"),
  end: gettext("How it ended"),
  again: gettext("Play again"),
  nextGame: gettext("To the next game"),
  record: gettext("Download the record"),
  recordHint: gettext("every card and action, as a file"),
  newGame: gettext("All games"),
  waiting: gettext("Waiting for the others to sit down"),
  waitingHint: gettext("The game begins when every seat is taken."),
  open: pgettext("seat", "open"),
  join: gettext("Sit down"),
  invitedTo: gettext("You are invited to a game of"),
  watch: gettext("Just watch"),
  watching: gettext("You are watching."),
  offline: gettext("You are offline. The games’ rules and lessons work; tables need the card room."),
  offlineNotice: gettext("The card room cannot be reached: rules and lessons work, tables wait."),
  tryAgain: pgettext("button", "Try again"),
  unreachable: gettext("The card room does not answer. Try again in a moment."),
  lost: gettext("The connection is lost. Trying again …"),
  needsConnection: gettext("That needs the connection, which is lost for the moment."),
  /** @type {(action: string) => string} */
  waitsToBeSent: (action) => gettext("Waiting for the connection: {action} is done as soon as it is back.", { action }),
  /** @type {(action: string) => string} */
  waitsForAnswer: (action) => gettext("Waiting for the connection, to learn whether {action} was done.", { action }),
  /** @type {(label: string, cards: string[]) => string} */
  actionOf: (label, cards) => quoted(cards.length ? labelled(label, cards.join(", ")) : label),
  /** @type {(action: string) => string} */
  tooLate: (action) =>
    gettext("{action} was not done: the table has moved on while the connection was lost.", { action }),
  putBack: gettext("Cancel"),
  missed: gettext("While you were away"),
  missedBegin: gettext("While you were away:"),
  /** @type {(number: number) => string} */
  missedMore: (number) => ngettext("{number} earlier move: see Score.", "{number} earlier moves: see Score.", number),
  missedRead: gettext("Go on"),
  /** @type {(what: string) => string} */
  unsent: (what) => gettext("{what} (to be said when the connection is back)", { what }),
  connectedAgain: gettext("Connected again."),
  unknownTable: gettext("There is no such table here. It may have been cleared away."),
  banned: gettext("The operator of this room has shut it to your address for a time."),
  wrongKey: gettext("This seat belongs to somebody else. You can watch."),
  failed: gettext("That did not work."),
  /** @type {(clause: string) => string} */
  clause: (clause) => (clause ? gettext("Rule {number}", { number: clauseNumber(clause) }) : ""),
  /** @type {(clause: string) => string} */
  clauseSign: (clause) => unbroken(gettext("rule {number}", { number: clauseNumber(clause) })),
  undo: gettext("Take back"),
  undoLapsed: gettext("The room has forgotten your request: the action stays."),
  /** @type {(name: string) => string} */
  undoDeclined: (name) => gettext("{name} would rather play on.", { name }),
  /** @type {(names: string[]) => string} */
  undoRequested: (names) => gettext("Asked to take it back: waiting for {names}.", { names: listed(names) }),
  /** @type {(name: string) => string} */
  undoRequest: (name) => gettext("{name} would like to take the last action back.", { name }),
  /** @type {(name: string, bot: string) => string} */
  seatRequest: (name, bot) =>
    gettext("{name} would like to go on playing in the place of {bot}, and would see the cards of {bot}.", {
      name,
      bot,
    }),
  /** @type {(names: string[]) => string} */
  seatRequested: (names) =>
    names.length
      ? gettext("Everyone who plays here is asked. Waiting for {names}.", { names: listed(names) })
      : gettext(
          "Everyone has agreed. The seat changes hands within a few seconds, as soon as the new player’s page " +
            "asks for it again.",
        ),
  /** @type {(name: string) => string} */
  takeAllow: (name) => gettext("Let {name} play", { name }),
  takeDeny: gettext("Keep the bot"),
  allow: gettext("Yes, take it back"),
  goOnInstead: gettext("No, play on"),
  undoRefusals: {
    watching: gettext("Only those who play can take something back."),
    wish: gettext("Somebody has asked already to take the last action back."),
    /** @type {(name: string) => string} */
    others: (name) => gettext("The last action was not yours: only {name} may take it back.", { name }),
    none: gettext(
      "Nothing can be taken back now: only your own last action can be, and only if nobody has learned " +
        "anything by it and nobody has acted since.",
    ),
  },
  talk: gettext("Talk"),
  /** @type {(number: number) => string} */
  talkNew: (number) => ngettext("Talk, {number} new", "Talk, {number} new", number),
  talkNone: gettext("Chat is off at this table."),
  talkEmpty: gettext("Nothing has been said yet."),
  talkSay: gettext("A few words"),
  talkSend: gettext("Say it"),
  /** @type {(name: string) => string} */
  talkMute: (name) => gettext("Show what {name} says", { name }),
  talkHear: gettext("Show messages as bubbles"),
  /** What somebody has said. */
  saidBy: labelled,
  /** @type {Record<string, string>} */
  signs: {
    hello: gettext("Hello!"),
    luck: gettext("Good luck!"),
    thanks: gettext("Thank you!"),
    well: gettext("Well played!"),
    oops: gettext("Oops!"),
    sorry: gettext("Sorry!"),
    hurry: gettext("Your turn …"),
    bye: gettext("Bye!"),
  },
  away: pgettext("player", "a bot plays meanwhile"),
  resigned: pgettext("player", "resigned"),
  out: pgettext("player", "out of time: a bot plays on to the end"),
  resignedPrompt: gettext("You have resigned: a bot plays for you to the end of the game."),
  outPrompt: gettext("Your time is up: a bot plays for you to the end of the game."),
  gone: pgettext("player", "not here"),
  /** @type {(name: string, time: string) => string} */
  timeLeft: (name, time) => gettext("{name}: {time} left", { name, time }),
  refusedNow: gettext("That is no longer possible: the table has changed."),
  /** @type {(parts: string[]) => string} */
  legalActions: (parts) => {
    if (!parts.length) return gettext("It is not your turn.");
    // Translators: {actions} is a list of labels of buttons with cards: "play: nine of clubs; pass"; only in English do
    // they begin with a small letter
    return gettext("You may {actions}.", { actions: withSemicolons(parts) });
  },
  /** @type {(label: string, cards: string) => string} */
  legalAction: (label, cards) => (cards ? labelled(withinSentence(label), cards) : withinSentence(label)),
  planned: pgettext("card", "chosen in advance"),
  planWaits: gettext("Your choice waits for your turn."),
  planComes: gettext("Your choice is played in a moment."),
  /** @type {(things: string) => string} */
  planIs: (things) => gettext("Chosen in advance: {things}.", { things }),
  planNone: gettext("Nothing is chosen in advance."),
  /** @type {(things: string) => string} */
  planNotLegal: (things) => gettext("Not legal now, so your choice in advance is dropped: {things}.", { things }),
  /** @type {(things: string) => string} */
  planChanged: (things) =>
    gettext("The table has changed, so your choice in advance is dropped: {things}.", { things }),
  /** @type {(things: string) => string} */
  planCutOff: (things) =>
    gettext("The connection was lost, so your choice in advance is dropped: {things}.", { things }),
  notTogether: gettext("That does not go together with what is chosen."),
  nothingNow: gettext("Nothing can be done with that now."),
  chooseOn: gettext("Now choose one of those outlined."),
  /** @type {(labels: string) => string} */
  chooseMore: (labels) => gettext("Choose more of what is outlined, or press {labels}.", { labels }),
  /** @type {(labels: string) => string} */
  chooseWhich: (labels) => gettext("Now press {labels}.", { labels }),
  /** @type {(labels: string[]) => string} */
  either: (labels) => listedChoice(labels.map(quoted)),
  /** @type {(label: string) => string} */
  onceMore: (label) => gettext("{label}? Choose it once more, or press “{label}”.", { label }),
  /** @type {(points: number) => string} */
  points: signed,
  /** @type {(points: number) => string} */
  pointsLong: (points) => ngettext("{number} point", "{number} points", Math.abs(points), { number: points }),
  /** @type {(number: number) => string} */
  heldCards: (number) => ngettext("{number} card in hand", "{number} cards in hand", number),
  /** @type {(label: string, cards: string[]) => string} */
  buriedCards: (label, cards) => labelled(label, cards.length ? cards.join(", ") : pgettext("cards", "none")),
  /** @type {(number: number) => string} */
  cards: (number) => ngettext("{number} card", "{number} cards", number),
  /** @type {(cards: string) => string} */
  opened: (cards) => gettext("opened: {cards}", { cards }),
  empty: pgettext("row", "empty"),
  /** @type {(number: number) => string} */
  andHidden: (number) => ngettext("and {number} card face down", "and {number} cards face down", number),
  seenBefore: gettext("Covered cards"),
  /** @type {(label: string) => string} */
  lookThrough: (label) => gettext("{label}: look through it", { label }),
  /** @type {(points: number) => string} */
  number: (points) => `${points < 0 ? "−" : ""}${Math.abs(points)}`,

  sameDeal: gettext("The same deal again"),
  sound: gettext("Sound"),
  /** @type {(on: boolean) => string} */
  soundIs: (on) => (on ? gettext("Sound is on") : gettext("Sound is off")),
  textTitle: gettext("The table as text"),
  textType: gettext("What do you do?"),
  textHint: gettext("Type the number of an action, or its notation; small letters will do."),
  textActions: gettext("You may:"),
  textDo: gettext("Do it"),

  readying: gettext("Getting ready to think ahead at this game: just this once, for about half a minute …"),

  primer: gettext("How is it played?"),
  /** @type {(minutes: number) => string} */
  primerLesson: (minutes) => ngettext("Take the lesson: {number} minute", "Take the lesson: {number} minutes", minutes),
  primerLessonHint: gettext("It opens in a tab of its own; your place here is kept."),
  primerRules: gettext("Read all the rules"),
  primerTerms: gettext("Words of this game"),
  /** @type {(word: string, means: string) => string} */
  gloss: (word, means) => labelled(capitalized(word), means),
};

/** @typedef {typeof TEXTS} Texts */

/**
 * Return the text of this name. Some texts are functions of values.
 *
 * @template {keyof Texts} Name
 * @param {Name} name
 * @param {Texts[Name] extends (...values: infer Values) => string ? Values : []} values
 * @returns {Texts[Name] extends (...values: never[]) => string ? string : Texts[Name]}
 */
export function t(name, ...values) {
  const text = /** @type {any} */ (TEXTS[name]);
  return typeof text === "function" ? text(...values) : text;
}
