"""Every moment at every size, against reference pictures and without layout faults.

``make pictures`` takes the pictures anew. Look at what has changed before you keep it.
"""

import pytest

from tests.page.layout_faults import faults
from tests.page.moments import GAMES, OTHERS
from tests.page.pictures import DIFFERENT, KEPT, MOST, STAYS, Album, resize, share_of_differences, take

SIZES = [(1280, 800), (1101, 800), (390, 844), (360, 640), (740, 360)]
DESKTOP, PHONE, LOW = (1280, 800), (390, 844), (740, 360)
BETWEEN = [(768, 1024), (844, 390), (640, 400), (1366, 650), (1024, 600), (1280, 720)]
"""Sizes of the games' moments that are checked for layout faults only."""
MOMENTS = {**GAMES, **OTHERS}
ALBUMS = {name: Album(name, {"light": SIZES, "dark": [DESKTOP, PHONE]}) for name in GAMES}
ALBUMS |= {name: Album(name, {"light": [DESKTOP, PHONE, LOW], "dark": [PHONE]}) for name in OTHERS}


@pytest.mark.parametrize("name", MOMENTS)
def test_a_moment_matches_its_picture_and_has_no_layout_faults(room, name):
    page, album = room.page(*SIZES[0]), ALBUMS[name]
    page.add_init_script(STAYS)
    MOMENTS[name](page, room.address)
    wrong, rows = {}, []
    for scheme, sizes in album.views.items():
        rows.append([])
        for size in sizes:
            resize(page, size, scheme)
            if size not in wrong:
                wrong[size] = faults(page)
            rows[-1].append(take(page))
    for size in BETWEEN if name in GAMES else BETWEEN[:3]:
        resize(page, size, "light")
        wrong[size] = faults(page)
    assert {size: what for size, what in wrong.items() if what} == {}
    assert album.compare(rows) == {}, f"old, new and difference lie in {DIFFERENT}"


def test_every_picture_belongs_to_a_moment():
    assert {path.stem for path in KEPT.iterdir()} == set(MOMENTS)


BROKEN = {
    "a bar of twice its height": ("six-players", (740, 360), ".bar { min-height: 104px !important; }"),
    "a card of the hand cut off": ("castle-walls", (1280, 800), ".slot:last-child .card { clip-path: inset(0 50%); }"),
    "the own places under the hand": ("replay", (1280, 800), ".board .at-0 { translate: 0 40px; }"),
    "a line of the hand gone": ("thirteen-cards", (390, 844), ".fan-line:last-child { visibility: hidden; }"),
    "a hand that is not centred": ("three-tricks", (1101, 800), ".hand { translate: 12px 0; }"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_broken_layouts_are_noticed(room, what):
    name, size, rule = BROKEN[what]
    page, album = room.page(*size), ALBUMS[name]
    MOMENTS[name](page, room.address)
    resize(page, size, "light")
    old = album.kept()[0][album.views["light"].index(size)]
    assert share_of_differences(old, take(page)) <= MOST
    page.evaluate(BREAK, rule)
    assert share_of_differences(old, take(page)) > 1.5 * MOST


BREAK = """rule => {
    const broken = new CSSStyleSheet();
    broken.replaceSync(rule);
    document.adoptedStyleSheets = [broken];
}"""
