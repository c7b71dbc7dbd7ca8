"""Reviews: reproducible, with sums that end at the result, and as a file that needs no other."""

import json
import re
from concurrent.futures import CancelledError
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from parlour.engine.errors import RecordError
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.insight import review as reviews
from parlour.insight.review import (
    Key,
    Review,
    ReviewSettings,
    names_in,
    remaining_seconds,
    reruns_of,
    review_game,
    run_tasks,
    tasks_of,
)
from parlour.insight.review_file import review_page
from parlour.insight.review_text import review_text, review_texts
from parlour.insight.rounding import whole_points
from tests.helpers import random_game
from tests.insight.games import LOSES, SEEN, WINS, blunder_record, short_record

pytestmark = pytest.mark.slow

EFFORT = 20_000


@pytest.fixture(scope="module")
def review() -> Review:
    return review_game({**blunder_record(), "names": ["Ann", "<b>Bob</b>", "Cyd", "Dan"]}, effort=EFFORT)


@pytest.fixture(scope="module")
def resigned() -> Review:
    record = {**blunder_record(), "names": ["Ann", "Bo", "Cyd", "Dan"], "resigned": [{"seat": 0, "after": SEEN}]}
    return review_game(record, seats=[0, 1], effort=EFFORT)


class TestNames:
    @pytest.mark.parametrize(
        "names",
        [
            ["Ann", "Bo\x1b[2J"],
            ["Ann", "Bo\x9b2J"],
            ["Ann\n", "Bo"],
            ["Ann\u2028", "Bo"],
            ["\ud800", "Bo"],
            ["Ann", ""],
            ["Ann"],
            "AB",
        ],
    )
    def test_of_a_foreign_record_command_no_terminal(self, names: object) -> None:
        assert names_in({"names": names}, 2) == ["Seat 0", "Seat 1"]

    def test_in_any_script_are_shown(self) -> None:
        names = ["Åsa 王", "👩\u200d🚀 ‘Bo’"]
        assert names_in({"names": names}, 2) == names


class TestReview:
    def test_every_seat_goes_from_its_start_to_its_result(self, review: Review) -> None:
        assert [course.seat for course in review.courses] == [0, 1, 2, 3]
        for course in review.courses:
            sums = course.sums
            assert sums.start + sums.chance + sums.others + sums.own == sums.result
            assert course.chances[0] == sums.start
            assert course.chances[-1] == sums.result == (1000 if course.seat in review.winners else 0)
            assert len(course.chances) == len(review.events) + 1

    def test_a_seat_is_evaluated_after_its_own_action_only_if_cards_were_turned_up(self) -> None:
        record = random_game(Setup(find_game("three-tricks"), 2), 3).record()
        asked = {key[1:] for key, _ in tasks_of(record, "record", [0, 1], ["Ann", "Bo"], EFFORT, 0)}
        after = {do: set() for do in ("swap", "lay")}
        for seen, event in enumerate(record["events"][:-1]):
            if (verb := event["do"].split()[0]) in after:
                after[verb].add((event["by"], seen + 1) in asked)
        assert after == {"swap": {True}, "lay": {False}}

    @pytest.mark.parametrize("game", ["trick-walls", "tricky-tribes"])
    def test_scores_are_valued_by_a_model_of_the_round_in_progress(
        self, game: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without a round in progress each position learns a model of its own."""
        monkeypatch.setattr(reviews, "RoundLeadModel", lambda position, seed: (position.seat, position.seen))
        record = random_game(Setup(find_game(game), 3), 3).record()
        deals = [seen for seen, event in enumerate(record["events"]) if event["do"].startswith("deal ")]
        assert len(deals) > 1
        for (kind, seat, seen), task in tasks_of(record, "record", [0, 2], ["Ann", "Bo", "Cyd"], EFFORT, 0):
            model = task.args[-1] if kind == "decision" else task.keywords["lead_model"]
            begun = max((deal + 1 for deal in deals if deal < seen), default=None)
            assert model == (None if seen in deals or begun is None else (seat, begun))

    def test_the_blunder_is_marked(self, review: Review) -> None:
        (found,) = [each for each in review.courses[0].decisions if each.seen == SEEN]
        assert (found.do, found.best, found.mark) == (LOSES, WINS, "blunder")
        assert review.courses[0].chances[SEEN] > review.courses[0].chances[SEEN + 1] == 0

    def test_only_decisions_among_several_actions_are_judged(self, review: Review) -> None:
        for course in review.courses:
            for decision in course.decisions:
                assert decision.actions > 1
                assert review.events[decision.seen] == {"by": course.seat, "do": decision.do}

    def test_the_strongest_bot_plays_the_same_deal_for_each_requested_side(self, review: Review) -> None:
        assert review.reruns is None
        found = reruns_of(blunder_record(), seats=[1])
        assert [rerun.seats for rerun in found] == [[0, 1]]
        for rerun in found:
            assert (rerun.same, rerun.chance) == (3, 3)
            if rerun.parted is not None:
                assert review.events[rerun.parted]["by"] in rerun.seats

    def test_the_same_seed_gives_the_same_review_on_any_number_of_cores(self) -> None:
        record = short_record()
        once, again = (
            review_game(record, seats=[1], effort=EFFORT, seed=3, work=ReviewSettings(cores)) for cores in (1, 3)
        )
        assert once == again

    def test_half_the_effort_for_some_seats_does_not_change_the_others(self) -> None:
        once = review_game(short_record(2), effort=EFFORT)
        again = review_game(short_record(2), effort=EFFORT, brief=[1])
        assert again.courses[0] == once.courses[0]
        assert again.courses[1] == review_game(short_record(2), effort=EFFORT // 2).courses[1]

    def test_an_unfinished_game_is_not_reviewed(self) -> None:
        record = short_record()
        unfinished = {key: value for key, value in record.items() if key != "result"}
        with pytest.raises(RecordError, match="the game is not over"):
            review_game({**unfinished, "events": record["events"][:-1]})

    def test_progress_is_reported(self) -> None:
        shares: list[float] = []
        review_game(short_record(2), seats=[0], effort=EFFORT, progress=lambda share, so_far: shares.append(share))
        assert shares == sorted(shares)
        assert shares[-1] == 1
        assert shares[0] < 1 / len(shares), "values of positions come first, and count for less"

    def test_the_curve_comes_before_the_first_decision_and_the_rest_at_the_end(self) -> None:
        found: list[Review] = []
        last = review_game(
            short_record(2),
            seats=[0],
            effort=EFFORT,
            work=ReviewSettings(1),
            progress=lambda share, so_far: found.append(so_far()),
        )
        decided = [len(review.courses[0].decisions) for review in found]
        assert decided == sorted(decided)
        assert decided[0] == 0
        assert found[-1] == last
        before = found[decided.index(1) - 1].courses[0]
        by = [event["by"] for event in last.events]
        others = [seen for seen in range(1, len(by)) if 0 not in (by[seen - 1], by[seen])]
        assert others
        assert all(before.chances[seen] == last.courses[0].chances[seen] for seen in others)

    def test_the_decisions_of_brief_seats_come_last(self) -> None:
        found: list[Review] = []
        review_game(
            short_record(2), effort=EFFORT, work=ReviewSettings(1), brief=[0],
            progress=lambda share, so_far: found.append(so_far()),
        )  # fmt: skip
        first = next(review for review in found if review.courses[0].decisions)
        assert len(first.courses[1].decisions) == len(found[-1].courses[1].decisions)

    @pytest.mark.parametrize(("share", "seconds"), [(0.01, None), (0.25, 30), (1, 0)])
    def test_the_time_left_is_extrapolated_from_the_work_done(self, share: float, seconds: float | None) -> None:
        assert remaining_seconds(share, 10) == seconds

    def test_a_review_that_was_ended_goes_on_from_the_kept_results(self) -> None:
        record, results, computed = short_record(2), dict[Key, Any](), list[Key]()

        def keep_three(key: Key, result: Any) -> None:
            results[key] = result
            computed.append(key)
            if len(computed) % 3 == 0:
                raise InterruptedError

        while True:
            try:
                found = review_game(
                    record, seats=[0], effort=EFFORT, work=ReviewSettings(1, known=results, keep=keep_three)
                )
                break
            except InterruptedError:
                continue
        assert len(computed) == len(set(computed)) > 3
        assert found == review_game(record, seats=[0], effort=EFFORT)

    def test_known_results_are_not_computed_again(self) -> None:
        record, names = short_record(2), ["Ann", "Bo"]
        known = {key: task() for key, task in tasks_of(record, "record", [0], names, EFFORT, 0)}
        shares: list[float] = []
        again = review_game(
            {**record, "names": names},
            seats=[0],
            effort=EFFORT,
            work=ReviewSettings(known=known),
            progress=lambda share, so_far: shares.append(share),
        )
        assert shares == []
        assert again == review_game({**record, "names": names}, seats=[0], effort=EFFORT)


class TestResignation:
    """Seat 0 resigns before its losing card, which a bot then plays."""

    def test_leaves_the_bots_decisions_out(self, review: Review, resigned: Review) -> None:
        before = [decision for decision in review.courses[0].decisions if decision.seen < SEEN]
        assert before
        assert resigned.courses[0].decisions == before
        assert resigned.courses[1] == replace(review.courses[1], name="Bo")

    def test_makes_the_bots_play_that_of_the_others(self, review: Review, resigned: Review) -> None:
        (own, found) = (each.courses[0] for each in (review, resigned))
        assert found.sums.start + found.sums.chance + found.sums.others + found.sums.own == found.sums.result
        assert found.sums.own == sum(each.with_done - each.before for each in found.decisions)
        assert found.sums.others < own.sums.others
        assert found.chances[SEEN] > found.chances[SEEN + 1] == 0
        assert list(found.stood_in) == [n for n, each in enumerate(review.events) if each["by"] == 0 and n >= SEEN]

    def test_is_in_the_text(self, resigned: Review) -> None:
        text = review_text(resigned)
        assert f"Ann resigned after move {SEEN}: a bot played on to the end." in text
        assert "Ann lost it" not in text


class TestStandIns:
    def test_decide_nothing_for_the_seat_and_the_position_after_them_has_a_value(self) -> None:
        record = short_record()
        own = [number for number, event in enumerate(record["events"]) if event["by"] == 0]
        for marked in ({"stood_in": own}, {"resigned": [{"seat": 0, "after": own[0]}]}):
            tasks = {key for key, _ in tasks_of({**record, **marked}, "record", [0], ["Ann"] * 4, EFFORT, 0)}
            assert tasks == {("value", 0, seen) for seen in range(len(record["events"]))}


class TestJobs:
    def test_only_a_failure_cancels_the_other_jobs(self) -> None:
        cancelled, begun = Event(), Event()
        assert run_tasks({("value", 0, 1): lambda: 7}, ReviewSettings(1), cancelled=cancelled) == {("value", 0, 1): 7}
        assert not cancelled.is_set()

        def takes_long() -> bool:
            begun.set()
            return cancelled.wait(60)

        def fails() -> None:
            begun.wait(60)
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            run_tasks({("rerun", 1, 0): takes_long, ("value", 0, 1): fails}, ReviewSettings(2), cancelled=cancelled)
        assert cancelled.is_set()

    def test_the_caller_can_stop_a_review(self) -> None:
        with pytest.raises(CancelledError):
            reruns_of(blunder_record(), seats=[1], work=ReviewSettings(1, stopped=lambda: True))


class TestProgressOfReplays:
    @pytest.mark.parametrize("length", [0.5, 1, 3])
    def test_it_never_falls_and_never_exceeds_the_whole(self, monkeypatch: pytest.MonkeyPatch, length: float) -> None:
        """Replays may be shorter or longer than the game."""
        record, shares = blunder_record(), list[float]()

        def replayed(record, place, side, seed, stopped) -> int:  # type: ignore[no-untyped-def]
            for seen in range(int(length * len(record["events"])) + 1):
                stopped(seen)
            return side

        monkeypatch.setattr(reviews, "rerun", replayed)
        assert reruns_of(record, work=ReviewSettings(1), progress=shares.append) == [0b0011, 0b1100]
        assert shares == sorted(shares)
        assert (shares[0], shares[-1]) == (0, pytest.approx(min(1, length), abs=0.02))


class TestOutput:
    def test_it_can_be_written_as_json(self, review: Review) -> None:
        found = json.loads(json.dumps(review.to_json()))
        assert found["format"] == "parlour-review/1"
        assert found["courses"][0]["sums"]["result"] == review.courses[0].sums.result

    def test_the_text_has_the_sums_and_the_marks_in_the_words_of_the_log(self, review: Review) -> None:
        text = review_text(review)
        assert f"{whole_points(review.courses[0].sums.start / 1000)} % at the start" in text
        line = next(line for line in text.splitlines() if f"move {SEEN:3}  " in line)
        assert re.search(r"  Round 1 of 1, trick \d+ of \d+  blunder  play the ace of hearts\. ", line)
        assert "Better by 100 points: play the queen of " in line

    def test_no_number_has_a_hyphen_for_a_minus(self, review: Review) -> None:
        texts = [review_text(review), *map(str, review_texts(review).values())]
        assert not [text for text in texts if re.search(r"(?<!\w)-\d", text)]

    def test_page_and_text_round_alike(self, review: Review) -> None:
        text = review_text(review)
        for course in review_texts(review)["courses"]:
            assert ", ".join(f"{number} {what}" for number, what in course["to_others"]["sums"]) in text
            assert course["to_others"]["own"] in text
            assert course["to_others"]["headline"] in text

    def test_the_file_loads_no_other_file(self, review: Review) -> None:
        page = review_page(review)
        for word in ("src=", "@import", "url(", 'from "./', "/page/"):
            assert word not in page

    def test_names_of_people_are_escaped(self, review: Review) -> None:
        assert "<b>Bob" not in review_page(review)
