"""Studies: variations, the games of a deal, counts, and storage."""

import json
import os
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars
import pytest

from parlour import extras
from parlour.contests.contest import Deal, Job
from parlour.contests.game_results import ForfeitInfo, GameResult, GameStatistics, WinProbabilityCurve
from parlour.contests.game_statistics import new_notes, note, statistics_of
from parlour.engine.errors import OptionError, ParlourError, PlayersError
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.studies import folder as folders
from parlour.studies.arguments import bots_of, choices_of, numbers_of, options_of
from parlour.studies.findings import Findings
from parlour.studies.folder import DEALS, PRINTED, RECORDS, REPORT, TABLE, TYPICAL, StudyFolder
from parlour.studies.plan import Study, every_variation, listed_variations
from parlour.studies.table import row_of, rows_of, write_table

TRIBES, WALLS, DUEL, TRICKS = map(find_game, ("tricky-tribes", "trick-walls", "castle-walls", "three-tricks"))
COURSE = GameStatistics(1, 60, 1, 5, 300, 22.5, 2, 0.75, 0.25)


def study(*setups: Setup, bots: tuple[str, ...] = ("random", "thumb"), **more) -> Study:
    return Study(setups or (Setup(DUEL, 2), Setup(DUEL, 2, {"turn_limit": 9})), bots, **more)


def deal(plan: Study, number: int) -> Deal:
    """Return a made-up deal in which seat 0 won every game."""
    games = []
    for job in plan.jobs(number):
        seats = len(job.seating)
        scores, made = (3, *[0] * (seats - 1)), (10,) * seats
        games.append(GameResult(job.seating, scores, (0,), made, (0.5,) * seats, statistics=COURSE))
    return Deal(number, tuple(games))


class TestArguments:
    @pytest.mark.parametrize(
        ("text", "numbers"), [("3", [3]), ("2-4", [2, 3, 4]), ("2,4", [2, 4]), ("5,2-3,2", [5, 2, 3])]
    )
    def test_numbers_of_players_are_listed_or_given_as_a_range(self, text: str, numbers: list[int]) -> None:
        assert numbers_of(text) == numbers

    @pytest.mark.parametrize("text", ["", "two", "4-2", "2-", "-3", "1-999", "2..4"])
    def test_wrong_numbers_of_players_are_refused(self, text: str) -> None:
        with pytest.raises(PlayersError, match="are written 3 or 2-4 or 2,4, not"):
            numbers_of(text)

    def test_values_of_an_option_are_collected(self) -> None:
        given = ("rounds=2,4", "kill-balance=true,false", "rounds=6", "pile=5-9/2")
        assert choices_of(given) == {"rounds": [2, 4, 6], "kill_balance": [True, False], "pile": [5, 7, 9]}

    def test_a_range_of_too_many_values_is_refused(self) -> None:
        with pytest.raises(
            OptionError, match="'rounds=1-500' has 500 values, but may have 100: rounds=FIRST-LAST/STEP"
        ):
            choices_of(["rounds=1-500"])

    def test_a_variation_has_one_value_of_each_option(self) -> None:
        assert options_of("players=3, rounds=2") == {"players": 3, "rounds": 2}
        with pytest.raises(OptionError, match="one value of rounds"):
            options_of("rounds=2,rounds=3")

    @pytest.mark.parametrize("text", ["rounds", "=2", "rounds="])
    def test_malformed_options_are_refused(self, text: str) -> None:
        for read in (options_of, lambda text: choices_of([text])):
            with pytest.raises(OptionError, match="an option is written NAME=VALUE"):
                read(text)

    @pytest.mark.parametrize("order", [1, -1])
    @pytest.mark.parametrize(
        "bots",
        [
            ("random", "thumb"),
            ("thumb", "search:effort=80,tree=1", "mine:Bot"),
            ("search:effort=80", "search:effort=90,tree=1"),
            ("open:search:effort=80,slips=5", "search:effort=90,memory=0,slips=5", "thumb"),
            ("learned:file.json", "search:tree=1"),
        ],
    )
    def test_the_settings_of_a_search_stay_together(self, bots: tuple[str, ...], order: int) -> None:
        bots = bots[::order]
        assert bots_of(",".join(bots)) == bots_of(", ".join(bots)) == bots


class TestVariations:
    def test_all_combinations_are_listed_with_the_last_option_changing_fastest(self) -> None:
        found, left_out = every_variation(TRICKS, [2], {"rank_block": ["pair", "any"], "stall_turns": [60, 30]})
        assert [setup.variation for setup in found] == [
            "2 players",
            "2 players, stall_turns=30",
            "2 players, rank_block=any",
            "2 players, rank_block=any, stall_turns=30",
        ]
        assert left_out == []

    def test_impossible_variations_are_left_out_and_listed(self) -> None:
        found, left_out = every_variation(WALLS, [4, 5], {"long_run": [False, True]})
        assert [(setup.players, setup.options["long_run"]) for setup in found] == [(4, False), (4, True), (5, False)]
        assert left_out == ["long_run=true is not for 5 players: a long run is for two to four players (TW-23)"]

    @pytest.mark.parametrize(
        ("players", "choices", "message"),
        [
            ([4], {"long_runs": [True]}, "has no option 'long_runs'"),
            ([4], {"rounds": [4, 100]}, "rounds is 100, but may be 1 to 99"),
            ([5, 6], {"long_run": [False, True]}, "long_run=true is not for 5 players"),
            ([4, 9], {}, "is for 2 to 6 players, not 9"),
            ([4, 5], {"long_run": [True]}, "long_run=true is not for 5 players"),
        ],
    )
    def test_impossible_options_are_refused(self, players, choices, message) -> None:
        with pytest.raises(ParlourError, match=message):
            every_variation(WALLS, players, choices)

    def test_a_list_has_its_variations(self) -> None:
        found = listed_variations(WALLS, 4, [{}, {"players": 3, "rounds": 2}, {"kill_balance": True}, {}])
        assert [setup.variation for setup in found] == [
            "4 players",
            "3 players, rounds=2",
            "4 players, kill_balance=true",
        ]
        with pytest.raises(OptionError, match="not for 5 players"):
            listed_variations(WALLS, 4, [{"players": 5, "long_run": True}])


class TestGamesOfADeal:
    def test_bots_play_alone_and_against_the_next_weaker_one_in_every_seat(self) -> None:
        plan = study(Setup(TRIBES, 3), bots=("random", "thumb", "beginner"))
        seatings = sorted(job.seating for job in plan.jobs(7))
        assert seatings == [
            *[(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)],
            *[(1, 1, 1), (1, 1, 2), (1, 2, 1), (2, 1, 1)],
            (2, 2, 2),
        ]

    def test_partners_are_the_same_bot(self) -> None:
        plan = study(Setup(WALLS, 4))
        assert {job.seating for job in plan.jobs(0)} == {(0, 0, 0, 0), (1, 1, 1, 1), (0, 0, 1, 1), (1, 1, 0, 0)}

    def test_all_variations_have_the_same_games(self) -> None:
        plan = study()
        by_variation = [[job.seating for job in plan.jobs(3) if job.variation == number] for number in (0, 1)]
        assert by_variation[0] == by_variation[1]
        assert len(by_variation[0]) == 4

    def test_no_bot_is_listed_twice(self) -> None:
        with pytest.raises(ParlourError, match="thumb is named twice"):
            study(bots=("thumb", "thumb"))


class TestCounts:
    """A duel for life cards: the side with more of them leads."""

    def count_leads(self, left: list[tuple[int, int]], numbers: list[int]):
        state, notes = Setup(DUEL, 2).new_state(), new_notes(Setup(DUEL, 2), True)
        for cards, number in zip(left, [*numbers, 0], strict=True):
            state.left[:2], state.actor = cards, 1
            note(state, number, notes)
        return notes

    def test_a_lead_changes_when_another_side_leads_alone(self) -> None:
        notes = self.count_leads(
            [(5, 5), (5, 4), (4, 4), (4, 3), (3, 3), (2, 3), (2, 3), (0, 3)], [1, 10, 1, 100, 10, 1, 1]
        )
        course = statistics_of(notes, chance_events=3, deals=2, winners=0b10)
        assert course == GameStatistics(
            first=1,
            events=10,
            rounds=2,
            forced=4,
            choices=124,
            log_choices=4.0,
            lead_changes=1,
            settled=5 / 7,
            trailed=2 / 7,
        )

    def test_a_drawn_game_has_no_leader(self) -> None:
        course = statistics_of(self.count_leads([(5, 5), (5, 5)], [3]), 1, 1, winners=0b11)
        assert (course.lead_changes, course.settled, course.trailed) == (0, 1.0, 0.0)

    def test_a_win_by_the_last_decision_is_settled_there(self) -> None:
        course = statistics_of(self.count_leads([(5, 4), (5, 4), (0, 4)], [3, 3]), 1, 1, winners=0b10)
        assert (course.lead_changes, course.settled, course.trailed) == (1, 1.0, 1.0)

    def test_counting_can_be_switched_off(self) -> None:
        notes = new_notes(Setup(DUEL, 2), False)
        note(Setup(DUEL, 2).new_state(), 3, notes)
        assert notes.lead.sum() == 0


@pytest.mark.slow  # compiles
class TestPlay:
    def games(self, bots: tuple[str, ...], **more) -> list[GameResult]:
        plan = Study((Setup(TRICKS, 2), Setup(TRICKS, 2, {"rank_block": "any"})), bots, 4, **more)
        play = plan.open()
        return [play(job, lambda: False) for deal in range(2) for job in plan.jobs(deal)]

    def test_compiled_games_equal_games_by_events(self) -> None:
        quick, kept = self.games(("random", "thumb")), self.games(("random", "thumb"), records=True)
        assert [replace(game, seconds=()) for game in quick] == [
            replace(game, seconds=(), record=None) for game in kept
        ]
        assert all(game.statistics.events == len(game.record["events"]) for game in kept)

    def test_cards_on_the_table_before_the_deal_count_as_dealt(self) -> None:
        """The threes of Trime Kicker lie on the table before the rest of the deck is dealt."""
        setup = (Setup(find_game("trime-kicker"), 2),)
        for more in ({}, {"records": True}):
            plan = Study(setup, ("random",), 4, **more)
            [game] = [plan.open()(job, lambda: False) for job in plan.jobs(0)]
            assert game.statistics is not None
            assert game.statistics.rounds == 1

    def test_an_evaluated_game_is_the_same_game(self) -> None:
        plain, evaluated_deals = self.games(("thumb",)), self.games(("thumb",), evaluated_deals=1, determinizations=16)
        traced_deals = self.games(("thumb",), traced_deals=1)
        for others in (evaluated_deals, traced_deals):
            assert [replace(game, seconds=()) for game in plain] == [
                replace(game, seconds=(), win_probability=None, clause_counts=None) for game in others
            ]
        assert [bool(game.clause_counts and game.clause_counts.clauses["3T-6"]) for game in traced_deals] == [
            True,
            True,
            False,
            False,
        ]
        assert [game.win_probability is not None for game in evaluated_deals] == [True, True, False, False]
        evaluated, traced = evaluated_deals[0].win_probability, traced_deals[0]
        assert GameResult.from_json(json.loads(json.dumps(traced.to_json())), 2).clause_counts == traced.clause_counts
        assert all(0 <= chance <= 1 for chance in evaluated.curve)
        assert GameResult.from_json(json.loads(json.dumps(evaluated_deals[0].to_json())), 2) == replace(
            evaluated_deals[0], seconds=tuple(round(each, 7) for each in evaluated_deals[0].seconds)
        )

    def test_all_variations_are_dealt_the_same_cards(self) -> None:
        records = [game.record for game in self.games(("random",), records=True)]
        deals = [
            next(event["do"] for event in record["events"] if event["do"].startswith("deal ")) for record in records
        ]
        assert deals[0] == deals[1] != deals[2] == deals[3]
        assert records[1]["options"] == {"rank_block": "any"}


class TestTable:
    def test_a_game_is_a_row(self) -> None:
        plan = study()
        rows = list(rows_of(plan, [deal(plan, 0), deal(plan, 1)]))
        assert len(rows) == 2 * 2 * 4
        one = next(
            row for row in rows if row["variation"] == "2 players, turn_limit=9" and row["bots"] == ["thumb", "random"]
        )
        assert (one["deal"], one["option.turn_limit"], one["challenger"]) == (0, 9, "thumb")
        assert (one["scores"], one["winners"], one["win_shares"]) == ([3, 0], [0], [1.0, 0.0])
        assert (one["events"], one["forced"], one["settled"], one["forfeit"]) == (60, 5, 0.75, None)
        assert (one["drama"], one["curve"]) == (None, None)

    @pytest.mark.parametrize("seating", [(0, 1), (1, 0)])
    def test_each_column_has_the_value_of_its_name(self, seating: tuple[int, int]) -> None:
        plan = study()
        game = GameResult(
            seating, (7, 4), (0,), (11, 12), (0.5, 0.25), ForfeitInfo(1, "moved too late"), COURSE, "the last life",
            WinProbabilityCurve(32, 13, 1.5, 2.5, 0.375, 0.625, 1.0, tuple(place / 10 for place in range(11))),
        )  # fmt: skip
        assert row_of(plan, Job(6, seating, 1, 2), game) == {
            **{"deal": 6, "variation": "2 players, turn_limit=9", "players": 2, "replicate": 2},
            **{f"option.{name}": value for name, value in plan.setups[1].options.items()},
            **{"bots": [plan.bots[bot] for bot in seating], "challenger": "thumb"},
            **{"scores": [7, 4], "winners": [0], "win_shares": [1.0, 0.0]},
            **{"decisions": [11, 12], "seconds": [0.5, 0.25], **asdict(COURSE)},
            **{"weighed": 13, "spread": 1.5, "good": 2.5, "drama": 0.375, "decisive": 0.625, "comeback": 1.0},
            "curve": [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
            **{"ending": "the last life", "forfeit": 1, "reason": "moved too late"},
        }

    def test_a_bot_alone_is_no_challenger(self) -> None:
        plan = study()
        alone = {tuple(row["bots"]) for row in rows_of(plan, [deal(plan, 0)]) if row["challenger"] is None}
        assert alone == {("random", "random"), ("thumb", "thumb")}

    def test_partners_share_the_win_of_their_side(self) -> None:
        plan = study(Setup(WALLS, 4))
        assert next(rows_of(plan, [deal(plan, 0)]))["win_shares"] == [1.0, 1.0, 0.0, 0.0]

    def test_polars_reads_the_table(self, tmp_path: Path) -> None:
        plan = study(Setup(TRIBES, 3), Setup(TRIBES, 4), seed=5)
        write_table(tmp_path / TABLE, plan, [deal(plan, 0)])
        read = polars.read_parquet(tmp_path / TABLE)
        assert read["players"].to_list() == [3] * 5 + [4] * 6
        assert read["challenger"].null_count() == 4
        assert json.loads(polars.read_parquet_metadata(tmp_path / TABLE)["parlour"])["seed"] == 5


class TestFolder:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """Return a folder with three deals and their table."""
        plan = study()
        with StudyFolder(str(tmp_path / "mine"), plan) as folder:
            deals = [deal(plan, number) for number in range(3)]
            for each in deals:
                folder.file.append(each)
            folder.write(deals, Findings(plan, deals))
        return tmp_path / "mine"

    @pytest.mark.parametrize("typical", [[], ["a deal"]])
    @pytest.mark.parametrize("records", [False, True])
    @pytest.mark.parametrize("pdf", [False, True])
    def test_the_files_that_it_names_are_those_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typical: list[Any], records: bool, pdf: bool
    ) -> None:
        def write(file: Path, *_: object) -> None:
            file.touch()

        for name in ("write_table", "write_report", "write_printed_report"):
            monkeypatch.setattr(folders, name, write)
        monkeypatch.setattr(folders, "_write_records", lambda file, kept: kept and file.touch())
        monkeypatch.setattr(folders, "report_page", lambda *_: "")
        monkeypatch.setattr(folders, "typical_table", lambda *_: "")
        kept = SimpleNamespace(games=[SimpleNamespace(record={"game": "a game"})])
        monkeypatch.setattr(folders, "typical_games", lambda *_: [kept for _ in typical])
        made: Any = object.__new__(StudyFolder)
        made.path, made._study = tmp_path, SimpleNamespace(records=records)
        made.file = SimpleNamespace(is_read_only=False)
        named = made.write([kept], None, pdf)
        assert sorted(named) == sorted(file.name for file in tmp_path.iterdir())
        assert (TYPICAL in named, RECORDS in named, PRINTED in named) == (bool(typical), records, pdf)

    @pytest.mark.parametrize(
        ("kept", "lines"), [([], None), ([{"deal": 1}], ['{"deal": 1}']), ([{}, {}], ["{}", "{}"])]
    )
    def test_records_replace_those_of_the_report_before(
        self, tmp_path: Path, kept: list[dict[str, int]], lines: list[str] | None
    ) -> None:
        file = tmp_path / RECORDS
        for records in ([{"deal": 5}] * 3, kept):
            folders._write_records(file, records)
        assert (file.read_text().splitlines() if file.exists() else None) == lines

    def test_one_that_cannot_be_written_keeps_its_files(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        plan, before = study(), {path.name: path.read_bytes() for path in folder.iterdir()}
        monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
        with StudyFolder(str(folder), plan) as again:
            assert again.write(again.file.deals, Findings(plan, again.file.deals)) == []
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before

    def test_it_is_continued(self, folder: Path) -> None:
        plan = study()
        with StudyFolder(str(folder), plan) as again:
            assert again.file.deals == [deal(plan, number) for number in range(3)]

    @pytest.mark.parametrize("deals", [0, 2])
    def test_a_study_without_replicated_deals_is_another_than_one_with_them(self, tmp_path: Path, deals: int) -> None:
        plan = study(replicated_deals=2)
        with StudyFolder(str(tmp_path), plan) as stored:
            for number in range(deals):
                stored.file.append(deal(plan, number))
        with pytest.raises(ParlourError, match=r"holds other results: replicates is \[2, 4\] there, none here"):
            StudyFolder(str(tmp_path), study())

    @pytest.mark.parametrize(
        ("other", "message"),
        [
            (study(seed=9), "seed is 0 there, 9 here"),
            (study(bots=("random",)), "bots is"),
            (study(Setup(DUEL, 2)), "variations is"),
            (study(records=True), "records is False there, True here"),
        ],
    )
    def test_another_study_is_refused_and_nothing_changes(self, folder: Path, other: Study, message: str) -> None:
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        with pytest.raises(ParlourError, match=rf"{TABLE} is of another study: .*{message}"):
            StudyFolder(str(folder), other)
        (folder / TABLE).rename(folder / "aside")
        with pytest.raises(ParlourError, match=rf"{DEALS} holds other results: .*{message}"):
            StudyFolder(str(folder), other)
        (folder / "aside").rename(folder / TABLE)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before

    def test_a_study_by_other_code_is_refused(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("parlour.contests.contest.bots_hash", lambda game: "changed")
        with pytest.raises(ParlourError, match=r"code is '[0-9a-f-]+' there, 'changed' here. Name another folder"):
            StudyFolder(str(folder), study())

    @pytest.mark.parametrize(
        ("written", "changed", "message"),
        [
            ('"statistics": {"first": 1,', '"statistics": {"first": 2,', "a first seat that the game does not have"),
            ('"rounds": 1', '"rounds": NaN', "its statistics hold something else than numbers"),
            ('"forced": 5', '"forced": 5.5', "its statistics hold something else than numbers"),
            ('"statistics":', '"record":', "a game has no statistics"),
        ],
    )
    def test_a_changed_game_is_refused(self, folder: Path, written: str, changed: str, message: str) -> None:
        text = (folder / DEALS).read_text()
        (folder / DEALS).write_text(text.replace(written, changed, 1))
        with pytest.raises(ParlourError, match=f"{DEALS}, line 2: not a deal: .*{message}"):
            StudyFolder(str(folder), study())

    @pytest.mark.parametrize(
        ("more", "part"),
        [({"records": True}, "record"), ({"traced_deals": 2}, "clause_counts"), ({"evaluated_deals": 2}, "win_prob")],
    )
    def test_a_game_without_a_part_of_the_study_is_refused(
        self, tmp_path: Path, more: dict[str, Any], part: str
    ) -> None:
        plan = study(**more)
        with StudyFolder(str(tmp_path), plan) as folder:
            folder.file.append(deal(plan, 0))
        with pytest.raises(ParlourError, match=f"{DEALS}, line 2: not a deal: a game has no {part}"):
            StudyFolder(str(tmp_path), plan)

    @pytest.mark.parametrize("text", [b"", b"PAR1 or not", b"PAR1PAR1"])
    def test_a_table_of_another_kind_is_refused_and_unchanged(self, tmp_path: Path, text: bytes) -> None:
        (tmp_path / TABLE).write_bytes(text)
        with pytest.raises(ParlourError, match="not a table of games from a study"):
            StudyFolder(str(tmp_path), study())
        assert (tmp_path / TABLE).read_bytes() == text

    def test_a_table_of_other_columns_is_refused(self, tmp_path: Path) -> None:
        polars.DataFrame({"a": np.arange(3)}).write_parquet(tmp_path / TABLE)
        with pytest.raises(ParlourError, match="not a table of games from a study"):
            StudyFolder(str(tmp_path), study())

    def test_a_table_without_its_deals_is_not_overwritten(self, folder: Path) -> None:
        (folder / DEALS).unlink()
        with pytest.raises(ParlourError, match=f"has {TABLE}, but no {DEALS}"):
            StudyFolder(str(folder), study())

    @pytest.mark.parametrize("name", [REPORT, RECORDS, TYPICAL, PRINTED])
    def test_a_file_of_another_origin_is_not_overwritten(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).touch()
        with pytest.raises(ParlourError, match=f"has {name}, but no {DEALS}"):
            StudyFolder(str(tmp_path), study())

    @pytest.mark.parametrize("name", ["/dev/full/x", "/dev/null"])
    def test_a_path_that_can_be_no_folder_is_refused(self, name: str) -> None:
        with pytest.raises(ParlourError, match="cannot be created: "):
            StudyFolder(name, study())

    def test_a_missing_package_is_reported_with_the_command_that_installs_it(self, tmp_path: Path, monkeypatch) -> None:
        def missing(module: str):
            raise ModuleNotFoundError(name=module)

        monkeypatch.setattr(extras, "import_module", missing)
        with pytest.raises(ParlourError, match=r"studies need polars, which is not installed: pip install"):
            StudyFolder(str(tmp_path / "mine"), study())
        assert not (tmp_path / "mine").exists()
