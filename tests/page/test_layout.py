"""Measures of the layout: sizes, colour schemes, labels."""

import math
import re
from random import Random

import pytest
from playwright.sync_api import expect

from parlour.render.layouts import find_layout
from tests.page.layout_checks import DOWNWARDS, SIDEWAYS, SPILLED, TARGETS, WIDER_THAN_PARENT
from tests.page.layout_faults import faults
from tests.page.pictures import resize
from tests.page.play import by_mouse, choose_on, play_a_card, wait_for_turn
from tests.page.staged_tables import NAMES, StagedTable, open_lesson_step, open_table, own_turn, random_match


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_phone_needs_no_horizontal_scrolling(room, players):
    page = room.page(360, 740)
    room.sit(page, room.table(players=players))
    for _ in range(3):
        play_a_card(page)
        wait_for_turn(page)
        for width, height in ((390, 844), (360, 740)):
            resize(page, (width, height))
            assert page.evaluate(SIDEWAYS) <= 0
            assert page.evaluate(SPILLED) == []
            assert page.evaluate(TARGETS) == []


def test_a_phone_has_the_sound_in_its_bar_and_the_settings_in_its_help(room):
    page = room.page(360, 740, sound=True)
    room.sit(page, room.table())
    wait_for_turn(page)
    page.locator("[data-tool=sound]").click()
    expect(page.locator("[data-tool=sound]")).to_have_attribute("aria-pressed", "false")
    page.locator("[data-tool=help]").click()
    page.get_by_role("button", name="Settings: pace").click()
    expect(page.locator("[data-sheet=settings]")).to_be_visible()


def test_a_long_hand_fits_a_narrow_phone(room):
    page = room.page(360, 740)
    room.sit(page, room.table(options={"rounds": 1, "long_run": True}))
    wait_for_turn(page)
    expect(page.locator(".hand .card")).to_have_count(13)
    assert page.evaluate(SPILLED) == []
    visible = page.evaluate(
        "[...document.querySelectorAll('.hand .slot')].map(slot => slot.getBoundingClientRect().width)"
    )
    assert min(visible) >= 44


HAND_OF = """async number => {
    const { drawScene } = await import('/page/js/scene/scene_view.js');
    const names = [...'CDHS'].flatMap(suit => [...'23456789TJQKA'].map(rank => rank + suit)).slice(0, number);
    const cards = names.map(card => ({ card, face_up: true, mark: '', do: card, by: '', area: '', token: card }));
    const rows = [{ id: 'hand', label: 'Hand', style: 'hand', cards, hidden: 0, do: null, token: null }];
    const own = { id: 'own', title: 'You', side: '', seat: 0, at: 0, active: true, notes: [], points: null };
    const selection = { tokens: new Set(names), picked: new Set(), knows: () => true };
    const scene = { areas: [{ ...own, rows }], choices: [], legal: names, seat: 0, rest: false };
    const [board, hand] = ['.board', '.hand'].map(place => document.querySelector(place));
    drawScene(board, hand, scene, { live: true, gathered: false, peeked: new Set(), selection });
}"""
HARD_TO_HIT = """() => [...document.querySelectorAll('.hand .card')].filter(card => {
    card.scrollIntoView({ block: 'nearest' });
    const { left, top } = card.getBoundingClientRect();
    const hit = (x, y) => card.contains(document.elementFromPoint(left + x, top + y));
    return ![[2, 2], [26, 2], [2, 42], [26, 42]].every(([x, y]) => hit(x, y));
}).map(card => card.dataset.card)"""


@pytest.mark.parametrize(("size", "most"), [((360, 740), 11), ((740, 360), 8)])
def test_a_finger_can_hit_every_card_of_any_hand_and_a_line_takes_what_fits(room, size, most):
    page = room.page(*size)
    room.sit(page, room.table())
    wait_for_turn(page)
    for number in (most, most + 1, 15, 20, 26):
        page.evaluate(HAND_OF, number)
        assert page.locator(".hand .card").count() == number
        assert page.locator(".fan-line").count() == math.ceil(number / most)
        assert page.evaluate(SPILLED) == []
        assert page.evaluate(HARD_TO_HIT) == [], number


SEEN_OF_LINES = """() => [...document.querySelectorAll('.fan-line')].map((line, at, lines) => {
    const box = thing => thing.getBoundingClientRect();
    const next = lines[at + 1];
    const [first, below] = [line, next].map(one => one && box(one.querySelector('.card')));
    return below ? (below.top - first.top) / first.height : 1;
})"""
"""The visible share of the height of each line of the hand."""


@pytest.mark.parametrize(
    ("size", "people", "least"),
    [((360, 640), 1, 1), ((740, 360), 1, 1), ((360, 640), 2, 0.7), ((740, 360), 2, 0.7)],
)
def test_lines_of_a_hand_overlap_only_when_a_notice_needs_the_space(room, size, people, least):
    wish = {"there": [0, 1], "undo_request": {"seat": 1, "waiting": [0]}} if people > 1 else {}
    match = random_match("trick-walls", 4, 3, options={"long_run": True})
    page = room.page(*size)
    open_table(page, room.address, StagedTable(match, people=people, company=wish))
    expect(page.locator(".fan-line")).to_have_count(2)
    assert min(page.evaluate(SEEN_OF_LINES)) >= least
    assert page.evaluate(HARD_TO_HIT) == []
    assert faults(page) == []


PILES_ABOVE = """() => {
    const boxes = selector => [...document.querySelectorAll(selector)].map(thing => thing.getBoundingClientRect());
    const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
    const piles = boxes('.commons .pile');
    const places = boxes('.area .laid, .area .area-head, .played .card');
    return [piles.length, piles.filter(pile => places.some(place => meet(pile, place))).length];
}"""


@pytest.mark.parametrize("players", [4, 5, 6])
def test_the_middle_does_not_cover_the_areas(room, players):
    page = room.page(360, 640)
    room.sit(page, room.table(players=players, game="tricky-tribes"))
    for _ in range(3):
        wait_for_turn(page)
        for width, height in ((360, 640), (390, 844)):
            resize(page, (width, height))
            piles, over = page.evaluate(PILES_ABOVE)
            assert piles
            assert over == 0
        choose_on(page, Random(2), by_mouse(page))


@pytest.mark.parametrize("players", [4, 6])
def test_a_phone_in_landscape_does_not_break_names(room, players):
    page = room.page(740, 360)
    room.sit(page, room.table(players=players, game="tricky-tribes"))
    wait_for_turn(page)
    heights = page.evaluate("[...document.querySelectorAll('.area-name')].map(name => name.offsetHeight)")
    assert len(heights) == players
    assert max(heights) < 24
    assert page.evaluate("document.querySelector('.bar').offsetHeight") <= 46


LENGTHENED = """name => [...document.querySelectorAll('.board .area-name')].map(each => {
    each.textContent = name;
    return each.scrollWidth <= each.clientWidth;
})"""


@pytest.mark.parametrize("game", ["trick-walls", "tricky-tribes"])
def test_a_name_is_as_long_as_the_line_has_room(room, game):
    page = room.page(1920, 1080)
    room.sit(page, room.table(players=6, game=game))
    wait_for_turn(page)
    name = "Aleksanteri Aho"
    assert page.evaluate(LENGTHENED, name) == [True] * 6
    assert page.evaluate(LENGTHENED, 9 * name) == [False] * 6
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(SPILLED) == []


NEAREST = """() => {
    const middle = thing => {
        const { left, top, width, height } = thing.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    };
    const areas = [...document.querySelectorAll('.board .area')];
    const centre = middle(document.querySelector('.middle'));
    const towards = thing => {
        const [x, y] = middle(thing);
        return Math.atan2(y - centre[1], x - centre[0]);
    };
    const turn = (one, other) => Math.abs(Math.atan2(Math.sin(one - other), Math.cos(one - other)));
    return [...document.querySelectorAll('.middle .played .card')].map(card => {
        const off = area => turn(towards(area), towards(card));
        return [card.dataset.from, areas.reduce((best, area) => (off(area) < off(best) ? area : best)).dataset.area];
    });
}"""


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_each_card_of_a_trick_lies_towards_its_player(room, players):
    page = room.page()
    match = random_match(
        "tricky-tribes", players, 20, until=lambda match: own_turn(match) and in_trick(match) == players - 1
    )
    open_table(page, room.address, StagedTable(match))
    for size in ((1280, 800), (390, 844), (740, 360)):
        resize(page, size, "light")
        towards = page.evaluate(NEAREST)
        assert len(towards) == players - 1
        assert [pair for pair in towards if pair[0] != pair[1]] == [], size


def note_trumps(scene):
    """Add a note to the middle of a scene."""
    middle = next(area for area in scene["areas"] if area["at"] is None)
    middle["notes"] = ["trumps: diamonds"]


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_a_note_of_the_middle_lies_beside_the_trick_with_its_words_whole(room, players):
    page = room.page(1200, 900)
    match = random_match(
        "tricky-tribes", players, 20, until=lambda match: own_turn(match) and in_trick(match) == players - 1
    )
    open_table(page, room.address, StagedTable(match, edit=note_trumps))
    for size in ((1200, 900), (1280, 800)):
        resize(page, size, "light")
        assert page.locator(".middle-notes").is_visible()
        assert faults(page) == [], size


def in_trick(match):
    """Return the number of cards in the middle."""
    scene = find_layout(match.game.id).lay_out(match.observation(0), NAMES, None)
    return sum(len(row.cards) for area in scene.areas for row in area.rows if row.style == "trick")


def test_the_end_stands_beside_the_last_trick_and_one_key_plays_again(room):
    page = room.page()
    match = random_match("trick-walls", 4, 0, {"rounds": 1}, seed=2, until=lambda match: match.over)
    open_table(page, room.address, StagedTable(match))
    for size in ((1280, 800), (390, 844), (360, 640), (740, 360)):
        resize(page, size, "light")
        assert faults(page) == [], size
        assert page.evaluate(COVERED_BY_THE_END) == [False] * 4, size
    expect(page.locator("[data-sheet=end] [data-go=again]")).to_be_focused()


COVERED_BY_THE_END = """() => {
    const end = document.querySelector('[data-sheet=end]').getBoundingClientRect();
    return [...document.querySelectorAll('.played .card')].map(card => card.getBoundingClientRect()).map(
        ({ right, bottom }) => right > end.left && bottom > end.top);
}"""


def test_notes_of_the_middle_are_visible_beside_a_trick(room):
    def note(scene):
        middle = next(area for area in scene["areas"] if area["at"] is None)
        middle["notes"] = ["8 bid for 10 tricks"]

    page = room.page()
    open_table(page, room.address, StagedTable(random_match("trick-walls", 4, 22), edit=note))
    for width, height in ((1280, 800), (390, 844)):
        resize(page, (width, height))
        expect(page.locator(".middle .area-note")).to_be_visible()
        assert faults(page) == []


def test_the_setup_page_fits_a_narrow_phone(room):
    page = room.page(360, 740)
    page.goto(f"{room.address}/games/trick-walls")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(TARGETS) == []


NARROW_NAMES = """() => [...document.querySelectorAll('.option-name')].filter(name =>
    name.getBoundingClientRect().width < name.closest('.option').getBoundingClientRect().width / 2
).map(name => name.textContent)"""


@pytest.mark.parametrize(("width", "kept"), [(320, {}), (390, {}), (861, {}), (861, {"large": True})])
@pytest.mark.parametrize("game", ["trime-kicker", "tricky-tribes"])
def test_the_value_of_an_option_leaves_its_name_half_of_the_form(room, game, width, kept):
    page = room.page(width, 740, **kept)
    page.context.add_cookies([{"name": "language", "value": "es", "url": room.address}])
    page.goto(f"{room.address}/games/{game}")
    page.locator(".more-options > summary").click()
    expect(page.locator(".option-name:visible")).not_to_have_count(0)
    assert page.evaluate(NARROW_NAMES) == []


@pytest.mark.parametrize(("size", "path"), [((320, 256), ""), ((480, 270), ""), ((320, 256), "/learn/castle-walls")])
def test_a_low_and_narrow_window_scrolls_the_whole_page_past_its_bar(room, size, path):
    page = room.page(*size)
    if path:
        page.goto(room.address + path)
        page.wait_for_selector(".coach-words p")
        assert page.locator(".coach-words").evaluate("words => words.scrollHeight - words.clientHeight") <= 0
    else:
        room.sit(page, room.table(2, {}, game="castle-walls"))
        wait_for_turn(page)
    page.mouse.wheel(0, 10_000)
    expect(page.locator(".hand .card").first).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".bar")).not_to_be_in_viewport()
    board, dock = [page.locator(part).bounding_box() for part in (".board", ".dock")]
    assert board["y"] + board["height"] <= dock["y"] + 1


SPACED = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em; }');
    document.adoptedStyleSheets = [sheet];
}"""
"""Sets the text spacing that readers may set themselves (WCAG 1.4.12)."""
BROKEN_WORDS = """selector => [...document.querySelectorAll(selector)].flatMap(({ childNodes: [text] }) =>
    [...text.data.matchAll(/\\S+/g)].filter(word => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length > 1;
    }).map(word => word[0]))"""


@pytest.mark.parametrize(("path", "words"), [("/puzzles", ".puzzle-list .button"), ("/club", ".seat-line > span")])
def test_readers_spacing_of_text_breaks_no_word_of_a_narrow_phone(room, path, words):
    page = room.page(320, 640)
    page.context.add_cookies([{"name": "language", "value": "de", "url": room.address}])
    page.goto(room.address + path)
    expect(page.locator(words)).not_to_have_count(0)
    page.evaluate(SPACED)
    assert page.evaluate(BROKEN_WORDS, words) == []
    assert page.evaluate(SIDEWAYS) <= 0


@pytest.mark.parametrize("players", [5, 6])
def test_large_print_on_a_phone_in_landscape_keeps_each_wall_below_its_own_name(room, players):
    page = room.page(740, 360, large=True)
    open_table(page, room.address, StagedTable(random_match("trick-walls", players, 70)))
    assert [fault for fault in faults(page) if ".heading" not in fault] == []


@pytest.mark.parametrize("place", ["form", "table"])
def test_the_rules_are_printed_alone_and_whole(room, place):
    page = room.page()
    if place == "table":
        room.sit(page, room.table(game="castle-walls", players=2, options={}))
        wait_for_turn(page)
        page.keyboard.press("r")
    else:
        page.goto(f"{room.address}/games/castle-walls")
        page.get_by_role("button", name="Read the rules").click()
    last = page.locator(".rules > :last-child")
    expect(last).to_contain_text("rule 27")
    page.emulate_media(media="print")
    expect(page.locator("#app")).to_be_hidden()
    whole = page.locator("dialog.sheet").evaluate("sheet => sheet.getBoundingClientRect().bottom")
    assert last.evaluate("words => words.getBoundingClientRect().bottom") <= whole
    assert page.locator(".sheet-body").evaluate("body => body.scrollHeight - body.clientHeight") == 0
    page.emulate_media(media="screen")


ENLARGED = """() => {
    const texts = [...document.querySelectorAll('main *, .bar *, .coach *')].filter(thing =>
        !thing.closest('.picture, .unseen')
        && [...thing.childNodes].some(node => node.nodeType === 3 && node.data.trim()));
    const sizes = () => texts.map(thing => parseFloat(getComputedStyle(thing).fontSize));
    const before = sizes();
    document.documentElement.classList.add('large');
    return sizes().map((size, at) => [texts[at].className || texts[at].tagName, size / before[at]]);
}"""


@pytest.mark.parametrize("path", ["/", "/games/trick-walls", "/learn/trick-walls"])
def test_large_print_enlarges_every_text(room, path):
    page = room.page(360, 740)
    page.goto(room.address + path)
    page.wait_for_selector(".game .play, .setup .play, .coach-words p")
    enlarged = page.evaluate(ENLARGED)
    assert len(enlarged) > 5
    assert [text for text, by in enlarged if by != pytest.approx(1.25, rel=0.001)] == []
    assert page.evaluate(SIDEWAYS) <= 0


def test_a_large_screen_shows_the_whole_table_at_once(room):
    page = room.page()
    room.sit(page, room.table())
    play_a_card(page)
    wait_for_turn(page)
    for width, height in ((1280, 720), (1440, 900), (1920, 1080)):
        resize(page, (width, height))
        assert page.evaluate(SIDEWAYS) <= 0
        assert page.evaluate("(room => room.scrollHeight - room.clientHeight)(document.querySelector('.room'))") <= 1


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (640, 400)])
def test_a_table_is_no_higher_than_the_window(room, size):
    page = room.page(*size)
    room.sit(page, room.table(players=2, options={}, game="castle-walls"))
    wait_for_turn(page)
    assert page.evaluate(DOWNWARDS) == 0


@pytest.mark.parametrize("width", [390, 320])
def test_the_names_of_empty_slots_are_no_wider_than_the_slots_in_any_language(room, width):
    page = room.page(width, 844)
    page.context.add_cookies([{"name": "language", "value": "fr", "url": room.address}])
    open_lesson_step(page, room.address, "castle-walls", 1)
    page.context.clear_cookies()  # later tests have the page in English
    expect(page.locator(".place-name").first).to_contain_text("Case")
    assert page.evaluate(WIDER_THAN_PARENT, ".place-name") == []


CITED_RING = """() => {
    const cited = document.querySelector('button.cited');
    cited.focus();
    const { outlineStyle, outlineWidth, height } = getComputedStyle(cited, '::before');
    return [outlineStyle, parseFloat(height) + 2 * parseFloat(outlineWidth), cited.getBoundingClientRect().height];
}"""


def test_the_focus_ring_of_a_cited_rule_is_lower_than_its_target(room):
    page = room.page()
    page.goto(f"{room.address}/games/castle-walls")
    page.wait_for_selector("button.cited")
    style, ring, target = page.evaluate(CITED_RING)
    assert style == "solid"
    assert ring < 30  # more would cut through the line below
    assert target >= 44


def ground(page):
    """Return the sum of the three colours of the page's background, from 0 to 765."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3])


def test_the_colour_scheme_follows_the_device_or_the_setting(room):
    light, dark = room.page(), room.page(scheme="dark")
    light.goto(room.address)
    dark.goto(room.address)
    assert ground(light) > 600 > 200 > ground(dark)
    dark.get_by_role("button", name="Settings").click()
    dark.get_by_role("radio", name="Light").check()
    assert ground(dark) > 600
    dark.reload()
    dark.wait_for_selector(".play")
    assert ground(dark) > 600


def test_cards_have_names_with_their_legality(room):
    page = room.page()
    room.sit(page, room.table())
    wait_for_turn(page)
    label = page.locator(".hand .may").first.get_attribute("aria-label")
    assert re.fullmatch(r"(ace|king|queen|jack|\w+) of (clubs|diamonds|hearts|spades), legal", label)


def test_four_colours_distinguish_four_suits(room):
    page = room.page(deck="four")
    room.sit(page, room.table(options={"rounds": 1, "long_run": True}))
    wait_for_turn(page)
    suits = page.evaluate(
        """Object.fromEntries([...document.querySelectorAll('.hand .card')].map(card =>
        [card.dataset.card[1], getComputedStyle(card.querySelector('.suit')).fill]))"""
    )
    assert len(set(suits.values())) == len(suits)


def test_a_deck_is_chosen_by_its_picture_and_kept(room):
    page = room.page()
    page.goto(room.address)
    page.get_by_role("button", name="Settings").click()
    expect(page.locator(".preview .face")).to_have_count(9)
    page.get_by_role("radio", name="Large signs").check()
    page.get_by_role("radio", name="Waves").check()
    page.reload()
    page.wait_for_selector(".game .stage .pile .face")
    assert (
        page.evaluate("document.querySelector('.pile .face').classList.value") == "face of-back faces-large back-waves"
    )


def test_refused_options_say_why(room):
    page = room.page(players=6, game="trick-walls")
    page.goto(f"{room.address}/games/trick-walls")
    expect(page.get_by_label("Long run:")).to_be_disabled()
    expect(page.locator(".option", has_text="Long run:")).to_contain_text("two to four players")


def test_options_have_advice(room):
    page = room.page()
    page.goto(f"{room.address}/games/trick-walls")
    page.get_by_label("Long run:").click()
    page.get_by_label("Killed cards count against their side").click()
    expect(page.locator(".advice")).to_contain_text("advise against")
