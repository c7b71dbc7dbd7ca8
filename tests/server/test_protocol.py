"""The classes of the messages, their JSON and their documentation."""

import json
import re
from pathlib import Path

import pytest

from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.render.bot_names import bot_names
from parlour.render.layouts import find_layout
from parlour.render.page_folder import PAGE as PAGE_FILES
from parlour.server.http.protocol_tables import (
    client_table,
    codes_table,
    requests_table,
    scene_table,
    server_table,
    update_tables,
)
from parlour.server.http.protocol_types import PAGE_MODULES, declarations
from parlour.server.table.close_codes import Closing
from parlour.server.table.messages import (
    MESSAGES,
    HistoryMessage,
    Message,
    RefusedMessage,
    ScenesMessage,
    SceneText,
    to_text,
)

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


def kinds_of(kind):
    return {kind}.union(*(kinds_of(each) for each in kind.__subclasses__()))


def paths_in(value, path=""):
    """Return the paths of all keys in JSON values, with ``[]`` for each item of a list."""
    if isinstance(value, list):
        return set().union(*(paths_in(each, f"{path}[]") for each in value))
    if not isinstance(value, dict):
        return set()
    own = {key: f"{path}.{key}".lstrip(".") for key in value}
    return set(own.values()).union(*(paths_in(value[key], own[key]) for key in value))


class TestThePage:
    def test_its_tables_are_those_of_the_types(self):
        page = PAGE.read_text()
        assert update_tables(page) == page, "make docs"

    def test_a_table_that_says_something_else_is_made_anew(self):
        page = PAGE.read_text()
        for kept in ('{"type": "pong"}', '"yes": true or false'):
            assert kept in page
            assert update_tables(page.replace(kept, "")) == page

    def test_a_page_without_a_mark_is_refused(self):
        with pytest.raises(ValueError, match="no place"):
            update_tables(PAGE.read_text().replace("made from the code: server", ""))

    def test_every_message_has_its_row(self):
        assert kinds_of(Message) - {Message} == set(MESSAGES)
        assert server_table().count("\n| `{") == len(MESSAGES)

    def test_every_request_has_an_answer_and_every_code_a_meaning(self):
        asked, codes = requests_table().splitlines(), codes_table().splitlines()
        assert "| `POST /api/tables/{table}/seats` | 201 " in requests_table()
        assert not [row for row in (*asked, *codes) if row.endswith("|  |")]
        assert len(codes) == 2 + len(Closing)

    def test_a_code_says_whether_a_client_connects_again(self):
        ends = {int(row.split("|")[1]): row.split("|")[3].strip() for row in codes_table().splitlines()[2:]}
        assert [code for code, again in ends.items() if again == "no"] == [4403, 4404, 4410, 4411]
        assert [code for code, again in ends.items() if again == "after a pause"] == [1002, 1013, 4400, 4429, 4430]
        assert {*ends.values()} == {"yes", "after a pause", "no"}

    def test_its_keys_of_a_scene_are_those_of_a_scene_and_have_meanings(self):
        setup = Setup(find_game("trick-walls"), 2)
        match = Match(setup)
        match.apply_chance(match.sample_chance(StreamRandomness(new_stream(1))))
        scene = json.loads(to_text(find_layout("trick-walls").lay_out(match.observation(0), ["Ann", "Bo"], None)))
        rows = [row.split(" | ") for row in scene_table().splitlines()[2:]]
        paths = [row[0].strip("| `") for row in rows]
        assert len(paths) == len(set(paths))
        assert paths_in(scene) <= set(paths)
        assert [path for path in paths if "." not in path] == list(scene)
        assert all(row[-1].strip(" |") for row in rows)

    def test_optional_keys_are_marked(self):
        assert (
            '`{"type": "hello", "key"?: text \\| null, "seen"?: number \\| null, "name"?: text \\| null}`'
            in client_table()
        )
        assert '`{"type": "undo", "seen": number}`' in client_table()


class TestTheDeclarationsForThePage:
    def test_they_are_those_of_the_classes(self):
        assert (PAGE_FILES / "js" / "protocol.d.ts").read_text() == declarations(), "make docs"

    def test_a_key_that_a_client_may_omit_has_a_question_mark(self):
        hello = declarations().split("export interface Hello ")[1].split("}")[0]
        optional = ["  key?: string | null;", "  seen?: number | null;", "  name?: string | null;"]
        assert hello.split("\n")[1:-1] == ['  type: "hello";', *optional]

    def test_every_name_that_they_use_is_declared_once(self):
        text = declarations()
        declared = re.findall(r"export (?:interface|type) (\w+)", text)
        used = re.findall(r"\b[A-Z]\w+(?=\[\]|;| \|)", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
        assert len(declared) == len(set(declared))
        assert set(used) - {"Record"} <= set(declared)


class TestTheBytes:
    def test_the_type_comes_first_and_the_keys_in_their_order(self):
        refused = RefusedMessage("7H", "You do not hold it.", "", 3)
        assert to_text(refused) == (
            '{"type":"refused","do":"7H","reason":"You do not hold it.","clause":"","seen":3,"id":""}'
        )

    def test_scenes_are_passed_on_as_they_were_written(self):
        scenes = [SceneText('{"seen":1, "log":[]}'), SceneText('{"seen":2}')]
        assert to_text(ScenesMessage(scenes)) == '{"type":"scenes","scenes":[{"seen":1, "log":[]},{"seen":2}]}'
        whole = HistoryMessage(scenes[1:], ["You lead.", ""], [])
        assert to_text(whole) == '{"type":"scenes","scenes":[{"seen":2}],"log":["You lead.",""],"meanwhile":[]}'


class TestModulesForThePage:
    @pytest.mark.parametrize("file", PAGE_MODULES)
    def test_they_have_the_values_of_the_server(self, file):
        assert (PAGE_FILES / "js" / file).read_text() == PAGE_MODULES[file](), "make docs"

    def test_bots_have_the_same_names_at_the_page_and_in_the_terminal(self):
        assert json.dumps(list(bot_names(range(7)).values())) in PAGE_MODULES["bot_names.js"]()
