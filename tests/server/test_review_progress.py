"""The progress of reviews, from the first request to the end: what each request begins, and what it answers."""

import asyncio
from contextlib import closing
from types import SimpleNamespace

import pytest

from parlour.languages import current_language, in_language
from parlour.server.http.reports import reviews
from parlour.server.http.reports.reviews import Progress, Reviews
from parlour.server.store.store import Store
from parlour.server.table.bots.readiness import Readiness
from tests.helpers import run_apart

RECORD = {"game": "trime-kicker", "players": 2}
COURSES, RERUNS = "courses", "reruns"


class Ready(Readiness):
    """Games whose search is compiled."""

    async def wait(self, game):
        pass


@pytest.fixture
def kept(database, monkeypatch):
    """Yield reviews without a computation, whose store has the texts in ``stored`` (with ``whole`` their last part)."""
    monkeypatch.setattr(reviews, "RETRY_SECONDS", 3600)
    with closing(Store(database)) as store:
        kept = Reviews(store, Ready())
        kept.stored, kept.whole, kept.read, kept.computed = {}, set(), [], []
        kept._read = lambda table, record: (
            kept.read.append(table) or kept.stored.get(table, ""),
            table in kept.whole,
        )
        kept._compute = lambda table, record, people, progress: kept.computed.append((COURSES, table))
        kept._compute_reruns = lambda table, record, people, progress: kept.computed.append((RERUNS, table))
        yield kept
        kept.stop()


def request(kept, *tables, until=lambda: True):
    """Request reviews one after another, and wait until something holds. Return the answers and the last progress."""

    async def request_all():
        answers = [await kept.find(table, RECORD, [0], "host") for table in tables]
        while not until():
            await asyncio.sleep(0)
        for task in kept._tasks:
            task.cancel()
        return answers

    return run_apart(request_all())


class TestARequest:
    @pytest.mark.parametrize(
        ("other", "waits"),
        [
            (Progress(), True),
            (Progress(0.0), True),
            (Progress(0.999), True),
            (Progress(1), False),
            (Progress(failed=True), False),
            (Progress(0.4, failed=True), False),
            (Progress(1, failed=True), False),
        ],
        ids=lambda value: f"{value.share}{'-failed' * value.failed}" if isinstance(value, Progress) else None,
    )
    def test_waits_for_another_review_that_is_to_be_computed(self, kept, other, waits):
        kept._running["other"] = other
        (progress,) = request(kept, "own")
        assert progress.waits is waits

    def test_waits_for_none_alone_and_for_itself(self, kept):
        first, again = request(kept, "own", "own")
        assert first is again
        assert not first.waits

    @pytest.mark.parametrize("others", [("failed", "running"), ("running", "failed"), ("ended", "running")])
    def test_waits_if_any_of_several_is_to_be_computed(self, kept, others):
        states = {"failed": Progress(0.5, failed=True), "ended": Progress(1), "running": Progress(0.5)}
        kept._running.update({name: states[name] for name in others})
        (progress,) = request(kept, "own")
        assert progress.waits

    @pytest.mark.parametrize("working", [Progress(), Progress(0.4), Progress(0.4, failed=True)])
    def test_gets_the_progress_of_a_review_in_work_and_begins_nothing(self, kept, working):
        kept._running["own"] = working
        assert request(kept, "own") == [working]
        assert (kept.read, kept.computed) == ([], [])

    def test_gets_the_stored_text_while_reruns_are_in_work_and_begins_nothing(self, kept):
        kept._running["own"], kept.stored["own"] = Progress(1), "text"
        assert request(kept, "own") == ["text"]
        assert kept.computed == []

    def test_begins_nothing_if_the_review_is_whole(self, kept):
        kept.stored["own"] = "text"
        kept.whole.add("own")
        assert request(kept, "own") == ["text"]
        assert (kept._running, kept.computed) == ({}, [])

    def test_begins_only_the_reruns_if_the_courses_are_stored(self, kept):
        kept.stored["own"] = "text"
        assert request(kept, "own", until=lambda: not kept._running) == ["text"]
        assert kept.computed == [(RERUNS, "own")]

    def test_begins_both_parts_of_a_new_review_in_order(self, kept):
        request(kept, "own", until=lambda: not kept._running)
        assert kept.computed == [(COURSES, "own"), (RERUNS, "own")]


class TestAFailure:
    @staticmethod
    def fail(kept, part):
        def compute(table, record, people, progress):
            kept.computed.append((part, table))
            progress.failed = True

        setattr(kept, "_compute" if part == COURSES else "_compute_reruns", compute)

    def test_in_the_courses_is_followed_by_no_reruns_and_stays_for_a_time(self, kept):
        self.fail(kept, COURSES)
        (progress,) = request(kept, "own", until=lambda: kept.computed and not kept._turns.used)
        assert (progress.failed, kept.computed) == (True, [(COURSES, "own")])

    @pytest.mark.parametrize("part", [COURSES, RERUNS])
    def test_can_be_repeated_after_the_time(self, kept, monkeypatch, part):
        monkeypatch.setattr(reviews, "RETRY_SECONDS", 0)
        self.fail(kept, part)
        for _ in range(2):
            request(kept, "own", until=lambda: not kept._running)
        assert kept.computed.count((part, "own")) == 2

    def test_does_not_delay_another_review(self, kept):
        self.fail(kept, COURSES)
        _, other = request(kept, "own", "other", until=lambda: len(kept.computed) == 2 and not kept._turns.used)
        assert kept.computed == [(COURSES, "own"), (COURSES, "other")]
        assert other.failed


class TestTheComputation:
    @pytest.fixture
    def computed(self, kept, monkeypatch):
        """Compute a review with this function in place of that of the lab; return its progress and what is stored."""

        def run(review_game, people=(0,), known=None):
            stored, progress = [], Progress()
            monkeypatch.setattr(reviews, "review_game", review_game)
            monkeypatch.setattr(reviews, "review_texts", lambda review: {})
            kept._keep = lambda table, record, review: stored.append(review)
            Reviews._compute(kept, "own", RECORD, people, progress)
            return progress, stored

        return run

    def test_is_complete_only_when_it_is_stored(self, computed):
        shares = []

        def review_game(record, work, progress, brief):
            for share in (0.0, 0.5, 1.0):
                progress(share, lambda: None)
                shares.append(share)
            return SimpleNamespace(to_json=lambda: {"courses": []})

        progress, stored = computed(review_game)
        assert (progress.share, progress.so_far, progress.failed) == (1, None, False)
        assert (shares, len(stored)) == ([0.0, 0.5, 1.0], 1)

    def test_is_less_than_complete_before_it_is_stored(self, computed):
        def review_game(record, work, progress, brief):
            progress(1.0, lambda: None)
            raise OSError("the disk is full")

        progress, stored = computed(review_game)
        assert 0.99 < progress.share < 1
        assert (progress.failed, stored) == (True, [])

    @pytest.mark.parametrize(("people", "brief"), [((0,), [1]), ((1,), [0]), ((0, 1), []), ((), [])])
    def test_evaluates_bots_briefly_if_there_are_people(self, computed, people, brief):
        found = []

        def review_game(record, work, progress, **how):
            found.append(how["brief"])
            return SimpleNamespace(to_json=dict)

        computed(review_game, people)
        assert found == [brief]

    def test_is_neither_stored_nor_failed_if_the_server_ends(self, kept, computed):
        def review_game(record, work, progress, brief):
            kept._stopped.set()
            progress(0.5, lambda: None)
            raise AssertionError("the computation goes on")

        progress, stored = computed(review_game)
        assert (progress.failed, stored) == (False, [])


class TestPieces:
    """A review that takes longer than its turn goes on in the next one; other addresses come between."""

    @pytest.fixture
    def pieces(self, kept, monkeypatch):
        """Return the computed tasks, as pairs of table and number; each of the four of a review uses up a turn."""
        del kept._compute
        monkeypatch.setattr(reviews, "PIECE_SECONDS", 0)
        monkeypatch.setattr(reviews, "review_texts", lambda review: {})
        tasks = []

        def run(table, work):
            for number in range(4):
                if number not in work.known:
                    tasks.append((table, number))
                    work.keep(number, f"result {number}")
            return [work.known[number] for number in range(4)]

        def review_game(record, work, progress, brief):
            courses = run(record["game"], work)
            return SimpleNamespace(to_json=lambda: {"courses": courses})

        monkeypatch.setattr(reviews, "review_game", review_game)
        monkeypatch.setattr(reviews, "find_game", lambda game: None)
        kept._keep = lambda table, record, review: kept.stored.update({table: review})
        return tasks

    def request_two(self, kept, *hosts):
        async def main():
            async with kept._turns.slot("an earlier one"):
                for table, host in zip(("long", "other"), hosts, strict=True):
                    await kept.find(table, {**RECORD, "game": table}, [0], host)
                for _ in range(20):  # until both wait
                    await asyncio.sleep(0)
            while len(kept.stored) < 2:
                await asyncio.sleep(0)
            for task in kept._tasks:
                task.cancel()

        run_apart(main())

    def test_of_reviews_of_two_addresses_alternate_and_no_task_is_computed_again(self, kept, pieces):
        self.request_two(kept, "a", "b")
        assert pieces == [(table, number) for number in range(4) for table in ("long", "other")]
        assert kept.stored["long"]["courses"] == [f"result {number}" for number in range(4)]

    def test_of_reviews_of_one_address_follow_each_other(self, kept, pieces):
        self.request_two(kept, "a", "a")
        assert pieces == [(table, number) for table in ("long", "other") for number in range(4)]

    def test_of_reruns_keep_their_results_too(self, kept, monkeypatch):
        del kept._compute_reruns
        monkeypatch.setattr(reviews, "PIECE_SECONDS", 0)
        monkeypatch.setattr(reviews, "rerun_texts", lambda *arguments: [])
        sides, stored = [], []

        def reruns_of(record, table, people, seed, work):
            for side in {1, 2} - work.known.keys():
                sides.append(side)
                work.keep(side, "rerun")
            return [work.known[1], work.known[2]]

        monkeypatch.setattr(reviews, "reruns_of", reruns_of)
        kept.stored["own"] = '{"seed": 0, "names": [], "winners": [], "texts": {}}'
        kept._keep = lambda table, record, review: stored.append(review["reruns"])
        kept._rerun_turns.others_wait = lambda host: host == "a"
        progress = Progress(1, host="a")
        more = [kept._compute_reruns("own", RECORD, [0], progress) for _ in range(3)]
        assert (more, sides, stored) == ([True, True, False], [1, 2], [["rerun", "rerun"]])


class TestTheText:
    def test_is_shared_by_the_requests_of_a_second_in_one_language(self, monkeypatch):
        made = []
        progress = Progress(0.5, so_far=lambda: made.append(current_language()))
        monkeypatch.setattr(reviews, "page_json", lambda review: None)
        for now, language in [(10.0, "en"), (10.9, "en"), (10.9, "fr"), (11.5, "en"), (11.6, "en"), (11.6, "fr")]:
            monkeypatch.setattr(reviews.time, "monotonic", lambda now=now: now)
            with in_language(language):
                assert '"share":0.5' in progress.to_text()
        assert made == ["en", "fr", "en"]


class TestTheTimeLeft:
    @pytest.mark.parametrize(("share", "seconds"), [(None, None), (0.0, None), (0.5, 30), (0.75, 10)])
    def test_follows_from_the_share_and_the_time_so_far(self, monkeypatch, share, seconds):
        monkeypatch.setattr(reviews.time, "monotonic", lambda: 130.0)
        assert Progress(share, begun=100.0).to_json()["seconds"] == seconds
