"""The relay that cuts a server off from PostgreSQL."""

import threading

from trials.relays import Relay


def test_a_removed_relay_accepts_no_more_connections(tmp_path):
    before = set(threading.enumerate())
    relay = Relay(tmp_path)
    (accepting,) = set(threading.enumerate()) - before
    relay.remove()
    accepting.join(10)
    assert not accepting.is_alive()
    assert not relay.folder.exists()
