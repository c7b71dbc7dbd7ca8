"""A review: the same for the same seed, sums that end at the result, the blunder found, the page without a script."""

import json
from xml.etree import ElementTree

import pytest

from parlour.engine.errors import RecordError
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.insight.page import graph_file, review_page
from parlour.insight.review import Review, review_game, tasks_of
from parlour.insight.told import review_text
from tests.helpers import random_game
from tests.insight.games import LOSES, SEEN, WINS, blundered, short_record

pytestmark = pytest.mark.slow

EFFORT = 20_000


@pytest.fixture(scope="module")
def review() -> Review:
    return review_game({**blundered(), "names": ["Ann", "<b>Bob</b>", "Cyd", "Dan"]}, effort=EFFORT)


class TestReview:
    def test_every_seat_goes_from_its_start_to_its_result(self, review: Review) -> None:
        assert [course.seat for course in review.courses] == [0, 1, 2, 3]
        for course in review.courses:
            sums = course.sums
            assert sums.start + sums.chance + sums.others + sums.own == sums.result
            assert course.chances[0] == sums.start
            assert course.chances[-1] == sums.result == (1000 if course.seat in review.winners else 0)
            assert len(course.chances) == len(review.events) + 1

    def test_a_seat_is_asked_again_after_its_own_action_only_where_that_turned_something_up(self) -> None:
        record = random_game(Setup(find_game("three-tricks"), 2), 3).record()
        asked = {key[1:] for key, _ in tasks_of(record, "record", [0, 1], ["Ann", "Bo"], EFFORT, 0)}
        after = {do: set() for do in ("swap", "lay")}
        for seen, event in enumerate(record["events"][:-1]):
            if (verb := event["do"].split()[0]) in after:
                after[verb].add((event["by"], seen + 1) in asked)
        assert after["swap"] == {True}

    def test_the_blunder_is_marked(self, review: Review) -> None:
        (found,) = [each for each in review.courses[0].decisions if each.seen == SEEN]
        assert (found.do, found.best, found.mark) == (LOSES, WINS, "blunder")
        assert review.courses[0].chances[SEEN] > review.courses[0].chances[SEEN + 1] == 0

    def test_decisions_are_those_among_several_actions(self, review: Review) -> None:
        for course in review.courses:
            for decision in course.decisions:
                assert decision.actions > 1
                assert review.events[decision.seen] == {"by": course.seat, "do": decision.do}

    def test_the_strongest_bot_plays_the_same_deal_for_each_side(self, review: Review) -> None:
        assert [rerun.seats for rerun in review.reruns] == [[0, 1], [2, 3]]
        for rerun in review.reruns:
            assert (rerun.same, rerun.chance) == (3, 3)
            if rerun.parted is not None:
                assert review.events[rerun.parted]["by"] in rerun.seats

    def test_the_same_seed_gives_the_same_review_on_any_number_of_cores(self) -> None:
        record = short_record()
        once, again = (review_game(record, seats=[1], effort=EFFORT, seed=3, cores=cores) for cores in (1, 3))
        assert once == again

    def test_a_game_that_goes_on_is_not_reviewed(self) -> None:
        record = short_record()
        unfinished = {key: value for key, value in record.items() if key != "result"}
        with pytest.raises(RecordError, match="the game is not over"):
            review_game({**unfinished, "events": record["events"][:-1]})

    def test_it_tells_how_far_it_is(self) -> None:
        steps: list[tuple[int, int]] = []
        review_game(short_record(2), seats=[0], effort=EFFORT, progress=lambda done, total: steps.append((done, total)))
        assert [done for done, _ in steps] == list(range(1, len(steps) + 1))
        assert {total for _, total in steps} == {len(steps)}


class TestWhatIsShown:
    def test_it_is_json(self, review: Review) -> None:
        found = json.loads(json.dumps(review.to_json()))
        assert found["format"] == "parlour-review/1"
        assert found["courses"][0]["sums"]["result"] == review.courses[0].sums.result

    def test_the_text_tells_the_sums_and_the_marks(self, review: Review) -> None:
        text = review_text(review)
        sums = review.courses[0].sums
        assert f"{sums.start / 10:.1f} % at the start" in text
        assert f"after  {SEEN} events  blunder  {LOSES}: {WINS} wins 100.0 points more" in text

    def test_the_page_needs_nothing_from_elsewhere_and_runs_nothing(self, review: Review) -> None:
        page = review_page(review)
        for word in ("http", "<script", "src=", "@import", "url("):
            assert word not in page
        assert page.count("<polyline") == 2 * len(review.courses)

    def test_the_graph_alone_is_a_file_that_names_the_seats(self, review: Review) -> None:
        root = ElementTree.fromstring(graph_file(review))
        texts = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
        assert set(review.names) <= texts
        assert len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))) == len(review.courses)

    def test_what_people_call_themselves_is_text_on_the_page(self, review: Review) -> None:
        page = review_page(review)
        assert "<b>Bob" not in page
        assert "&lt;b&gt;Bob&lt;/b&gt;" in page
