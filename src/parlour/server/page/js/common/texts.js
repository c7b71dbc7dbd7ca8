// The texts of the page, in English. The texts of games, rules and messages come from the server.

import { DAILY_TEXTS } from "./texts_daily.js";
import { LOBBY_TEXTS } from "./texts_lobby.js";
import { OWN_TEXTS } from "./texts_own.js";
import { PUZZLE_TEXTS } from "./texts_puzzles.js";
import { REVIEW_TEXTS } from "./texts_review.js";
import { TABLE_TEXTS } from "./texts_table.js";

/** @type {Record<string, string>} */
const RANKS = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  9: "nine",
  8: "eight",
  7: "seven",
  6: "six",
  5: "five",
  4: "four",
  3: "three",
  2: "two",
};
/** @type {Record<string, string>} */
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };

/** @param {string[]} words */
const listed = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]);

/** @param {string} card a card's notation */
function cardName(card) {
  if (card[0] === "X") return card === "XB" ? "black joker" : "red joker";
  return `${RANKS[card[0]]} of ${SUITS[card[1]]}`;
}

/** @param {string[]} cards cards of one suit, or one joker */
function suitCards(cards) {
  if (cards[0][0] === "X") return cardName(cards[0]);
  return `${listed(cards.map(([rank]) => RANKS[rank]))} of ${SUITS[cards[0][1]]}`;
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds % 60) return `${seconds} seconds`;
  return seconds === 60 ? "a minute" : `${seconds / 60} minutes`;
}

/** @param {string} words */
const capitalized = (words) => words[0].toUpperCase() + words.slice(1);

const ENGLISH = {
  ...DAILY_TEXTS,
  ...LOBBY_TEXTS,
  ...OWN_TEXTS,
  ...PUZZLE_TEXTS,
  ...REVIEW_TEXTS,
  ...TABLE_TEXTS,
  house: "Parlour",
  tagline:
    "Unusual card games, against bots or with friends by a link. No account, nothing to install: sit down and deal.",
  loading: "One moment …",
  card: cardName,
  cardsOfSuit: suitCards,
  faceDown: "face down",
  legal: "legal",
  notNow: "not legal now",
  picked: "picked",
  back: "a face-down card",

  games: "The games",
  players: "Players",
  /** @type {(low: number, high: number) => string} */
  playersRange: (low, high) => (low === high ? `${low} players` : `${low} to ${high} players`),
  seats: "At the table",
  you: "You",
  dock: "What you hold and may do",
  yourName: "Your name",
  yourNameHint: "It is used at the tables you sit down at from now on.",
  defaultName: "Guest",
  friend: "A friend, by link",
  botsToPlay: "Bots",
  botsToStudy: "Bots for study",
  names: ["Ada", "Bruno", "Cleo", "Dov", "Edda", "Finn", "Gia"],
  /** @type {(number: number) => string} */
  seat: (number) => `Seat ${number}`,
  manners: "How you sit together",
  mannersClock: "Clocks",
  mannersClocks: {
    none: "None: take your time",
    quick: "2 minutes, and 3 seconds for each action",
    calm: "10 minutes, and 10 seconds for each action",
    long: "An hour, and 30 seconds for each action",
  },
  mannersPatience: "When somebody has gone",
  mannersPatiences: {
    short: "a bot plays after half a minute",
    usual: "a bot plays after two minutes",
    endless: "the others wait",
  },
  /** @type {(seconds: number, increment: number) => string} */
  clockOf: (seconds, increment) =>
    `${capitalized(duration(seconds))}${increment ? `, and ${increment} seconds for each action` : ""}.`,
  /** @type {(seconds: number) => string} */
  patienceOf: (seconds) => `a bot plays after ${duration(seconds)}`,
  mannersTimeOver:
    "Nobody loses by the clock: for whoever runs out of time a bot plays on to the end. If you lose the " +
    "connection, a bot stands in: come back, and you play on with at least 30 seconds.",
  mannersFill: "When a seat stays free",
  mannersFills: {
    never: "we wait",
    one: "a bot takes it after a minute",
    three: "a bot takes it after 3 minutes",
    five: "a bot takes it after 5 minutes",
  },
  mannersFillBot: "Which bot",
  /** @type {(seconds: number) => string} */
  fillOf: (seconds) => `a bot takes it ${duration(seconds)} after the table was opened`,
  /** @type {(seconds: number) => string} */
  fillsAfter: (seconds) =>
    seconds
      ? `Bots take the free seats in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}.`
      : "Bots sit down …",
  hints: "Hints",
  mannersHints: { no: "None", yes: "For everyone; the others are told of each" },
  mannersTakeOver: "Bots’ seats",
  mannersTakeOvers: { no: "Bots play to the end", yes: "A person may take one over if all who play agree" },
  mannersRated: "Rating",
  mannersRatings: { no: "Casual", yes: "Rated: no hints, no undo" },
  mannersStudied: "Studies of the rules",
  mannersStudiedGame: "This game",
  mannersStudies: { no: "Not used", yes: "May be used, without names" },
  mannersAgreed: "The room may use the finished game, without names.",
  mannersTalks: { words: "Words and signs", signs: "Signs only", none: "None" },
  options: "The rules you play by",
  /** @type {(name: string) => string} */
  valueName: (name) => capitalized(name).replaceAll("_", " "),
  /** @type {(low: number, high: number) => string} */
  limitsOf: (low, high) => `From ${low} to ${high} with so many players.`,
  /** @type {(number: number) => string} */
  moreOptions: (number) => `More numbers of the rules (${number})`,
  reset: "As the rules have it",
  play: "Play",
  openTable: "Open the table",
  openTableHint: "The link for your friends comes next, at the table.",
  readRules: "Read the rules",
  howPlayed: "How is it played?",

  home: "Back to the games",
  copyLinkLong: "Copy the link to this table",
  copied: "The link is copied. Send it to your friends.",
  copiedHere: "The link is copied. It opens on this machine only.",
  copyHere: "For another window on this machine:",
  hereOnly: "Other devices cannot open this link yet: it works on this machine only.",
  openToNetwork: "To let in everybody in your network, close the room and open it again like this; the tables stay. ",
  openCommand: "parlour serve --host 0.0.0.0 --open",
  inNetwork: "This opens for everybody in the same network as this machine.",
  otherAddress: "In another network of this machine:",
  copyThis: "Send this link to your friends:",
  lastTrick: "Last trick",
  noLastTrick: "There is no last trick to see.",
  score: "Score",
  rules: "Rules",
  settings: "Settings",
  help: "Help",
  close: "Close",
  logTitle: "What happened",
  logEmpty: "Nothing has happened yet.",
  standings: "Standings",
  before: "before this round",
  countsNow: "Point by point",
  /** @type {(what: string) => string} */
  counted: (what) => capitalized(what),
  /** @type {(side: string, points: number) => string} */
  pointsFor: (side, points) => (points ? `${side} +${points}` : "0"),
  /** @type {(side: string, points: number) => string} */
  pointsForLong: (side, points) => (points ? `${points} ${points === 1 ? "point" : "points"} for ${side}` : "0 points"),
  scoreHint: "“red +3” counts for the red side. The round goes to the side that is ahead, by the difference.",
  goOn: "Go on",
  nextRound: "Go on to the next round",
  end: "How it ended",
  again: "Play again",
  nextGame: "To the next game",
  record: "Download the record",
  recordHint: "every card and action, as a file",
  newGame: "All games",
  waiting: "Waiting for the others to sit down",
  waitingHint: "The game begins when every seat is taken.",
  open: "open",
  join: "Sit down",
  invitedTo: "You are invited to a game of",
  watch: "Just watch",
  watching: "You are watching.",
  offline: "You are offline. The games’ rules and lessons work; tables need the card room.",
  offlineNotice: "The card room cannot be reached: rules and lessons work, tables wait.",
  lessonOffline: "Without the card room only the suggested action can be judged: press “Show me”.",
  unreachable: "The card room does not answer. Try again in a moment.",
  lost: "The connection is lost. Trying again …",
  needsConnection: "That needs the connection, which is lost for the moment.",
  /** @type {(action: string) => string} */
  waitsToBeSent: (action) => `Waiting for the connection: ${action} is done as soon as it is back.`,
  /** @type {(action: string) => string} */
  waitsForAnswer: (action) => `Waiting for the connection, to learn whether ${action} was done.`,
  /** @type {(label: string, cards: string[]) => string} */
  actionOf: (label, cards) => `“${label}${cards.length ? `: ${cards.join(", ")}` : ""}”`,
  /** @type {(action: string) => string} */
  tooLate: (action) => `${action} was not done: the table has moved on while the connection was lost.`,
  putBack: "Cancel",
  missed: "While you were away",
  /** @type {(number: number) => string} */
  missedMore: (number) => `${number} earlier ${number === 1 ? "move" : "moves"}: see Score.`,
  missedRead: "Go on",
  /** @type {(what: string) => string} */
  unsent: (what) => `${what} (to be said when the connection is back)`,
  connectedAgain: "Connected again.",
  unknownTable: "There is no such table here. It may have been cleared away.",
  banned: "The operator of this room has shut it to your address for a time.",
  wrongKey: "This seat belongs to somebody else. You can watch.",
  failed: "That did not work.",
  /** @type {(clause: string) => string} */
  clause: (clause) => (clause ? `Rule ${clause.split("-").at(-1)}` : ""),
  /** @type {(clause: string) => string} */
  clauseSign: (clause) => `rule\u00a0${clause.split("-").at(-1)}`,
  undo: "Take back",
  /** @type {(names: string[]) => string} */
  undoRequested: (names) => `Asked to take it back: waiting for ${names.join(" and ")}.`,
  /** @type {(name: string) => string} */
  undoRequest: (name) => `${name} would like to take the last action back.`,
  /** @type {(name: string, bot: string) => string} */
  seatRequest: (name, bot) =>
    `${name} would like to go on playing in the place of ${bot}, and would see the cards of ${bot}.`,
  /** @type {(names: string[]) => string} */
  seatRequested: (names) =>
    names.length
      ? `Everyone who plays here is asked. Waiting for ${names.join(" and ")}.`
      : "Everyone has agreed. The seat changes hands within a few seconds, as soon as the new player’s page " +
        "asks for it again.",
  /** @type {(name: string) => string} */
  takeAllow: (name) => `Let ${name} play`,
  takeDeny: "Keep the bot",
  allow: "Yes, take it back",
  goOnInstead: "No, play on",
  undoRefusals: {
    watching: "Only those who play can take something back.",
    wish: "Somebody has asked already to take the last action back.",
    /** @type {(name: string) => string} */
    others: (name) => `The last action was not yours: only ${name} may take it back.`,
    none:
      "Nothing can be taken back now: only your own last action can be, and only if nobody has learned " +
      "anything by it and nobody has acted since.",
  },
  talk: "Talk",
  /** @type {(number: number) => string} */
  talkNew: (number) => `Talk, ${number} new`,
  talkNone: "Chat is off at this table.",
  talkEmpty: "Nothing has been said yet.",
  talkSay: "A few words",
  talkSend: "Say it",
  /** @type {(name: string) => string} */
  talkMute: (name) => `Show what ${name} says`,
  talkHear: "Show messages as bubbles",
  /** @type {(name: string, what: string) => string} */
  saidBy: (name, what) => `${name}: ${what}`,
  /** @type {Record<string, string>} */
  signs: {
    hello: "Hello!",
    luck: "Good luck!",
    thanks: "Thank you!",
    well: "Well played!",
    oops: "Oops!",
    sorry: "Sorry!",
    hurry: "Your turn …",
    bye: "Bye!",
  },
  away: "a bot plays meanwhile",
  resigned: "resigned",
  out: "out of time: a bot plays on to the end",
  gone: "not here",
  /** @type {(name: string, time: string) => string} */
  timeLeft: (name, time) => `${name}: ${time} left`,
  refusedNow: "That is no longer possible: the table has changed.",
  /** @type {(parts: string[]) => string} */
  legalActions: (parts) => (parts.length ? `You may ${parts.join("; ")}.` : "It is not your turn."),
  /** @type {(label: string, cards: string) => string} */
  legalAction: (label, cards) => `${label[0].toLowerCase()}${label.slice(1)}${cards ? `: ${cards}` : ""}`,
  planned: "chosen in advance",
  planWaits: "Your choice waits for your turn.",
  planComes: "Your choice is played in a moment.",
  /** @type {(things: string) => string} */
  planIs: (things) => `Chosen in advance: ${things}.`,
  planNone: "Nothing is chosen in advance.",
  /** @type {(things: string) => string} */
  planNotLegal: (things) => `Not legal now, so your choice in advance is dropped: ${things}.`,
  /** @type {(things: string) => string} */
  planChanged: (things) => `The table has changed, so your choice in advance is dropped: ${things}.`,
  /** @type {(things: string) => string} */
  planCutOff: (things) => `The connection was lost, so your choice in advance is dropped: ${things}.`,
  notTogether: "That does not go together with what is chosen.",
  chooseOn: "Now choose one of those outlined.",
  /** @type {(labels: string) => string} */
  chooseMore: (labels) => `Choose more of what is outlined, or press ${labels}.`,
  /** @type {(labels: string) => string} */
  chooseWhich: (labels) => `Now press ${labels}.`,
  /** @type {(labels: string[]) => string} */
  either: (labels) => labels.map((label) => `“${label}”`).join(" or "),
  /** @type {(label: string) => string} */
  onceMore: (label) => `${label}? Choose it once more, or press “${label}”.`,
  /** @type {(points: number) => string} */
  points: (points) => `${points > 0 ? "+" : points < 0 ? "−" : ""}${Math.abs(points)}`,
  /** @type {(points: number) => string} */
  pointsLong: (points) => `${points} ${Math.abs(points) === 1 ? "point" : "points"}`,
  /** @type {(number: number) => string} */
  heldCards: (number) => `${number} ${number === 1 ? "card" : "cards"} in hand`,
  /** @type {(number: number) => string} */
  pileCards: (number) => `${number} ${number === 1 ? "card" : "cards"} in the pile`,
  /** @type {(label: string, cards: string[]) => string} */
  buriedCards: (label, cards) => `${label}: ${cards.length ? cards.join(", ") : "none"}`,
  /** @type {(number: number) => string} */
  cards: (number) => `${number} ${number === 1 ? "card" : "cards"}`,
  /** @type {(names: string) => string} */
  opened: (names) => `opened: ${names}`,
  empty: "empty",
  pile: "Pile",
  /** @type {(number: number) => string} */
  andHidden: (number) => `and ${number} ${number === 1 ? "card" : "cards"} face down`,
  seenBefore: "Covered cards",
  /** @type {(label: string) => string} */
  lookThrough: (label) => `${label}: look through it`,
  /** @type {(points: number) => string} */
  number: (points) => `${points < 0 ? "−" : ""}${Math.abs(points)}`,
  /** @type {Record<string, string>} */
  marks: {},
  /** @type {Record<string, string>} */
  sides: { red: "red", black: "black" },

  pace: "Pace",
  paces: { slow: "Slow", normal: "Normal", fast: "Fast", instant: "Instant" },
  rest: "A finished trick stays",
  rests: { pace: "normally", long: "twice as long", click: "until I go on" },
  sameDeal: "The same deal again",
  levelUp: "One level up",
  forced: "When only one thing can be done, against bots",
  forcedWays: { no: "I do it", yes: "It is done by itself" },
  confirm: "Before a card is played",
  confirms: { no: "One tap plays it", yes: "Ask for a second tap" },
  sound: "Sound",
  sounds: { yes: "On", no: "Off" },
  notices: "Your turn, while you look elsewhere",
  noticesKinds: { no: "Title and icon", yes: "A notice, too" },
  noticesHint: "A notice of the system, and a phone vibrates, while this page is open.",
  noticesRefused: "This browser does not allow notices here.",
  /** @type {(on: boolean) => string} */
  soundIs: (on) => `Sound is ${on ? "on" : "off"}`,
  print: "Print",
  prints: { normal: "Normal", large: "Large" },
  tableForm: "The table",
  tableForms: { table: "As a table", text: "As text" },
  textTitle: "The table as text",
  textType: "What do you do?",
  textHint: "Type the number of an action, or its notation; small letters will do.",
  textActions: "You may:",
  textDo: "Do it",
  deck: "Suits",
  decks: { two: "Two colours", four: "Four colours" },
  faces: "Cards",
  facesKinds: { usual: "Usual", large: "Large signs", tinted: "Tinted" },
  backs: "Backs",
  backKinds: { bricks: "Bricks", lattice: "Lattice", waves: "Waves" },
  scheme: "Appearance",
  schemes: { auto: "As the device", light: "Light", dark: "Dark" },

  readying: "Getting ready to think ahead at this game: just this once, for about half a minute …",

  primer: "How is it played?",
  /** @type {(minutes: number) => string} */
  primerLesson: (minutes) => `Take the lesson: ${minutes} minutes`,
  primerLessonHint: "It opens in a tab of its own; your place here is kept.",
  primerRules: "Read all the rules",
  primerTerms: "Words of this game",
  /** @type {(word: string, means: string) => string} */
  gloss: (word, means) => `${capitalized(word)}: ${means}`,

  helpHow: [
    "When it is your turn a dot stands before what you are asked to do. What you may play is bright and outlined.",
    "A pale card cannot be played now. Choose it all the same to be told why, with the rule.",
    "Where an action takes several things, choose one after another: what still fits is outlined, and " +
      "choosing a thing again puts it back. Or drag a card to where it goes.",
    "While another acts you may choose already what you do next. It gets a clock, the others do not learn of it, and " +
      "it is done at your turn if it is legal then. Choose it again to take it back.",
    "Cards in a wall or a pile that you have seen before are shown when you tap it.",
    "Against bots, what must be done is done by itself, unless you say otherwise in the settings. Among people it is " +
      "left for you to press: if it were done by itself, the others would know that you had no choice.",
    "To leave, go back to the games. A game against bots waits for you; among friends a bot plays for you " +
      "after the agreed time, until you are back.",
  ],
  helpTools: "The buttons above the table",
  helpOf: [
    ["people", "This table: who is here, a link for friends or another device of yours, your name, resigning"],
    ["last", "What was played last, or what may be looked through"],
    ["hint", "A hint: what you might do, with its chances"],
    ["score", "The score, and what has happened"],
    ["rules", "The rules, to be read beside the table"],
    ["sound", "All sound, off and on"],
    ["settings", "Settings: pace, print, colours"],
  ],
  helpKeys: "Keys",
  keys: [
    ["← →", "move in your hand, to the buttons, over the table"],
    ["↑ ↓", "move to what lies above or below"],
    ["Enter", "play the card, or choose it"],
    ["1 – 9", "go to a part of the table: 1 your hand, 2 your own place, 3 the middle, then the others clockwise"],
    ["B", "go to the buttons beside your hand"],
    ["Space", "go on, do not wait"],
    ["M", "what may I play?"],
    ["H", "a hint"],
    ["L", "last trick"],
    ["S", "score"],
    ["R", "rules"],
    ["T", "the table as text, and back"],
    ["V", "sound off and on"],
    ["U", "ask to take your last action back"],
    ["C", "talk to the others"],
    ["N", "at the end: play again"],
    ["?", "these keys"],
    ["Esc", "close; put back what is chosen, also in advance"],
  ],
};

/** @typedef {typeof ENGLISH} Texts */

/**
 * Return the text of this name. Some texts are functions of values.
 *
 * @template {keyof Texts} Name
 * @param {Name} name
 * @param {Texts[Name] extends (...values: infer Values) => string ? Values : []} values
 * @returns {Texts[Name] extends (...values: never[]) => string ? string : Texts[Name]}
 */
export function t(name, ...values) {
  const text = /** @type {any} */ (ENGLISH[name]);
  return typeof text === "function" ? text(...values) : text;
}

/**
 * Capitalize words that begin a sentence, and keep numbers with the words before them.
 *
 * @param {string} words
 */
export const sentence = (words) => capitalized(words).replace(/ (?=\d)/g, "\u00a0");
