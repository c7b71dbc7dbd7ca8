"""Files to which one process at a time appends lines below a header, so that interrupted work can continue."""

import os

from filelock import lock_descriptor

from parlour.engine.errors import ParlourError


class AppendedFile:
    """File of lines, open and locked for this process.

    Its methods raise the given class of errors; messages begin with the file's name.
    """

    def __init__(self, name: str, kind: str, error: type[ParlourError]) -> None:
        """Open or create a file of ``kind``, such as ``"results"``. Raises ``error`` if it is no file or is in use."""
        self._name, self._kind, self._error = name, kind, error
        if os.path.exists(name) and not os.path.isfile(name):
            raise error(f"{name}: not a file")
        try:
            self._file = open(name, "a+b", buffering=0)  # noqa: SIM115
        except OSError as failure:
            raise error(f"{name}: cannot be opened: {failure.strerror}") from None
        if not lock_descriptor(self._file.fileno(), blocking=False):
            self.close()
            raise error(f"{name}: another run is writing to it")

    def complete_lines(self, header: bytes) -> bytes:
        """Return the complete lines; write the header, a line, into a file without any, and return nothing.

        An incomplete last line stays until :meth:`drop_incomplete_line`: the file may be another program's.
        """
        self._file.seek(0)
        content = self._file.read()
        complete = content.rfind(b"\n") + 1
        if complete == 0:
            if not header.startswith(content):
                raise self._error(f"{self._name}: not a file of {self._kind}; name another one")
            self._file.truncate(0)
            self.append(header)
        return content[:complete]

    def drop_incomplete_line(self, complete: int) -> None:
        """Drop what follows the complete lines, whose number of bytes is ``complete``."""
        self._file.truncate(complete)

    def append(self, lines: bytes) -> None:
        """Append lines. Raises an error if the disk is full; the file then ends before the lines."""
        end = os.fstat(self._file.fileno()).st_size
        try:
            while lines:  # an unbuffered write may be partial
                lines = lines[self._file.write(lines) :]
        except OSError as failure:
            self._file.truncate(end)
            raise self._error(f"{self._name}: cannot be written: {failure.strerror}") from None

    def close(self) -> None:
        """Close the file, which releases its lock."""
        self._file.close()
