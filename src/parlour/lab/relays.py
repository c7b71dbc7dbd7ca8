"""A relay before PostgreSQL's socket that can fall silent, as a network does that swallows everything."""

import shutil
import socket
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

SOCKET = ".s.PGSQL.5432"
_PIECE = 1 << 16


class Relay:
    """Passes on whatever comes to a socket in a folder of its own to PostgreSQL's, and back.

    Attributes:
        folder: where its socket is.
    """

    def __init__(self, postgresql: Path) -> None:
        """Begin to listen; ``postgresql`` is the folder of PostgreSQL's own socket."""
        self._to = str(postgresql / SOCKET)
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-relay-", dir="/tmp"))
        self._flowing = threading.Event()
        self._flowing.set()
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.folder / SOCKET))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Pass nothing on from now on; connections stay open, and new ones can be made."""
        self._flowing.clear()

    def mend(self) -> None:
        """Pass on again what comes, and what has come meanwhile."""
        self._flowing.set()

    def remove(self) -> None:
        """Listen no more."""
        self._listening.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _accept(self) -> None:
        with suppress(OSError):  # it is removed
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        far = socket.socket(socket.AF_UNIX)
        try:
            self._flowing.wait()
            far.connect(self._to)
        except OSError:  # PostgreSQL is not there
            near.close()
            return
        threading.Thread(target=self._pass_on, args=(near, far), daemon=True).start()
        threading.Thread(target=self._pass_on, args=(far, near), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while piece := one.recv(_PIECE):
                self._flowing.wait()
                other.sendall(piece)
            self._flowing.wait()
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
