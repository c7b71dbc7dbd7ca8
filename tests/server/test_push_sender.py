"""The sender of notices to closed pages, and its settings."""

import time

import pytest
from py_vapid import Vapid02

from parlour.engine.errors import ParlourError
from parlour.server.process.settings import Settings, read_push
from parlour.server.store.people.subscriptions import Subscription
from parlour.server.table.push import sender
from parlour.server.table.push.notices import Delivery
from tests.server.push_service import push_service

CONTACT = "cards@example.org"


@pytest.fixture
def service(tmp_path, monkeypatch):
    with push_service(tmp_path, monkeypatch) as running:
        yield running


class TestSender:
    @pytest.fixture
    def send(self, service):
        """Send a message to a browser. Return the result."""

        def send_to(browser):
            keys = browser.body("")["keys"]
            subscription = Subscription(browser.endpoint, keys["p256dh"], keys["auth"], "en")
            return sender.Sender(sender.new_push_key(), CONTACT).send(subscription, "{}", "topic", 60)

        return send_to

    def test_a_service_that_is_not_reached_can_be_called_later(self, send, service):
        service.server.shutdown()
        service.server.server_close()
        assert send(service.browser()) is Delivery.LATER

    def test_no_password_of_the_operator_is_sent(self, send, service, tmp_path, monkeypatch):
        (tmp_path / "netrc").write_text("default login operator password secret\n")
        monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
        browser = service.browser()
        assert send(browser) is Delivery.SENT
        assert Vapid02.verify(browser.messages[0].headers["authorization"])

    @pytest.mark.parametrize(
        ("beginning", "result"),
        [
            ("", Delivery.LATER),
            ("HTTP/1.1 503 Busy\r\nX: ", Delivery.LATER),
            ("HTTP/1.1 201 Created\r\n\r\n", Delivery.SENT),
            ("HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\n", Delivery.REFUSED),
        ],
    )
    def test_an_answer_without_an_end_is_cut(self, send, service, monkeypatch, beginning, result):
        limit = 1.0 if result is Delivery.LATER else 120.0  # any other answer is not waited for to its end
        monkeypatch.setattr(sender, "ANSWER_SECONDS", limit)
        browser, started = service.browser(), time.monotonic()
        browser.beginning = beginning
        assert send(browser) is result
        assert time.monotonic() - started < 60


class TestSettings:
    @pytest.mark.parametrize(
        ("settings", "sentence"),
        [
            ({"push_contact": "cards"}, "--push-contact cards: it is an e-mail address"),
            ({"push_contact": "mailto:a b@example.org"}, "it is an e-mail address"),
            ({"push_hosts": ("push.example.org",)}, "--push-host needs --push-contact"),
            ({"push_contact": CONTACT, "push_hosts": ("https://push.example.org",)}, "it is a host name"),
            ({"push_contact": CONTACT, "push_hosts": ("*",)}, "it is a host name"),
        ],
    )
    def test_wrong_ones_are_refused_with_a_sentence(self, settings, sentence):
        with pytest.raises(ParlourError, match=sentence):
            read_push(Settings(**settings))

    def test_a_missing_package_is_named(self, monkeypatch):
        monkeypatch.setattr("parlour.server.table.push.settings.find_spec", lambda name: None)
        with pytest.raises(ParlourError, match=r"pip install 'parlour\[push\]'"):
            read_push(Settings(push_contact=CONTACT))

    def test_further_services_are_allowed_beside_the_known_ones(self):
        settings = read_push(
            Settings(push_contact=CONTACT, push_hosts=("*.example.org", "localhost:8443", "push.org:443"))
        )
        hosts = {
            "a.example.org": "*.example.org",
            "localhost:8443": "localhost:8443",
            "localhost": None,
            "push.org": "push.org",
            "push.org:443": "push.org",
        }
        assert [settings.service_of(f"https://{host}/x") for host in hosts] == list(hosts.values())


class TestSecrets:
    def test_a_subscription_hides_its_address_and_keys(self):
        shown = repr(Subscription("https://push.example/secret", "point", "word", "en"))
        assert not any(secret in shown for secret in ("secret", "point", "word"))
