// The texts of the help sheet. Only this sheet loads them.

import "../common/more_messages.js";
import { gettext, pgettext } from "../common/language.js";
import { withinSentence } from "../common/phrases.js";

/** Keys of the pages where cards are chosen: a key and its meaning each. */
const MOVES = [
  ["← →", gettext("move in your hand, to the buttons, over the table")],
  ["↑ ↓", gettext("move to what lies above or below")],
  [pgettext("key", "Enter"), gettext("play the card, or choose it")],
  [
    "1 – 9",
    gettext("go to a part of the table: 1 your hand, 2 your own place, 3 the middle, then the others clockwise"),
  ],
  ["B", gettext("go to the buttons beside your hand")],
];
const GO_ON = gettext("go on, do not wait");
const SCORE = ["S", gettext("score")];
const RULES = ["R", gettext("rules")];
const KEYS = ["?", gettext("these keys")];
const CLOSING = [KEYS, [pgettext("key", "Esc"), gettext("close; put back what is chosen, also in advance")]];

export const HELP_TEXTS = {
  helpTable: gettext("At the table"),
  helpHow: [
    gettext(
      "When it is your turn a dot stands before what you are asked to do. What you may play is bright and outlined.",
    ),
    gettext("A pale card cannot be played now. Choose it all the same to be told why, with the rule."),
    gettext(
      "Where an action takes several things, choose one after another: what still fits is outlined, and " +
        "choosing a thing again puts it back. Or drag a card to where it goes.",
    ),
    gettext(
      "While another acts you may choose already what you do next. It gets a clock, the others do not learn of it, " +
        "and it is done at your turn if it is legal then. Choose it again to take it back.",
    ),
    gettext("Cards in a wall or a pile that you have seen before are shown when you tap it."),
    gettext(
      "Against bots, what must be done is done by itself, unless you say otherwise in the settings. Among people it " +
        "is left for you to press: if it were done by itself, the others would know that you had no choice.",
    ),
    gettext(
      "To leave, go back to the games. A game against bots waits for you; among friends a bot plays for you " +
        "after the agreed time, until you are back.",
    ),
  ],
  helpTools: gettext("The buttons above the table"),
  helpOf: [
    ["people", gettext("This table: who is here, a link for friends or another device of yours, your name, resigning")],
    ["last", gettext("What was played last, or what may be looked through")],
    ["hint", gettext("A hint: what you might do, with its chances")],
    ["score", gettext("The score, and what has happened")],
    ["rules", gettext("The rules, to be read beside the table")],
    ["sound", gettext("All sound, off and on")],
    ["settings", gettext("Settings: pace, print, colours")],
  ],
  helpKeys: gettext("Keys"),
  keys: {
    table: [
      ...MOVES,
      [pgettext("key", "Space"), GO_ON],
      ["M", gettext("what may I play?")],
      ["H", gettext("a hint")],
      ["L", gettext("last trick")],
      SCORE,
      RULES,
      ["T", gettext("the table as text, and back")],
      ["V", gettext("sound off and on")],
      ["U", gettext("ask to take your last action back")],
      ["C", gettext("talk to the others")],
      ["N", gettext("at the end: play again")],
      ...CLOSING,
    ],
    lesson: [...MOVES, [pgettext("key", "Space"), GO_ON], RULES, ...CLOSING],
    puzzle: [...MOVES, SCORE, RULES, ["N", withinSentence(gettext("Next puzzle"))], ...CLOSING],
    replay: [
      ["← →", gettext("one event back, one on")],
      [pgettext("key", "Home End"), gettext("to the beginning, to the end")],
      [pgettext("key", "Space"), gettext("run by itself, stop")],
      SCORE,
      RULES,
      KEYS,
    ],
  },
};
