"""Resignation: when it ends a game, who wins then, and what is stored and shown of it."""

import time
from dataclasses import replace
from datetime import date

import pytest

from parlour.engine.events import Result
from parlour.engine.match import Match
from parlour.engine.matches import records
from parlour.engine.observation import EVERYTHING
from parlour.engine.rules import SPECTATOR
from parlour.server.store.stored_table import RESIGN, StoredDaily
from parlour.server.table.bots import hints
from parlour.server.table.bots.stand_in import run_clock
from parlour.server.table.commands import Act, Allow, Resign
from parlour.server.table.decide import DAY_IS_PLAYED, NOT_BEGUN, decide
from parlour.server.table.outcomes import Refused, Unchanged
from parlour.server.table.people import resignation
from parlour.server.table.people.resignation import resignations_of
from parlour.server.table.people.seat_requests import SeatRequest
from parlour.server.table.players import results_of
from parlour.server.table.ratings.result_ratings import rated_result
from parlour.server.table.replays import ReplaySlice, scenes_of
from parlour.server.table.retention import archive, prune
from parlour.server.table.state import STAND_IN
from parlour.server.table.viewers import Display, DisplayReplay
from tests.server.card_room import play_out
from tests.server.decided_tables import ALONE, first_action, happen, play_automatic, resigned, table_of
from tests.server.two_players import join, two_players


def decision(state, seat, command=None):
    """Return the decision on a command, by default a resignation, without applying it."""
    return decide(state, seat, command or Resign(), 0.0)


def play_to_the_end(state):
    """Take the first legal action for every seat until the game is over; return the state."""
    while not state.over:
        if state.is_automatic_turn:
            play_automatic(state)
        else:
            happen(state, *first_action(state))
    return state


def replayed(state, viewer):
    """Return all scenes of the replay of a table."""
    match, part = state.match, ReplaySlice(viewer, 0, len(state.match.events) + 1)
    played = (match.game, match.players, match.options, match.events, state.names, part, state.over)
    return scenes_of(*played, state.bot_decisions, state.resignations)


def unfinished(state):
    """Return the match of a finished game before its last event, with its seats and the resignations."""
    match = Match(state.match.setup)
    for event in state.match.events[:-1]:
        match.apply_event(event)
    return match, state.seats, state.resigned


class TestTheEnd:
    """In Trick Walls for four, the seats 0 and 1 are partners."""

    def test_against_bots_the_game_is_over_at_once(self):
        state = resigned("person", "bot", by=[0])
        assert (state.over, state.is_automatic_turn, state.match.over) == (True, False, False)
        assert (state.ending.seat, state.ending.winners) == (0, (1,))

    def test_if_one_of_two_people_resigns_the_other_wins(self):
        assert resigned("person", "person", by=[1]).ending.winners == (0,)

    def test_a_side_has_resigned_when_all_its_people_have_resigned(self):
        state = resigned("person", "person", "person", "bot", by=[0])
        assert not state.over
        happen(state, 1, Resign())
        assert (state.ending.seat, state.ending.winners) == (1, (2, 3))

    def test_a_bot_that_is_a_partner_does_not_count(self):
        assert resigned("bot", "person", "person", "person", by=[1]).ending.winners == (2, 3)

    def test_a_bot_plays_on_if_more_than_one_other_side_is_left(self):
        state = resigned("person", "person", "person", by=[0], options=ALONE)
        assert (state.over, state.bot_for(0), state.bot_for(1)) == (False, STAND_IN, None)

    def test_the_last_side_wins(self):
        state = resigned("person", "person", "person", by=[0, 2], options=ALONE)
        assert (state.ending.seat, state.ending.winners) == (2, (1,))

    def test_bots_do_not_play_on_among_themselves(self):
        assert resigned("person", "bot", "bot", by=[0], options=ALONE).ending.winners == (1, 2)

    def test_a_player_who_resigned_does_not_win_with_the_partner(self):
        assert resigned("person", "person", "person", "person", by=[0, 2, 3]).ending.winners == (1,)


class TestTheWinnersOfAGamePlayedToItsEnd:
    """In these games the first legal actions of all seats give seat 0 the most points, or the seats 0 and 1."""

    @pytest.mark.parametrize(
        ("players", "options", "by", "points", "winners"),
        [
            (3, ALONE, [], (3, -1, -7), (0,)),
            (3, ALONE, [2], (3, -1, -7), (0,)),
            (3, ALONE, [0], (3, -1, -7), (1,)),
            (4, ALONE, [0], (3, -1, -7, 0), (3,)),
            (4, ALONE, [3, 0], (3, -1, -7, 0), (1,)),
            (4, {"rounds": 1}, [0], (9, 9, -9, -9), (1,)),
            (4, {"rounds": 1}, [0, 2], (9, 9, -9, -9), (1,)),
        ],
    )
    def test_are_the_best_of_those_who_have_not_resigned(self, players, options, by, points, winners):
        state = play_to_the_end(resigned(*["person"] * players, by=by, options=options))
        assert state.match.result.scores == points
        assert (state.ending, state.resignations.winners) == (None, winners)

    @pytest.mark.parametrize(
        ("options", "winners"),
        [({"rounds": 1}, (0, 1, 2, 3)), (ALONE, (1, 2, 3))],
    )
    def test_share_a_draw_only_if_a_side_has_resigned(self, monkeypatch, options, winners):
        state = play_to_the_end(resigned("person", "person", "person", "person", by=[0], options=options))
        monkeypatch.setattr(resignation, "current_result", lambda state: Result((5, 5, 5, 5), (0, 1, 2, 3)))
        assert resignations_of(state.match, state.seats, state.resigned).winners == winners

    def test_share_the_first_place_with_equal_points(self, monkeypatch):
        state = play_to_the_end(resigned("person", "person", "person", "bot", by=[0], options=ALONE))
        monkeypatch.setattr(resignation, "current_result", lambda state: Result((5, 2, 1, 2), (0,)))
        assert resignations_of(state.match, state.seats, state.resigned).winners == (1, 3)

    @pytest.mark.parametrize(("by", "winner"), [(0, 1), (2, 0)])
    def test_are_the_same_in_lists_ratings_and_the_record(self, by, winner):
        state = play_to_the_end(resigned("person", "person", "person", by=[by], options=ALONE))
        results = results_of(state.match, state.seats, state.resigned, rated=True)
        assert [seat for seat, score in results.scores.items() if score.won] == [winner]
        places = rated_result(state.match, state.seats, state.resigned).sides
        assert max(places, key=places.get) == {winner}
        assert min(places, key=places.get) == {by}
        record = state.record()
        assert (record["winners"], record["result"]["winners"]) == ([winner], [0])
        assert records.replay(record).over

    def test_are_not_in_records_without_resignations(self):
        assert "winners" not in play_to_the_end(resigned("person", "bot", by=[])).record()


class TestTheRecord:
    def test_has_the_events_that_a_bot_decided_for_a_person(self):
        state = resigned("person", "person", "person", by=[], options=ALONE)
        happen(state, *first_action(state))
        state.presence.away.add(2)  # who has led, and plays for the dummy
        play_automatic(state)
        first = len(state.match.events) - 1
        happen(state, 0, Resign())
        record = play_to_the_end(state).record()
        of_bots = [n for n, event in enumerate(record["events"]) if n >= first and event["by"] in (0, 2)]
        assert {record["events"][number]["by"] for number in of_bots} == {0, 2}
        assert record["stood_in"] == of_bots

    def test_has_none_without_such_events(self):
        assert "stood_in" not in play_to_the_end(resigned("person", "bot", by=[])).record()


class TestCommands:
    def test_a_repetition_changes_nothing(self):
        state = resigned("person", "bot", by=[0])
        assert decision(state, 0) == Unchanged("scene")
        assert state.resigned == [0]

    @pytest.mark.parametrize(
        ("seats", "seat", "reason"),
        [
            (("person", "bot"), SPECTATOR, "You are only looking on."),
            (("person", "open"), 0, NOT_BEGUN),
        ],
    )
    def test_a_viewer_who_does_not_play_cannot_resign(self, seats, seat, reason):
        assert decision(table_of(*seats), seat) == Refused(reason)

    def test_a_finished_game_cannot_be_resigned(self):
        assert decision(resigned("person", "person", by=[1]), 0) == Refused("The game is over.")

    def test_a_deal_of_the_day_cannot_be_resigned(self):
        state = table_of("person", "bot")
        object.__setattr__(state.opened, "daily", StoredDaily(date(2026, 1, 1), "", True, "5e" * 32))
        assert decision(state, 0) == Refused(DAY_IS_PLAYED)

    def test_a_resigned_seat_can_neither_act_nor_decide_on_requests(self):
        state = resigned("person", "person", "person", "bot", by=[0], options=ALONE)
        state.match.state.actor = 0
        assert "You have resigned" in decision(state, 0, Act(do="2C", seen=state.seen)).reason
        state.presence.connect(0, 0.0)
        state.requests.ask(SeatRequest("id", 3, "Di", "hash", 60.0))
        assert 0 not in state.undecided
        assert decision(state, 0, Allow(id="id", yes=False)) == Unchanged("company")

    def test_a_resigned_seat_gets_no_more_hints(self):
        state = table_of("person", "person", "person", options=ALONE, hints=True)
        actor = state.match.actor
        assert hints.refusal(state, actor) == ""
        happen(state, actor, Resign())
        assert hints.refusal(state, actor) == hints.NOT_NOW

    def test_a_resignation_makes_the_last_action_final(self):
        state = table_of("person", "person", there=[0, 1])
        actor = state.match.actor
        happen(state, actor, Act(do=state.match.legal()[0], seen=state.seen))
        state.undo.undoable = actor
        happen(state, 1 - actor, Resign())
        assert (state.undo.undoable, state.undo.earlier) == (None, None)


class TestTheClock:
    def test_a_resignation_does_not_give_the_other_player_time(self):
        state = table_of("person", "person", "person", options=ALONE, clock={"seconds": 60, "increment": 0})
        state.clocks.start(actor := state.match.actor, 0.0)
        happen(state, (actor + 1) % 3, Resign())
        assert state.clocks.seconds_left(actor, 20.0) == 40

    def test_no_clock_runs_after_the_end(self):
        state = table_of("person", "person", there=[0, 1], clock={"seconds": 60, "increment": 0})
        run_clock(state, 0.0)
        assert state.clocks.running == state.match.actor
        happen(state, 0, Resign())
        run_clock(state, 1.0)
        assert state.clocks.running is None


class TestRecords:
    def test_the_record_names_the_seat_and_replays(self):
        state = table_of("person", "bot", "person", options=ALONE)
        happen(state, 0, Resign())
        while state.match.actor != 2:
            play_automatic(state)
        happen(state, 2, Resign())
        record = state.record()
        after = len(state.match.events)
        assert record["resigned"] == [{"seat": 0, "after": 3}, {"seat": 2, "after": after}]
        assert record["ending"] == {"by": "resignation", "seat": 2, "winners": [1]}
        assert "result" not in record
        assert not records.replay(record).over

    def test_a_player_who_resigned_has_not_won(self):
        state = resigned("person", "person", "person", by=[0, 2], options=ALONE)
        scores = results_of(state.match, state.seats, state.resigned, rated=False).scores
        assert {seat: score.won for seat, score in scores.items()} == {0: False, 1: True, 2: False}


class TestTheDatabase:
    def test_a_game_that_ended_by_resignation_becomes_a_record(self, store):
        state = resigned("person", "bot", by=[0])
        store.add_table(replace(state.opened, events=state.history))
        assert list(archive(store, time.time() + 10)) == [("t", True)]
        kept = store.load("t")
        assert (kept.resigned, kept.events) == ([0], state.history)
        assert prune(store, time.time() + 10, over=False) == 0


class TestScenes:
    def test_the_last_scene_has_the_outcome_and_no_actions(self):
        state = resigned("person", "bot", by=[0])
        own, other = (
            Display(state.match, seat, state.names, 1, state.resignations).current_scene(state.names)
            for seat in (0, SPECTATOR)
        )
        assert (own.outcome, other.outcome) == ("You resign. Bot wins.", "Ann resigns. Bot wins.")
        assert (own.over, own.legal, own.choices, own.actor, own.seen) == (True, (), (), None, state.seen)
        assert not any(area.active for area in own.areas)

    @pytest.mark.parametrize(
        ("options", "outcomes"),
        [
            (ALONE, ["You have resigned. Di wins.", "Ann has resigned. Di wins."]),
            ({"rounds": 1}, ["You have resigned. Bo wins.", "Ann has resigned. You win."]),
        ],
    )
    def test_the_outcome_names_the_winners_without_those_who_resigned(self, options, outcomes):
        state = play_to_the_end(resigned("person", "person", "person", "person", by=[0], options=options))
        late = [Display(state.match, seat, state.names, 1, state.resignations) for seat in (0, 1)]
        assert [display.current_scene(state.names).outcome for display in late] == outcomes
        for display in late:
            again = DisplayReplay(state.match.game, 4, state.match.options, display.seat, state.names)
            again.advance(state.history[:-1], state.stood_in, resignations_of(*unfinished(state)))
            again.advance(state.history, state.stood_in, state.resignations)
            shown = replace(again.display.current_scene(state.names), log=[])
            assert shown == replace(display.current_scene(state.names), log=[])

    def test_the_outcome_stays_if_no_winner_has_resigned(self):
        state = play_to_the_end(resigned("person", "person", "person", by=[2], options=ALONE))
        of_rules = [Display(state.match, seat, state.names).current_scene(state.names) for seat in (0, 2)]
        shown = [Display(state.match, seat, state.names, 0, state.resignations) for seat in (0, 2)]
        assert [display.current_scene(state.names) for display in shown] == of_rules
        assert of_rules[0].outcome.startswith("You win")

    @pytest.mark.parametrize("viewer", [0, SPECTATOR, EVERYTHING])
    def test_a_replay_has_the_outcome_of_the_table_in_its_last_scene(self, viewer):
        state = play_to_the_end(resigned("person", "person", "person", by=[0], options=ALONE))
        match, number = state.match, len(state.match.events)
        played, part = (match.game, 3, match.options, match.events), ReplaySlice(viewer, number - 1, 2)
        scenes = scenes_of(*played, state.names, part, True, state.bot_decisions, state.resignations)
        who = "You have" if viewer == 0 else "Ann has"
        assert [scene["outcome"] for scene in scenes] == ["", f"{who} resigned. Bo wins."]

    @pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
    @pytest.mark.parametrize("by", [[], [0], [0, 2]])
    def test_the_replay_has_the_log_of_the_table(self, viewer, by):
        state = resigned("person", "person", "person", by=[], options=ALONE)
        happen(state, *first_action(state))
        state.presence.away.add(2)  # who has led, and plays for the dummy
        play_automatic(state)
        for seat in by:
            happen(state, seat, Resign())
        state = play_to_the_end(state)
        at_table = DisplayReplay(state.match.game, 3, state.match.options, viewer, state.names)
        at_table.advance(state.history, state.stood_in, state.resignations)
        scenes = replayed(state, viewer)
        lines = [line for scene in scenes for line in scene["log"]]
        assert [line for line in lines if line] == [line for line in at_table.display.log if line]
        assert any(line.startswith("A bot plays for Cy: ") for line in lines)
        resigned_lines = [line.partition(" ")[0] for line in lines if "resign" in line]
        assert resigned_lines == ["You" if seat == viewer else state.names[seat] for seat in by]
        assert scenes[-1]["outcome"] == at_table.display.current_scene(state.names).outcome

    def test_a_replay_names_the_resignation_in_the_log(self):
        state = resigned("person", "person", "person", by=[0], options=ALONE)
        for _ in range(3):
            if state.is_automatic_turn:
                play_automatic(state)
        again = DisplayReplay(state.match.game, 3, state.match.options, 1, state.names)
        again.advance(state.history, state.stood_in, state.resignations)
        assert "Ann resigns: a bot plays on to the end." in again.display.log


class TestAtTheTable:
    def test_everyone_sees_a_resignation_also_after_a_restart(self, card_rooms):
        card_room = card_rooms()
        with two_players(card_room) as ((first, second), table):
            name = second.about["seats"][1 - first.scene["seat"]]["name"]
            second.say(type="resign")
            for player, outcome in ((second, "You resign. "), (first, f"{name} resigns. You win.")):
                assert player.until(lambda scene: scene["over"])["outcome"].startswith(outcome)
                assert player.about["conceded"] == second.scene["seat"]
            record = card_room.http.get(f"/api/tables/{table}/record").json()
            assert record["ending"]["seat"] == second.scene["seat"]
            assert card_room.http.get(f"/api/tables/{table}/review").status_code == 409
        card_room.stop()
        card_room = card_rooms()
        with card_room.sit(table, first.key) as again:
            assert again.until(lambda scene: scene["over"])["outcome"] == f"{name} resigns. You win."
            assert again.log[-1] == f"{name} resigns."
        shown = card_room.http.get(f"/api/tables/{table}/replay?view=all").json()["scenes"]
        assert [scene["over"] for scene in shown[-2:]] == [False, True]
        assert card_room.store.load(table).events[-1].do == RESIGN
        assert card_room.http.post(f"/api/tables/{table}/rematch", json={"key": first.key}).status_code == 201
        card_room.stop()

    def test_a_bot_plays_the_seat_to_the_end(self, card_room):
        table = card_room.open("you", "open", "open", options=ALONE)
        keys = [join(card_room, table, seat=seat) for seat in (1, 2)]
        players = [card_room.sit(table["table"], key) for key in (table["key"], *keys)]
        with players[0] as ann, players[1] as bo, players[2] as cy:
            ann.say(type="resign")
            bo.until_company(lambda company: company["resigned"] == [0])
            play_out(bo, cy)
            ann.until(lambda scene: scene["over"])
            assert any(line.startswith("A bot plays for Ann: ") for line in bo.log)
        record = card_room.http.get(f"/api/tables/{table['table']}/record").json()
        assert record["resigned"][0]["seat"] == 0
        assert "result" in record
        assert "ending" not in record
        assert 0 not in record["winners"]
        assert "You" not in ann.scene["outcome"].removeprefix("You have resigned.")
        assert "You" in players[record["winners"][0]].scene["outcome"]
