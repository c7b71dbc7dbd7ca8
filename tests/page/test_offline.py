"""The page without the network: the responses that the service worker stores, and those that it does not."""

import json
import re

import pytest

from tests.page.conftest import NAMES, playwright
from tests.page.play import PATIENCE, wait_for_turn

KEPT = "caches.keys().then((names) => names.filter((name) => name.startsWith('parlour-')))"
ADDRESSES = """async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = (await Promise.all(caches_.map((cache) => cache.keys()))).flat();
    return requests.map(({ url }) => new URL(url).pathname);
}"""
OLDER = """async () => { for (const name of ["parlour-1", "parlour-2", "other"]) await caches.open(name); }"""
expect = playwright.expect


@pytest.fixture(scope="module")
def installed_page(chromium, address):
    """Return a page whose browser has installed the service worker of the room, after older versions."""
    with chromium.new_context() as context:
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        settings = json.dumps({"pace": "instant", "sound": False, "name": NAMES[0]})
        page.add_init_script(f"localStorage.parlour ??= {json.dumps(settings)}")
        page.goto(f"{address}/healthz")
        page.evaluate(OLDER)
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
        yield page


@pytest.fixture
def offline(installed_page):
    installed_page.context.set_offline(True)
    yield installed_page
    installed_page.context.set_offline(False)


def go_to(page, place):
    """Open a path of the room in a page."""
    page.goto(re.sub(r"(://[^/]+).*", rf"\1{place}", page.url))


class TestWithoutTheNetwork:
    def test_the_landing_shows_the_games_and_says_what_works(self, offline):
        go_to(offline, "/")
        expect(offline.locator(".game .stage .area").first).to_be_visible()
        expect(offline.locator(".offline")).to_have_text(re.compile("rules and lessons work"))

    def test_a_game_is_not_begun_and_a_sentence_says_why(self, offline):
        go_to(offline, "/")
        offline.click(".game .play >> nth=0")
        expect(offline.locator(".game .failure").first).to_have_text(re.compile("You are offline"))

    def test_the_rules_can_be_read(self, offline):
        go_to(offline, "/")
        offline.click(".about-parlour button >> nth=0")
        expect(offline.locator("dialog [data-clause]").first).to_be_visible()

    def test_a_lesson_goes_on_after_the_suggested_action_and_judges_no_other(self, offline):
        go_to(offline, "/learn/three-tricks")
        heading = offline.locator(".coach-where")
        expect(heading).not_to_be_empty()
        while not offline.locator("[data-way=show]").is_visible():
            step = heading.text_content()
            offline.click("[data-way=on]")
            expect(heading).not_to_have_text(step)
            offline.wait_for_selector("[data-way=on], [data-way=show]")
        step = heading.text_content()
        offline.click("[data-way=show]")
        while heading.text_content() == step and offline.locator(".suggested").count():
            offline.locator(".suggested").first.click()
            offline.wait_for_function(
                "step => document.querySelector('.suggested') || document.querySelector('.coach-where').textContent"
                " !== step",
                arg=step,
            )
        expect(heading).not_to_have_text(step)

    @pytest.mark.parametrize("place", ["/table/abcdefgh", "/daily", "/mine", "/puzzles", "/game/abcdefgh"])
    def test_a_page_that_needs_the_room_says_so(self, offline, place):
        go_to(offline, place)
        expect(offline.locator("[role=alert]").first).to_have_text(re.compile("You are offline"))


class TestWithTheNetwork:
    def test_nothing_of_a_table_or_a_deal_of_the_day_is_kept(self, installed_page, room):
        opened = room.table()
        kept = json.dumps({"seat": opened["seat"], "key": opened["key"], "opened": True})
        go_to(installed_page, "/")
        installed_page.evaluate(f"localStorage['parlour:{opened['table']}'] = {json.dumps(kept)}")
        go_to(installed_page, f"/table/{opened['table']}")
        wait_for_turn(installed_page)
        addresses = installed_page.evaluate(ADDRESSES)
        assert "/" in addresses
        assert all(each == "/" or each.startswith(("/page/", "/api/games")) for each in addresses)

    def test_the_page_and_the_games_come_from_the_room_and_never_from_the_cache(self, installed_page):
        go_to(installed_page, "/")
        (current,) = [name for name in installed_page.evaluate(KEPT) if name != "parlour-2"]
        for place in ("/", "/api/games"):
            installed_page.evaluate(
                "async ([name, place]) => (await caches.open(name)).put(place, new Response('{}'))", [current, place]
            )
        go_to(installed_page, "/")
        expect(installed_page.locator(".game").first).to_be_visible()
        expect(installed_page.locator(".offline")).to_be_hidden()
        installed_page.evaluate("name => caches.delete(name)", current)

    def test_an_update_keeps_one_earlier_version_for_open_pages(self, installed_page):
        names = installed_page.evaluate(KEPT)
        assert "parlour-2" in names
        assert "parlour-1" not in names
        assert installed_page.evaluate("caches.has('other')")


class TestNoticesForClosedPages:
    """Messages of the push service, delivered by the browser's developer tools; a headless browser shows no notices."""

    @pytest.fixture
    def deliver(self, installed_page):
        """Deliver messages to the service worker. Return the notices that it has shown."""
        context, origin = installed_page.context, re.match(r"\w+://[^/]+", installed_page.url)[0]
        session, registrations = context.new_cdp_session(installed_page), []
        session.on(
            "ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"])
        )
        session.send("ServiceWorker.enable")
        while not registrations:
            installed_page.wait_for_timeout(20)
        worker = context.service_workers[0]
        worker.evaluate(
            """() => {
                self.shown = [];
                self.looked = 0;
                const { matchAll } = self.clients;
                self.clients.matchAll = (query) => matchAll.call(self.clients, query).finally(() => (self.looked += 1));
                self.registration.showNotification = (...notice) => Promise.resolve(self.shown.push(notice));
            }"""
        )

        def send(*messages):
            for message in messages:
                number, text = registrations[-1]["registrationId"], json.dumps(message)
                data = {"origin": origin, "registrationId": number, "data": text}
                session.send("ServiceWorker.deliverPushMessage", data)
            while worker.evaluate("looked") < len(messages):
                installed_page.wait_for_timeout(20)
            return [[title, more["body"], more["tag"], more["data"]] for title, more in worker.evaluate("shown")]

        yield send
        session.detach()

    def test_become_notices_of_their_table(self, deliver, installed_page):
        go_to(installed_page, "/")
        texts = [("Your turn", "Castle Walls with Bo"), ("The game is over", "Castle Walls with Bo")]
        shown = deliver(*({"title": title, "body": body, "table": "abc"} for title, body in texts))
        assert shown == [[title, body, "abc", "/table/abc"] for title, body in texts]

    def test_are_not_shown_to_a_player_who_looks_at_the_table(self, deliver, installed_page):
        go_to(installed_page, "/table/abc")
        shown = deliver(*({"title": "Your turn", "body": "", "table": table} for table in ("abc", "bc")))
        assert [tag for *_, tag, _ in shown] == ["bc"]
