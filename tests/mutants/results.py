"""Results of the mutants: stored line by line, so that a stopped run can continue, and shown as a table."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutants.mutant_list import ROOT, Mutant, file_of

KILLED, SURVIVED, UNDECIDED, EQUIVALENT = "killed", "survived", "undecided", "equivalent"
WANTED = 0.9
"""The minimum share of killed mutants in each area, without equivalent ones."""


@dataclass(frozen=True)
class Result:
    """Result of a mutant: the test that killed it, or the reason why it is undecided.

    ``code`` is a hash of mutant and file: if it changes, the mutant runs again, a survivor also if its ``tests``
    change. A kill is ``sound`` if its test has passed without the mutant.
    """

    name: str
    code: str
    tests: str
    verdict: str
    by: str = ""
    seconds: float = 0.0
    sound: bool = False


def code_of(mutant: Mutant, root: Path = ROOT) -> str:
    """Return a hash of a mutant and of the file that it changes."""
    return _hash_of([json.dumps(asdict(mutant)).encode(), (root / mutant.file).read_bytes()])


def asked_of(mutant: Mutant, root: Path = ROOT) -> str:
    """Return a hash of the files of its tests."""
    asked = [root / file for file in sorted({file_of(test) for test in mutant.tests})]
    files = [path for file in asked for path in (sorted(file.rglob("test_*.py")) if file.is_dir() else [file])]
    return _hash_of([path.read_bytes() for path in files])


def _hash_of(texts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text)
    return digest.hexdigest()[:16]


class Results:
    """Results of mutants in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows: dict[str, Result] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                result = Result(**json.loads(line))
                self._rows[result.name] = result

    def of(self, mutant: Mutant) -> Result | None:
        """Return the result of a mutant if it still holds."""
        if mutant.equivalent:
            return Result(mutant.name, "", "", EQUIVALENT, mutant.equivalent)
        row = self._rows.get(mutant.name)
        if row is None or row.code != code_of(mutant):
            return None
        return row if row.verdict == KILLED or row.tests == asked_of(mutant) else None

    def forget(self, mutant: Mutant) -> None:
        """Drop the result of a mutant."""
        self._rows.pop(mutant.name, None)

    def keep(self, result: Result) -> None:
        """Append a result to the file."""
        self._rows[result.name] = result
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(result)) + "\n")


def table(mutants: Sequence[Mutant], results: Mapping[str, Result]) -> str:
    """Return the results by area as a table."""
    verdicts = (KILLED, SURVIVED, UNDECIDED, EQUIVALENT)
    areas = dict.fromkeys(mutant.area for mutant in mutants)
    width = max(map(len, areas), default=0)
    lines = [f"{'area':{width}}" + "".join(f"{word:>12}" for word in ("mutants", *verdicts, "not run", "share"))]
    for area in areas:
        found = _counted(area, mutants, results)
        numbers = [sum(found.values()), *(found[verdict] for verdict in verdicts), found[""]]
        lines.append(f"{area:{width}}" + "".join(f"{number:12}" for number in numbers) + f"{share(found):12.0%}")
    return "\n".join(lines)


def too_few(mutants: Sequence[Mutant], results: Mapping[str, Result]) -> list[str]:
    """Return the areas in which too few mutants are killed."""
    areas = dict.fromkeys(mutant.area for mutant in mutants)
    return [area for area in areas if share(_counted(area, mutants, results)) < WANTED]


def share(found: Mapping[str, int]) -> float:
    """Return the fraction of killable mutants that are killed."""
    could = sum(found.values()) - found[EQUIVALENT]
    return found[KILLED] / could if could else 1.0


def _counted(area: str, mutants: Iterable[Mutant], results: Mapping[str, Result]) -> Counter[str]:
    of_area = [mutant.name for mutant in mutants if mutant.area == area]
    return Counter(results[name].verdict if name in results else "" for name in of_area)
