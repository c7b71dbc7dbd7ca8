"""What a bot does for somebody who is away is told as that, to everyone and to them when they are back."""

from itertools import islice

import pytest

from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.server.table.viewers import Rewatch
from tests.helpers import play_at_random
from tests.server.test_people import QUIET, two

pytestmark = pytest.mark.slow


class TestStandingIn:
    def test_everyone_is_told_that_a_bot_played_and_who_comes_back_what_it_did_meanwhile(self, houses):
        house = houses()
        with two(house, options={"turn_limit": 200}, patience=600) as ((first, second), table):
            manners = house.rooms[table].state.manners
            seat, name, manners.patience = first.scene["seat"], first.about["seats"][first.scene["seat"]]["name"], 0
            first.socket.close()
            second.until(lambda scene: scene["legal"])
            manners.patience = 600
            told = [line for line in second.told if line.startswith("A bot")]
            assert told
            assert all(line.startswith(f"A bot plays for {name}: {name} ") for line in told)
        house.stop()
        house = houses()
        for key, own in ((first.key, True), (second.key, False), (None, False)):
            with house.sit(table, key) as player:
                meanwhile = player.hear_type("scenes")["meanwhile"]
                bots = [line for line in player.told if line.startswith("A bot")]
                assert [line for line in meanwhile if line.startswith("A bot")] == (bots if own else [])
                assert len(bots) == len(told)
                assert not own or all(line.startswith("A bot plays for you: You ") for line in bots)
        stored = house.store.load(table)
        assert {stored.events[number].by for number in stored.stood_in} == {seat}

    def test_what_a_bot_did_before_one_acted_oneself_is_told_as_new_no_more(self):
        game = find_game("trick-walls")
        match = Match(Setup(game, 2, QUIET))
        events = next(islice(play_at_random(match, 1), 20, None)).events
        own = [number for number, event in enumerate(events) if event.by == 0]
        for stood_in, expected in ((own[-3:], 3), (own[:-1], 0), (own[-1:], 1)):
            rewatch = Rewatch(game, 2, match.options, 0, ["Ann", "Bo"])
            rewatch.advance(events, stood_in)
            lines = [line for line in rewatch.watch.meanwhile if line.startswith("A bot plays for you: ")]
            assert len(lines) == expected
