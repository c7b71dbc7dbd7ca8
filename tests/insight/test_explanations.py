"""Explanations: based on the observation only, correct in plain cases, and with numbers that agree with the words."""

import json
import re
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

from parlour.engine.chance import new_stream
from parlour.engine.events import Event
from parlour.engine.information.determinization import determinize
from parlour.engine.match import Match
from parlour.engine.matches.records import begin_replay
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.insight import explanation
from parlour.insight.course import judge, value_of
from parlour.insight.explanation import Explanation, explain
from parlour.insight.explanation_text import lead_of, lines, sentences
from parlour.insight.position import position_of
from parlour.insight.rounding import counted_points, parts_of
from parlour.server.table.bots.hints import hint_message
from tests.helpers import random_game
from tests.insight.games import LOSES, WINS, at_the_brink

pytestmark = pytest.mark.slow

EFFORT = 30_000
NAMES = ["Ann", "Bob", "Cyd", "Dan"]


def decisions(game_id: str, players: int, step: int):
    """Yield a random game's match every ``step`` events, at the next decision among several actions."""
    record = random_game(Setup(find_game(game_id), players), 4).record()
    match, asked = begin_replay(record), 0
    for number, event in enumerate(record["events"]):
        if number >= asked and match.actor >= 0 and len(match.moves()) > 1:
            yield match
            asked = number + step
        match.apply_event(Event.from_json(event))


def explanation_of(match: Match) -> Explanation:
    return explain(position_of(match, match.actor, NAMES), EFFORT)


class TestNoPeeking:
    @pytest.mark.parametrize(("game", "players"), [("trick-walls", 4), ("trime-kicker", 2)])
    def test_equal_observations_have_equal_explanations(self, game: str, players: int) -> None:
        """Numbers and words do not depend on hidden cards."""
        compared = 0
        for number, match in enumerate(decisions(game, players, 17)):
            seat, other = match.actor, (match.actor + 1) % players
            action = match.moves()[0]
            said = explanation_of(match), judge(position_of(match, seat, NAMES), action, EFFORT)
            twin = match.imagined(determinize(match.observed(seat), seat, new_stream(number)))
            assert (explanation_of(twin), judge(position_of(twin, seat, NAMES), action, EFFORT)) == said
            value = value_of(position_of(match, other, NAMES), 50)
            twin = match.imagined(determinize(match.observed(other), other, new_stream(number)))
            assert value_of(position_of(twin, other, NAMES), 50) == value
            compared += 1
        assert compared >= 5


class TestAPlainBlunder:
    def test_one_card_wins_and_the_other_loses_in_all_determinizations(self) -> None:
        """Played out card by card, without a search."""
        for action, share in ((WINS, True), (LOSES, False)):
            for number in range(40):
                brink = at_the_brink()
                match = brink.imagined(determinize(brink.observed(0), 0, new_stream(number)))
                match.act(action, 0)
                while not match.over:
                    match.act(match.legal()[0])
                assert match.result is not None
                assert (0 in match.result.winners) == share

    def test_the_losing_card_is_found(self) -> None:
        found = explanation_of(at_the_brink())
        assert [candidate.do for candidate in found.candidates] == [WINS, LOSES]
        assert found.candidates[0].win.value == 1
        assert found.candidates[1].win.value == 0
        assert found.candidates[1].behind.low == 1

    def test_the_losing_card_is_marked(self) -> None:
        match = at_the_brink()
        judged = judge(position_of(match, 0, NAMES), match.parse_move(LOSES), EFFORT)
        assert (judged.mark, judged.best, judged.lost.value) == ("blunder", WINS, 1000)
        assert judge(position_of(match, 0, NAMES), match.parse_move(WINS), EFFORT).mark in ("", "find")


class TestExplanations:
    def test_every_action_is_listed_once(self) -> None:
        for match in decisions("trick-walls", 4, 13):
            found = explanation_of(match)
            assert sorted([candidate.do for candidate in found.candidates] + list(found.others)) == match.legal()

    def test_they_can_be_written_as_json(self) -> None:
        for match in decisions("trime-kicker", 2, 40):
            found = json.loads(json.dumps(explanation_of(match).to_json()))
            assert found["candidates"][0]["behind"] == {"value": 0, "low": 0, "high": 0}
            assert found["determinizations"] >= 200

    def test_a_seat_that_does_not_decide_has_no_explanation(self) -> None:
        with pytest.raises(ValueError, match="nothing to decide"):
            explain(position_of(at_the_brink(), 1, NAMES))


NUMBER = re.compile(r"\d+")


def numbers_in(value: object) -> list[float]:
    """Return all numbers of JSON values."""
    if isinstance(value, dict):
        return [number for each in value.values() for number in numbers_in(each)]
    if isinstance(value, list):
        return [number for each in value for number in numbers_in(each)]
    return [float(value)] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


class TestDoubt:
    @pytest.mark.parametrize(
        ("gaps", "percent", "less"),
        [
            ((0.1, 0.1), 40, 10),
            ((0.9, -0.7), 40, None),
            ((0.004, 0.004), 50, None),
            ((0.006, 0.006), 49, 1),
            ((0.0, 0.0), 50, None),
        ],
        ids=["always", "on average", "less than is shown", "more than half a point", "nothing"],
    )
    def test_points_are_given_only_for_significantly_worse_actions(self, monkeypatch, gaps, percent, less) -> None:
        monkeypatch.setattr(explanation, "most_significant_kind", lambda *_: None)
        position = SimpleNamespace(notation=str, phrase=str)
        best = np.array([0.9, 0.1] * 20)
        found = explanation._candidate(position, 1, best - np.array(gaps * 20), best, 0.0, None)
        assert (found.percent, found.less) == (percent, less)


class TestWords:
    @pytest.mark.parametrize(("game", "players"), [("trick-walls", 4), ("trime-kicker", 2)])
    def test_every_number_in_the_words_is_in_the_explanation(self, game: str, players: int) -> None:
        for match in decisions(game, players, 11):
            found = explanation_of(match)
            known = [abs(100 * number) for number in numbers_in(found.to_json())]
            known += [each.less or 0 for each in found.candidates]
            kinds = [(lead_of(each), each.kind) for each in found.candidates]
            for shown, kind in [*kinds, (found.candidates[0].percent, found.matters)]:
                known += map(abs, parts_of(shown, kind.share.value, kind.shift.value)) if kind else ()
            text = " ".join([*sentences(found), *lines(found)])
            for said in [each for candidate in found.candidates for each in (candidate.phrase, candidate.do)]:
                text = text.replace(said, "")
            text = re.sub(r"\d+ other actions?", "", text)
            for number in NUMBER.findall(text):
                assert any(abs(int(number) - each) <= 0.51 for each in known), (number, text)

    def test_they_name_the_best_action_first(self) -> None:
        said = sentences(explanation_of(at_the_brink()))
        assert said[0] == "It seems best to play the queen of diamonds: your chance to win is 100 % (100 to 100)."
        assert said[1] == "If you play the ace of hearts instead, the chance is 100 points less (100 to 100)."

    @pytest.mark.parametrize(("game", "players"), [(game.id, game.usual_players) for game in all_games()])
    def test_the_list_is_in_order_of_value_and_agrees_with_the_words(self, game: str, players: int) -> None:
        for match in islice(decisions(game, players, 9), 8):
            found = explanation_of(match)
            best, *rest = found.candidates
            assert [each.win.value for each in found.candidates] == sorted(
                (each.win.value for each in found.candidates), reverse=True
            )
            assert [each.percent for each in found.candidates] == sorted(
                (each.percent for each in found.candidates), reverse=True
            )
            message, said = hint_message(found, found.seen), sentences(found)
            assert best.phrase in said[0]
            first = message.candidates[0].texts
            assert (first.chance, first.verdict) == (f"{best.percent} %", "best")
            assert f"{best.percent} %" in said[0]
            for each, shown in zip(rest, message.candidates[1:], strict=True):
                assert shown.texts.verdict in (
                    "about as good",
                    f"\N{MINUS SIGN}{counted_points(best.percent - each.percent)}",
                )
                assert shown.texts.verdict == "about as good" or each.percent < best.percent
            if rest:
                verdict = message.candidates[1].texts.verdict.removeprefix("\N{MINUS SIGN}")
                assert rest[0].phrase in said[1]
                assert verdict in said[1]
            assert not re.search(
                r"(?<!\w)-\d",
                " ".join([*said, *lines(found), str(message.candidates)])
                .replace("low=-", "")
                .replace("value=-", "")
                .replace("high=-", ""),
            )

    def test_the_place_of_a_card_is_named_as_the_table_shows_it(self) -> None:
        places = {
            kind.place.words
            for match in decisions("trick-walls", 4, 7)
            for found in [explanation_of(match)]
            for kind in [found.matters, *(candidate.kind for candidate in found.candidates)]
            if kind
        }
        assert places
        assert places <= {
            "out of play",
            *(f"in {name}'s hand" for name in NAMES),
            *(f"among {name}'s killed cards" for name in NAMES),
            *(f"as {name}'s only killed card" for name in NAMES),
        }
