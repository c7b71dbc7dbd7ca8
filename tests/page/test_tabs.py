"""Tabs that are reused by tests without traces."""

from tests.page.conftest import Room


def test_changes_of_a_test_are_undone_for_the_next(chromium, address):
    before, after = Room(chromium, address), Room(chromium, address)
    used = before.page(kept_from="before")
    heard = []
    used.on("request", lambda request: heard.append(request))
    used.route("**/api/games", lambda route: route.abort())
    used.add_init_script("window.first = 1")
    used.goto(address)
    used.evaluate("localStorage.more = 1")
    before.close()
    page, heard[:] = after.page(), []
    page.goto(address)
    assert page is used
    assert heard == []
    assert page.evaluate("() => [window.first ?? null, localStorage.more ?? null]") == [None, None]
    assert "kept_from" not in page.evaluate("localStorage.parlour")
    assert page.evaluate("fetch('/api/games').then(answer => answer.status)") == 200
    after.close()


def test_a_page_with_intercepted_sockets_is_not_reused(chromium, address):
    before, after = Room(chromium, address), Room(chromium, address)
    used = before.page()
    used.route_web_socket("**/play", lambda route: None)
    before.close()
    assert used.is_closed()
    assert after.page() is not used
    after.close()
