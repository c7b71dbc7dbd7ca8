"""File of records that a command writes game by game: one run at a time, and no loss before the first game."""

import gzip
from pathlib import Path

from parlour.engine.appended_file import AppendedFile
from parlour.engine.errors import RecordError
from parlour.engine.matches.records import STANDARD, Record, RecordWriter, record_text
from parlour.engine.validation import counted
from parlour.interrupts import defer_interrupts


class RecordsFile:
    """File with one record a line, gzipped if its name ends in ``.gz``, open and locked for this process.

    The first record replaces the earlier content, so a run that ends before its first game loses nothing. If the disk
    fills up, the incomplete line is removed.

    Attributes:
        written: the number of records written.
    """

    def __init__(self, name: str) -> None:
        """Open or create a file. Raises :class:`RecordError` if it cannot be written or is in use."""
        self._name, self.written = name, 0
        self._file = AppendedFile(name, "records", RecordError)

    def __enter__(self) -> "RecordsFile":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def write(self, record: Record) -> None:
        """Append one record. Raises :class:`RecordError` if the file cannot be written."""
        line = (record_text(record) + "\n").encode()
        line = gzip.compress(line) if self._name.endswith(".gz") else line
        try:
            with defer_interrupts():
                if not self.written:
                    self._file.drop_incomplete_line(0)
                self._file.append(line)
                self.written += 1
        except RecordError as error:
            raise RecordError(f"{error}; it holds {counted(self.written, 'record')}") from None


def record_writer(name: str) -> RecordsFile | RecordWriter:
    """Return the writer of a new or existing file, or that of standard output, a device or a pipe.

    Raises:
        RecordError: the file cannot be written or is in use.
    """
    path = Path(name)
    is_stream = name == STANDARD or (path.exists() and not path.is_file())
    return RecordWriter(name) if is_stream else RecordsFile(name)
