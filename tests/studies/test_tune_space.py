"""Spaces of options: their axes, the first variation, and what cannot be searched."""

import pytest

from parlour.engine.errors import OptionError, PlayersError
from parlour.engine.setup import Setup
from parlour.games import find_game, game_ids
from parlour.studies.tune.space import Space, space_of

TRICKS = find_game("three-tricks")


class TestSpaces:
    def test_options_have_all_values_and_numeric_options_a_given_range(self) -> None:
        space = space_of(TRICKS, [2], ["stall_turns=2-10/4"])
        assert dict(space.axes) == {
            "players": (2,),
            "replacing_ends_turn": (True, False),
            "rank_block": ("pair", "any"),
            "stall_turns": range(2, 11, 4),
        }
        assert space.size == len(list(space.combinations())) == 12

    def test_the_first_variation_is_the_default_if_it_is_in_the_space(self) -> None:
        usual = TRICKS.usual_players
        first = space_of(TRICKS, [usual], ["rank_block=any,pair", "stall_turns=61-70"]).defaults()
        assert (first["rank_block"], first["stall_turns"]) == ("pair", 61)

    @pytest.mark.parametrize("name", game_ids())
    def test_the_first_variation_has_the_usual_number_of_players_wherever_it_is_listed(self, name: str) -> None:
        game = find_game(name)
        usual, all_numbers = game.usual_players, list(game.players)
        others = [number for number in all_numbers if number != usual]
        orders = [[usual, *others], [*others, usual], all_numbers, all_numbers[::-1], [usual]]
        for players in orders:
            assert Space(game, {"players": tuple(players)}).defaults()["players"] == usual, players
        for players in [others, others[::-1]] if others else []:
            assert Space(game, {"players": tuple(players)}).defaults()["players"] == players[0]

    @pytest.mark.parametrize("name", game_ids())
    def test_every_option_of_the_first_variation_has_its_default_wherever_it_is_listed(self, name: str) -> None:
        game = find_game(name)
        plain = Setup(game, game.usual_players).options
        varied = {each.name: tuple(each.values) for each in game.options if not isinstance(each.values, range)}
        usual = {"players": (game.usual_players,)}
        for axes in (varied, {key: values[::-1] for key, values in varied.items()}):
            first = Space(game, {**usual, **axes}).defaults()
            assert first == {"players": game.usual_players, **{key: plain[key] for key in varied}}
        for key, values in varied.items():
            without = tuple(value for value in values if value != plain[key])
            if without:
                assert Space(game, {**usual, key: without}).defaults()[key] == without[0]

    def test_an_option_that_is_listed_twice_has_the_values_of_both_lists(self) -> None:
        lists = ["stall_turns=9", "stall_turns=4,9", "rank-block=any", "rank_block=pair"]
        axes = space_of(TRICKS, [2], lists).axes
        assert (axes["stall_turns"], axes["rank_block"]) == ((9, 4), ("any", "pair"))

    @pytest.mark.parametrize("others", ["3", "5-9", "2-20/2"])
    def test_a_range_is_the_only_entry_of_its_option(self, others: str) -> None:
        for texts in (["stall_turns=2-4", f"stall_turns={others}"], [f"stall_turns={others}", "stall_turns=2-4"]):
            with pytest.raises(OptionError, match="option 'stall_turns' is given twice"):
                space_of(TRICKS, [2], texts)

    @pytest.mark.parametrize("players", [[2, 3], [3, 2], [3]])
    def test_an_impossible_number_of_players_is_refused_before_the_search(self, players: list[int]) -> None:
        with pytest.raises(PlayersError, match="3 Tricks is for 2 players, not 3"):
            space_of(TRICKS, players, ["stall_turns=2-4"])

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            (["rank_blocks=any"], "has no option 'rank_blocks'"),
            (["rank_block=pair,all"], "rank_block is 'all', but may be pair, any"),
            (["stall_turns=0-5"], "stall_turns is 0"),
            (["stall_turns=9-5"], "a range is written FIRST-LAST or FIRST-LAST/STEP, not '9-5'"),
            (["rank_block=any", "replacing_ends_turn=true"], r"nothing varies: .*numbers of 3 Tricks: stall_turns"),
        ],
    )
    def test_an_impossible_range_is_refused(self, given: list[str], message: str) -> None:
        with pytest.raises(OptionError, match=message):
            space_of(TRICKS, [2], given)

    def test_a_range_ends_where_the_options_values_end(self) -> None:
        values = next(option.values for option in TRICKS.options if option.name == "stall_turns")
        first, last = int(values[0]), int(values[-1])
        whole = space_of(TRICKS, [2], [f"stall_turns={first}-{last}/{last - first}"]).axes["stall_turns"]
        assert list(whole) == [first, last]
        beyond = space_of(TRICKS, [2], [f"stall_turns={last - 1}-{last + 1}/3"]).axes["stall_turns"]
        assert list(beyond) == [last - 1]
        for text, wrong in ((f"{last}-{last + 1}", last + 1), (f"{first - 1}-{last}", first - 1)):
            with pytest.raises(OptionError, match=f"stall_turns is {wrong}"):
                space_of(TRICKS, [2], [f"stall_turns={text}"])

    def test_an_option_whose_default_depends_on_others_may_have_a_range(self) -> None:
        space = space_of(find_game("tricky-tribes"), [4], ["target=10-30/5"])
        assert space.axes["target"] == range(10, 31, 5)

    def test_a_value_may_fit_only_some_numbers_of_players(self) -> None:
        tribes = find_game("tricky-tribes")
        assert space_of(tribes, [4, 6], ["teams=trios"]).axes["teams"] == ("trios",)
        with pytest.raises(OptionError, match="teams=trios is not for 4 players"):
            space_of(tribes, [4], ["teams=trios"])
