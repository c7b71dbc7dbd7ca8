"""The mutants: small wrong changes to the code, each of which some test must detect. One TOML file for each area.

An entry has

- ``name``: a unique name;
- ``file``: the path of the changed file from the root of the repository;
- ``before``, ``after``: a text that occurs exactly once in the file, and its replacement;
- ``tests``: the tests that must detect it, from narrow to wide: files, or node ids, optionally with ``-k WORD``;
- ``equivalent``: the reason why no test can detect it, if so; the mutant is not run and not counted;
- ``compiled``: whether it must run in machine code, which then has to be compiled.
"""

import ast
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
LISTS = Path(__file__).parent
_IN_MACHINE_CODE = ("src/parlour/engine/", "src/parlour/bots/", "src/parlour/games/", "src/parlour/cards.py")
"""Files that compiled code may depend on; a change there compiles everything anew."""


class MutantError(Exception):
    """A malformed entry, or one that no longer fits the code."""


@dataclass(frozen=True)
class Mutant:
    """A small wrong change of a file."""

    area: str
    name: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...] = ()
    equivalent: str = ""
    compiled: bool = False

    @property
    def interpreted(self) -> bool:
        """Whether its tests run with interpreted rules."""
        return self.file.startswith(_IN_MACHINE_CODE) and not self.compiled


def read_mutants(folder: Path = LISTS) -> list[Mutant]:
    """Return all mutants, area by area. Raises :class:`MutantError`."""
    found: dict[str, Mutant] = {}
    for path in sorted(folder.glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]:
            try:
                mutant = Mutant(path.stem, **{**entry, "tests": tuple(entry.get("tests", ()))})
            except TypeError as error:
                raise MutantError(f"{path.name}, {entry.get('name')}: {error}") from None
            if mutant.name in found:
                raise MutantError(f"{path.name}: {mutant.name} occurs twice")
            if not (mutant.tests or mutant.equivalent):
                raise MutantError(f"{path.name}: {mutant.name} has neither tests nor a reason for having none")
            found[mutant.name] = mutant
    return list(found.values())


def mutate(mutant: Mutant, text: str) -> str:
    """Return the changed text of its file. Raises :class:`MutantError` if ``before`` does not occur exactly once."""
    times = text.count(mutant.before)
    if times != 1:
        raise MutantError(f"{mutant.name}: the text to be changed occurs {times} times in {mutant.file}, not once")
    if mutant.before == mutant.after:
        raise MutantError(f"{mutant.name} changes nothing")
    return text.replace(mutant.before, mutant.after)


def file_of(test: str) -> str:
    """Return the file of a test."""
    return test.split(" -k ")[0].split("::")[0]


def missing_part(test: str, root: Path = ROOT) -> str:
    """Return the first missing part of a test: its file, class or function; empty if all exist."""
    file, *names = test.split(" -k ")[0].split("::")
    if not (root / file).exists():
        return file
    inside: ast.Module | ast.ClassDef | ast.FunctionDef | None = _parsed(root / file) if names else None
    for name in names:
        plain, among = name.split("[")[0], inside.body if inside else []
        inside = next((one for one in among if isinstance(one, _NAMED) and one.name == plain), None)
        if inside is None:
            return name
    return ""


_NAMED = (ast.ClassDef, ast.FunctionDef)


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_bytes())
