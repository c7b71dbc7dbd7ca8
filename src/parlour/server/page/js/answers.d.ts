// Answers of the HTTP interface as the page reads them. docs/protocol.md describes the requests.

import type { ClubInfo, EstimateInfo, RatingInfo, Reason, Scene, TableInfo } from "./protocol.d.ts";

/** The games and bots of the room. */
export interface Catalogue {
  games: Game[];
  bots: Bot[];
  usual_bot: string;
}

export interface Bot {
  id: string;
  title: string;
  description: string;
  study: boolean;
}

/** A table of the lobby: whether a person waits there, and the ids of its bots. */
export interface LobbyTable extends TableInfo {
  options: OptionValues;
  waits: boolean;
  bots: string[];
}

export type OptionValue = boolean | number | string;

/** Chosen values of options by name. */
export type OptionValues = Record<string, OptionValue>;

/** A game; `lesson` is the length of its lesson in minutes. */
export interface Game {
  id: string;
  title: string;
  summary: string;
  credit: string;
  players: number[];
  usual: number;
  unusual: string;
  fits: string;
  minutes: [number, number] | null;
  lesson: number | null;
  options: Option[];
}

/**
 * An option of a game. Keys of `limits`, `defaults` and `refused` are numbers of players: `defaults` has all of them,
 * `limits` those with another range than `min` to `max`, `refused` those that exclude values, with the reasons by
 * value.
 */
export interface Option {
  name: string;
  title: string;
  titles: Record<string, string>;
  clause: string;
  help: string;
  kind: "boolean" | "number" | "text" | "choice";
  values: OptionValue[] | null;
  /** Other texts that a text may be: a regular expression, and the same in words; both are empty for other kinds. */
  pattern: string;
  pattern_words: string;
  min: number | null;
  max: number | null;
  limits: Record<string, [number, number]>;
  defaults: Record<string, OptionValue>;
  refused: Record<string, Record<string, string>>;
  consequences: Record<string, string>;
  advanced: boolean;
  /** Defaults that follow from a value of another option: by number of players, name and value of the other option. */
  depends: Record<string, Record<string, Record<string, OptionValue>>>;
}

export interface OptionCheck {
  options: OptionValues;
  advice: string[];
}

/** HTML of the rules, with `data-clause` at each clause. */
export interface Rules {
  html: string;
}

/** A word of a game, explained. */
export interface Term {
  word: string;
  means: string;
  clause: string;
}

/** A game in short (`short` is HTML); `lesson` in minutes. */
export interface Primer {
  title: string;
  short: string;
  lesson: number | null;
  terms: Term[];
}

/** A lesson: the title of its game, its own title, its duration in minutes, and the numbers of steps of its hands. */
export interface Lesson {
  game: string;
  title: string;
  minutes: number;
  hands: { title: string; steps: number }[];
}

/** A step of a lesson: the scenes before it, its HTML, and the action to be done (empty: none). */
export interface LessonStep {
  scenes: Scene[];
  say: string;
  do: string;
}

export type LessonAnswer =
  | { kind: "done" }
  | { kind: "refused"; reason: string; clause: string }
  | { kind: "other"; scene: Scene; say: string };

/** Reasons why a selection on the table is not legal. */
export interface Reasons {
  reasons: Reason[];
}

/** A game that has puzzles, with the number of puzzles by theme. */
export interface PuzzleGame {
  game: string;
  title: string;
  puzzles: number;
  themes: Record<string, number>;
}

export interface PuzzleLine {
  id: string;
  rating: number;
  themes: string[];
}

/** The puzzles of a game, with the titles of their themes. */
export interface Puzzles {
  game: string;
  title: string;
  themes: Record<string, string>;
  puzzles: PuzzleLine[];
}

/** A puzzle as its seat sees it, with the log lines of the last events. */
export interface Puzzle {
  id: string;
  scene: Scene;
  log: string[];
}

export interface PuzzleStanding {
  rating: number;
  deviation: number;
  volatility: number;
  tried: number;
  solved: number;
  streak: number;
  longest: number;
}

export interface PuzzleAction {
  do: string;
  phrase: string;
  win: EstimateInfo;
  percent: string;
  less: string;
  tried: boolean;
}

/** The verdict on a try; `standing` is null if the try does not count. */
export interface PuzzleVerdict {
  right: boolean;
  do: string;
  best: string;
  words: string[];
  actions: PuzzleAction[];
  others: number;
  rating: number;
  themes: string[];
  levels: Record<string, number>;
  exact: boolean;
  standing: PuzzleStanding | null;
}

/** A new club night; `key` is the host's. */
export interface ClubRequest {
  game: string;
  options: OptionValues;
  system: string;
  rounds: number;
  bot: string;
  key: string;
}

/** A player in the standings of a club night, by number. */
export interface ClubStanding {
  number: number;
  rank: number;
  score: number;
  won: number;
  played: number;
}

/**
 * A game of a club night. `seats` are the numbers of its players, null for a bot. In an open round `won` and `points`
 * are null, and so is each score.
 */
export interface ClubGame {
  round: number;
  board: number;
  deal: number;
  table: string | null;
  seats: [number | null, number | null];
  over: boolean;
  won: number[] | null;
  points: number[] | null;
  scores: [number | null, number | null];
}

/** A club night. `begun` and `closed` are numbers of rounds, `you` is the viewer's number. */
export interface ClubNight {
  club: string;
  game: string;
  title: string;
  options: OptionValues;
  system: "all" | "swiss";
  rounds: number;
  bot: string;
  begun: number;
  closed: number;
  you: number | null;
  players: { number: number; name: string }[];
  standings: ClubStanding[];
  games: ClubGame[];
}

/** The rating of a player in a game, and after each of the last rated games, the oldest first. */
export interface PlayedRating extends RatingInfo {
  game: string;
  title: string;
  games: number;
  history: { at: string; value: number }[];
}

/** A seat of an opened table, with its key. */
export interface OwnSeat {
  table: string;
  seat: number;
  key: string;
}

/** A player who plays a deal; with `counts` only if the result counts. */
export interface DailyRequest {
  name: string;
  key: string;
  counts: boolean;
}

/** The seat at a daily deal, and whether its game counts: only one that was finished on its day, or still can be. */
export type DailySeat = OwnSeat & { counts: boolean };

/** A taken seat, or a requested one with the seats whose players have not agreed yet. */
export type SeatAnswer = (OwnSeat & { waiting?: undefined }) | { table: string; seat: number; waiting: number[] };

/** The table of a rematch, the viewer's seat there, and the seats here whose players have taken theirs there. */
export interface RematchAnswer {
  table: string;
  seat: number;
  by: number[];
}

/** A part of a replay; `seen` is the number of events of the game. */
export interface ReplaySlice {
  seen: number;
  scenes: Scene[];
}

/** The addresses of the room in its network, for a page on the room's own machine. */
export interface Addresses {
  here: boolean;
  addresses: string[];
}

export type DecisionMark = "blunder" | "mistake" | "slip" | "find" | "";

/** A decision of a review. Probabilities are in thousandths. */
export interface Decision {
  seen: number;
  heading: string;
  do: string;
  best: string;
  phrase: string;
  best_phrase: string;
  lost: EstimateInfo;
  won: EstimateInfo;
  mark: DecisionMark;
}

/** The course of one seat: a probability of winning in thousandths, with its interval, after each event. */
export interface Course {
  seat: number;
  name: string;
  chances: number[];
  low: number[];
  high: number[];
  decisions: Decision[];
}

export interface CourseSentences {
  outcome: string;
  headline: string;
  sums: [string, string][];
  own: string;
}

export interface CourseTexts {
  to_you: CourseSentences;
  to_others: CourseSentences;
  chances: string[];
  decisions: { cost: string }[];
}

export interface RerunTexts {
  seats: number[];
  to_you: string;
  to_others: string;
}

/** A review. `reruns` and `texts.reruns` are null until the strongest bot has replayed the deal. */
export interface Review {
  names: string[];
  winners: number[];
  courses: Course[];
  reruns: unknown[] | null;
  texts: {
    title: string;
    outcome: string;
    courses: CourseTexts[];
    reruns: RerunTexts[] | null;
    marks: Record<string, string>;
  };
}

/** The progress of an unfinished review; `share` of the work and `seconds` left are null while unknown. */
export interface ReviewProgress {
  share: number | null;
  seconds: number | null;
  waits: boolean;
  review: Review | null;
}

/** The result of a seat: its points, and those of the best other side. */
export interface Score {
  won: boolean;
  points: number;
  against: number;
}

/** The game of a player in a daily deal; `score` is null before its end. */
export interface DailyMine {
  table: string;
  counts: boolean;
  score: Score | null;
}

/** The game of a player, and whether it is over; one that is over without a score was finished too late. */
export type DailyGame = DailyMine & { over: boolean };

export interface DailyDeal {
  game: string;
  title: string;
  players: number;
  played: number;
  mine: DailyMine | null;
}

/** Today's deals; `room` is the address of another room where they are played, and then the only entry. */
export interface DailyToday {
  day: string;
  game: string;
  bot: string;
  ends: number;
  open: boolean;
  commitment: string;
  coming: { day: string; commitment: string }[];
  deals: DailyDeal[];
  closing: DailyClosing | null;
  streak: number;
  room: string;
}

/** The day that is over and not closed yet: its begun games still count for the seconds `left`. */
export interface DailyClosing {
  day: string;
  left: number;
  mine: (DailyMine & { game: string })[];
}

/** A day that is over. */
export interface DailyPast {
  day: string;
  game: string;
  bot: string;
  commitment: string;
  key: string;
  mine: (DailyMine & { game: string })[];
}

export interface DailyStanding {
  rank: number;
  name: string;
  score: Score | null;
  own: boolean;
}

/**
 * A day; values that are published when it is closed are null before. `left` has the seconds in which begun games still
 * count, from the end of the day to its closing.
 */
export interface DailyDay {
  day: string;
  closed: boolean;
  left: number | null;
  game: string;
  bot: string;
  commitment: string;
  key: string | null;
  deals: (DailyDeal & {
    mine: DailyGame | null;
    rules: string | null;
    seat: number | null;
    par: Score | null;
    standings: DailyStanding[] | null;
  })[];
}

/**
 * A player's result; all from `rank` on is missing without a score. `failed` has the parts whose computation
 * has failed.
 */
export interface DailyResult extends DailyGame {
  day: string;
  game: string;
  bot: string;
  closed: boolean;
  streak: number;
  rank?: number;
  played?: number;
  par?: Score | null;
  standings?: DailyStanding[];
  review?: { luck: string; others: string; own: string; signs: string[] } | null;
  failed?: ("par" | "review")[];
}

/** A decision of a finished game that cost the player; `lost` in thousandths of a win. */
export interface CostlyDecision {
  seen: number;
  lost: number;
  mark: DecisionMark;
}

/** The sums of a review for the player's seat, in thousandths of a win, rounded to points as the review shows them. */
export interface Finding {
  luck: number;
  others: number;
  own: number;
  lost: number;
  decisions: number;
  worst: CostlyDecision[];
}

/**
 * A game of a player; `score` is null while it goes on, `kept` is false if its table has been removed. `review` is empty
 * if the game ended by resignation, null if it has no review yet.
 */
export interface PlayerGame {
  table: string;
  seat: number;
  game: string;
  title: string;
  players: number;
  options: OptionValues;
  others: { name: string; bot: string | null }[];
  at: string;
  score: Score | null;
  review: Finding | Partial<Finding> | null;
  kept: boolean;
  daily: { day: string; counts: boolean; sealed: boolean } | null;
  club: ClubInfo | null;
}

/** A part of a player's list; `name` is null if the room knows no player with the key. */
export interface PlayerGames {
  name: string | null;
  games: PlayerGame[];
  next: string | null;
}
