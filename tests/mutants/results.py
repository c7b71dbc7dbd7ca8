"""What is known of the mutants: kept line by line, so that a run goes on where it was stopped; and told as a table."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutants.listed import ROOT, Mutant, file_of

KILLED, SURVIVED, UNDECIDED, EQUIVALENT = "killed", "survived", "undecided", "equivalent"
WANTED = 0.9
"""The share of the mutants of each area that are to be killed; equivalent ones do not count."""


@dataclass(frozen=True)
class Result:
    """What came of a mutant: killed by which test, or why it is undecided.

    ``code`` is what it was asked of: if the code, the tests or the mutant change, it is asked again. A kill is
    ``sound`` when its test has been seen to pass without the mutant.
    """

    name: str
    code: str
    verdict: str
    by: str = ""
    seconds: float = 0.0
    sound: bool = False


def code_of(mutant: Mutant, root: Path = ROOT) -> str:
    """A hash of a mutant, the file that it changes, and the files of the tests that are asked."""
    files = [mutant.file, *sorted({file_of(test) for test in mutant.tests})]
    digest = hashlib.sha256(json.dumps(asdict(mutant)).encode())
    for file in files:
        for path in sorted((root / file).rglob("test_*.py")) if (root / file).is_dir() else [root / file]:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class Results:
    """The results of mutants, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows: dict[str, Result] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                result = Result(**json.loads(line))
                self._rows[result.name] = result

    def of(self, mutant: Mutant, code: str) -> Result | None:
        """What came of a mutant, if nothing of it has changed since."""
        if mutant.equivalent:
            return Result(mutant.name, code, EQUIVALENT, mutant.equivalent)
        row = self._rows.get(mutant.name)
        return row if row and row.code == code else None

    def forget(self, mutant: Mutant) -> None:
        """Have a mutant asked again."""
        self._rows.pop(mutant.name, None)

    def keep(self, result: Result) -> None:
        """Keep a result at once."""
        self._rows[result.name] = result
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(result)) + "\n")


def table(mutants: Sequence[Mutant], results: Mapping[str, Result]) -> str:
    """The results by area."""
    verdicts = (KILLED, SURVIVED, UNDECIDED, EQUIVALENT)
    lines = [f"{'area':10}" + "".join(f"{word:>12}" for word in ("mutants", *verdicts, "not asked", "killed"))]
    for area in dict.fromkeys(mutant.area for mutant in mutants):
        found = _counted(area, mutants, results)
        numbers = [sum(found.values()), *(found[verdict] for verdict in verdicts), found[""]]
        lines.append(f"{area:10}" + "".join(f"{number:12}" for number in numbers) + f"{share(found):12.0%}")
    return "\n".join(lines)


def too_few(mutants: Sequence[Mutant], results: Mapping[str, Result]) -> list[str]:
    """The areas in which too few mutants are killed."""
    areas = dict.fromkeys(mutant.area for mutant in mutants)
    return [area for area in areas if share(_counted(area, mutants, results)) < WANTED]


def share(found: Mapping[str, int]) -> float:
    """How many of those that could be killed are."""
    could = sum(found.values()) - found[EQUIVALENT]
    return found[KILLED] / could if could else 1.0


def _counted(area: str, mutants: Iterable[Mutant], results: Mapping[str, Result]) -> Counter[str]:
    of_area = [mutant.name for mutant in mutants if mutant.area == area]
    return Counter(results[name].verdict if name in results else "" for name in of_area)
