// Scenes of a made-up game, for tests of what the page draws.

import { NO_COMPANY } from "../../../src/parlour/server/page/js/table/table_state.js";

/** A card; a second name is the token with which it can be chosen. */
export const seen = (card, token = null, more = {}) => ({
  card,
  token,
  face_up: true,
  mark: "",
  do: null,
  by: "",
  area: "",
  fate: "",
  ...more,
});

export const row = (id, style, cards = [], more = {}) => ({
  id,
  label: id,
  style,
  cards,
  hidden: 0,
  do: null,
  token: null,
  ...more,
});

export const area = (id, at, rows = [], more = {}) => ({
  id,
  title: id,
  at,
  rows,
  subtitle: "",
  seat: at,
  side: "",
  active: false,
  notes: [],
  points: null,
  turn: "to play",
  points_for: "",
  ...more,
});

/** Two sides that have other names than their colours. */
export const SIDES = [
  { colour: "red", word: "north", gain: "{points} to the north" },
  { colour: "black", word: "south", gain: "{points} to the south" },
];

export const scene = (number, more = {}) => ({
  game: "whist",
  title: "Whist",
  heading: `Trick ${number}`,
  prompt: "Play a card.",
  areas: [],
  score: [],
  standings: [],
  log: [],
  legal: [],
  seat: 0,
  actor: null,
  seen: number,
  over: false,
  rest: false,
  choices: [],
  pause: "",
  outcome: "",
  counted: "points",
  sides: [],
  score_note: "",
  ...more,
});

/** A hand of cards that may be played, among two players; `play` names the legal ones. */
export function turn(number, hand, play = hand, more = {}) {
  const own = area(
    "you",
    0,
    [
      row(
        "hand",
        "hand",
        hand.map((card) => seen(card, card)),
      ),
    ],
    { active: play.length > 0 },
  );
  const other = area("Bo", 1, [row("others", "hand", [], { hidden: hand.length })]);
  const choices = play.map((card) => ({ do: `play ${card}`, label: "Play", tokens: [card] }));
  return scene(number, { areas: [own, other], choices, legal: choices.map((one) => one.do), ...more });
}

/** The message about two people at a table who may talk. */
export const COMPANY = { ...NO_COMPANY, there: [0, 1], talk: "words", opener: 0 };

/** The table of a finished game of one person. */
export const PLAYED = {
  table: "one",
  game: "whist",
  title: "Whist",
  over: true,
  conceded: null,
  daily: null,
  club: null,
  seats: [{ name: "Ann", kind: "person" }],
};
