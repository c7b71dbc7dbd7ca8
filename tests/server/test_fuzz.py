"""Random input by HTTP and WebSocket is answered with a sentence or closes the connection."""

import json
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from parlour.server.http.app import create_app
from tests.helpers import ALL_CARDS
from tests.server.card_room import CardRoom

pytestmark = pytest.mark.slow
schema = schemathesis.openapi.from_dict(create_app(None).openapi())  # this application answers no request


@pytest.fixture(scope="module")
def card_room(tmp_path_factory):
    room = CardRoom(tmp_path_factory.mktemp("card_room") / "tables.sqlite")
    yield room
    assert room.works()
    room.stop()


@schema.parametrize()
@settings(max_examples=30)
def test_requests_are_answered_without_an_error_of_the_server(card_room, case):
    answer = case.call(base_url=str(card_room.http.base_url))
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert list(answer.json()) == ["error"]
        assert 0 < len(answer.json()["error"]) < 500
    assert answer.headers["x-content-type-options"]


TEXTS = st.one_of(st.text(max_size=20), st.sampled_from([*ALL_CARDS, "top", "give 7H", "act", "hello", "ping", "why"]))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=8,
)
NEARLY = st.fixed_dictionaries(
    {"type": st.sampled_from(["act", "why", "ping", "hello"])},
    optional={
        "do": st.one_of(TEXTS, VALUES),
        "seen": st.one_of(st.integers(-5, 30), VALUES),
        "key": st.one_of(TEXTS, VALUES),
        "more": VALUES,
    },
)
"""Messages of known types; some of them are valid."""
ANSWERS = {"refused", "scenes", "why", "pong", "table"}


def encode(message):
    """Return a message as it is sent: bytes as they are, other values as JSON."""
    return message if isinstance(message, bytes) else json.dumps(message)


class Talk:
    """A seat's connection, reopened whenever the server has ended it."""

    def __init__(self, card_room):
        self.card_room = card_room
        self.table = card_room.open("you", "thumb", options={"rounds": 99})
        self.player = None

    def answer_types(self, message):
        """Return the types of the server's messages up to its answer to a ping sent after this message.

        Return the close code if the server closes the connection instead.
        """
        if self.player is None:
            self.player = self.card_room.sit(self.table["table"], self.table["key"])
            self.player.hear_type("scenes")
        kinds = []
        try:
            self.player.socket.send(message)
            self.player.say(type="ping")
            while True:
                heard = self.player.hear()
                kinds.append(heard["type"])
                if heard == {"type": "pong"}:
                    return kinds
        except ConnectionClosed as closed:
            self.player.__exit__(None, None, None)
            self.player = None
            return closed.rcvd.code if closed.rcvd else 1006


@pytest.fixture(scope="module")
def talk(card_room):
    return Talk(card_room)


@settings(max_examples=200)
@given(message=st.one_of(NEARLY, NEARLY, VALUES, st.binary(max_size=50)))
def test_messages_are_answered_or_close_the_connection(talk, message):
    answer = talk.answer_types(encode(message))
    assert answer == 4400 or set(answer) <= ANSWERS, answer


@settings(max_examples=60)
@given(text=st.text(max_size=200))
def test_texts_that_are_no_messages_are_refused_or_close_the_connection(talk, text):
    answer = talk.answer_types(text)
    assert answer == 4400 or "refused" in answer


@settings(max_examples=60)
@given(table=st.text(st.characters(blacklist_categories=["Cs"]), max_size=30), body=VALUES)
def test_requests_for_unknown_tables_are_refused(card_room, table, body):
    answer = card_room.http.post(f"/api/tables/{quote(table, safe='')}x/seats", content=json.dumps(body))
    assert answer.status_code in (404, 405, 422)
