"""The report of a study: one self-contained file with the answer first and every number with its command."""

import html
import re
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import parlour
from parlour.contests.contest import Job
from parlour.contests.game_results import GameResult
from parlour.engine.matches.records import RecordWriter
from parlour.engine.setup import Setup
from parlour.studies.arguments import bots_of, options_of
from parlour.studies.findings import Findings
from parlour.studies.people.people import People
from parlour.studies.plan import listed_variations
from parlour.studies.precision import Precision
from parlour.studies.report import charts
from parlour.studies.report import page as report_module
from parlour.studies.report.html import contents
from parlour.studies.report.page import command, report_page, variation_command, write_printed_report, write_report
from parlour.studies.words import answer
from tests.page.axe import violations
from tests.studies.known_games import BY_NAME, TRICKS, TWO, drama_in, dramatic, findings_of, first_wins, game, noisy
from tests.studies.report_pages import words_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def findings() -> Findings:
    return findings_of(noisy(4.0, 1), 80, bots=("random", "thumb", "regular"))


@pytest.fixture(scope="module")
def page(findings: Findings) -> str:
    return report_page(findings)


class TestFile:
    def test_it_has_no_script_and_loads_no_other_file(self, page: str) -> None:
        assert "<script" not in page
        assert set(re.findall(r'https?://[^"\s<]*', page)) <= {
            "http://www.w3.org/2000/svg",
            "http://www.w3.org/1999/xlink",
        }
        assert not re.search(r'src=|href="(?!#)|@import|url\(', page)

    def test_its_table_of_contents_links_to_every_section(self, page: str) -> None:
        targets = re.findall(r'<li[^>]*><a href="#([^"]*)">', page)
        assert targets == re.findall(r'<section[^>]* id="([^"]*)">', page)
        assert len(targets) > 8

    def test_the_answer_comes_first(self, page: str, findings: Findings) -> None:
        for paragraph in answer(findings):
            assert page.index(html.escape(paragraph)) < page.index("<svg")

    def test_significant_differences_are_marked_in_the_tables(self, page: str, findings: Findings) -> None:
        significant = [each for each in findings.differences if each.significant]
        assert significant
        assert page.count('<td class="significant">') == 3 * len(significant), (
            "by strength, by bot, and in the list of all"
        )

    def test_every_chart_has_a_name_and_the_colours_of_the_page(self, page: str) -> None:
        pictures = re.findall(r"<svg [^>]*>", page)
        assert len(pictures) > 5
        assert all('role="img" aria-label="' in picture for picture in pictures)
        assert "currentColor" in page
        assert "#010203" not in page

    def test_a_difference_that_is_the_same_in_every_deal_has_the_strongest_colour(self) -> None:
        def longer(job: Job, random: np.random.Generator) -> GameResult:
            return game(job, None, decisions=20 + 4 * job.variation)

        findings = findings_of(longer, 60, bots=("thumb",))
        colours = {each.measure.name: charts.signed_log_p(each) for each in findings.differences}
        assert (colours["decisions"], colours["draws"]) == (charts.LARGEST_LOG_P, 0.0)

    def test_the_chart_of_seats_has_every_side_of_every_variation(self) -> None:
        text = words_of(charts.seats(findings_of(first_wins, 4)))
        assert [word in text for word in ("side 1", "side 2", "side 3", "rank_block=any")] == [True, True, False, True]

    def test_the_chart_of_settled_leads_needs_a_lead_before_the_end(self) -> None:
        title = "How soon the winner leads for good"
        assert title in words_of(report_page(findings_of(first_wins, 4, TWO[:1], ("thumb",))))
        assert title not in words_of(report_page(findings_of(noisy(3.0, 1), 4, TWO[:1], ("thumb",))))

    def test_it_describes_the_bots(self, page: str) -> None:
        assert "thumb plays as the game's advice goes; regular thinks ahead now and then." in words_of(page)

    def test_a_bot_has_the_same_colour_in_all_charts(self) -> None:
        findings = findings_of(dramatic, 12, evaluated_deals=10)
        shown = charts.dots(findings, BY_NAME["decisions"]), charts.dots(findings, BY_NAME["drama"])
        assert [charts.COLOURS[1] in picture for picture in shown] == [True, True], "thumb's"
        assert [charts.COLOURS[0] in picture for picture in shown] == [True, False], "random's"

    def test_comparisons_without_a_difference_have_no_row(self) -> None:
        text = words_of(report_page(findings_of(first_wins, 4, bots=("thumb",))))
        assert re.search(r"(\d+) of them have an adjusted p-value of 1 and are left out", text)
        assert "0.0 (0.0 to 0.0)" not in text

    def test_one_variation_has_no_comparisons(self) -> None:
        text = words_of(report_page(findings_of(first_wins, 10, TWO[:1], ("thumb",))))
        assert "All comparisons" not in text
        assert "Skill and cards" not in text
        assert "Among thumb" in text

    def test_the_report_names_the_evaluator_of_win_probabilities_and_its_budget(self) -> None:
        text = words_of(report_page(findings_of(dramatic, 12, evaluated_deals=10)))
        mean = "The mean of 10 games of each variation, those with a sole winner, by 32 determinizations for each seat."
        assert mean in text
        assert "A thin line for each of 10 games with a sole winner, a bold one for the mean" in text
        assert "determinizations of a seat's observation, played on by the rule of thumb, 32 for each seat" in text
        assert "--evaluated-deals 10 --determinizations 32" in text

    def test_a_lead_history_has_the_first_games_of_many_and_the_mean_of_all(self) -> None:
        number = charts.MOST_HISTORY_GAMES + 2
        text = words_of(report_page(findings_of(drama_in(number), number, evaluated_deals=number)))
        lines = f"each of the first {number - 2} of {number} games with a sole winner, a bold one for the mean; by 32"
        assert lines in text

    def test_a_variation_whose_evaluated_games_are_all_drawn_has_no_lead_history(self) -> None:
        def play(job: Job, random: np.random.Generator) -> GameResult:
            won = dramatic(job, random)
            return replace(won, winners=(0, 1), scores=(1, 1)) if job.variation else won

        text = words_of(report_page(findings_of(play, 12, evaluated_deals=10)))
        assert "Lead histories: defaults" in text
        assert "Lead histories: rank_block=any" not in text
        shown = text.split("  Security  ")[1].split("CardStock")[0]
        assert re.fullmatch(r"part of .* places   0\.82 [\d.]+ to [\d.]+ +", shown), "the second column is empty"

    def test_it_replaces_the_previous_report(self, page: str, tmp_path: Path) -> None:
        (tmp_path / "report.html").write_text("before")
        write_report(tmp_path / "report.html", page)
        assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")
        assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


class TestPrintedReport:
    def test_reference_tables_are_marked_as_details_in_the_page_and_its_contents(self, page: str) -> None:
        details = re.findall(r'<section class="detail" id="([^"]*)"', page)
        assert details == ["published-measures", "all-comparisons", "among-thumb", "among-random"]
        assert '<section id="among-regular">' in page
        assert re.findall(r'<li class="detail"><a href="#([^"]*)"', page) == details

    def test_it_has_contents_and_names_the_omitted_tables(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        printed: list[str] = []
        monkeypatch.setattr(report_module, "write_pdf", lambda file, page: printed.append(page))
        sections = (
            '<section class="detail" id="a"><h2>Long table</h2></section><section id="b"><h2>Short</h2></section>'
        )
        shown = f"{contents(sections)}{sections}"
        write_printed_report(
            tmp_path / "r.pdf", f"<html><head><style></style></head><body><main>{shown}</main></body></html>"
        )
        assert "Only in the report as a page (HTML): Long table." in printed[0]
        assert "target-counter(attr(href), page)" in printed[0]


class TestCommand:
    def test_the_printed_command_repeats_the_study(self) -> None:
        setups = (*TWO, Setup(TRICKS, 2, {"rank_block": "any", "stall_turns": 9}))
        findings = findings_of(first_wins, 2, setups, ("thumb", "search:effort=80,tree=1"))
        words = shlex.split(command(findings))
        assert words[:3] == ["parlour", "study", "three-tricks"]
        listed = [words[place + 1] for place, word in enumerate(words) if word == "--variation"]
        assert listed_variations(TRICKS, 2, map(options_of, listed)) == list(setups)
        assert bots_of(words[words.index("--bots") + 1]) == findings.study.bots
        assert words[words.index("--deals") + 1] == "2"
        assert words[words.index("--evaluated-deals") + 1] == "0", "the command would tell chances by itself"

    def test_it_names_the_time_of_external_bots_if_it_is_not_the_usual_one(self, findings: Findings) -> None:
        assert "--move-time" not in command(findings)
        slow = Findings(replace(findings.study, move_time=2.5), [])
        assert command(slow).endswith(" --move-time 2.5")

    def test_it_names_the_precision_the_records_and_the_games_of_people_if_the_study_has_them(
        self, findings: Findings, tmp_path: Path
    ) -> None:
        assert not {"--until", "--records", "--people", "--judged"} & set(shlex.split(command(findings)))
        file = tmp_path / "one game.jsonl"
        with RecordWriter(str(file)) as writer:
            writer.write(parlour.play(findings.study.setups[0], ["random", "random"], seed=1).record())
        study = replace(findings.study, records=True)
        until, people = Precision("decisions within 2, win share within 9", study), People(study, [str(file)], 30)
        words = shlex.split(command(Findings(study, [], until, people)))
        assert words[words.index("--until") :] == [
            *("--until", "decisions within 2, win share within 9", "--records", "--out", "FOLDER"),
            *("--people", str(file), "--judged", "30"),
        ]

    def test_that_of_one_variation_plays_the_same_deals(self, findings: Findings) -> None:
        until = Precision("wins within 2", findings.study)
        alone = shlex.split(variation_command(Findings(findings.study, [], until), 0))
        assert alone.count("--variation") == 1
        assert "--until" not in alone

    def test_the_command_is_in_the_report(self, page: str, findings: Findings) -> None:
        assert html.escape(command(findings)) in page


@pytest.mark.page
class TestInABrowser:
    @pytest.fixture
    def shown_page(self, chromium, page: str, tmp_path: Path):
        (tmp_path / "report.html").write_text(page)
        context = chromium.new_context(java_script_enabled=True, offline=True)
        opened = context.new_page()
        opened.set_default_timeout(120_000)
        opened.goto((tmp_path / "report.html").as_uri())
        yield opened
        context.close()

    def test_axe_finds_no_fault_in_light_and_dark(self, shown_page) -> None:
        assert violations(shown_page) == []

    def test_on_a_phone_only_tables_are_wider_than_the_screen(self, shown_page) -> None:
        shown_page.set_viewport_size({"width": 360, "height": 740})
        assert shown_page.evaluate("document.documentElement.scrollWidth") <= 360
        assert shown_page.evaluate("Math.max(...[...document.querySelectorAll('svg')].map(s => s.clientWidth))") <= 328

    def test_printing_is_white_and_complete_from_a_dark_screen_too(self, shown_page) -> None:
        shown_page.emulate_media(media="print", color_scheme="dark")
        shown_page.set_viewport_size({"width": 680, "height": 960})  # A4 within its margins
        assert shown_page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert shown_page.evaluate("document.documentElement.scrollWidth") <= 680
