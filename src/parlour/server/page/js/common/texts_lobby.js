// The texts of the lobby, lessons and replays: a part of texts.js.

export const LOBBY_TEXTS = {
  /** @type {(from: number, to: number) => string} */
  minutesRange: (from, to) => `${from}–${to} minutes`,
  /** @type {(number: number) => string} */
  minutes: (number) => `${number} minutes`,
  learn: "Learn it",
  /** @type {(title: string) => string} */
  playNow: (title) => `Play ${title} against bots`,
  gamesHint: "The quickest to learn comes first.",
  startHere: "Start here",
  /** @type {(minutes: number) => string} */
  startHereHint: (minutes) => `the shortest lesson, ${minutes} minutes`,
  stillPictures: "Stop the pictures",
  runPictures: "Let the pictures run",
  setUp: "Set up …",
  setUpWith: "friends, bots, rules",
  /** @type {(title: string) => string} */
  setUpGame: (title) => `Set up a table of ${title}: friends, bots, options`,
  unknownGame: "There is no such game here.",
  ownTables: "Your tables",
  openTables: "Tables with a free seat",
  noOpenTables: "No table is looking for players just now.",
  openTablesHint:
    "Set up a table with a seat for a friend and switch on “Anyone may sit down”: while you wait there, it is " +
    "shown to everyone at the top of this page.",
  lobby: "Sit down with others",
  /** @type {(names: string[]) => string} */
  waits: (names) =>
    names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)} wait` : `${names[0]} waits`,
  /** @type {(free: number, all: number) => string} */
  seatsOpenOf: (free, all) => `· ${free} of ${all} seats ${free === 1 ? "is" : "are"} free`,
  /** @type {(name: string) => string} */
  sitDownAs: (name) => `Sit down as ${name}`,
  /** @type {(title: string, name: string) => string} */
  sitDownAt: (title, name) => `Sit down at ${title} as ${name}`,
  lookFirst: "Look at it first",
  ratedShort: "rated",
  usualRules: "as the rules have it",
  optionOn: "yes",
  optionOff: "no",
  /** @type {(title: string, value: string) => string} */
  optionIs: (title, value) => `${title}: ${value}`,
  noBots: "None",
  /** @type {(number: number, levels: string[]) => string} */
  botsThere: (number, levels) => `${number === 1 ? "One" : number} (${levels.join(", ")})`,
  /** @type {(level: string, seconds: number) => string} */
  botsCome: (level, seconds) =>
    `${level} takes what stays free ${seconds > 60 ? `in ${Math.ceil(seconds / 60)} minutes` : "within a minute"}`,
  about: "About",
  aboutRules: "The rules",
  aboutGames: "Where the games come from",
  aboutHouse: "Parlour is free software under the MIT licence. It keeps no accounts and sends nothing to anybody else.",
  nowhere: "There is no page at this address.",
  listed: "Anyone may sit down",
  listedHint:
    "The table is shown to everyone while you wait at it. Otherwise only those to whom you send the link find it.",
  /** @type {(number: number) => string} */
  seatsOpen: (number) => (number === 1 ? "a seat is open" : `${number} seats are open`),
  isOver: "over",
  yourTurn: "your turn",
  /** @type {(name: string) => string} */
  turnOf: (name) => `${name} is to play`,
  goesOn: "goes on",
  /** @type {(names: string[]) => string} */
  with: (names) => `with ${names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]}`,
  /** @type {(title: string) => string} */
  forget: (title) => `Forget this table of ${title}: its seat cannot be had again`,
  forgetShort: "Forget this table",

  send: "Send …",
  code: "Show as a code",
  codeOf: "The link as a code, to be read by the camera of another device",
  otherDevice: "Go on with another device",
  copyOwnLink: "Copy the link to your seat",
  otherDeviceHint: "This link carries the key to your own seat. Give it to nobody else.",
  /** @type {(name: string) => string} */
  takeSeatOf: (name) => `Take the seat of ${name}`,
  takeBotSeat: "Take a bot’s seat",
  takeBotHint: "You continue the bot’s game with its cards. Everyone who plays here is asked first.",

  lesson: "Lesson",
  /** @type {(number: number, of: number, title: string) => string} */
  lessonHand: (number, of, title) => `Part ${number} of ${of}: ${title}`,
  /** @type {(number: number, of: number) => string} */
  stepOf: (number, of) => `Step ${number} of ${of}`,
  readOn: "Go on",
  toTheTable: "To the table",
  wholeText: "The whole text again",
  stepBack: "Back",
  showMe: "Show me",
  takeBack: "Take it back",
  asSuggested: "Play it the lesson’s way",
  otherWay: "That is legal too. The lesson has something else to show, though.",
  lessonOver: "That was the lesson",
  lessonOverHint: "You know the rules now; the rest is playing. They are always at hand beside the table.",
  playNowShort: "Play a game",
  toYourTable: "To the table you are invited to",

  replay: "Replay",
  lookAgain: "Replay",
  lookAgainHint: "the whole game, step by step, with every card open",
  moreOfGame: "More …",
  view: "Seen by",
  everyone: "All cards",
  spectator: "Onlooker",
  toStart: "To the beginning",
  toEnd: "To the end",
  stepOn: "One event on",
  run: "Run by itself",
  halt: "Stop",
  /** @type {(number: number, of: number) => string} */
  eventOf: (number, of) => `${number} of ${of}`,
  moment: "Where in the game",
  linkHere: "Link to this moment",
  linkCopied: "The link to this moment is copied.",
  against: "Against",
  playOn: "Play on from here",
  /** @type {(number: number) => string} */
  playOnTitle: (number) => `Play on after event ${number}`,
  playOnHint:
    "A new table begins with the game up to here; the cards still to come are drawn anew. Which seat do you take?",
  stillOn: "The game is not over: you see what you saw at the table.",
  toTable: "To the table",
  replayKeys: [
    ["← →", "one event back, one on"],
    ["Home End", "to the beginning, to the end"],
    ["Space", "run by itself, stop"],
    ["R", "rules"],
    ["?", "these keys"],
  ],
};
