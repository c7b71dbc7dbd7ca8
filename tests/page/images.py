"""Renders the page's icons and the pictures of link previews as PNG files.

``python -m tests.page.images ADDRESS`` takes the pictures of the games from the landing of the room at this address.
"""

import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from parlour.games import folder_of, game_ids
from parlour.render.page_folder import PAGE
from tests.conftest import CHROMIUM

ICON_SIZES = (180, 192, 512)
FULL_SIZE = "<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>"
PREVIEW = {"width": 1200, "height": 630}
CARD = """([game, title, words, icon]) => {
    document.querySelector(`[data-game] .face-${game}`)?.setAttribute("data-shown", "");
    const picture = document.querySelector("[data-shown]") ?? document.createElement("div");
    picture.classList.add("picture", "whole");
    const text = document.createElement("div");
    text.className = "preview-words";
    text.innerHTML = `<p>${icon}Parlour</p><h2>${title}</h2><p class="what">${words}</p>`;
    picture.append(text);
    document.body.replaceChildren(picture);
    const stage = picture.querySelector(".stage");
    if (!stage) return;
    const scale = Math.min(1.3, 600 / stage.offsetHeight);
    const [x, y] = [820 - (stage.offsetWidth * scale) / 2, 315 - (stage.offsetHeight * scale) / 2];
    picture.style.setProperty("--scale", `${scale}`);
    picture.style.setProperty("--place", `${x}px ${y}px`);
}"""
LOOKS = """
    .whole { position: fixed !important; inset: 0; width: 1200px; height: 630px; border: 0; aspect-ratio: auto; }
    .whole::before { opacity: .42 !important; }
    .whole { background: var(--cloth) !important; }
    .whole .stage { scale: var(--scale) !important; translate: var(--place) !important; }
    .whole .fan { position: absolute; right: 250px; top: 190px; --card-w: 140px !important; scale: 1.4; }
    .preview-words { position: absolute; left: 56px; top: 56px; bottom: 56px; width: 390px; display: flex;
        flex-direction: column; gap: 20px; color: #f3ead9; }
    .preview-words p { font-size: 30px; font-weight: 650; display: flex; gap: 14px; align-items: center; }
    .preview-words p svg { width: 44px; height: 44px; }
    .preview-words h2 { font-size: 84px; letter-spacing: -.03em; line-height: 1; margin-top: auto; }
    .preview-words .what { font-size: 29px; line-height: 1.3; font-weight: 500; margin-bottom: auto; }
"""


def write_icons(browser: Browser) -> None:
    """Write the icons for home screens: one square picture in several sizes."""
    drawing = (PAGE / "img" / "icon-square.svg").read_text(encoding="utf-8")
    for size in ICON_SIZES:
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(FULL_SIZE + drawing)
        page.screenshot(path=PAGE / "img" / f"icon-{size}.png")
        shrink(PAGE / "img" / f"icon-{size}.png")
        page.close()


def write_previews(browser: Browser, address: str) -> None:
    """Write the preview of each game into its folder: play on its cloth, its name, and what is unusual about it."""
    icon = (PAGE / "img" / "icon.svg").read_text(encoding="utf-8")
    for game in ["", *game_ids()]:
        context = browser.new_context(viewport=PREVIEW, bypass_csp=True, reduced_motion="reduce", color_scheme="light")
        page = context.new_page()
        if not game:  # the room itself: a fan of cards, as before the scenes have arrived
            page.route("**/show", lambda route: route.abort())
        page.goto(address)
        page.wait_for_selector(".game .fan" if not game else f".face-{game} .stage .area")
        title = page.inner_text(f"[data-game={game}] h3") if game else "Unusual card games"
        unusual = page.inner_text(f"[data-game={game}] .game-unusual") if game else ""
        words = unusual or "Against bots or with friends by a link. No account, nothing to install."
        if not game:
            page.evaluate("""() => {
                const picture = document.querySelector(".game .picture");
                picture.className = "picture";
                picture.setAttribute("data-shown", "");
            }""")
        page.add_style_tag(content=LOOKS)
        page.evaluate(CARD, [game or "none", title, words, icon])
        path = (folder_of(game) if game else PAGE / "img") / "preview.png"
        page.screenshot(path=path)
        shrink(path, 128)
        context.close()


def shrink(path: Path, colours: int = 64) -> None:
    """Reduce a picture to a palette, which makes it a fraction as large."""
    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(colours, kmeans=3, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)


if __name__ == "__main__":
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM)
        write_icons(started)
        write_previews(started, sys.argv[1])
