"""Rules of a variation to print and play: what is different comes first, and changed clauses are marked."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from parlour.authors.printed_rules import changes_text, printed_rules
from parlour.cli import main
from parlour.engine.game import Option, Value
from parlour.engine.setup import Setup
from parlour.games import find_game

CASTLE_WALLS = find_game("castle-walls")


@pytest.fixture(scope="module")
def page() -> str:
    return printed_rules(Setup(CASTLE_WALLS, 2, {"hand_limit": 8, "turn_limit": 0}))


class TestChanges:
    def test_each_names_the_option_both_values_the_clause_and_the_consequence(self) -> None:
        text = changes_text(Setup(CASTLE_WALLS, 2, {"hand_limit": 8, "turn_limit": 0}))
        assert "- Most cards kept in hand: 8 instead of 6 (CW-13)." in text
        assert "Turns before the game ends: 0 instead of 200 (CW-27). The game goes on until" in text

    def test_values_have_their_titles(self) -> None:
        text = changes_text(Setup(find_game("trime-kicker"), 2, {"judge": "leader"}))
        assert "Who has more points instead of Who has laid fewer cards (TK-13)" in text

    @pytest.mark.parametrize(
        ("default", "titles", "text"),
        [
            (False, {True: "In turn", False: "All at once"}, "In turn instead of All at once"),
            (True, {True: "In turn", False: "All at once"}, "All at once instead of In turn"),
            (False, {True: "In turn"}, "In turn instead of no"),
            (0, {0: "No limit"}, "3 instead of No limit"),
            (3, {0: "No limit"}, "No limit instead of 3"),
            ("low", {"high": "Aces high"}, "Aces high instead of low"),
        ],
    )
    def test_a_value_of_any_kind_has_its_title_if_it_has_one(self, default: Value, titles: dict, text: str) -> None:
        values: tuple[Value, ...] = {bool: (False, True), int: (0, 3), str: ("low", "high")}[type(default)]
        option = Option("slots", values, default, "CW-4", "the slots", title="Slots", titles=titles)
        game = replace(CASTLE_WALLS, options=(option,))
        [other] = [value for value in values if value != default]
        assert changes_text(Setup(game, 2, {"slots": other})).splitlines()[-1] == f"- Slots: {text} (CW-4)."

    def test_truth_values_are_yes_and_no(self) -> None:
        assert "yes instead of no (TW-21)" in changes_text(Setup(find_game("trick-walls"), 4, {"kill_balance": True}))

    def test_the_warnings_of_the_published_rules_follow(self) -> None:
        warning = "The published rules advise against a long run with kill balance."
        setup = Setup(find_game("trick-walls"), 4, {"kill_balance": True, "long_run": True})
        assert changes_text(setup).splitlines()[-1] == f"- {warning}"
        assert f"<li>{warning}</li>" in printed_rules(setup)
        assert warning not in changes_text(Setup(find_game("trick-walls"), 4, {"long_run": True}))

    def test_an_option_that_follows_from_another_is_a_change_too(self) -> None:
        text = changes_text(Setup(find_game("trick-walls"), 4, {"pure_bonus_points": 5}))
        assert text.count("5 instead of 3") == 2

    @pytest.mark.parametrize(
        ("options", "change"),
        [({"target": 100}, "100 instead of 15"), ({"teams": "ABACAD"}, "50 instead of 15"),
         ({"teams": "ABACAD", "target": 100}, "100 instead of 50"), ({"teams": "pairs", "target": 15}, None)],
    )  # fmt: skip
    def test_a_chosen_value_replaces_the_default_of_the_other_choices(
        self, options: dict[str, Value], change: str | None
    ) -> None:
        text = changes_text(Setup(find_game("tricky-tribes"), 6, options))
        found = re.findall(r"to the target: (\d+ instead of \d+) ", text)
        assert found == ([change] if change else [])

    @pytest.mark.parametrize("players", [2, 6])
    def test_the_published_game_has_none_with_any_number_of_players(self, players: int) -> None:
        assert changes_text(Setup(find_game("trick-walls"), players)) == ""


class TestThePage:
    def test_the_differences_come_before_the_rules(self, page: str) -> None:
        assert 0 < page.index("What is different") < page.index("<h2>Setting up</h2>")

    def test_a_paragraph_that_cites_a_changed_clause_is_marked_and_followed_by_the_change(self, page: str) -> None:
        (item,) = re.findall(r'<li class="changed">.*?</li>', page, re.DOTALL)
        assert "(<mark>CW-13</mark>)" in item
        assert '<span class="here">Most cards kept in hand: 8 instead of 6.</span>' in item

    def test_other_clauses_are_not_marked(self, page: str) -> None:
        assert set(re.findall("<mark>(.*?)</mark>", page)) == {"CW-13", "CW-27"}

    def test_the_section_on_variations_is_left_out(self, page: str) -> None:
        assert "<h2>Variations</h2>" not in page
        assert "<h2>Playing well</h2>" in page

    def test_the_published_game_has_no_marks(self) -> None:
        page = printed_rules(Setup(CASTLE_WALLS, 2))
        assert "What is different" not in page
        assert "<mark>" not in page

    def test_it_refers_to_nothing_outside(self, page: str) -> None:
        assert not re.search(r"(src|href)=|url\(|@import|<script", page)


class TestTheCommand:
    def test_it_writes_both_forms(self, tmp_path: Path) -> None:
        files = [str(tmp_path / name) for name in ("rules.html", "rules.pdf")]
        arguments = ["rules", "castle-walls", "-o", "slots=4", "--html", files[0], "--pdf", files[1]]
        result = CliRunner().invoke(main, arguments)
        assert (result.exit_code, result.stdout) == (0, "")
        assert "Slots of a field: 4 instead of 3" in Path(files[0]).read_text()
        assert Path(files[1]).read_bytes().startswith(b"%PDF-")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["rules.html", "rules.pdf"]

    def test_without_a_file_it_prints_the_differences_and_the_rules(self) -> None:
        text = CliRunner().invoke(main, ["rules", "castle-walls", "-o", "slots=4", "--markdown"]).stdout
        assert text.index("Slots of a field: 4 instead of 3") < text.index("## Setting up") < text.index("## Options")

    @pytest.mark.parametrize("form", ["--html", "--pdf"])
    def test_a_folder_that_does_not_exist_is_reported(self, tmp_path: Path, form: str) -> None:
        result = CliRunner().invoke(main, ["rules", "castle-walls", form, str(tmp_path / "none" / "rules")])
        assert result.exit_code != 0
        assert "cannot be written: No such file or directory" in result.output

    def test_a_wrong_value_is_reported(self) -> None:
        result = CliRunner().invoke(main, ["rules", "castle-walls", "-o", "slots=40"])
        assert "slots is 40, but may be 1 to 5 (CW-4)" in result.output
