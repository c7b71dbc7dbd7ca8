"""Relay for PostgreSQL's socket that can stop forwarding, as a network does that drops all packets."""

import shutil
import socket
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

SOCKET = ".s.PGSQL.5432"
_CHUNK = 1 << 16


class Relay:
    """Relay between a socket in a folder of its own and PostgreSQL's socket.

    Attributes:
        folder: the folder of the relay's socket.
    """

    def __init__(self, postgresql: Path) -> None:
        """Start to listen; ``postgresql`` is the folder of PostgreSQL's own socket."""
        self._target = str(postgresql / SOCKET)
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-relay-", dir="/tmp"))
        self._forwarding = threading.Event()
        self._forwarding.set()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / SOCKET))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Stop forwarding; connections stay open, and new ones are accepted."""
        self._forwarding.clear()

    def mend(self) -> None:
        """Resume forwarding, including the data received meanwhile."""
        self._forwarding.set()

    def remove(self) -> None:
        """Stop listening and delete the folder."""
        self._listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _accept(self) -> None:
        with suppress(OSError):  # the relay has been removed
            while True:
                near, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        far = socket.socket(socket.AF_UNIX)
        try:
            self._forwarding.wait()
            far.connect(self._target)
        except OSError:  # PostgreSQL is not running
            near.close()
            return
        threading.Thread(target=self._forward, args=(near, far), daemon=True).start()
        threading.Thread(target=self._forward, args=(far, near), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while chunk := source.recv(_CHUNK):
                self._forwarding.wait()
                target.sendall(chunk)
            self._forwarding.wait()
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
