"""Contests: pairings and seatings; results that depend on neither cores nor interruptions."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.bots import NO_POLICY, BuiltinBot, CompiledObservation, choose_at_random, find_bot
from parlour.contests import arena as arenas
from parlour.contests import contest as contests
from parlour.contests import contest_results, outside_bots
from parlour.contests.arena import Arena
from parlour.contests.contest import LADDER, MATCH, Contest, Deal, play_deals
from parlour.contests.contest_results import ContestTally, MatchResult, outcomes
from parlour.contests.game_results import ForfeitInfo, GameResult
from parlour.contests.outside_bots import suspect_of
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.errors import GameError, ParlourError
from parlour.engine.game import Game
from parlour.engine.information.determinization import observed_state
from parlour.engine.rewards import sides_of
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.jobs.tasks import Placement
from parlour.studies.dataset.plan import DatasetPlan

ONE_ROUND = {"rounds": 1}
UCT, EXP3 = "examples.rivals:UCT", "examples.rivals:EXP3"
THUMB, RANDOM = find_bot("thumb"), find_bot("random")
THUMB_ASKED = replace(THUMB, policy=NO_POLICY)


def match(
    game: str = "trick-walls", players: int = 4, options: dict | None = None, bots=("thumb", "random")
) -> Contest:
    return Contest(MATCH, Setup(find_game(game), players, options or {}), tuple(bots), 1)


@pytest.fixture
def many_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept any id as a bot, for ladders of any length."""
    monkeypatch.setattr(outside_bots, "find_player", lambda bot_id: replace(RANDOM, id=bot_id))


def ladder(bots: int, game: str = "tricky-tribes", players: int = 4, options: dict | None = None) -> Contest:
    return Contest(
        LADDER, Setup(find_game(game), players, options or {}), tuple(f"bot {number}" for number in range(bots)), 1
    )


class TestSides:
    @pytest.mark.parametrize(
        ("game", "players", "options", "sides"),
        [
            ("castle-walls", 2, {}, "0 / 1"),
            ("trick-walls", 3, {}, "0 1 / 2"),
            ("trick-walls", 4, {}, "0 1 / 2 3"),
            ("trick-walls", 4, {"city_keepers": True}, "0 / 1 / 2 / 3"),
            ("tricky-tribes", 4, {}, "0 / 1 / 2 / 3"),
            ("tricky-tribes", 5, {"teams": "pairs"}, "0 2 / 1 3 / 4"),
        ],
    )
    def test_partners_are_one_side(self, game: str, players: int, options: dict, sides: str) -> None:
        found = sides_of(Setup(find_game(game), players, options))
        assert " / ".join(" ".join(map(str, side)) for side in found) == sides


class TestSeatings:
    @pytest.mark.parametrize(("players", "options"), [(4, {}), (6, {}), (4, {"city_keepers": True})])
    def test_the_challenger_sits_everywhere_equally_often(self, players: int, options: dict) -> None:
        contest = match(players=players, options=options)
        for deal in range(5):
            seated = Counter(seat for game in contest.seatings(deal) for seat, bot in enumerate(game) if bot == 0)
            assert [seated[seat] for seat in range(players)] == [1] * players

    @pytest.mark.usefixtures("many_bots")
    @given(bots=st.integers(2, 7), players=st.integers(2, 6), deal=st.integers(0, 1000))
    def test_on_a_ladder_every_bot_sits_everywhere_equally_often(self, bots: int, players: int, deal: int) -> None:
        games = ladder(bots, players=players).seatings(deal)
        seated = Counter((seat, bot) for game in games for seat, bot in enumerate(game))
        for bot in range(bots):
            assert len({seated[seat, bot] for seat in range(players)}) == 1
            assert seated[0, bot] > 0

    @pytest.mark.usefixtures("many_bots")
    @given(bots=st.integers(2, 7), players=st.integers(2, 6))
    def test_on_a_ladder_all_pairs_of_bots_meet_equally_often_if_seats_permit(self, bots, players) -> None:
        games = ladder(bots, players=players).seatings(0)
        met = Counter(pair for game in games for pair in combinations(sorted(set(game)), 2))
        assert set(met) == set(combinations(range(bots), 2))
        if bots >= players:
            assert len(set(met.values())) == 1

    @pytest.mark.usefixtures("many_bots")
    def test_no_game_of_a_deal_is_played_twice(self) -> None:
        for deal in range(20):
            games = ladder(2, players=4).seatings(deal)
            assert len(set(games)) == len(games) in (2, 4)

    @pytest.mark.usefixtures("many_bots")
    def test_neighbours_change_from_deal_to_deal(self) -> None:
        assert len({tuple(ladder(4).seatings(deal)) for deal in range(50)}) > 5

    @pytest.mark.usefixtures("many_bots")
    def test_partners_are_the_same_bot(self) -> None:
        for game in ladder(3, "tricky-tribes", 6, {"teams": "pairs"}).seatings(0):
            assert game[:3] == game[3:]


class First:
    """A bot that receives observations, so that its games are played in Python."""

    def choose(self, observation):
        return observation.legal[0]


class FailsAtOnce(First):
    """A bot that crashes before the first deal."""

    def begin(self, setup, seat):
        raise RuntimeError


class FailsAtTheSecondChoice(First):
    """A bot that crashes when it is to choose for the second time."""

    chosen = 0

    def choose(self, observation):
        self.chosen += 1
        return super().choose(observation) if self.chosen == 1 else {}["card"]


class TestStreams:
    @pytest.mark.slow
    def test_seats_chance_and_seatings_of_all_deals_have_separate_streams(self, monkeypatch) -> None:
        games: list[list[int]] = []
        seatings: list[int] = []

        def noted(numbers: list[int], seed: int, number: int):
            numbers.append(number)
            return new_stream(seed, number)

        monkeypatch.setattr(arenas, "new_stream", lambda *arguments: noted(games[-1], *arguments))
        monkeypatch.setattr(contests, "new_stream", lambda *arguments: noted(seatings, *arguments))
        contest = match("trime-kicker", 2, bots=(f"{__name__}:First", "random"))
        by_deal = []
        for deal in range(3):
            games.clear()
            for seating in contest.seatings(deal):
                games.append([])
                contest.arena().play(deal, seating)
                assert len(set(games[-1])) == len(games[-1]) > 2
            by_deal.append({number for numbers in games for number in numbers})
        apart = [*by_deal, set(seatings)]
        assert len(seatings) == len(set(seatings)) == 3
        assert sum(map(len, apart)) == len(set.union(*apart))


class TestParticipants:
    def test_a_bot_that_does_not_exist_is_refused(self) -> None:
        with pytest.raises(ParlourError, match="there is no bot 'genius'"):
            match(bots=("thumb", "genius"))

    def test_a_ladder_lists_each_bot_once(self) -> None:
        with pytest.raises(ParlourError, match="thumb is named twice"):
            Contest(LADDER, Setup(find_game("castle-walls"), 2), ("thumb", "random", "thumb"), 1)

    def test_a_ladder_needs_two_bots(self) -> None:
        with pytest.raises(ParlourError, match="at least two bots"):
            Contest(LADDER, Setup(find_game("castle-walls"), 2), ("thumb",), 1)


class TestOutcomes:
    def test_a_single_winner_has_the_whole_first_place(self) -> None:
        red, black = outcomes(GameResult((0, 0, 1, 1), (7, 7, -7, -7), (0, 1), (), ()), ((0, 1), (2, 3)))
        assert (red.bot, red.win_share, red.lead) == (0, 1.0, 14.0)
        assert (black.bot, black.win_share, black.lead) == (1, 0.0, -14.0)
        assert red.rank_key > black.rank_key

    def test_a_shared_first_place_is_divided_among_the_sides(self) -> None:
        found = outcomes(GameResult((0, 1, 2), (15, 16, 3), (0, 1), (), ()), ((0,), (1,), (2,)))
        assert [outcome.win_share for outcome in found] == [0.5, 0.5, 0.0]
        assert found[0].rank_key == found[1].rank_key > found[2].rank_key
        assert [outcome.lead for outcome in found] == [15 - 9.5, 16 - 9, 3 - 15.5]


def game_of_two(bots: tuple[int, int], scores: tuple[int, int], forfeit: int | None = None) -> GameResult:
    """Return a game of two seats; with ``forfeit`` this seat has forfeited it."""
    winner = max((0, 1), key=lambda seat: scores[seat]) if forfeit is None else 1 - forfeit
    crash = None if forfeit is None else ForfeitInfo(forfeit, "crashed")
    return GameResult(bots, scores, (winner,), (1, 1), (0.0, 0.0), crash)


class TestForfeits:
    @pytest.mark.parametrize(
        ("reasons", "text"),
        [
            ({}, []),
            ({"crashed": 1}, ["  thumb: 1 game forfeited: crashed"]),
            ({"crashed": 1200}, ["  thumb: 1,200 games forfeited: crashed"]),
            ({"crashed": 2, "was late": 3}, ["  thumb: 5 games forfeited: 3 was late; 2 crashed"]),
            (
                {"a": 9, "b": 8, "c": 7, "d": 4, "e": 2},
                ["  thumb: 30 games forfeited: 9 a; 8 b; 7 c; 6 for other reasons"],
            ),
        ],
    )
    def test_a_line_has_their_number_and_the_three_most_frequent_reasons(self, reasons: dict, text: list[str]) -> None:
        tally = ContestTally(match())
        tally.forfeits[0].update(reasons)
        tally.greatest_loss = 1.0
        head = ["  Each forfeited game counts as a loss by 1 point:"] if reasons else []
        assert tally.forfeits_text() == [*head, *text]
        assert sum(each["games"] for each in tally.to_json().get("forfeits", [])) == sum(reasons.values())

    def test_of_a_bot_against_itself_are_those_of_the_bot_and_of_the_field(self) -> None:
        tally = ContestTally(replace(match(), bots=("thumb", "thumb")))
        for forfeits in tally.forfeits:
            forfeits.update({"crashed": 2})
        assert tally.forfeits_text()[1:] == [
            "  thumb: 2 games forfeited: crashed",
            "  thumb (field): 2 games forfeited: crashed",
        ]

    @pytest.mark.usefixtures("many_bots")
    def test_each_counts_for_the_bot_in_the_seat(self) -> None:
        tally = ContestTally(ladder(3, "trick-walls", 3, {"city_keepers": True}))
        seats = [2, 0, 1, 1]
        games = [
            GameResult(bots, (0,) * 3, (0,), (1,) * 3, (0.0,) * 3, forfeit=ForfeitInfo(seat, f"left seat {seat}"))
            for bots, seat in zip([(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)], seats, strict=True)
        ]
        tally.add(Deal(0, tuple(games)))
        assert tally.forfeits == [{}, {"left seat 1": 1}, {"left seat 2": 1, "left seat 0": 1, "left seat 1": 1}]

    @pytest.fixture
    def small_losses(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Lose random games by no more than a point."""
        monkeypatch.setattr(contest_results, "loss_at_random", lambda setup: 1.0)

    @pytest.mark.usefixtures("small_losses")
    @pytest.mark.parametrize("forfeit_first", [False, True])
    def test_count_as_the_greatest_loss_of_a_complete_game_in_points(self, forfeit_first: bool) -> None:
        """At the forfeit the scores are equal; thumb has lost 10 and won 4, random has lost 4 and won 10."""
        tally = ContestTally(match("trime-kicker", 2))
        complete = [game_of_two((0, 1), (3, 13)), game_of_two((1, 0), (2, 6))]
        ended = [game_of_two((0, 1), (0, 0), 0), game_of_two((1, 0), (0, 0), 1)]
        tally.add(Deal(0, tuple(ended if forfeit_first else complete)))
        if forfeit_first:
            assert tally.leads == [[-1.0], [1.0]]
        tally.add(Deal(1, tuple(complete if forfeit_first else ended)))
        deals = slice(None, None, -1 if forfeit_first else 1)
        assert (tally.greatest_loss, tally.leads[0][deals], tally.leads[1][deals]) == (10, [-3, -10], [3, 10])
        assert tally.points(0).value == -6.5
        assert tally.forfeits_text() == [
            "  Each forfeited game counts as a loss by 10 points:",
            "  thumb: 2 games forfeited: crashed",
        ]
        assert tally.to_json()["greatest_loss"] == 10

    @pytest.mark.usefixtures("small_losses")
    def test_share_the_loss_of_a_deal_with_its_complete_games(self) -> None:
        tally = ContestTally(match("trime-kicker", 2))
        tally.add(Deal(0, (game_of_two((0, 1), (12, 0)), game_of_two((1, 0), (5, 5), 1))))
        assert tally.leads == [[0.0], [0.0]]
        tally.add(Deal(1, (game_of_two((0, 1), (12, 0)), game_of_two((1, 0), (0, 20)))))
        assert tally.leads == [[-4.0, 16.0], [4.0, -16.0]]

    def test_count_as_a_loss_by_a_point_if_random_games_have_no_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*arguments: object, **more: object) -> None:
            raise GameError("a game has not ended")

        monkeypatch.setattr(contest_results, "run_playouts", fail)
        assert contest_results.loss_at_random(Setup(find_game("trime-kicker"), 2, {"reach": 2})) == 1

    @pytest.mark.slow  # compiles
    def test_cost_more_than_the_games_that_the_bot_would_have_lost(self) -> None:
        """The scores are counted after the last card, so that a bot behind on the table still has the lowest: 0."""
        contest = match(options=ONE_ROUND, bots=("random", "thumb"))
        honest, quitting = ContestTally(contest), ContestTally(contest)
        for deal in play_deals(contest, 0, 8, where=Placement(1)):
            honest.add(deal)
            kept = [self._quit_if_lost(game) for game in deal.games]
            quitting.add(Deal(deal.number, tuple(kept)))
        assert quitting.forfeits[0].total() > 8
        assert quitting.points(0).value < honest.points(0).value < -5

    def _quit_if_lost(self, game: GameResult) -> GameResult:
        if 0 in {game.bots[seat] for seat in game.winners}:
            return game
        return replace(game, scores=(0,) * len(game.scores), forfeit=ForfeitInfo(game.bots.index(0), "behind"))

    def test_of_one_bot_divide_the_loss_among_the_others(self) -> None:
        """Partners share the loss; each other side leads by the part of the losing seats among its opponents."""
        game = GameResult((0, 1, 1, 0, 1), (8, 0, 3, 0, 0), (1, 2, 4), (1,) * 5, (0.0,) * 5, ForfeitInfo(3, "left"))
        found = outcomes(game, ((0, 3), (1, 4), (2,)))
        assert [outcome.lead for outcome in found] == [-1, 2 / 3, 1 / 2]
        assert found[0].rank_key < found[1].rank_key == found[2].rank_key

    def test_before_the_first_deal_leave_a_game_without_events(self) -> None:
        arena = match("trime-kicker", 2, bots=("thumb", f"{__name__}:FailsAtOnce")).arena(statistics=True)
        game = arena.play(0, [0, 1])
        assert game.forfeit is not None
        assert game.statistics is not None
        assert (game.forfeit.seat, sum(game.decisions), game.statistics.events) == (1, 0, 0)
        assert game.statistics.first in (0, 1)

    def test_end_the_game_with_the_decision_that_fails(self) -> None:
        """All decisions but the last are those of a game that goes on."""
        contest = match("trime-kicker", 2, bots=("thumb", f"{__name__}:FailsAtTheSecondChoice"))
        arena = contest.arena(statistics=True, record=True)
        game = arena.play(0, [0, 1])
        assert game.forfeit is not None
        assert game.statistics is not None
        assert game.record is not None
        happened = len(game.record["events"])
        assert (game.decisions[1], game.statistics.events) == (2, happened + 1)


def recording_bot(truths: list, arena: list) -> BuiltinBot:
    """Return a random bot that records its observations with the true states."""

    def choose(observation: CompiledObservation) -> int:
        truths.append((observation, rules.copy_state(arena[0]._states[0])))
        return choose_at_random(observation)

    return BuiltinBot("watcher", "", "", choose)


@pytest.mark.slow  # compiles
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
class TestArena:
    def arena(self, game: Game, *bots: BuiltinBot, seed: int = 1) -> Arena:
        players = game.players[-1]
        return Arena(Setup(game, players), bots, seed)

    def seating(self, game: Game) -> list[int]:
        return [seat % 2 for seat in range(game.players[-1])]

    def test_a_compiled_policy_plays_the_games_of_its_interpreted_bot(self, game: Game) -> None:
        quick, asked = self.arena(game, THUMB, RANDOM), self.arena(game, THUMB_ASKED, RANDOM)
        for deal in range(3):
            games = [arena.play(deal, self.seating(game)) for arena in (quick, asked)]
            assert replace(games[0], seconds=()) == replace(games[1], seconds=())

    def test_a_bot_receives_only_the_masked_state(self, game: Game) -> None:
        truths: list = []
        arena: list = []
        arena.append(self.arena(game, recording_bot(truths, arena), THUMB))
        arena[0].play(0, self.seating(game))
        assert len(truths) > 3
        for observation, truth in truths:
            assert observation.seat == truth.actor
            assert observation.state.tobytes() == observed_state(truth, observation.seat).tobytes()

    def test_a_bot_that_changes_its_observation_does_not_change_the_game(self, game: Game) -> None:
        def vandal(observation: CompiledObservation) -> int:
            action = int(observation.moves[0])
            observation.state.actor, observation.state.public = 0, -1
            observation.moves[:] = -7
            return action

        def first(observation: CompiledObservation) -> int:
            return int(observation.moves[0])

        played = [
            self.arena(game, BuiltinBot("x", "", "", how)).play(0, [0] * game.players[-1]) for how in (vandal, first)
        ]
        assert replace(played[0], seconds=()) == replace(played[1], seconds=())

    def test_a_bot_against_itself_is_exactly_even_in_every_deal(self, game: Game) -> None:
        contest = Contest(MATCH, Setup(game, game.players[-1]), ("thumb", "thumb"), 3)
        standing = MatchResult(contest)
        for deal in play_deals(contest, 0, 6, where=Placement(1)):
            standing.add(deal)
        assert standing.tally.shares[0] == pytest.approx([standing.tally.even_share] * 6)
        assert standing.tally.leads[0] == pytest.approx([0.0] * 6)

    def test_the_rule_of_thumb_beats_random_play(self, game: Game) -> None:
        """By much more than the interval; docs/bots.md has the numbers."""
        contest = Contest(MATCH, Setup(game, game.players[-1]), ("thumb", "random"), 1)
        standing = MatchResult(contest)
        for deal in play_deals(contest, 0, 40, where=Placement(1)):
            standing.add(deal)
        assert standing.tally.win_share(0).low > standing.tally.even_share
        assert standing.tally.points(0).low > 0


def hands_dealt(bots: tuple[BuiltinBot, ...], seating: list[int]) -> dict:
    """Return the seats' hands before the first trick of each round."""
    dealt: dict = {}

    def watching(bot: BuiltinBot) -> BuiltinBot:
        def choose(observation: CompiledObservation) -> int:
            if observation.state.tricks == 0:
                city = list(observation.state.holder).index(observation.seat)
                dealt[int(observation.state.round_number), observation.seat] = int(observation.state.hand[city])
            return bot.choose(observation)

        return replace(bot, choose=choose, policy=NO_POLICY)

    game = find_game("trick-walls")
    Arena(Setup(game, 4), [watching(bot) for bot in bots], 1).play(0, seating)
    return dealt


@pytest.mark.slow  # compiles
class TestDeals:
    def test_the_rounds_of_a_deal_have_the_same_cards_with_all_bots(self) -> None:
        dealt = hands_dealt((THUMB, RANDOM), [0, 0, 1, 1])
        assert len(dealt) == 4 * 4
        assert hands_dealt((THUMB, RANDOM), [1, 1, 0, 0]) == dealt
        assert hands_dealt((RANDOM,), [0, 0, 0, 0]) == dealt

    def test_results_do_not_depend_on_the_number_of_cores(self) -> None:
        contest = match(options=ONE_ROUND)
        here, there = (remove_times(play_deals(contest, 3, 40, Placement(cores))) for cores in (1, 2))
        assert [deal.number for deal in here] == list(range(3, 40))
        assert here == there

    def test_deals_come_complete_and_the_progress_adds_up(self) -> None:
        done: list[float] = []
        deals = list(play_deals(match(players=3, options=ONE_ROUND), 0, 7, Placement(1), done.append))
        assert [len(deal.games) for deal in deals] == [2] * 7
        assert sum(done) == pytest.approx(7)

    def test_a_bot_that_breaks_the_rules_is_named(self) -> None:
        game = find_game("castle-walls")
        cheat = BuiltinBot("cheat", "", "", lambda observation: -5)
        with pytest.raises(ValueError, match="the bot 'cheat' chose -5 in seat 1, which is not legal"):
            Arena(Setup(game, 2), [cheat], 1).play(0, [0, 0])

    def test_a_closed_run_leaves_no_process_behind(self) -> None:
        import multiprocessing

        before = set(multiprocessing.active_children())
        running = play_deals(match(), 0, 10**6, where=Placement(2))
        assert [deal.number for deal in islice(running, 3)] == [0, 1, 2]
        running.close()
        assert set(multiprocessing.active_children()) == before


class TestSuspects:
    """Bots that may have ended a process: those in Python, which play in it."""

    @pytest.mark.parametrize(
        ("bots", "named"),
        [
            (("thumb", "learned", "thumb+greedy"), ""),
            (("exec:python3 bot.py", "exec:python3 bot.py+greedy"), ""),
            (("thumb", "exec:python3 bot.py", UCT, UCT), f", or by {UCT}; as a program"),
            ((f"{UCT}+greedy", EXP3), f", or by {UCT}+greedy or {EXP3}; as a program"),
        ],
    )
    def test_are_named(self, bots: tuple[str, ...], named: str) -> None:
        assert suspect_of(bots).partition(", exec:COMMAND")[0] == named

    def test_of_contests_and_data_sets_are_the_same(self) -> None:
        setup, bots = Setup(find_game("trime-kicker"), 2), ("thumb", UCT)
        plans = Contest(MATCH, setup, bots), DatasetPlan(setup, bots)
        assert {plan.suspect for plan in plans} == {suspect_of(bots)}


def remove_times(deals) -> list[Deal]:
    """Return deals without their times."""
    return [replace(deal, games=tuple(replace(game, seconds=()) for game in deal.games)) for deal in deals]
