"""The player's turn in the title and the icon, and as a notice while the page is hidden."""

from playwright.sync_api import expect

from tests.page.play import play_a_card, wait_for_turn

HIDDEN = """
Object.defineProperty(document, "hidden", { get: () => window.away ?? false });
window.notices = [];
window.Notification = class extends EventTarget {
  static permission = "granted";
  static requestPermission = async () => window.answer ?? "granted";
  constructor(title, { body }) { super(); window.notices.push([title, body]); }
};
"""
ICON = "document.querySelector('link[rel=icon]').href.split('/').pop()"


def test_the_title_and_the_icon_say_that_it_is_the_players_turn(room):
    page = room.page()
    table = room.table(2, {"rounds": 1})
    room.sit(page, table)
    assert wait_for_turn(page) == "turn"
    expect(page).to_have_title("● Your turn · Trick Walls · Parlour")
    assert page.evaluate(ICON) == "icon-turn.svg"
    page.get_by_role("button", name="This table").click()
    page.get_by_role("button", name="Resign …").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page).to_have_title("Trick Walls · Parlour")
    assert page.evaluate(ICON) == "icon.svg"


def test_a_hidden_page_shows_one_notice_of_a_turn(room):
    page = room.page(notify=True)
    page.add_init_script(HIDDEN)
    room.sit(page, room.table(2, {"rounds": 1}))
    assert wait_for_turn(page) == "turn"
    assert page.evaluate("notices") == []
    page.evaluate("window.away = true")
    play_a_card(page)
    page.wait_for_function("() => notices.length")
    assert page.evaluate("notices") == [["Your turn", "Trick Walls with Ada"]]


def test_notices_need_the_consent_of_the_browser(room):
    page = room.page()
    page.add_init_script(HIDDEN)
    page.goto(room.address)
    page.get_by_role("button", name="Settings").click()
    page.evaluate("window.answer = 'denied'")
    page.get_by_role("radio", name="A notice, too").click()
    expect(page.get_by_text("This browser does not allow notices here.")).to_be_visible()
    expect(page.get_by_role("radio", name="Title and icon")).to_be_checked()
    page.evaluate("window.answer = 'granted'")
    page.get_by_role("radio", name="A notice, too").click()
    page.wait_for_function("() => JSON.parse(localStorage.parlour).notify")


PUSH = """
window.PushManager ??= class {};
window.subscription = null;
const pushManager = {
  getSubscription: async () => window.subscription,
  subscribe: async () => (window.subscription = {
    endpoint: "https://push.example/ann",
    toJSON: () => ({ endpoint: "https://push.example/ann", keys: {} }),
    unsubscribe: async () => { window.subscription = null; },
  }),
};
Object.defineProperty(navigator, "serviceWorker", {
  value: {
    ready: Promise.resolve({ pushManager }),
    getRegistration: async () => ({ pushManager }),
    register: async () => {},
  },
});
"""


class TestNoticesForClosedPages:
    OPEN = "A notice of the system, and a phone vibrates, while this page is open."
    CLOSED = "at tables with other people also while this page is closed"

    def test_the_settings_say_whether_this_browser_receives_them(self, room):
        def answer(request):
            if request.method == "GET":
                return {"key": next(keys)}
            removed.append(request.post_data_json)
            return {"removed": 0}

        page = room.page()
        keys, removed = iter([None, "BPcM"]), []
        page.add_init_script(HIDDEN + PUSH)
        page.route("**/api/push", lambda route: route.fulfill(json=answer(route.request)))
        page.goto(room.address)
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("radio", name="A notice, too").click()
        expect(page.get_by_text(self.OPEN)).to_be_visible()
        page.get_by_role("radio", name="Title and icon").click()
        page.get_by_role("radio", name="A notice, too").click()
        expect(page.get_by_text(self.CLOSED)).to_be_visible()
        with page.expect_response(lambda answer: answer.request.method == "DELETE"):
            page.get_by_role("radio", name="Title and icon").click()
        page.wait_for_function("() => window.subscription === null")
        assert removed == [{"endpoint": "https://push.example/ann"}]
        expect(page.get_by_text(self.OPEN)).to_be_visible()
