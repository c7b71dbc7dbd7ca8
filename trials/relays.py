"""Relay in front of PostgreSQL's socket. It can stop forwarding, like a network that drops all packets."""

import shutil
import socket
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

SOCKET = ".s.PGSQL.5432"
"""Name of the socket of PostgreSQL's default port in its folder."""
_CHUNK = 1 << 16
"""Maximum number of bytes that are forwarded at once."""


class Relay:
    """Relay between a socket in a temporary folder and PostgreSQL's socket.

    Attributes:
        folder: the folder of the relay's socket.
    """

    def __init__(self, postgresql: Path) -> None:
        """Start to listen; ``postgresql`` is the folder of PostgreSQL's socket."""
        self._target = str(postgresql / SOCKET)
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-relay-", dir="/tmp"))
        self._forwarding = threading.Event()
        self._forwarding.set()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / SOCKET))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Stop forwarding. Connections stay open; the relay accepts new ones, which wait for :meth:`mend`."""
        self._forwarding.clear()

    def mend(self) -> None:
        """Resume forwarding, beginning with the data received since :meth:`cut`."""
        self._forwarding.set()

    def remove(self) -> None:
        """Stop listening and delete the folder. Open connections remain."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # closing alone does not end a waiting accept
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
