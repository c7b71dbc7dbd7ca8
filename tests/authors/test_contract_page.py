"""``docs/contract.md``: generated from the docstrings of hooks and helpers, with examples that run."""

import re
from dataclasses import fields
from pathlib import Path

from parlour.authors.contract_page import TEXTS, contract_page
from parlour.authors.contract_text import CALLS
from parlour.engine.game import FAST_RULES, RULES, Game
from parlour.render import scene

PAGE = Path(__file__).parents[2] / "docs" / "contract.md"


class TestContractPage:
    def test_equals_the_generated_page(self):
        """``make docs`` regenerates the page."""
        assert PAGE.read_text(encoding="utf-8") == contract_page()

    def test_has_every_hook_with_its_description_its_callers_and_its_default(self):
        page = PAGE.read_text(encoding="utf-8")
        hooks = [field.name for field in fields(Game) if "Callable" in str(field.type)]
        assert sorted(hooks) == sorted([*RULES, *FAST_RULES, *TEXTS]) == sorted(CALLS)
        for hook in hooks:
            section = page.partition(f"\n### `{hook}(")[2].partition("\n### ")[0]
            assert re.match(r".*\)( -> .*)?`\n\n\w(.|\n)+?\n- Called by \w(.|\n)+?\n- Default: \S", section), hook

    def test_has_every_attribute_of_a_scene(self):
        page = PAGE.read_text(encoding="utf-8")
        for of in (scene.CardSeen, scene.Row, scene.Area, scene.Choice, scene.Scene, scene.Layout):
            section = page.partition(f"### `{of.__name__}(")[2].partition("\n### ")[0]
            assert [field.name for field in fields(of) if f"- `{field.name}`: " not in section] == []

    def test_has_an_example_whose_choices_name_tokens_of_its_areas(self):
        (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        made = dict(vars(scene))
        exec(example, made)
        rows = [row for area in made["areas"] for row in area.rows]
        tokens = {row.token for row in rows} | {card.token for row in rows for card in row.cards}
        assert {token for choice in made["choices"] for token in choice.tokens} <= tokens
        assert {area.at for area in made["areas"]} == {None, 0, 1}
