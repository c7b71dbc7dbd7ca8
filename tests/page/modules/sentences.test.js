// Sentences with numbers, names and times, each by examples at its limits.

import "./elements.js";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { CLUB_TEXTS } from "../../../src/parlour/server/page/js/club/club_texts.js";
import { DAILY_PAGE_TEXTS } from "../../../src/parlour/server/page/js/daily/daily_texts.js";
import { DEAL_TEXTS } from "../../../src/parlour/server/page/js/daily/deal_texts.js";
import { LANDING_TEXTS } from "../../../src/parlour/server/page/js/landing/landing_texts.js";
import { LESSON_TEXTS } from "../../../src/parlour/server/page/js/lesson/lesson_texts.js";
import { PLAYER_TEXTS } from "../../../src/parlour/server/page/js/player/player_texts.js";
import { PUZZLE_TEXTS } from "../../../src/parlour/server/page/js/puzzles/puzzle_texts.js";
import { REPLAY_TEXTS } from "../../../src/parlour/server/page/js/replay/replay_texts.js";
import { REVIEW_TEXTS } from "../../../src/parlour/server/page/js/replay/review_texts.js";

/** Compare sentences with their examples; a no-break space is written as "~". */
function examples(subject, text, list) {
  describe(subject, () => {
    for (const [name, values, sentence] of list) {
      it(`have ${name} for ${JSON.stringify(values)}`, () => {
        assert.equal(text(name, ...values).replaceAll("\u00a0", "~"), sentence);
      });
    }
  });
}
const of =
  (texts) =>
  (name, ...values) =>
    texts[name](...values);

examples("the sentences of the landing", of(LANDING_TEXTS), [
  ["startHereHint", [1], "the shortest lesson, 1 minute"],
  ["startHereHint", [4], "the shortest lesson, 4 minutes"],
  ["seatsOpenOf", [1, 3], "· 1 of 3 seats is free"],
  ["seatsOpenOf", [2, 3], "· 2 of 3 seats are free"],
]);

examples("the sentences about the deals of a day", of(DEAL_TEXTS), [
  ["dailyPlayed", [0], "you can be the first"],
  ["dailyPlayed", [1], "1 player has finished"],
  ["dailyPlayed", [2], "2 players have finished"],
  ["dailyLeft", [10], "next in 1 minute"],
  ["dailyLeft", [5399], "next in 90 minutes"],
  ["dailyLeft", [5400], "next in 2 hours"],
  ["dailyStreak", [1], "1 day"],
  ["dailyStreak", [4], "4 days in a row"],
]);

examples("the sentences about a table before its game", t, [
  ["playersRange", [1, 1], "1 player"],
  ["playersRange", [2, 2], "2 players"],
  ["playersRange", [2, 6], "2 to 6 players"],
  ["minutesRange", [5, 10], "5–10 minutes"],
  ["minutes", [1], "1 minute"],
  ["minutes", [5], "5 minutes"],
  ["primerLesson", [1], "Take the lesson: 1 minute"],
  ["primerLesson", [4], "Take the lesson: 4 minutes"],
  ["waits", [["Ann"]], "Ann waits"],
  ["waits", [["Ann", "Bo"]], "Ann and Bo wait"],
  ["seatsOpen", [1], "a seat is open"],
  ["seatsOpen", [2], "2 seats are open"],
  ["botsThere", [1, ["Casual"]], "One (Casual)"],
  ["botsThere", [3, ["Casual", "Expert"]], "3 (Casual, Expert)"],
  ["botsCome", ["Casual", 60], "a bot (Casual) takes what stays free within a minute"],
  ["botsCome", ["Casual", 61], "a bot (Casual) takes what stays free in 2 minutes"],
  ["botsCome", ["Casual", 300], "a bot (Casual) takes what stays free in 5 minutes"],
  ["daysOf", [1], "1 day for each action."],
  ["daysOf", [3], "3 days for each action."],
  ["clockOf", [60, 0], "A minute."],
  ["clockOf", [90, 1], "90 seconds, and 1 second for each action."],
  ["clockOf", [600, 10], "10 minutes, and 10 seconds for each action."],
  ["patienceOf", [1], "a bot plays after 1 second"],
  ["patienceOf", [90], "a bot plays after 90 seconds"],
  ["patienceOf", [60], "a bot plays after a minute"],
  ["patienceOf", [120], "a bot plays after 2 minutes"],
  ["fillOf", [45], "a bot takes it 45 seconds after the table was opened"],
  ["fillOf", [60], "a bot takes it a minute after the table was opened"],
  ["fillOf", [180], "a bot takes it 3 minutes after the table was opened"],
  ["fillsAfter", [0], "Bots sit down …"],
  ["fillsAfter", [5], "Bots take the free seats in 0:05."],
  ["fillsAfter", [65], "Bots take the free seats in 1:05."],
  ["fillsAfter", [600], "Bots take the free seats in 10:00."],
  ["valueName", ["after_a_trick"], "After a trick"],
  ["limitsOf", [1, 3], "From 1 to 3 with so many players."],
  ["moreOptions", [4], "More numbers of the rules (4)"],
]);

examples("the sentences at a table", t, [
  ["clause", ["TW-7"], "Rule 7"],
  ["clause", [""], ""],
  ["clauseSign", ["TW-12"], "rule~12"],
  ["points", [3], "+3"],
  ["points", [-3], "−3"],
  ["points", [0], "0"],
  ["number", [3], "3"],
  ["number", [-3], "−3"],
  ["pointsLong", [1], "1 point"],
  ["pointsLong", [0], "0 points"],
  ["pointsLong", [2], "2 points"],
  ["before", ["+3"], "before this round +3"],
  ["heldCards", [1], "1 card in hand"],
  ["heldCards", [7], "7 cards in hand"],
  ["cards", [1], "1 card"],
  ["cards", [0], "0 cards"],
  ["andHidden", [1], "and 1 card face down"],
  ["andHidden", [3], "and 3 cards face down"],
  ["buriedCards", ["Wall", []], "Wall: none"],
  ["buriedCards", ["Wall", ["a", "b"]], "Wall: a, b"],
  ["actionOf", ["Pass", []], "“Pass”"],
  ["actionOf", ["Play", ["a", "b"]], "“Play: a, b”"],
  ["either", [["Play", "Pass"]], "“Play” or “Pass”"],
  ["onceMore", ["Play"], "Play? Choose it once more, or press “Play”."],
  ["legalAction", ["Play", "ace of clubs"], "play: ace of clubs"],
  ["legalAction", ["Pass", ""], "pass"],
  ["legalActions", [["play: ace of clubs", "pass"]], "You may play: ace of clubs; pass."],
  ["missedMore", [1], "1 earlier move: see Score."],
  ["missedMore", [2], "2 earlier moves: see Score."],
  ["undoRequested", [["Ann", "Bo"]], "Asked to take it back: waiting for Ann and Bo."],
  ["undoRequest", ["Ann"], "Ann would like to take the last action back."],
  ["seatRequested", [["Ann", "Bo"]], "Everyone who plays here is asked. Waiting for Ann and Bo."],
  ["talkNew", [2], "Talk, 2 new"],
  ["timeLeft", ["Ann", "1:05"], "Ann: 1:05 left"],
  ["gloss", ["trick", "a card from each"], "Trick: a card from each"],
  ["hintOthers", [1], "1 other action seemed worse."],
  ["hintOthers", [4], "4 other actions seemed worse."],
  ["soundIs", [true], "Sound is on"],
  ["soundIs", [false], "Sound is off"],
  ["onlookers", [1, []], "Looking on: one person."],
  ["onlookers", [3, []], "Looking on: 3 people."],
  ["onlookers", [1, ["Ann"]], "Looking on: Ann."],
  ["onlookers", [2, ["Ann"]], "Looking on: Ann and 1 more."],
  ["onlookers", [5, ["Ann", "Bo"]], "Looking on: Ann, Bo and 3 more."],
  ["thisTableWith", [1], "This table; 1 looks on"],
  ["thisTableWith", [2], "This table; 2 look on"],
  ["ratingChanged", ["1512?", 12], "Your rating is now 1512? (+12)."],
  ["ratingChanged", ["1497", -3], "Your rating is now 1497 (−3)."],
]);

describe("a request for a bot's seat", () => {
  it("has been agreed to when it waits for none", () => {
    assert.match(t("seatRequested", []), /^Everyone has agreed\./);
  });
});

describe("a deadline", () => {
  const at = new Date(2026, 10, 30, 14, 5).getTime() / 1000;

  it("is named by day and time", () => {
    for (const text of [t("untilTime", at), t("yourTurnUntil", at), t("turnOfUntil", "Ann", at)]) {
      assert.match(text, /until Mon,? 30 Nov,? 14:05$/);
    }
  });
});

examples("the sentences about a daily deal", t, [
  ["dailyMonth", ["2026-11-23"], "Nov"],
  ["dailyOf", ["2026-11-23"], "deal of 23 November"],
]);

const WON = { won: true, points: 3, against: -2 };
const LOST = { won: false, points: 2, against: 3 };

examples("the sentences of the pages of daily deals", of(DAILY_PAGE_TEXTS), [
  ["dailyNext", [10], "The next come in 1 minute."],
  ["dailyNext", [5399], "The next come in 90 minutes."],
  ["dailyNext", [7200], "The next come in 2 hours."],
  ["dailyMine", [3, 1], "you played 3, won 1"],
  ["dailyScore", [true, WON], "won, 3~:~−2"],
  ["dailyScore", [false, LOST], "not won, 2~:~3"],
  ["dailyYours", [WON], "You won: 3~:~−2"],
  ["dailyYours", [LOST], "You did not win: 2~:~3"],
  ["dailyMaster", [null], "The strongest bot is still playing your seat …"],
  ["dailyMaster", [WON], "In your seat the strongest bot won: 3~:~−2"],
  ["dailyMaster", [LOST], "In your seat the strongest bot did not win: 2~:~3"],
  ["dailyCount", [1], "1 played"],
  ["dailyPictureOf", ["Whist", "2026-11-23"], "Parlour, Whist, 23 November"],
]);

describe("the page of a day", () => {
  it("has its date with weekday and year", () => {
    assert.match(DAILY_PAGE_TEXTS.dailyDayLong("2026-11-23"), /^Monday,? 23 November 2026$/);
  });
});

describe("the lines of a daily result to share", () => {
  const result = { day: "2026-11-23", score: LOST, par: null, rank: 1, played: 1, streak: 1, review: null };
  const lines = (more) =>
    DAILY_PAGE_TEXTS.dailyLines({ ...result, ...more }, "Whist")
      .split("\n")
      .slice(1);

  it("have what is known, and no rank or streak of one", () => {
    assert.deepEqual(lines({}), ["Not won 2\u00a0:\u00a03"]);
    assert.deepEqual(lines({ played: 2, streak: 2 }), ["Not won 2\u00a0:\u00a03", "1st of 2 · 2 days in a row"]);
  });
});

examples("the sentences about puzzles", of(PUZZLE_TEXTS), [
  ["puzzlesNumber", [1], "1 puzzle"],
  ["puzzlesNumber", [12], "12 puzzles"],
  ["puzzleRating", [1500, true], "Rating 1500?"],
  ["puzzleRating", [1512, false], "Rating 1512"],
  ["puzzleTried", [5, 3], "3 of 5 solved"],
  ["puzzleStreak", [3], "3 in a row"],
  ["puzzleOthers", [1], "1 other action is worse, too."],
  ["puzzleOthers", [2], "2 other actions are worse, too."],
  ["puzzleChange", [1480, 1512, 12], "The puzzle has 1480. You have 1512 (+12)."],
  ["puzzleChange", [1480, 1492, -8], "The puzzle has 1480. You have 1492 (−8)."],
  ["puzzleChange", [1480, 1500, 0], "The puzzle has 1480. You have 1500 (0)."],
]);

examples("the sentences about a player's games", of(PLAYER_TEXTS), [
  ["mineCount", [1, 0], "1 game, 0 won"],
  ["mineCount", [5, 2], "5 games, 2 won"],
  ["ratedGames", [1], "1 rated game"],
  ["ratedGames", [9], "9 rated games"],
  ["shownLevel", [2, 5], "2 of 5"],
  ["shownCost", [1], "1 point"],
  ["shownCost", [12], "12 points"],
  ["shownWeek", [new Date(2026, 10, 23), 1.25, 1], "Week of 23 November: 1.3 points, 1 game"],
  ["shownMove", [new Date(2020, 10, 23), 7], "23 November 2020, move 7"],
  ["ratingAt", [1512, new Date(2020, 10, 23)], "1512, 23 November 2020"],
  ["exporting", [1], "1 record so far …"],
  ["exporting", [100], "100 records so far …"],
  ["exported", [0], "There is no record yet."],
  ["exported", [1], "1 record saved."],
  ["exported", [2], "2 records saved."],
]);

describe("the mean luck and skill", () => {
  it("have their signs, for one game and for several", () => {
    assert.match(PLAYER_TEXTS.shownLuckMean(5, -2, 1), /^Luck gave you \+5, and your play −2,/);
    assert.match(PLAYER_TEXTS.shownLuckMean(0, 3, 4), /^In 4 games luck gave you on average 0, and your play \+3,/);
  });
});

describe("the reviewed games", () => {
  it("are counted among all", () => {
    assert.match(PLAYER_TEXTS.shownReviewed(1, 5), /1 of your 5 games has one so far\.$/);
    assert.match(PLAYER_TEXTS.shownReviewed(2, 5), /2 of your 5 games have one so far\.$/);
  });
});

describe("the question before another device's games are taken", () => {
  it("has their player and their number", () => {
    assert.match(PLAYER_TEXTS.deviceTakeHint("Ann", 1, false), /the games of Ann: 1 game\./);
    assert.match(PLAYER_TEXTS.deviceTakeHint("", 100, true), /a player without a name: more than 100 games\./);
    assert.match(PLAYER_TEXTS.mineKept("Ann"), /for Ann /);
    assert.doesNotMatch(PLAYER_TEXTS.mineKept(""), / for /);
  });
});

examples("the sentences about a club night", of(CLUB_TEXTS), [
  ["clubPlayers", [1], "1 player"],
  ["clubPlayers", [9], "9 players"],
  ["clubRound", [2, 3], "Round 2 of 3"],
  ["clubGamesOver", [1, 4], "1 of 4 games are over. Results are shown when the round is over."],
  ["clubDeal", [2, "Bo"], "Deal 2 against Bo"],
  ["clubAfter", [1], "After 1 round"],
  ["clubAfter", [2], "After 2 rounds"],
  ["clubScore", [1], "1.00"],
  ["clubScore", [2 / 3], "0.67"],
  ["clubScore", [1234.5], "1234.50"],
  ["clubWon", [1, 3], "1 of 3 won"],
  ["clubDealsLeft", [[2]], "deal 2"],
  ["clubDealsLeft", [[1, 2]], "deals 1 and 2"],
]);

examples("the sentences of a review", of(REVIEW_TEXTS), [
  ["reviewShare", [0.999], "99~%"],
  ["reviewLeft", [0], "Nearly done."],
  ["reviewLeft", [1], "Nearly done."],
  ["reviewLeft", [2], "About 2 seconds left."],
  ["reviewAll", [1], "All 1 decision"],
  ["reviewAll", [9], "All 9 decisions"],
  ["reviewMoment", [7, "Trick 2"], "move 7: Trick 2"],
  ["reviewPoint", [7, "Trick 2", "50 %", ""], "Move 7, Trick 2: 50 %"],
  ["reviewPoint", [7, "Trick 2", "50 %", "Slip"], "Move 7, Trick 2: 50 %, Slip"],
]);

examples("the sentences of a lesson", of(LESSON_TEXTS), [
  ["lessonHand", [1, 3, "Tricks"], "Part 1 of 3: Tricks"],
  ["stepOf", [2, 5], "Step 2 of 5"],
]);

examples("the sentences of a replay", of(REPLAY_TEXTS), [
  ["eventOf", [3, 9], "3 of 9"],
  ["playOnTitle", [3], "Play on after event 3"],
]);
