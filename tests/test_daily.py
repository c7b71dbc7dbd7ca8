"""Derivation of deals from a day's key, and verification of records."""

import datetime
import json

import pytest
from click.testing import CliRunner

from parlour import daily
from parlour.cli.review_commands import verify
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError, RecordError
from parlour.engine.match import Match
from parlour.engine.matches.deals import deal_of, draw_committed
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import at_random, drive
from parlour.games import all_games, find_game

MONDAY = datetime.date(2026, 11, 23)
ROOM = "5e" * 32
KEY = "d35393ed01f84c48aeeeaa1f3ab21f3efe907ab39d76ff2856be9b49c35e8e0a"
COMMITMENT = "44f99233ea464d81dda991e83305c8de7f6ac438d81fc5fe95eb56ba79d85e08"


@pytest.fixture(scope="module")
def record():
    """The record of a finished daily deal."""
    game = find_game("trime-kicker")
    plan = daily.plan_of(game, MONDAY, KEY)
    secret = daily.secret_of_deal(KEY, plan.game, plan.rules)
    match = Match(Setup(game, plan.players, plan.options))
    for _ in drive(match, at_random(StreamRandomness(new_stream(1))), lambda match: draw_committed(match, secret)):
        pass
    return {**match.record(), "deal": {**deal_of(secret), "daily": daily.proof_of(MONDAY, KEY, plan.rules)}}


class TestTheKeyOfADay:
    def test_is_that_of_the_protocol(self):
        assert daily.key_of_day(ROOM, MONDAY) == KEY
        assert daily.daily_commitment(KEY) == COMMITMENT
        deal = "9a05fd1cd8c213524e0b5945dcc252c721238159c0996d5d35379ebdc417225a"
        assert daily.secret_of_deal(KEY, "oh-hell", "0123456789abcdef") == deal

    def test_gives_each_game_another_deal_and_each_version_of_the_rules(self):
        versions = [daily.rules_version(game) for game in all_games()]
        assert len(set(versions)) == len(versions)
        secrets = [daily.secret_of_deal(KEY, game.id, rules) for game in all_games() for rules in versions]
        assert len(set(secrets)) == len(secrets)

    def test_gives_every_seat_in_the_course_of_time(self):
        game = find_game("trick-walls")
        keys = [daily.key_of_day(ROOM, MONDAY + datetime.timedelta(days)) for days in range(60)]
        assert {daily.plan_of(game, MONDAY, key).seat for key in keys} == set(range(game.usual_players))

    def test_gives_each_decision_a_stream_of_its_own(self):
        streams = [int(daily.decision_stream(KEY, seat, events)[0]) for seat in range(3) for events in range(30)]
        assert len(set(streams)) == len(streams)
        assert int(daily.decision_stream(KEY, 1, 7)[0]) == int(daily.decision_stream(KEY, 1, 7)[0])


class TestTheCheckOfARecord:
    def test_is_a_command(self, record, tmp_path):
        file = tmp_path / "record.json"
        file.write_text(json.dumps(record))
        checked = CliRunner().invoke(verify, [str(file), "--daily", COMMITMENT])
        assert (checked.exit_code, "It is the deal of 2026-11-23" in checked.output) == (0, True)
        assert "version of the rules" not in checked.output
        refused = CliRunner().invoke(verify, [str(file), "--daily", "0" * 64])
        assert isinstance(refused.exception, RecordError)

    def test_names_a_version_of_the_rules_that_the_room_may_have_chosen_for_its_deal(self, tmp_path):
        game, rules = find_game("trime-kicker"), "0123456789abcdef"
        secret = daily.secret_of_deal(KEY, game.id, rules)
        match = Match(Setup(game, 2))
        for _ in drive(match, at_random(StreamRandomness(new_stream(1))), lambda match: draw_committed(match, secret)):
            pass
        deal = {**deal_of(secret), "daily": daily.proof_of(MONDAY, KEY, rules)}
        (tmp_path / "record.json").write_text(json.dumps({**match.record(), "deal": deal}))
        checked = CliRunner().invoke(verify, [str(tmp_path / "record.json"), "--daily", COMMITMENT])
        assert checked.exit_code == 0
        assert f"Its version of the rules is {rules}, but {daily.rules_version(game)} here" in checked.output

    def test_finds_nothing_wrong_where_all_follows(self, record):
        assert daily.check_daily(record, commitment=COMMITMENT.upper()) == MONDAY

    def test_a_game_that_is_no_daily_deal_has_nothing_to_check(self, record):
        other = {**record, "deal": deal_of("5e" * 32)}
        assert daily.check_daily(other) is None
        with pytest.raises(RecordError, match="not the record of a daily deal"):
            daily.check_daily(other, commitment=COMMITMENT)

    @pytest.mark.parametrize(
        ("changed", "sentence"),
        [
            ({"commitment": "0" * 64}, "does not fit the commitment"),
            ({"key": ROOM, "commitment": daily.daily_commitment(ROOM)}, "does not follow from the key of 2026-11-23"),
            ({"rules": "0" * 16}, "does not follow from the key of 2026-11-23"),
            ({"rules": None}, "the 'rules' of the daily deal must be 16 hexadecimal digits"),
            ({"rules": "other"}, "the 'rules' of the daily deal must be 16 hexadecimal digits"),
            ({"key": "5E"}, "the 'key' of the daily deal must be 64 hexadecimal digits"),
            ({"day": "Monday"}, "a day is written like 2026-11-25"),
            ({"method": "parlour-daily/9"}, "must be an object of the method 'parlour-daily/1'"),
        ],
    )
    def test_names_the_changed_part(self, record, changed, sentence):
        proof = {**record["deal"]["daily"], **changed}
        with pytest.raises(RecordError, match=sentence):
            daily.check_daily({**record, "deal": {**record["deal"], "daily": proof}})

    def test_finds_another_commitment_than_the_one_published(self, record):
        with pytest.raises(RecordError, match=f"2026-11-23 is {COMMITMENT}, not {'0' * 64}"):
            daily.check_daily(record, commitment="0" * 64)


def test_a_day_is_written_in_one_way():
    assert daily.parse_day("2026-11-23") == MONDAY
    for text in ("2026-11-31", "20261123", "2026-W48-1", "", "2026-11-23T00"):
        with pytest.raises(ParlourError, match="written like"):
            daily.parse_day(text)
