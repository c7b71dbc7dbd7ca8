"""The memory of a match: its events as each viewer saw them, and the digests of all that a viewer has observed."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from parlour.engine.errors import ParlourError
from parlour.engine.events import Event
from parlour.engine.information.determinization import observed_state
from parlour.engine.information.history import History, Recorder, Row
from parlour.engine.rules import copy_state
from parlour.engine.typed_state import AnyState, OwnState
from parlour.engine.validation import shown


class Memory:
    """The events of a match as its viewers saw them.

    With ``recall`` it also keeps the state after every event, from which :meth:`information_state` and
    :meth:`history` are computed.
    """

    def __init__(self, viewers: Iterable[int], recall: bool) -> None:
        self._seen: dict[int, list[Event]] = {viewer: [] for viewer in viewers}
        self._past: list[OwnState] | None = [] if recall else None
        self._digests: dict[int, tuple[int, hashlib._Hash]] = {}
        self._rows: dict[int, tuple[int, list[Row]]] = {}
        self._start: OwnState = None

    def begin(self, state: AnyState) -> None:
        """Store the state before the first event."""
        self._start = copy_state(state) if self._past is not None else None
        self._digests.clear()

    @property
    def viewers(self) -> Iterable[int]:
        """The viewers whose events are stored."""
        return self._seen.keys()

    def store(self, event: Event, state: AnyState, seen: Mapping[int, Event]) -> None:
        """Store an event that led to ``state``; ``seen`` has it as viewers saw it; the others saw all of it."""
        if self._past is not None:
            self._past.append(copy_state(state))
        for viewer, events in self._seen.items():
            events.append(seen.get(viewer, event))

    def seen_by(self, viewer: int) -> list[Event]:
        """Return the events as a viewer saw them. Raises :class:`ParlourError` if none are stored for this viewer."""
        if not self._seen:
            raise ParlourError("this match does not store the events as its seats saw them (observed=False)")
        if viewer not in self._seen:
            raise ParlourError(f"this match does not store events for the viewer {shown(viewer)}")
        return list(self._seen[viewer])

    def information_state(self, viewer: int, setup: Mapping[str, Any]) -> str | None:
        """Return a digest of all that a viewer has observed of a match of this setup (as JSON values).

        ``None`` without recall, or for a viewer whose events are not stored.
        """
        if self._past is None or viewer not in self._seen:
            return None
        if viewer not in self._digests:
            begun = json.dumps([setup, viewer]).encode() + observed_state(self._start, viewer).tobytes()
            self._digests[viewer] = 0, hashlib.sha256(begun)
        done, digest = self._digests[viewer]
        for event, state in list(zip(self._seen[viewer], self._past, strict=True))[done:]:
            digest.update(json.dumps(event.to_json()).encode() + observed_state(state, viewer).tobytes())
        self._digests[viewer] = len(self._past), digest
        return str(digest.hexdigest())

    def history(self, viewer: int, setup: Any) -> History:
        """Return all that a viewer has seen and done in a match of this setup.

        Raises:
            ParlourError: this match has no recall, the events of this viewer are not stored, or the game does not list
                its actions.
        """
        if self._past is None or viewer not in self._seen:
            raise ParlourError(
                "only a match with recall has the histories of its seats, such as that of setup.start() or of "
                "parlour.load(file, recall=True)"
            )
        done, rows = self._rows.get(viewer, (0, []))
        if done < len(self._past):
            recorder, states = Recorder(setup, viewer), [self._start, *self._past]
            rows = list(rows)  # copies of this memory and earlier histories share the list
            for at in range(done, len(self._past)):
                rows += recorder.rows(self._seen[viewer][at], states[at], states[at + 1])
            self._rows[viewer] = len(self._past), rows
        return History(setup, rows)

    def copy(self) -> "Memory":
        """Return an independent copy. Both share the stored states, which never change."""
        made = Memory((), recall=False)
        made._seen = {viewer: list(events) for viewer, events in self._seen.items()}
        made._past = None if self._past is None else list(self._past)
        made._start, made._rows = self._start, dict(self._rows)
        made._digests = {viewer: (events, digest.copy()) for viewer, (events, digest) in self._digests.items()}
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Return all attributes; digests cannot be pickled and are computed again."""
        return vars(self) | {"_digests": {}}
