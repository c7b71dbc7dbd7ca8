"""Puzzles on the page: the games, a try, the verdict and the next."""

import json

from playwright.sync_api import expect

from parlour.puzzles.puzzle_file import shipped_puzzles
from tests.page.axe import violations
from tests.page.pictures import resize

GAME = "castle-walls"
OWN_CARDS_VISIBLE = """() => {
    const [own, hand] = ['.board .own', '.hand'].map(place => document.querySelector(place).getBoundingClientRect());
    return own.bottom <= hand.top + 1;
}"""


def test_a_player_tries_a_puzzle_and_goes_on_to_the_next(room):
    page = room.page(390, 844)
    page.goto(room.address)
    page.click(".puzzle-way a")
    expect(page.locator(f"[data-game={GAME}]")).to_contain_text("puzzles")
    assert violations(page) == []

    ends = [each for each in shipped_puzzles(GAME).puzzles if each.best.do == "end"]
    puzzle = min(ends, key=lambda each: len(each.events))  # early, before the graveyard has become the deck
    page.goto(f"{room.address}/puzzles/{GAME}#{puzzle.id}")
    page.click("[data-button=end]")
    expect(page.locator(".puzzle-right")).to_have_text("Right!")
    expect(page.locator(".puzzle-actions .best")).to_contain_text("best, yours")
    expect(page.locator("[data-place=standing]")).to_contain_text("1 of 1 solved")
    page.wait_for_function(OWN_CARDS_VISIBLE)  # the verdict speaks of them
    assert violations(page) == []
    kept = json.loads(page.evaluate("localStorage['parlour-puzzles']"))[GAME]
    assert (kept["standing"]["streak"], kept["tried"]) == (1, [puzzle.id])

    page.keyboard.press("n")
    expect(page.locator("[data-way=skip]")).to_be_visible()
    assert page.evaluate("location.hash") != f"#{puzzle.id}"
    page.goto(f"{room.address}/puzzles/{GAME}#{puzzle.id}")
    page.reload()
    expect(page.locator(".coach-words")).to_contain_text("does not count")
    resize(page, (740, 360))
    expect(page.locator("[data-button=end]")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_verdict_on_a_phone_leaves_the_walls_of_four_players_uncovered(room):
    page = room.page(390, 844)
    puzzle = shipped_puzzles("trick-walls").puzzles[0]
    page.goto(f"{room.address}/puzzles/trick-walls#{puzzle.id}")
    page.locator(".my-turn .may").first.click()
    expect(page.locator(".puzzle-actions")).to_be_visible()
    page.wait_for_function(OWN_CARDS_VISIBLE)


def test_the_bars_of_all_actions_in_a_verdict_have_one_length(room):
    page = room.page()
    puzzle = next(each for each in shipped_puzzles(GAME).puzzles if each.best.do == "end")
    page.goto(f"{room.address}/puzzles/{GAME}#{puzzle.id}")
    page.click("[data-button=end]")
    bars = page.locator(".hint-bar")
    expect(bars.nth(1)).to_be_visible()
    assert len(set(bars.evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect().width.toFixed(1))"))) == 1


def test_the_words_of_a_puzzle_show_the_focus_of_the_keyboard(room):
    page = room.page()
    page.goto(f"{room.address}/puzzles/{GAME}")
    page.locator(".puzzle-theme").focus()
    page.keyboard.press("Tab")
    words = page.locator(".coach-words")
    expect(words).to_be_focused()
    expect(words).to_have_css("outline-style", "solid")


def test_themes_are_chosen_by_their_titles(room):
    page = room.page()
    page.context.add_cookies([{"name": "language", "value": "de", "url": room.address}])
    page.goto(f"{room.address}/puzzles/{GAME}")
    expect(page.locator(".puzzle-theme")).to_be_visible()
    page.context.clear_cookies()  # later tests have the page in English
    titles = page.locator(".puzzle-theme option").all_inner_texts()
    assert "Nicht das Naheliegende" in titles
    assert titles[1:] == sorted(titles[1:])
    themes = {puzzle.id: puzzle.themes for puzzle in shipped_puzzles(GAME).puzzles}
    page.wait_for_function("() => location.hash.length > 1")
    before = page.evaluate("location.hash.slice(1)")
    values = page.locator(".puzzle-theme option").evaluate_all("options => options.map(each => each.value)")
    other = next(value for value in values[1:] if value not in themes[before])
    page.locator(".puzzle-theme").select_option(other)
    page.wait_for_function("before => location.hash.slice(1) !== before", arg=before)
    assert other in themes[page.evaluate("location.hash.slice(1)")]


def test_a_try_whose_answer_was_lost_can_be_repeated(room):
    page = room.page()
    puzzle = next(each for each in shipped_puzzles(GAME).puzzles if each.best.do == "end")
    room.expected = ("ERR_FAILED",)
    page.goto(f"{room.address}/puzzles/{GAME}#{puzzle.id}")
    expect(page.locator("[data-button=end]")).to_be_visible()
    address = f"**/api/puzzles/{GAME}/{puzzle.id}"
    page.route(address, lambda route: route.abort())
    page.click("[data-button=end]")
    expect(page.locator(".note")).to_contain_text("does not answer")
    assert page.evaluate("localStorage['parlour-puzzles']") is None
    page.unroute(address)
    page.click("[data-button=end]")
    expect(page.locator(".puzzle-right")).to_have_text("Right!")
    expect(page.locator("[data-place=standing]")).to_contain_text("1 of 1 solved")
