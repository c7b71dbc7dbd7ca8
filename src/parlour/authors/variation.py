"""Variations of a game: packages that replace some functions of the original and share all others.

:func:`vary` executes copies of the original's modules (``my_castle.original.rules``), replaces functions in them by
the functions of the same names in the package's module ``clauses``, and returns a game with its own state type. So
rules, heuristic and texts all use the changed clause, and the original does not change. A variation lacks the
original's optional fast functions (``fast.py``), since these implement clauses a second time.
"""

import ast
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from difflib import get_close_matches
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from inspect import signature
from types import CodeType, FunctionType, ModuleType
from typing import Any

from parlour.engine.errors import GameError
from parlour.engine.fields import UNOBSERVED, Axis, Kind, fields_of
from parlour.engine.game import FAST_RULES, Game, Option, Value
from parlour.engine.lint import check_names
from parlour.engine.rules import HEADER, state_type
from parlour.games import ORIGINAL, find_game, folder_of

CLAUSES = "clauses"
"""Name of the module with the changed functions, in the package of a variation."""


def vary(
    game_id: str,
    package: str,
    *,
    id: str,
    title: str = "",
    summary: str = "",
    defaults: Mapping[str, Value] | None = None,
) -> Game:
    """Return a variation of a game: functions of ``clauses.py`` replace the original's functions of the same names.

    Args:
        game_id: the original's id.
        package: the package of the variation, ``__name__`` in its ``__init__.py``.
        id: the variation's id, as its entry point names it.
        title: the display name.
        summary: a sentence about the difference; by default the original's summary.
        defaults: the defaults of options, by name, that differ from the original's.

    Raises:
        GameError: the original is itself a variation or a single file; there is no ``clauses.py``; a function of
            ``clauses.py`` does not replace exactly one function, or has other parameters; or an option is unknown.
    """
    original = find_game(game_id)
    if original.variation_of or folder_of(game_id) is None:
        kind = f"a variation of {original.variation_of}" if original.variation_of else "a single file"
        raise GameError(f"{game_id} cannot be varied, since it is {kind}")
    copies = _Copies(_package_of(original), f"{package}.{ORIGINAL}")
    _FINDER.copies[copies.name] = copies
    modules = copies.modules_behind(original)
    clauses = copies.load(f"{package}.{CLAUSES}")
    changed = _replace_functions(clauses, modules, original.title)
    attributes = {field.name: copies.counterpart(getattr(original, field.name)) for field in fields(Game)}
    attributes |= {name: function for name, function in changed.items() if name in attributes}
    attributes |= {rule: Game.__dataclass_fields__[rule].default for rule in FAST_RULES}
    about = {"id": id, "title": title, "variation_of": game_id, "summary": summary or original.summary}
    attributes |= about | {"dtype": _state_type(original, copies, f"variation_{package.replace('.', '_')}")}
    attributes["options"] = _options(original, defaults or {})
    check_names((value for value in attributes.values() if isinstance(value, FunctionType)), attributes["dtype"])
    return Game(**attributes)


def replaceable(game: Game) -> dict[str, FunctionType]:
    """Return the functions of a game that a variation can replace, by name, those of the heuristic last.

    Functions that share a name with another function are left out, since a variation could not tell them apart.
    """
    package, waiting = _package_of(game), [value for value in vars(game).values() if isinstance(value, FunctionType)]
    modules = dict[str, None]()
    while waiting:
        name = waiting.pop().__module__
        if name.startswith(f"{package}.") and not name.endswith(".fast") and name not in modules:
            modules[name] = None
            waiting += _functions(sys.modules[name])
    defined = [
        value
        for name in sorted(modules, key=lambda name: (name.endswith(".heuristic"), name))
        for value in _functions(sys.modules[name])
        if value.__module__ == name and not value.__name__.startswith(("_", "<"))
    ]
    names = [value.__name__ for value in defined]
    return {value.__name__: value for value in defined if names.count(value.__name__) == 1}


def _functions(module: ModuleType) -> list[FunctionType]:
    return [value for value in vars(module).values() if isinstance(value, FunctionType)]


def _package_of(game: Game) -> str:
    """Return the package of a game's modules."""
    return game.legal.__module__.rpartition(".")[0]


class _Copies:
    """Copies of a package's modules, which import each other instead of the originals.

    Attributes:
        package: the name of the original package.
        name: the name of the package of copies.
    """

    def __init__(self, package: str, name: str) -> None:
        self.package, self.name = package, name

    def modules_behind(self, game: Game) -> list[ModuleType]:
        """Import copies of the modules that define the game's functions; return these and the copies they import."""
        for function in (value for value in vars(game).values() if isinstance(value, FunctionType)):
            if self._is_inside(function.__module__) and not function.__module__.endswith(".fast"):
                import_module(self.name + function.__module__.removeprefix(self.package))
        return [module for name, module in sys.modules.items() if name.startswith(f"{self.name}.")]

    def load(self, name: str) -> ModuleType:
        """Load a module whose imports from the original package become imports of the copies."""
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise GameError(f"there is no {name}: a variation has its changed functions there")
        copy_spec = spec_from_file_location(name, spec.origin, loader=_CopyLoader(name, spec.origin, self))
        assert copy_spec is not None
        assert copy_spec.loader is not None
        module = sys.modules[name] = module_from_spec(copy_spec)
        copy_spec.loader.exec_module(module)
        return module

    def counterpart(self, value: Any) -> Any:
        """Return the copy of a function of the original package; return any other value unchanged."""
        if not isinstance(value, FunctionType) or not self._is_inside(value.__module__):
            return value
        module = import_module(self.name + value.__module__.removeprefix(self.package))
        return vars(module).get(value.__name__, value)

    def _is_inside(self, module: str) -> bool:
        return module.startswith(f"{self.package}.")

    def copy_name(self, module: str | None) -> str | None:
        """Return the name of a module's copy; the same name for a module outside the package."""
        inside = module and (module == self.package or self._is_inside(module))
        return self.name + module.removeprefix(self.package) if module and inside else module

    def spec(self, name: str) -> ModuleSpec | None:
        """Return the import specification of a copy or of the package of copies; ``None`` if there is no original."""
        if name == self.name:
            return ModuleSpec(name, None, is_package=True)
        source = find_spec(self.package + name.removeprefix(self.name))
        if source is None or source.origin is None:
            return None
        return spec_from_file_location(name, source.origin, loader=_CopyLoader(name, source.origin, self))


class _CopyLoader(SourceFileLoader):
    """Loader that changes a source file's imports from the original package; it neither reads nor writes bytecode."""

    def __init__(self, name: str, path: str, copies: _Copies) -> None:
        super().__init__(name, path)
        self._copies = copies

    def get_code(self, fullname: str) -> CodeType:
        """Compile the source with the changed imports."""
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and not node.level:
                node.module = self._copies.copy_name(node.module)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    alias.name = self._copies.copy_name(alias.name) or alias.name
        code: CodeType = compile(tree, path, "exec", dont_inherit=True)
        return code


class _CopyFinder(MetaPathFinder):
    """Import finder for the copies of all variations, which it knows by the names of their packages."""

    def __init__(self) -> None:
        self.copies: dict[str, _Copies] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of a copy, ``None`` for any other module."""
        for name, copies in self.copies.items():
            if fullname == name or fullname.startswith(f"{name}."):
                return copies.spec(fullname)
        return None


_FINDER = _CopyFinder()
sys.meta_path.insert(0, _FINDER)


def _replace_functions(clauses: ModuleType, modules: list[ModuleType], title: str) -> dict[str, FunctionType]:
    """Replace functions in all copies by the functions of the same names in ``clauses``; return these by name.

    Functions of ``clauses`` whose names begin with an underscore are helpers and replace nothing.
    """
    own = (value for value in _functions(clauses) if value.__module__ == clauses.__name__)
    changed = {value.__name__: value for value in own if not value.__name__.startswith("_")}
    for name, function in changed.items():
        originals = {vars(module)[name] for module in modules if isinstance(vars(module).get(name), FunctionType)}
        # a rule that the original does not define has its default in Game
        if not originals and isinstance(getattr(Game, name, None), FunctionType):
            originals = {getattr(Game, name)}
        if len(originals) != 1:
            raise GameError(f"{clauses.__name__}.{name} {_why_unclear(name, originals, modules, title)}")
        (before,) = originals
        expected, actual = (", ".join(signature(each).parameters) for each in (before, function))
        if expected != actual:
            raise GameError(f"{clauses.__name__}.{name} takes ({actual}), but should take ({expected})")
        for module in modules:
            if vars(module).get(name) is before:
                setattr(module, name, function)
    return changed


def _why_unclear(name: str, originals: set[FunctionType], modules: list[ModuleType], title: str) -> str:
    """Return the reason why a name does not denote exactly one function of the original."""
    if originals:
        places = " and ".join(sorted(function.__module__.rpartition(".")[2] for function in originals))
        return f"replaces nothing, since {places} have different functions of that name: replace one that calls it"
    names = {name for module in modules for name, value in vars(module).items() if isinstance(value, FunctionType)}
    close = get_close_matches(name, names, 1)
    meant = f"; is {close[0]!r} meant?" if close else "; the names of helpers begin with _"
    return f"replaces nothing, since {title} has no function of that name{meant}"


def _state_type(original: Game, copies: _Copies, marker: str) -> Any:
    """Return the original's state type with one more field, so that compiled code distinguishes the two games."""

    def copy_kind(kind: Kind) -> Kind:
        names = ("size", "least", "most")
        return replace(kind, **{name: copies.counterpart(getattr(kind, name)) for name in names})

    def copy_axis(axis: Axis) -> Axis:
        return Axis(int(axis), axis.wheel, copies.counterpart(axis.observed), axis.counted)

    declared = fields_of(original.dtype.names)[len(HEADER) :]
    copied = [(field.name, copy_kind(field.kind), tuple(map(copy_axis, field.axes))) for field in declared]
    return state_type([*copied, (marker, UNOBSERVED)])


def _options(original: Game, defaults: Mapping[str, Value]) -> tuple[Option, ...]:
    """Return the original's options with these defaults."""
    known = {option.name for option in original.options}
    if unknown := [name for name in defaults if name not in known]:
        raise GameError(f"{original.title} has no option {unknown[0]!r}; it has {', '.join(sorted(known))}")
    return tuple(
        replace(option, default=defaults[option.name]) if option.name in defaults else option
        for option in original.options
    )
