// The texts of the sheet about a table and its people: a part of texts.js.

export const TABLE_TEXTS = {
  thisTable: "This table",
  isBot: "a bot",
  isHere: "here",
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
};
