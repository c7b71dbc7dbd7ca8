"""The room's network addresses, disclosed only to a local browser."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from parlour.server.http import addresses
from parlour.server.http.addresses import is_local, own_addresses, reachable_addresses
from parlour.server.process.settings import Settings
from tests.server.card_room import CardRoom

NETWORK = "192.168.1.7"


def request_scope(client="127.0.0.1", host="localhost:8080", **headers):
    fields = {"host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
    raw = [(name.encode(), value.encode()) for name, value in fields.items()]
    return {"type": "http", "client": (client, 5000), "server": ("127.0.0.1", 8080), "headers": raw}


@pytest.fixture
def open_card_room(tmp_path, monkeypatch):
    monkeypatch.setattr(addresses, "own_addresses", lambda: [NETWORK])
    room = CardRoom(tmp_path / "tables.sqlite", Settings(host="0.0.0.0", limited=False, names=("cards.example",)))
    yield room
    room.stop()


class TestByHttp:
    def test_a_local_browser_gets_the_network_addresses(self, open_card_room):
        answer = open_card_room.http.get("/api/addresses").json()
        assert answer == {"here": True, "addresses": [f"http://{NETWORK}:{open_card_room.port}"]}

    def test_a_room_that_listens_only_to_this_machine_has_no_addresses(self, card_room):
        assert card_room.http.get("/api/addresses").json() == {"here": True, "addresses": []}

    @pytest.mark.parametrize(
        "headers",
        [
            {"Host": "cards.example"},
            {"Host": f"{NETWORK}:80"},
            {"X-Forwarded-For": "203.0.113.9"},
            {"Forwarded": "for=203.0.113.9"},
            {"Via": "1.1 proxy"},
        ],
        ids=str,
    )
    def test_another_name_or_a_proxy_gets_no_addresses(self, open_card_room, headers):
        assert open_card_room.http.get("/api/addresses", headers=headers).json() == {"here": False, "addresses": []}


@pytest.mark.parametrize("client", ["192.168.1.20", "203.0.113.9", "::ffff:203.0.113.9", "", "2001:db8::1"])
def test_a_remote_client_gets_no_addresses(client):
    assert reachable_addresses(request_scope(client), "0.0.0.0") == {"here": False, "addresses": []}


@pytest.mark.parametrize("client", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8080", "[::1]:8080"])
def test_this_machine_is_known_by_its_loopback_addresses(client, host):
    assert is_local(request_scope(client, host))


def test_no_loopback_address_is_offered_to_others(monkeypatch):
    """The routes to other machines begin at these addresses of this one."""
    starts = iter(["127.0.0.1", NETWORK, "0.0.0.0", NETWORK])
    probe = SimpleNamespace(connect=lambda far: None, getsockname=lambda: (next(starts), 5000))
    network = SimpleNamespace(AF_INET=0, SOCK_DGRAM=0, socket=lambda *_: nullcontext(probe))
    monkeypatch.setattr(addresses, "socket", network)
    assert own_addresses() == [NETWORK]
