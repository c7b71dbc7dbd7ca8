"""The deal of the day on the page: played from the landing, sealed for others, its result shown and shared."""

import datetime
import json
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from parlour.server.http.reports.reviews import Reviews
from parlour.server.table.daily import deal_table
from parlour.server.table.daily.days import Days
from tests.page.axe import violations
from tests.page.bot_tables import ask
from tests.page.pictures import resize
from tests.page.play import wait_for_turn
from tests.server.card_room import Player, play_out
from tests.server.immediate_reviews import immediate_review

GAME = "trime-kicker"
DAY = datetime.date(2026, 11, 25)


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch):
    monkeypatch.setattr("parlour.daily.LEVEL_OF_WEEKDAY", ("thumb",) * 7)
    monkeypatch.setattr(deal_table, "STRONGEST", "thumb")
    monkeypatch.setattr(Reviews, "find", immediate_review)


@pytest.fixture(autouse=True)
def one_day(monkeypatch):
    """Fix the day during a test; its game of the day differs from the game played."""
    monkeypatch.setattr(Days, "today", lambda days: DAY)
    monkeypatch.setattr(Days, "_is_due", lambda days, day: False)


def begin(page, room):
    page.goto(room.address)
    page.locator(f"[data-daily={GAME}]").click()
    wait_for_turn(page)
    table = page.url.rsplit("/", 1)[1]
    return table, json.loads(page.evaluate(f"localStorage['parlour:{table}']"))["key"]


def play_to_the_end(room, table, key):
    with Player(urlsplit(room.address).port, table, key) as player:
        play_out(player)


def test_a_deal_is_played_from_the_landing_and_its_result_is_shared(room):
    page = room.page(390, 844)
    table, key = begin(page, room)
    play_to_the_end(room, table, key)
    end = page.locator("dialog[data-sheet=end]")
    expect(end.locator(".daily-signs svg")).to_have_count(10)
    expect(end.locator("[data-go=game]")).to_have_count(0)  # sealed
    page.evaluate("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    end.locator("[data-share=text]").evaluate("button => button.scrollIntoView({ block: 'end' })")
    end.locator("[data-share=text]").click()
    shared = page.evaluate("window.copied")
    assert shared.startswith("Parlour · Trime Kicker · ")
    assert "/daily/" in shared
    expect(end.get_by_text("Copied. It shows no card.")).to_be_in_viewport(ratio=0.9)
    assert violations(page) == []
    page.goto(room.address)
    expect(page.locator(".daily .daily-other.done")).to_contain_text("Your result")
    assert violations(page) == []
    page.locator(".daily .daily-other.done").click()
    expect(page.locator(f"[data-game={GAME}] .daily-place")).to_be_visible()
    assert violations(page) == []


def test_a_result_is_as_wide_as_the_sheet_beside_the_table(room):
    page = room.page(1280, 800)
    play_to_the_end(room, *begin(page, room))
    end = page.locator("dialog[data-sheet=end]")
    expect(end.locator(".daily-signs svg")).to_have_count(10)
    for width, height in ((1280, 800), (844, 390)):
        resize(page, (width, height))
        assert end.locator(".sheet-body").evaluate("body => body.scrollWidth - body.clientWidth") == 0


def test_a_visitor_with_only_the_address_of_a_deal_sees_nothing_of_it(room):
    table, _ = begin(room.page(), room)
    other = room.page()
    other.goto(f"{room.address}/table/{table}")
    expect(other.locator(".failed")).to_contain_text("deal of the day")


def test_all_days_are_shown_with_the_commitments_and_the_way_to_another_device(room):
    page = room.page()
    page.goto(f"{room.address}/daily")
    page.locator("summary").first.click()
    commitment = ask(f"{room.address}/api/daily")["commitment"]
    expect(page.locator(".daily-commitments dd").first).to_have_text(commitment)
    assert violations(page) == []
    expect(page.locator("a[href='/mine#device']")).to_be_visible()


@pytest.mark.parametrize("place", ["/daily", f"/daily/{DAY}", f"/daily/{DAY - datetime.timedelta(days=1)}"])
def test_a_commitment_that_differs_from_the_seen_one_is_an_alarm(room, place):
    days = [DAY - datetime.timedelta(days=1), DAY]
    page = room.page()
    page.route(f"**/api/daily/{days[0]}", lambda route: route.fulfill(json=closed_day(days[0])))
    alarm = page.get_by_role("alert").filter(has_text="has changed a commitment")
    page.goto(f"{room.address}{place}")
    expect(page.locator(".daily-page h1")).to_be_visible()
    expect(alarm).to_have_count(0)
    page.evaluate(
        "seen => localStorage['parlour-daily'] = JSON.stringify({key: 'k'.repeat(32), seen})",
        {str(day): "0" * 64 for day in days},
    )
    page.reload()
    expect(alarm).to_be_visible()


def closed_day(day):
    return {
        "day": str(day),
        "closed": True,
        "left": None,
        "game": GAME,
        "bot": "thumb",
        "commitment": "1" * 64,
        "key": "2" * 64,
        "deals": [],
    }


def test_earlier_days_can_be_shown_to_the_first_one(room):
    page, part = room.page(), 60
    days = [{"day": str(DAY - datetime.timedelta(days=past)), "mine": []} for past in range(1, 2 * part + 6)]
    asked = []

    def answer(route):
        before = parse_qs(urlsplit(route.request.url).query).get("before", [""])[0]
        asked.append(before)
        route.fulfill(json={"days": [each for each in days if not before or each["day"] < before][:part]})

    page.route("**/api/daily/days?*", answer)
    page.goto(f"{room.address}/daily")
    lines, more = page.locator(".daily-days li"), page.get_by_role("button", name="Earlier days")
    for number in (part, 2 * part):
        expect(lines).to_have_count(number)
        more.click()
    expect(lines).to_have_count(len(days))
    expect(more).to_have_count(0)
    assert asked == ["", days[part - 1]["day"], days[2 * part - 1]["day"]]
    expect(lines.last.locator("a")).to_have_attribute("href", f"/daily/{days[-1]['day']}")


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (768, 1024)])
@pytest.mark.parametrize("large", [False, True])
def test_the_longest_name_of_a_month_is_within_its_card(room, size, large):
    page = room.page(*size)
    page.goto(room.address)
    card = page.locator(".daily .date-card")
    expect(card).to_be_visible()
    page.evaluate("large => document.documentElement.classList.toggle('large', large)", large)
    lines, wide, inside = card.locator("span").evaluate(
        """span => {
            span.textContent = "marras";  // Finnish: November
            const lines = Math.round(span.offsetHeight / parseFloat(getComputedStyle(span).lineHeight));
            return [lines, Math.max(span.scrollWidth, span.offsetWidth), span.parentElement.clientWidth];
        }"""
    )
    assert lines == 1
    assert 40 < wide <= inside
