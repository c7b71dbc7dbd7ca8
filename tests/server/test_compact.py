"""The scripts and style sheets that the server sends differ from the repository's only in comments and spaces."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fastapi import FastAPI

from parlour.render.page_folder import PAGE
from parlour.server.http.document.compact import compact
from parlour.server.http.document.page_files import mount_page

ROOT = Path(__file__).parents[2]
SCRIPT = b"""// A module.

/**
 * A function.
 */
export const one = () => 1; // behind code
  /* alone */
/** @type {any} */ const typed = "/* text */";
export const two = `${typed} // text`;
"""


class TestComments:
    def test_that_have_lines_of_their_own_become_empty_lines_and_those_behind_code_are_cut_off(self):
        lines = compact("js/x.js", SCRIPT).decode().split("\n")
        expected = SCRIPT.decode().replace(" // behind code", "").split("\n")
        for line in (0, 2, 3, 4, 6):
            expected[line] = ""
        assert lines == expected

    def test_of_style_sheets_and_no_others_are_removed_too(self):
        sheet = b"/* colours */\na{b:url(//x);} /* red */\n// no comment\n"
        assert compact("css/x.css", sheet) == b"\na{b:url(//x);}\n// no comment\n"
        assert compact("img/x.svg", sheet) == sheet


class TestStyleSheets:
    def test_have_no_spaces_around_braces_and_semicolons(self):
        sheet = b"@media print {\n  a b:not(c) { margin: 0 auto; top: calc(1px + 2px) }\n}\n"
        assert compact("css/x.css", sheet) == b"@media print{\na b:not(c){margin: 0 auto;top: calc(1px + 2px)}\n}\n"

    def test_have_no_braces_and_semicolons_in_strings(self):
        sheets = "".join(path.read_text(encoding="utf-8") for path in PAGE.rglob("*.css"))
        strings = re.findall(r"""(?m)"[^"\n]*"|'[^'\n]*'""", re.sub(r"(?s)/\*.*?\*/", "", sheets))
        assert [text for text in strings if re.search("[{};]", text)] == []


@pytest.fixture(scope="module")
def served():
    """The scripts of the page as the server sends them, by path."""
    return {path: text.decode() for path, text in mount_page(FastAPI()).contents.items() if path.endswith(".js")}


class TestServedScripts:
    def test_have_the_syntax_trees_of_the_repositorys(self, served):
        pairs = {path: [(PAGE / path).read_text(encoding="utf-8"), text] for path, text in served.items()}
        node = Path(sys.executable).with_name("node")
        program = ROOT / "tests" / "page" / "syntax_trees.mjs"
        run = subprocess.run([node, program], cwd=ROOT, input=json.dumps(pairs), capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        assert json.loads(run.stdout) == []

    def test_have_no_comment_in_a_line_of_its_own(self, served):
        found = [path for path, text in served.items() if re.search(r"(?m)^\s*(//|/\*\*?$|\* )", text)]
        assert found == []
