"""Help for newcomers: a first game, explained words, the way back from a wrong address."""

import re

import pytest
from playwright.sync_api import expect

from parlour.games import all_games
from tests.page.bot_tables import late_table
from tests.page.play import PATIENCE, play_a_card, wait_for_turn

GAMES = all_games()


class TestTheLanding:
    def test_it_recommends_a_game_until_one_has_been_played(self, room):
        page = room.page()
        page.goto(room.address)
        expect(page.locator(".game").first).to_contain_text("Start here: the shortest lesson, 6 minutes")
        minutes = [int(text.split()[0]) for text in page.locator(".game .learn small").all_inner_texts()]
        assert minutes == sorted(minutes)
        known = room.page(met=["three-tricks"])
        known.goto(room.address)
        expect(known.locator(".game")).to_have_count(len(GAMES))
        expect(known.locator(".start-here")).to_have_count(0)

    def test_it_has_the_rules_and_credits_of_all_games(self, room):
        page = room.page()
        page.goto(room.address)
        about = page.locator(".about-parlour")
        for game in GAMES:
            expect(about).to_contain_text(game.credit)
        about.get_by_role("button", name="Castle Walls").click()
        expect(page.locator("[data-sheet=rules] [data-clause]").first).to_be_attached()

    def test_the_pictures_can_be_stopped(self, room):
        with room.browser.new_context() as context:
            context.set_default_timeout(1000 * PATIENCE)
            page = context.new_page()
            page.clock.install()
            page.goto(room.address)
            page.wait_for_selector(".picture .board [data-card]")
            page.get_by_role("button", name="Stop the pictures").click()
            page.reload()
            page.wait_for_selector(".picture .board [data-card]")
            expect(page.get_by_role("button", name="Let the pictures run")).to_be_visible()
            before = page.locator(".picture").first.inner_html()
            page.clock.run_for(10_000)
            assert page.locator(".picture").first.inner_html() == before

    def test_a_name_is_kept_in_the_settings(self, room):
        page = room.page(name="")
        page.goto(room.address)
        page.get_by_role("button", name="Settings").click()
        page.get_by_label("Your name").fill("Nora")
        page.keyboard.press("Escape")
        page.goto(f"{room.address}/games/three-tricks")
        expect(page.locator("#your-name")).to_have_value("Nora")


class TestSettingUp:
    @pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
    def test_every_value_of_an_option_has_a_name_in_words(self, room, game):
        page = room.page()
        page.goto(f"{room.address}/games/{game.id}")
        names = page.locator(".option-name label")
        expect(names).to_have_count(len(game.options))
        page.locator(".more-options summary").click()
        assert [text for text in names.all_inner_texts() if not text or "_" in text] == []
        fixed = len(game.players) == 1
        expect(page.locator("input[name=players]")).to_have_count(0 if fixed else len(game.players))
        expect(page.locator(".players-fixed")).to_have_count(int(fixed))

    def test_an_option_opens_its_rule(self, room):
        page = room.page()
        page.goto(f"{room.address}/games/trick-walls")
        page.get_by_role("button", name="Rule 21").click()
        expect(page.locator(".rules .asked-for")).to_contain_text("Kill balance")

    def test_bots_for_study_are_a_group_of_their_own(self, room):
        page = room.page()
        page.goto(f"{room.address}/games/castle-walls")
        studied = page.locator("#seat-1 optgroup[label='Bots for study'] option")
        expect(studied).to_have_text(["Rule of thumb", "Random"])

    def test_the_form_for_friends_announces_the_link(self, room):
        page = room.page()
        page.goto(f"{room.address}/games/castle-walls")
        page.locator("#seat-1").select_option("open")
        expect(page.get_by_role("button", name="Open the table")).to_be_visible()
        expect(page.locator(".setup-go")).to_contain_text("The link for your friends comes next")


class TestAtTheTable:
    def test_words_of_the_game_are_explained_once_at_their_first_occurrence(self, room):
        page = room.page()
        room.sit(page, room.table())
        gloss = page.locator(".side-panel .gloss", has_text=re.compile("^(Killed|Stands): "))
        while not gloss.count():
            play_a_card(page)
        explained = gloss.all_inner_texts()
        assert len(set(explained)) == len(explained)
        gloss.first.get_by_role("button").click()
        expect(page.locator(".rules .asked-for")).to_be_in_viewport()
        word = explained[0].split(":")[0]
        room.sit(page, room.table())
        lines = page.locator(".side-panel .log li", has_text=re.compile(rf"\b{word}\b", re.IGNORECASE))
        while not lines.count():
            assert play_a_card(page) != "end", f"nothing was {word} in a whole round"
        expect(page.locator(".side-panel .gloss", has_text=re.compile(f"^{word}: "))).to_have_count(0)

    def test_u_says_why_nothing_can_be_taken_back(self, room):
        page = room.page()
        room.sit(page, room.table())
        wait_for_turn(page)
        page.keyboard.press("u")
        expect(page.locator(".note")).to_contain_text("taken back")

    def test_points_between_two_sides_name_their_side(self, room):
        page = room.page()
        room.sit(page, late_table(room))
        while play_a_card(page) != "end":
            pass
        numbers = page.locator("[data-sheet=end] .score-lines .number").all_inner_texts()
        assert numbers
        assert [text for text in numbers if not re.fullmatch(r"(red|black) \+\d+|0", text)] == []

    def test_the_ways_from_the_end_have_hints(self, room):
        page = room.page()
        room.sit(page, late_table(room))
        while play_a_card(page) != "end":
            pass
        end = page.locator("[data-sheet=end]")
        expect(end.locator("h2")).to_have_text(re.compile(r"You and \w+ (win|lose) by|A draw"))
        for name in ("Replay", "Download the record", "All games"):
            expect(end.get_by_role("link", name=name)).to_be_visible()
        expect(end).to_contain_text("the whole game, step by step, with every card open")


def test_a_wrong_address_leads_back_to_the_games(room):
    room.expected = ("404",)
    page = room.page()
    page.goto(f"{room.address}/nothing/here")
    expect(page.locator("main")).to_contain_text("There is no page at this address.")
    page.get_by_role("link", name="Back to the games").click()
    expect(page.locator(".game")).to_have_count(len(GAMES))
