"""Generate ``docs/contract.md``, the reference for authors of games, from docstrings of contract and helpers."""

import ast
import inspect
import re
import textwrap
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from types import ModuleType
from typing import Any

from parlour import cards
from parlour.authors.contract_text import (
    CALLS,
    DESCRIPTIONS,
    FAST_ABOUT,
    GAME_ABOUT,
    HELPERS_ABOUT,
    HOOKS_ABOUT,
    INTRODUCTION,
    LESSON_ABOUT,
    REBUILD,
    SCENE_ABOUT,
    TYPES_ABOUT,
)
from parlour.engine import arrays, chance, rules, tie_breaking
from parlour.engine import fields as kinds
from parlour.engine.game import ABOUT, FAST_RULES, RULES, Game, Line, Option, Options, Refusal, Zone
from parlour.engine.typed_state import AnyState
from parlour.render import lesson, scene, words

ALIASES = {
    "Options": Options,
    "Sequence[FieldDeclaration]": Sequence[kinds.FieldDeclaration],
    "Stream": arrays.Stream,
    "Int64s": arrays.Int64s,
    "States": arrays.States,
}
"""Types that the page writes by their names."""
TEXTS = tuple(
    field.name
    for field in fields(Game)
    if field.name not in (*RULES, *FAST_RULES, *ABOUT, "dtype") and "Callable" in str(field.type)
)
"""Names of the hooks in plain Python."""
_NOT_FOR_GAMES = (
    "store_flags",
    "add_flags",
    "CELLS_AT_ONCE",
    "start_stream",
    "new_stream",
    "as_seed",
    "is_seed_list",
    "pass_over",
)
"""Names of ``cards`` and ``chance`` that the page leaves out, since games do not need them."""
_OF_RULES = ("known_to", "state_type", "hides_nothing", "best_by_value")
"""Functions of ``rules`` that games may use, besides its constants."""
_OF_KINDS = ("one_of", "flags", "number", "chair_in", "hidden", "by_seat", "by_chair", "first_of", "counted")
"""Functions of ``fields`` that games may use."""
_OF_SCENE = ("CardSeen", "Row", "Area", "Side", "ScoreLine", "Standing", "Choice", "Scene", "Term", "Layout")
"""Classes of ``scene`` on the page."""
WIDTH = 100
"""Width of the page's prose, in columns."""


def contract_page() -> str:
    """Return the whole page as Markdown."""
    parts = [
        INTRODUCTION,
        HOOKS_ABOUT,
        *(_hook_text(name, *_rule_hook(name)) for name in RULES),
        "## Hooks in plain Python",
        *(_hook_text(name, *_text_hook(name)) for name in TEXTS),
        FAST_ABOUT,
        *(_hook_text(name, *_rule_hook(name)) for name in FAST_RULES),
        TYPES_ABOUT,
        *(_class_text(of) for of in (Zone, Line, Refusal, Option)),
        GAME_ABOUT,
        _game_text(),
        _class_text(kinds.FieldWords),
        REBUILD,
        HELPERS_ABOUT,
        _module_text(cards, "parlour.cards", _public(cards)),
        _module_text(chance, "parlour.engine.chance", _public(chance)),
        _module_text(rules, "parlour.engine.rules", [*_constants(rules), *_OF_RULES]),
        _module_text(
            tie_breaking, "parlour.engine.tie_breaking", [*_constants(tie_breaking), *_functions(tie_breaking)]
        ),
        _module_text(kinds, "parlour.engine.fields", _field_names()),
        SCENE_ABOUT,
        *(_class_text(getattr(scene, name)) for name in _OF_SCENE),
        _module_text(scene, "Functions of parlour.render.scene", _functions(scene)),
        _module_text(words, "parlour.render.words", ["counted", *_functions(words)]),
        LESSON_ABOUT,
        *(_class_text(getattr(lesson, name)) for name in ("Lesson", "Hand", "Step")),
    ]
    return _wrap_page("\n\n".join(part.strip() for part in parts)) + "\n"


def _wrap_page(page: str) -> str:
    """Wrap the prose of the page, and return the page; code and headings are unchanged."""
    parts = re.split(r"(?s)(```.*?```)", page)
    parts[::2] = ["\n\n".join(map(_wrap_block, part.split("\n\n"))) for part in parts[::2]]
    return "".join(parts)


def _wrap_block(block: str) -> str:
    """Wrap a paragraph, or a list; a heading is unchanged."""
    if block.startswith("#") and "\n" not in block:
        return block
    items = re.split(r"\n(?=(?:- |\d+\. |#))", block)
    return "\n".join(_wrap_item(item) for item in items)


def _wrap_item(item: str) -> str:
    mark = re.match(r"- |\d+\. ", item)
    indent = " " * len(mark[0]) if mark else ""
    words = " ".join(item.split())
    wrapped = textwrap.fill(words, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    leading = "\n" * (len(item) - len(item.lstrip("\n")))
    trailing = "\n" * (len(item) - len(item.rstrip("\n")))
    return f"{leading}{wrapped}{trailing}"


def _game_text() -> str:
    """Return the descriptive arguments of ``Game.made_of`` as a list."""
    texts = {**DESCRIPTIONS, **{name: text for name, text in _attribute_docs(Game).items() if name in ABOUT and text}}
    return "\n".join(f"- `{name}`: {_one_line(text)}" for name, text in texts.items() if name != "variation_of")


def _rule_hook(name: str) -> tuple[str, str, str]:
    """Return the arguments of a compiled hook, its description, and its default."""
    default = next(field.default for field in fields(Game) if field.name == name)
    return _arguments(getattr(rules, name)), _plain_text(getattr(rules, name).__doc__), _default_text(default)


def _text_hook(name: str) -> tuple[str, str, str]:
    """Return the same for a hook in plain Python; its field's annotation has the types."""
    field = next(field for field in fields(Game) if field.name == name)
    names = ["state", "action"] if field.default is MISSING else list(inspect.signature(field.default).parameters)
    arguments_types, result = typing.get_args(field.type)
    kinds_of = [_type_text(each) for each in arguments_types]
    typed = (each if kind == "Any" else f"{each}: {kind}" for each, kind in zip(names, kinds_of, strict=True))
    arguments = f"({', '.join(typed)}) -> {_type_text(result)}"
    return arguments, _plain_text(_attribute_docs(Game)[name]), _default_text(field.default)


def _default_text(default: Any) -> str:
    if default is MISSING:
        return "none: each game has it"
    if default.__name__ != "<lambda>":
        return f"`{default.__name__}`: {_plain_text(default.__doc__).split(chr(10) * 2)[0]}"
    source = inspect.getsource(default)
    return f"`{source[source.index('lambda') :].strip()}`"


def _hook_text(name: str, arguments: str, about: str, default: str) -> str:
    return f"### `{name}{arguments}`\n\n{about}\n\n- Called by {CALLS[name]}\n- Default: {default}"


def _arguments(function: Callable[..., Any]) -> str:
    """Return the arguments and the result type of a function as text."""
    signature = inspect.signature(function)
    names = ", ".join(map(_argument_text, signature.parameters.values()))
    result = signature.return_annotation
    return f"({names})" if result in (inspect.Signature.empty, Any) else f"({names}) -> {_type_text(result)}"


def _argument_text(argument: inspect.Parameter) -> str:
    """Return an argument with its type and default; a state's type, which is the game's own, is left out."""
    if argument.annotation in (Any, AnyState):
        return argument.name
    name = str(argument.replace(annotation=argument.empty, default=argument.empty))
    default = "" if argument.default is argument.empty else f" = {argument.default!r}"
    return f"{name}: {_type_text(argument.annotation)}{default}"


def _type_text(annotation: Any) -> str:
    if annotation is None:
        return "None"
    for name, alias in ALIASES.items():
        if annotation == alias:
            return name
    named = isinstance(annotation, type) and not typing.get_args(annotation)
    return annotation.__name__ if named else _shorten_type(str(annotation))


def _shorten_type(text: str) -> str:
    """Remove modules from types and abbreviate the type of options."""
    short = re.sub(r"\b[a-z_]+(\.[a-z_]+)*\.(?=[A-Z])", "", text)
    return short.replace("Mapping[str, int | bool | str]", "Options").replace("NoneType", "None")


def _plain_text(text: str | None) -> str:
    """Return a docstring as Markdown: references become code, the entries of ``Attributes`` and ``Args`` a list."""
    found = inspect.cleandoc(text or "")
    found = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", found).replace("``", "`")
    return re.sub(r"(?m)^(Attributes|Args|Returns|Raises):\n", r"\1:\n\n", _as_list(found))


def _as_list(text: str) -> str:
    """Convert the entries of ``Attributes`` and ``Args`` to list items; continued lines join their entry."""
    lines: list[str] = []
    for line in text.splitlines():
        if entry := re.match(r"^ {4}(\w+): (.*)", line):
            lines.append(f"- `{entry[1]}`: {entry[2]}")
        elif line.startswith("        ") and lines and lines[-1].startswith("- "):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _nodes(of: Any) -> list[ast.stmt]:
    tree = ast.parse(inspect.getsource(of))
    return tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) and inspect.isclass(of) else tree.body


def _attribute_docs(of: Any) -> dict[str, str]:
    """Return the docstrings below the names of a module or a class; empty for a name without one."""
    found: dict[str, str] = {}
    nodes = _nodes(of)
    for node, after in zip(nodes, [*nodes[1:], ast.Pass()], strict=True):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name):
            text = after.value if isinstance(after, ast.Expr) else None
            found[target.id] = str(text.value) if isinstance(text, ast.Constant) else ""
    return found


def _constants(module: ModuleType) -> list[str]:
    """Return the documented constants of a module."""
    return [name for name, text in _attribute_docs(module).items() if text and name[0].isupper()]


def _functions(module: ModuleType) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    ]


def _public(module: ModuleType) -> list[str]:
    """Return the names that games may use: constants in capitals, and functions."""
    constants = [name for name in _attribute_docs(module) if name.isupper() and not name.startswith("_")]
    return [name for name in [*constants, *_functions(module)] if name not in _NOT_FOR_GAMES]


def _field_names() -> list[str]:
    return [*(name for name in _constants(kinds) if name.isupper()), *_OF_KINDS]


def _module_text(module: ModuleType, title: str, names: list[str]) -> str:
    return "\n".join([f"### {title}", "", *_entries(module, names)])


def _entries(module: ModuleType, names: list[str]) -> Iterator[str]:
    documented = _attribute_docs(module)
    for name in names:
        value = getattr(module, name)
        if inspect.isfunction(value):
            yield f"- `{name}{_arguments(value)}`: {_one_line(value.__doc__)}"
        else:
            text = _one_line(documented[name])
            shown = repr(value) if isinstance(value, (int, str)) and len(repr(value)) < 20 else ""
            yield f"- `{name}`{f' = `{shown}`' if shown else ''}{f': {text}' if text else ''}"


def _one_line(text: str | None) -> str:
    """Return a docstring as one paragraph; the entries of ``Args`` become sentences."""
    lines = (line.removeprefix("- ") for line in _plain_text(text).splitlines() if line != "Args:")
    return " ".join(" ".join(lines).split())


def _class_text(of: type) -> str:
    """Return a dataclass as Markdown: its attributes with their defaults, and its docstring."""
    attributes = [f"{field.name}{_default_suffix(field)}" for field in fields(of)]
    return f"### `{of.__name__}({', '.join(attributes)})`\n\n{_plain_text(of.__doc__)}"


def _default_suffix(field: Any) -> str:
    """Return the default of an attribute, as written after its name."""
    if field.default is MISSING:
        return "" if field.default_factory is MISSING else "=…"
    if not callable(field.default):
        return f"={field.default!r}"
    return "=…" if field.default.__name__ == "<lambda>" else f"={field.default.__name__}"


def write_contract(file: Path) -> None:
    """Write the page to a file."""
    file.write_text(contract_page(), encoding="utf-8")


if __name__ == "__main__":
    import sys

    write_contract(Path(sys.argv[1]))
