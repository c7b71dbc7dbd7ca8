// Every text of the page that does not come from the server. Another language is another table like ENGLISH.

const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six",
  5: "five", 4: "four", 3: "three", 2: "two" };
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };

const ENGLISH = {
  house: "Parlour",
  tagline: "A card room for unusual games. Sit down, deal, and find out.",
  loading: "One moment …",
  card: (text) => (text === "XB" ? "black joker" : text === "XR" ? "red joker" : `${RANKS[text[0]]} of ${SUITS[text[1]]}`),
  faceDown: "face down",
  legal: "legal",
  notNow: "not legal now",
  picked: "picked",
  back: "a face-down card",

  games: "Choose a game",
  players: "Players",
  playersRange: (low, high) => (low === high ? `${low} players` : `${low} to ${high} players`),
  seats: "At the table",
  you: "You",
  yourName: "Your name",
  defaultName: "Guest",
  friend: "A friend, by link",
  names: ["Ada", "Bruno", "Cleo", "Dov", "Edda", "Finn", "Gia"],
  seat: (number) => `Seat ${number}`,
  options: "The rules you play by",
  optionName: (name) => name[0].toUpperCase() + name.slice(1).replaceAll("_", " "),
  reset: "As the rules have it",
  play: "Play",
  readRules: "Read the rules",

  home: "Back to the games",
  copyLink: "Invite",
  copyLinkLong: "Copy the link to this table",
  copied: "The link is copied. Send it to your friends.",
  copyThis: "Send this link to your friends:",
  lastTrick: "Last trick",
  noLastTrick: "There is no last trick to see.",
  score: "Score",
  rules: "Rules",
  settings: "Settings",
  help: "Help",
  close: "Close",
  told: "What happened",
  nothingTold: "Nothing has happened yet.",
  standings: "Standings",
  before: "before this round",
  thisRound: "This round",
  scoreHint: "Points are counted from your side: plus is good for you.",
  goOn: "Go on",
  nextRound: "Go on to the next round",
  end: "The game is over",
  again: "Play again",
  record: "Download the record",
  newGame: "Choose another game",
  waiting: "Waiting for the others to sit down",
  waitingHint: "The game begins when every seat is taken. Send your friends this link:",
  open: "open",
  join: "Sit down",
  joinTitle: "A seat is free",
  joinHint: "Take it and play, or just watch.",
  watch: "Just watch",
  watching: "You are watching.",
  lost: "The connection is lost. Trying again …",
  back_again: "Connected again.",
  unknownTable: "There is no such table here. It may have been cleared away.",
  wrongKey: "This seat belongs to somebody else. You can watch.",
  failed: "That did not work.",
  clause: (clause) => (clause ? `Rule ${clause}` : ""),
  refusedNow: "That is no longer possible: the table has changed.",
  mayPlay: (cards) => (cards.length ? `You may play: ${cards.join(", ")}.` : "It is not your turn."),
  points: (points) => `${points > 0 ? "+" : points < 0 ? "−" : ""}${Math.abs(points)}`,
  pointsLong: (points) => `${points} ${Math.abs(points) === 1 ? "point" : "points"}`,
  heldCards: (number) => `${number} ${number === 1 ? "card" : "cards"} in hand`,
  pileCards: (number) => `${number} ${number === 1 ? "card" : "cards"} in the pile`,
  buriedCards: (cards) => (cards.length ? `Killed: ${cards.join(", ")}` : "No card killed"),
  marks: { leads: "leads", stands: "stands", killed: "killed" },
  itsTurn: "to play",
  sides: { red: "red", black: "black" },

  pace: "Pace",
  paces: { slow: "Slow", normal: "Normal", fast: "Fast", instant: "Instant" },
  deck: "Suits",
  decks: { two: "Two colours", four: "Four colours" },
  scheme: "Appearance",
  schemes: { auto: "As the device", light: "Light", dark: "Dark" },

  helpTitle: "Keys",
  keys: [
    ["← →", "move in your hand"],
    ["Enter", "play the card"],
    ["Space", "go on, do not wait"],
    ["M", "what may I play?"],
    ["L", "last trick"],
    ["S", "score"],
    ["R", "rules"],
    ["?", "these keys"],
    ["Esc", "close"],
  ],
  helpHint: "A pale card cannot be played now. Choose it all the same to be told why. Point at killed cards in a wall, or tap the wall, to see them again.",
};

let texts = ENGLISH;

export const setLanguage = (table) => { texts = { ...ENGLISH, ...table }; };

/** The text of this name; some are made of values. */
export function t(name, ...values) {
  const text = texts[name];
  return typeof text === "function" ? text(...values) : text;
}
