"""Time limits of a server that a busy machine must not reach."""

import pytest

from parlour.server.http import connection, middleware, protocols
from parlour.server.store import calls, session
from parlour.server.store import database as databases
from parlour.server.table import lobby, ownership_client
from parlour.server.table.push import push_notices

PATIENT = {
    "LEASE_SECONDS": (session, ownership_client),
    "BUSY_SECONDS": (databases,),
    "ANSWER_SECONDS": (databases, calls),
    "HANDOVER_SECONDS": (ownership_client,),
    "LINE_SECONDS": (protocols,),
    "HEAD_SECONDS": (protocols,),
    "NEXT_SECONDS": (protocols,),
    "BODY_SECONDS": (middleware,),
    "HELLO_SECONDS": (connection,),
    "_KEPT_SECONDS": (lobby,),
    "_STOP_SECONDS": (push_notices,),
}
"""Time limits of the server that a test must not reach by chance, with the modules that use them."""


def raise_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise these limits to two minutes, for servers in this process."""
    for limit, modules in PATIENT.items():
        for module in modules:
            monkeypatch.setattr(module, limit, 120)
