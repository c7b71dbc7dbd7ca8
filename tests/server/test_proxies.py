"""Only trusted proxies determine a client's address."""

import pytest
from click.testing import CliRunner
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from parlour.cli import main
from parlour.engine.errors import ParlourError
from parlour.server.http.access.admission import address_of_client
from parlour.server.http.access.proxies import Proxies
from parlour.server.process.settings import Settings
from parlour.server.process.web_server import make_config
from tests.helpers import run_apart


class TestNetworks:
    @pytest.mark.parametrize(
        ("given", "inside", "outside"),
        [
            ("localhost", ["127.0.0.1", "127.3.4.5", "::1", "::ffff:127.0.0.1"], ["10.0.0.1", "::2"]),
            ("10.1.0.0/16", ["10.1.2.3", "::ffff:10.1.2.3"], ["10.2.0.1", "::ffff:10.2.0.1", "127.0.0.1"]),
            ("192.0.2.7", ["192.0.2.7", "::ffff:192.0.2.7"], ["192.0.2.8", "::ffff:192.0.2.8"]),
            ("fd00::/8", ["fd12::1", "fd12::1%eth0"], ["fe80::1", "10.0.0.1", "", "somewhere"]),
        ],
    )
    def test_contain_addresses_in_every_spelling_of_a_socket(self, given, inside, outside):
        proxies = Proxies([given])
        assert [address for address in (*inside, *outside) if address in proxies] == inside

    @pytest.mark.parametrize("given", ["", "proxy.example", "10.0.0.0/33", "10.0.0.1/8", "10.1.*", "10.0.0.0/8,::1"])
    def test_are_refused_if_they_are_not_written_as_networks(self, given):
        with pytest.raises(ParlourError, match=r"--behind-proxy: .* is neither an address nor a network"):
            Proxies([given])


class TestTheClient:
    @pytest.mark.parametrize(
        ("peer", "said", "client"),
        [
            ("10.1.0.9", "6.6.6.6, 198.51.100.7", "198.51.100.7"),
            ("10.1.0.9", "6.6.6.6, 198.51.100.7, 10.1.0.8, fd00::5", "198.51.100.7"),
            ("::ffff:10.1.0.9", "198.51.100.7:4711", "198.51.100.7"),
            ("10.1.0.9", "", "10.1.0.9"),
            ("198.51.100.9", "198.51.100.7", "198.51.100.9"),
            ("127.0.0.1", "198.51.100.7", "127.0.0.1"),
        ],
    )
    def test_is_the_last_address_that_no_trusted_proxy_has(self, peer, said, client):
        seen = []

        async def app(scope, receive, send):
            seen.append(address_of_client(scope))

        config = make_config(None, Settings(behind_proxy=("10.1.0.0/16", "fd00::/8")))
        assert config.proxy_headers
        headers = [(b"x-forwarded-for", said.encode())] if said else []
        scope = {"type": "http", "client": (peer, 4711), "headers": headers}
        run_apart(ProxyHeadersMiddleware(app, config.forwarded_allow_ips)(scope, None, None))
        assert seen == [client]

    def test_is_the_peer_without_trusted_proxies(self):
        assert not make_config(None, Settings()).proxy_headers


class TestTheCommand:
    def settings(self, monkeypatch, *words):
        asked = []
        monkeypatch.setattr("parlour.server.process.run.serve", asked.append)
        done = CliRunner().invoke(main, ["serve", *words])
        assert done.exit_code == 0, done.output
        return asked[0]

    @pytest.mark.parametrize(
        ("words", "networks"),
        [
            ((), ()),
            (("--behind-proxy",), ("localhost",)),
            (("--behind-proxy", "--port", "0"), ("localhost",)),
            (("--behind-proxy", "10.1.0.0/16", "--behind-proxy=fd00::/8"), ("10.1.0.0/16", "fd00::/8")),
        ],
    )
    def test_names_networks_or_means_this_machine(self, monkeypatch, words, networks):
        assert self.settings(monkeypatch, *words).behind_proxy == networks

    def test_an_invalid_network_is_refused_before_anything_is_opened(self, tmp_path):
        database = tmp_path / "tables.sqlite"
        done = CliRunner().invoke(main, ["serve", "--port=0", f"--database={database}", "--behind-proxy", "10.0.0.1/8"])
        assert (done.exit_code, "neither an address nor a network" in done.output) == (1, True)
        assert not database.exists()

    def test_the_options_set_metrics_and_retention(self, monkeypatch):
        settings = self.settings(monkeypatch, "--metrics-host", "::1", "--keep-finished", "8w")
        assert (settings.metrics_host, settings.keep_finished) == ("::1", 56)
        assert self.settings(monkeypatch).metrics_host == "127.0.0.1"
