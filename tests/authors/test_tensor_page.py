"""``docs/tensors.md`` and the descriptions of planes agree with the code."""

from pathlib import Path

import pytest

import parlour
from parlour.authors.tensor_page import tensor_page
from parlour.engine.errors import ParlourError

PAGE = Path(__file__).parents[2] / "docs" / "tensors.md"
every_game = pytest.mark.parametrize("game", parlour.games())


class TestThePageOfTensors:
    def test_is_generated_from_the_code(self):
        """``make docs`` regenerates the page."""
        assert PAGE.read_text(encoding="utf-8") == tensor_page()


@every_game
class TestADescription:
    def test_has_words_for_every_field_of_the_game(self, game):
        for players in parlour.make(game).game.players:
            setup = parlour.make(game, players)
            own = {plane.field.name for plane in setup.state_planes} - {"actor", "public", "private"}
            assert own <= set(setup.game.field_words)

    @pytest.mark.parametrize("which", ["observation", "state", "history"])
    def test_is_of_every_plane_in_order(self, game, which):
        setup, at = parlour.make(game), 0
        for plane in setup.describe_tensor(which):
            assert (plane.slice.start, plane.slice.stop) == (at, at + plane.shape[0])
            assert len(plane.cells) == len(set(plane.cells)) == plane.shape[0]
            assert plane.range[0] < plane.range[1]
            assert plane.meaning
            assert plane.unit != "number"
            at = plane.slice.stop
        sizes = {"observation": setup.observation_shape[0], "state": setup.state_shape[0]}
        assert at == sizes.get(which, setup.history_width)

    def test_names_every_plane_differently(self, game):
        described = parlour.make(game).describe_tensor("state")
        assert len({plane.meaning for plane in described}) == len(described)

    def test_is_json_values(self, game):
        first = parlour.make(game).describe_tensor()[0].to_json()
        assert first["slice"] == [0, first["shape"][0]]
        assert first["range"] == [0.0, 1.0]


def test_there_are_three_tensors():
    with pytest.raises(ParlourError, match="there is no tensor 'all'; there are 'observation', 'state' and 'history'"):
        parlour.make("trime-kicker").describe_tensor("all")


def test_the_index_of_a_plane_is_in_words():
    planes = {plane.name: plane for plane in parlour.make("trick-walls", 4).describe_tensor()}
    assert planes["face_up 0"].meaning == "the face-up cards of a wall: of the observer's place"
    assert planes["team 1"].meaning == "the side of a player: 1 seat clockwise from the observer"
    assert planes["stage"].cells == ("dealer", "colour", "deal", "exchange", "tricks", "end")
    assert (planes["lead"].unit, planes["trick"].unit, planes["stage"].unit) == (
        "points",
        "place in the order",
        "yes or no",
    )


class TestTheVersion:
    def test_is_of_the_rules_and_of_the_layouts(self):
        setup = parlour.make("trick-walls", 4)
        assert setup.tensor_version == parlour.make("trick-walls", 4).tensor_version
        assert setup.tensor_version.startswith(f"{setup.game.version}-")
        others = [
            parlour.make("trick-walls", 2),
            parlour.make("trick-walls", 4, rounds=1),
            parlour.make("trime-kicker"),
        ]
        assert len({setup.tensor_version, *(other.tensor_version for other in others)}) == 4
