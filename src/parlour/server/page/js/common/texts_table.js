// The texts of the sheet about a table, its people and its club night: a part of texts.js.

export const TABLE_TEXTS = {
  thisTable: "This table",
  isBot: "a bot",
  isHere: "here",
  ratedTable: "This game is rated.",
  ratedUnlinked: "This game is rated, and the room could not be asked to rate it for you. Load the page again.",
  yourNameHere: "Your name at this table",
  changeName: "Change",
  onlookerName: "Your name, for those who play",
  lookOnAs: "Look on by it",
  /** @type {(name: string) => string} */
  looksOnAs: (name) => `Those who play see that ${name} looks on.`,
  /** @type {(number: number, names: string[]) => string} */
  onlookers(number, names) {
    const more = number - names.length;
    const others = more === 1 ? "one person" : `${more} people`;
    const unnamed = names.length && more ? `${more} more` : others;
    const all = [...names, ...(more ? [unnamed] : [])];
    const listed = all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : all[0];
    return `Looking on: ${listed}.`;
  },
  /** @type {(number: number) => string} */
  thisTableWith: (number) => `This table; ${number} ${number === 1 ? "looks" : "look"} on`,
  yourTurnNow: "Your turn",
  gameBegins: "The game begins",
  resign: "Resign …",
  resignQuestion: "Resign this game?",
  resignAlone: "The game ends at once, and you have lost it. That cannot be taken back.",
  /** @type {(name: string) => string} */
  resignTwo: (name) => `The game ends at once, and ${name} wins. That cannot be taken back.`,
  resignMore:
    "If your side has nobody else who plays on, and only one side is left, it wins at once. Otherwise a bot plays " +
    "your cards to the end. That cannot be taken back.",
  resignYes: "Yes, resign",
  resignNo: "No, play on",
  club: "Club night",
  clubHint: "An evening of one game for up to 64 people: the same cards at all boards, so that play decides.",
  clubOpen: "Open a club night …",
  clubBack: "Back to the club night",
  clubSealed: "Others still play these cards: the replay, the review and the record open when the round is over.",
  clubSealedTable: "Others still play these cards in the club night. You may look when the round is over.",
};
