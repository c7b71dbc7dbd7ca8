// The games and the tables of a made-up room, for tests of the landing.

const BOTS = [
  { id: "casual", title: "Casual", study: false },
  { id: "master", title: "Master", study: false },
];
export const game = (id, more = {}) => ({
  id,
  title: id,
  players: [2, 3],
  usual: 3,
  options: [],
  summary: `${id} in short`,
  credit: `by ${id}`,
  lesson: null,
  minutes: null,
  ...more,
});
export const CATALOGUE = { games: [game("whist")], bots: BOTS, usual_bot: "casual" };
export const NIL = { name: "nil", title: "Nil", kind: "boolean", titles: {}, defaults: { 2: false } };
export const PERSON = { kind: "person", name: "Bo", taken: true, rating: null };
export const OPEN = { kind: "open", name: "", taken: false, rating: null };
export const MANNERS = { clock: null, days: null, talk: "words", fill: null, rated: false, studied: false };
export const table = (id, more = {}) => ({
  table: id,
  game: "whist",
  title: "Whist",
  players: 2,
  options: {},
  seats: [PERSON, OPEN],
  bots: [],
  manners: MANNERS,
  fills_in: null,
  waits: true,
  begun: false,
  over: false,
  actor: null,
  deadline: null,
  daily: null,
  club: null,
  ...more,
});
