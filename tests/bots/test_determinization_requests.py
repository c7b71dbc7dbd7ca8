"""Requests of programs for determinizations, and their answers."""

import re

import pytest

import parlour
from parlour.bots import determinization_requests
from parlour.bots.determinization_requests import answer_to
from parlour.bots.protocol import Failure

pytestmark = pytest.mark.slow  # compiles

SETUP = parlour.make("trime-kicker")
REQUEST = {"type": "determinize", "number": 3, "seed": 5, "by": "belief", "play_out": "heuristic", "until": "round"}


class TestAnswers:
    def test_the_answer_has_the_cards_and_the_results_of_every_action(self) -> None:
        seen = SETUP.start(seed=2).observation()
        answer = answer_to(REQUEST, seen)
        assert (answer["type"], answer["seen"]) == ("determinizations", seen.seen)
        for world in answer["worlds"]:
            assert all(zone["hidden"] == 0 for zone in world["zones"])
            hand = next(zone for zone in world["zones"] if (zone["name"], zone["at"]) == ("main pile", seen.seat))
            assert sorted(hand["cards"]) == sorted(seen.zone("main pile", seen.seat).texts)
        for values in (answer["scores"], answer["rewards"]):
            assert [[len(each) for each in world] for world in values] == [[2] * len(seen.legal)] * 3
        assert answer == answer_to(REQUEST, seen)
        assert "worlds" not in answer_to({**REQUEST, "cards": False}, seen)
        assert "scores" not in answer_to({"number": 1, "seed": 0}, seen)

    def test_results_are_in_the_order_of_the_legal_actions(self) -> None:
        seen = SETUP.start(seed=2).observation()
        worlds = seen.determinize(3, 5, by="belief")
        numbers = [SETUP.action_numbers[text] for text in seen.legal]
        trials = worlds.try_actions(numbers, by="heuristic", until="round")
        assert answer_to(REQUEST, seen)["scores"] == trials.scores.tolist()

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"number": 0}, '"number" is from 1 to 10,000, not 0'),
            ({"number": 10**9}, '"number" is from 1 to 10,000, not 1000000000'),
            ({"number": "3"}, '"number" must be a whole number'),
            ({"number": 2.5}, '"number" must be a whole number, not 2.5'),
            ({"seed": None}, '"seed" must be a whole number, not None'),
            ({"seed": True}, '"seed" must be a whole number, not True'),
            ({"by": "likely"}, "by is 'uniform', 'belief' or a function"),
            ({"by": 1}, '"by" must be a text, not 1'),
            ({"play_out": "master"}, "by is 'random' or 'heuristic'"),
            ({"play_out": None}, '"play_out" must be a text, not None'),
            ({"until": "trick"}, "until is 'game' or 'round', not 'trick'"),
            ({"careless": 3}, "careless is a share from 0 to 1, not 3"),
            ({"careless": "x"}, "careless is a share from 0 to 1"),
            ({"careless": False}, '"careless" must be a number'),
        ],
    )
    def test_a_wrong_request_is_refused_in_a_sentence(self, wrong, message) -> None:
        with pytest.raises(Failure, match=f"^asked for determinizations wrongly: {re.escape(message)}"):
            answer_to({**REQUEST, **wrong}, SETUP.start(seed=2).observation())

    @pytest.mark.parametrize("cards", [True, False])
    def test_an_answer_is_given_up_at_the_end_of_the_time(self, cards: bool) -> None:
        """While worlds are written, and between playouts."""
        checks = iter([None] * 2)

        def check_time() -> None:
            if next(checks, Failure) is Failure:
                raise Failure("took longer than 1 s")

        with pytest.raises(Failure, match=r"^took longer"):
            answer_to({**REQUEST, "number": 10_000, "cards": cards}, SETUP.start(seed=2).observation(), check_time)

    def test_playouts_in_pieces_have_the_same_results(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seen, request, looks = SETUP.start(seed=2).observation(), {**REQUEST, "number": 7, "cards": False}, []
        at_once = answer_to(request, seen, lambda: looks.append("at once"))
        monkeypatch.setattr(determinization_requests, "PLAYOUTS_AT_ONCE", 3 * len(seen.legal))
        assert answer_to(request, seen, lambda: looks.append("in pieces")) == at_once
        assert looks == ["at once", *["in pieces"] * 3]
        monkeypatch.setattr(determinization_requests, "PLAYOUTS_AT_ONCE", 1)
        assert answer_to(request, seen) == at_once

    def test_numbers_may_have_a_decimal_point(self) -> None:
        seen = SETUP.start(seed=2).observation()
        assert answer_to({**REQUEST, "number": 3.0, "seed": 5.0}, seen) == answer_to(REQUEST, seen)
