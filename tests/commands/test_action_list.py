"""The list of legal actions in the terminal: which are listed, and which action a typed number selects."""

from types import SimpleNamespace
from typing import Any

import pytest

from parlour.cli.action_list import ActionList, in_hand_order

DRAW = ["draw"]


def listed(kinds: dict[str, list[str]]) -> tuple[ActionList, list[str]]:
    """Return the list of the actions of these kinds, by label, and all actions in order."""
    choices = [SimpleNamespace(do=do, label=label) for label, actions in kinds.items() for do in actions]
    scene: Any = SimpleNamespace(choices=choices, areas=[], prompt="Your turn:")
    actions = [choice.do for choice in choices]
    return ActionList(actions, scene), actions


def cards(verb: str, number: int) -> list[str]:
    return [f"{verb} {place:02}X" for place in range(number)]


class TestNumbers:
    @pytest.mark.parametrize("number", [1, 2, 19, 20])
    def test_every_listed_action_has_one(self, number: int) -> None:
        actions, every = listed({"Lay": cards("lay", number), "Draw": DRAW})
        shown = actions.text(10_000).plain
        for place, action in enumerate(every, 1):
            assert f"{place} {action}" in shown
            assert actions.action(str(place)) == action

    @pytest.mark.parametrize("number", [21, 60])
    def test_actions_that_are_only_counted_have_none(self, number: int) -> None:
        actions, every = listed({"Lay": cards("lay", number), "Draw": DRAW})
        shown = actions.text(10_000).plain
        assert f"lay … ({number} ways; m lists them)" in shown
        assert [action for action in every if f" {action}" in shown] == DRAW
        assert [actions.action(str(place)) for place in range(1, number + 1)] == [
            str(place) for place in range(1, number + 1)
        ]
        assert actions.action(every[0]) == every[0], "its words select it"

    def test_the_actions_after_those_counted_keep_theirs(self) -> None:
        actions, every = listed({"Swap": cards("swap", 30), "Lay": cards("lay", 20), "Draw": DRAW})
        assert [actions.action(str(place)) for place in range(31, 52)] == every[30:]
        assert "31 lay 00X" in actions.text(10_000).plain
        assert "51 draw" in actions.text(10_000).plain

    def test_actions_that_differ_in_a_number_are_selected_by_that_number(self) -> None:
        actions, every = listed({"": [f"bid {bid}" for bid in range(25)]})
        assert [actions.action(str(bid)) for bid in range(25)] == every
        assert actions.action("25") == "25"

    @pytest.mark.parametrize("actions", [["5D on 2", "5D on 3"], ["KS on 4"], ["flip 2"]])
    def test_a_card_on_places_and_a_single_action_are_numbered_from_one(self, actions: list[str]) -> None:
        actions_listed, every = listed({"Lay": actions})
        shown = actions_listed.text(80).plain
        assert [f"{place} {action}" in shown for place, action in enumerate(every, 1)] == [True] * len(every)
        assert [actions_listed.action(str(place)) for place in range(1, len(every) + 1)] == every

    @pytest.mark.parametrize("typed", ["0", "4", "-1", "", "draw", "1 "])
    def test_other_texts_stay(self, typed: str) -> None:
        actions, _ = listed({"Lay": cards("lay", 2), "Draw": DRAW})
        assert actions.action(typed) == typed


class TestLines:
    def test_each_kind_has_one_below_the_prompt(self) -> None:
        shown = listed({"Lay": cards("lay", 2), "Draw": DRAW})[0].text(80).plain
        assert shown.splitlines() == ["  Your turn:  ", "    Lay: 1 lay 00X  2 lay 01X", "    Draw: 3 draw"]

    def test_a_single_kind_stands_beside_the_prompt(self) -> None:
        shown = listed({"Lay": cards("lay", 2)})[0].text(80).plain
        assert shown == "  Your turn:  Lay: 1 lay 00X  2 lay 01X"


class TestTheOrder:
    def test_is_that_of_the_cards_in_the_hand(self) -> None:
        hand = ["3C", "AC", "6D", "TD", "QS", "5H"]
        labels = {"keep": "Keep", **{f"swap {card}": "Swap" for card in hand}}
        row = SimpleNamespace(cards=[SimpleNamespace(card=card) for card in [None, *hand]])
        choices = [SimpleNamespace(do=do, label=label) for do, label in labels.items()]
        scene: Any = SimpleNamespace(choices=choices, areas=[SimpleNamespace(rows=[row])], prompt="Your turn:")
        by_code_point = sorted(labels)
        assert in_hand_order(by_code_point, scene) == ["keep", *(f"swap {card}" for card in hand)]
        assert ActionList(by_code_point, scene).action("5") == "swap TD"

    def test_is_by_size_for_numbers(self) -> None:
        scene: Any = SimpleNamespace(choices=[], areas=[], prompt="")
        assert in_hand_order(["on 10", "on 2", "on 9"], scene) == ["on 2", "on 9", "on 10"]
