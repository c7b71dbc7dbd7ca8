"""Names of bots: none twice at a table, and one for every seat."""

from parlour.languages import in_language
from parlour.render.bot_names import bot_names, seat_names


class TestBots:
    def test_have_the_first_names_that_are_not_taken(self):
        assert bot_names([1, 3], ["Ada", "", "Cy", ""]) == {1: "Bruno", 3: "Cleo"}

    def test_have_the_number_of_their_seat_when_all_names_are_taken(self):
        names = bot_names(range(1, 9), ["Finn"])
        assert names[6] == "Gia"
        assert (names[7], names[8]) == ("Bot 8", "Bot 9")
        assert len(set(names.values())) == 8


class TestSeats:
    def test_are_you_and_bots(self):
        assert seat_names(3, 1) == ("Ada", "You", "Bruno")

    def test_have_names_in_a_game_for_many_players(self):
        assert seat_names(9, 8)[6:] == ("Gia", "Bot 8", "You")

    def test_are_named_in_the_language_of_the_player(self):
        with in_language("de"):
            assert seat_names(2, 0) == ("Du", "Ada")
