"""Properties of the scenes of all games."""

from types import SimpleNamespace

import pytest

import parlour
from parlour.cards import parse_cards
from parlour.engine.game import Line
from parlour.engine.observation import EVERYTHING
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.languages.declension import listed
from parlour.render.plain import plain_layout
from parlour.render.scene import ScoreLine, cards_held, hand_order, last_card, last_event, score_of, standings_of
from parlour.render.words import names_of, subjects

NAMES = ["Ann", "Bo", "Cy", "Di"]


def test_a_hand_alternates_colours_and_ascends_with_jokers_last():
    cards = parse_cards("XR AH 2S TD 9D KC XB 2H AS")
    assert hand_order(cards) == parse_cards("KC 9D TD 2S AS 2H AH XB XR")


def test_the_last_event_is_unknown_after_several():
    match = Setup(find_game("trick-walls"), 4).start(seed=1)
    seen = [match.observation(0)]
    for _ in range(2):
        match.act(match.legal()[0])
        seen.append(match.observation(0))
    assert last_event(seen[1], seen[0]) == match.events[-2]
    assert last_event(seen[2], seen[0]) is None
    assert last_event(seen[1], seen[1]) is None
    assert last_event(seen[1], None) is None


def test_a_default_outcome_names_the_winner_and_the_viewers_loss():
    match = parlour.play(parlour.make("castle-walls", players=2), ["thumb", "random"], seed=3)
    (winner,) = match.result.winners
    tell = plain_layout(match.game).lay_out
    outcomes = {seat: tell(match.observation(seat), ["Ann", "Bo"], None).outcome for seat in (0, 1, SPECTATOR)}
    won = f"{['Ann', 'Bo'][winner]} wins"
    assert outcomes == {winner: "You win.", 1 - winner: f"{won}; you do not.", SPECTATOR: f"{won}."}


def test_a_default_layout_draws_the_middle_alike_for_players_and_spectators():
    match = Setup(find_game("trick-walls"), 4).start(seed=1)
    lay_out = plain_layout(match.game).lay_out
    middles = [lay_out(match.observation(viewer), NAMES, None).areas[0] for viewer in (0, SPECTATOR)]
    assert [[row.style for row in middle.rows] for middle in middles] == [["meld"], ["meld"]]


@pytest.mark.parametrize(("viewer", "clockwise"), [(0, [0, 1, 2, 3]), (2, [2, 3, 0, 1]), (SPECTATOR, [0, 1, 2, 3])])
def test_a_default_layout_has_the_seats_clockwise_from_the_viewer(viewer, clockwise):
    match = Setup(find_game("trick-walls"), 4).start(seed=1)
    _, *areas = plain_layout(match.game).lay_out(match.observation(viewer), NAMES, None).areas
    assert [(area.seat, area.at) for area in areas] == [(seat, at) for at, seat in enumerate(clockwise)]
    assert [area.title for area in areas] == ["You" if seat == viewer else NAMES[seat] for seat in clockwise]
    assert [area.seat for area in areas if area.active] == [match.actor]


@pytest.mark.parametrize(
    ("seats", "named"),
    [
        ([2], ["You"]),
        ([2, 0], ["You", "Ann"]),
        ([0, 2], ["Ann", "you"]),
        ([3, 2, 1], ["Di", "you", "Bo"]),
        ([1], ["Bo"]),
    ],
)
def test_only_the_first_subject_of_a_sentence_is_capitalized(seats, named):
    observation = Setup(find_game("trick-walls"), 4).start(seed=1).observation(2)
    assert subjects(observation, NAMES, seats) == named


@pytest.mark.parametrize(
    ("tokens", "action"),
    [([], []), (["7H"], ["7H"]), (["7H", "2C"], ["2C"]), (["7H", "pile"], ["7H"]), (["pile"], [])],
)
def test_the_last_chosen_card_is_the_usual_action(tokens, action):
    assert list(last_card(None, tokens)) == action


def test_the_viewer_is_named_before_the_others():
    observation = Setup(find_game("trick-walls"), 4).start(seed=1).observation(2)
    assert names_of(observation, NAMES, [0, 2, 3]) == ["you", "Ann", "Di"]


def test_several_names_are_listed_in_seat_order():
    assert [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR, EVERYTHING])
class TestTheViewer:
    def test_reads_in_each_line_of_the_score_the_points_of_its_seat(self, viewer):
        lines = [Line("7H", (1, 2, 3), "A", 2), Line("all", (4, 5, 6), "B", 0), Line("TD JD", (0, -7, 8), "C", 1)]
        assert score_of(SimpleNamespace(seat=viewer, lines=lines), "tribe") == [
            ScoreLine("tribe-2", "7♥", 3, "A"),
            ScoreLine("tribe-0", "all", 4, "B"),
            ScoreLine("tribe-1", "10♦ J♦", -7, "C"),
        ]

    def test_is_you_in_the_standings_of_all_seats(self, viewer):
        standings = standings_of(SimpleNamespace(seat=viewer), NAMES, (5, 0, -3))
        assert [(each.before, each.now) for each in standings] == [(5, 5), (0, 0), (-3, -3)]
        assert [each.label for each in standings] == ["You" if seat == viewer else NAMES[seat] for seat in range(3)]
        assert [each.own for each in standings] == [seat == viewer for seat in range(3)]

    @pytest.mark.parametrize("seat", [0, 1, 2])
    def test_chooses_from_the_own_hand_and_sees_known_cards_of_others_face_down(self, viewer, seat):
        cards = cards_held(SimpleNamespace(seat=viewer), seat, parse_cards("2H AC"))
        assert [each.card for each in cards] == ["AC", "2H"]
        assert [each.token for each in cards] == (["AC", "2H"] if seat == viewer else [None, None])
        assert {each.face_up for each in cards} == {viewer in (seat, EVERYTHING)}
