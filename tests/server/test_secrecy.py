"""No seat receives hidden information in messages, and no log contains it (see also ``test_twins.py``)."""

import hashlib
import json
import re

from parlour.engine.matches.deals import check_deal, commitment_of, deal_of
from parlour.server.table import decide
from parlour.server.table.people.keys import key_hash
from parlour.server.table.room import Room
from tests.helpers import ALL_CARDS
from tests.server.card_room import play_out
from tests.server.two_players import two_players


def test_a_spectator_is_sent_no_card_before_it_is_played(card_room):
    table = card_room.open("you", "thumb", "thumb", "thumb")
    with card_room.sit(table["table"]) as spectator, card_room.sit(table["table"], table["key"]) as ann:
        play_out(ann)
        spectator.until(lambda scene: scene["over"])
    played, sent = set(), set()
    events = card_room.store.load(table["table"]).events
    for scene in spectator.scenes:
        played |= {event.do for event in events[: scene["seen"]] if event.by >= 0}
        sent |= set(re.findall(r'"([2-9TJQKA][CDHS])"', json.dumps(scene)))
        assert sent <= played
    assert sent


def test_keys_are_stored_as_hashes_and_never_logged(card_room, capfd):
    table = card_room.open("you", "thumb")
    with card_room.sit(table["table"], table["key"]) as ann:
        play_out(ann)
        assert not any(table["key"] in text for text in ann.texts)
    with card_room.sit(table["table"], "wrong") as stranger:
        stranger.close_code()
    seat = card_room.store.load(table["table"]).seats[0]
    assert seat.key_hash == hashlib.sha256(table["key"].encode()).hexdigest() == key_hash(table["key"])
    kept = b"".join(path.read_bytes() for path in card_room.database.parent.iterdir())
    assert table["key"].encode() not in kept
    assert capfd.readouterr() == ("", "")


def test_an_answer_out_of_turn_reveals_no_legal_actions(card_room):
    with two_players(card_room, "trick-walls") as ((acting, other), _):
        answers = set()
        for typed in (*(card.lower() for card in ALL_CARDS), *acting.scene["legal"]):
            other.do(typed)
            answer = other.hear()
            assert answer.pop("do") == typed
            answers.add(json.dumps(answer))
        assert len(answers) == 1


def test_the_server_fails_without_telling_why(card_room, monkeypatch, capfd):
    def fail(*arguments):
        raise RuntimeError("the seven of hearts, 7H")

    table = card_room.open("you", "thumb")
    with card_room.sit(table["table"], table["key"]) as ann:
        ann.until(lambda scene: scene["legal"])
        with monkeypatch.context() as broken:
            broken.setattr(decide, "refusal", fail)
            ann.do("7H")
            refused = ann.hear()
            assert (refused["do"], refused["reason"]) == ("7H", "something went wrong in the server")
        ann.say(type="ping")
        assert ann.hear() == {"type": "pong"}
    monkeypatch.setattr(Room, "info", fail)
    answer = card_room.http.get(f"/api/tables/{table['table']}")
    assert answer.status_code == 500
    assert answer.json() == {"error": "something went wrong in the server"}
    assert "nosniff" in answer.headers["x-content-type-options"]
    assert "7H" not in "".join(capfd.readouterr())


def test_the_secret_of_the_deal_is_opened_when_the_game_is_over_and_not_before(card_room, capfd):
    table = card_room.open("you", "thumb")
    address = f"/api/tables/{table['table']}"
    secret = card_room.store.load(table["table"]).secret
    answers = [card_room.http.get(f"{address}{path}").text for path in ("", "/record")]
    with card_room.sit(table["table"], table["key"]) as ann, card_room.sit(table["table"]) as spectator:
        play_out(ann)
        spectator.until(lambda scene: scene["over"])
        assert ann.about["commitment"] == spectator.about["commitment"] == table["commitment"] == commitment_of(secret)
        assert not any(secret in text for text in [*ann.texts, *spectator.texts, *answers, *capfd.readouterr()])
    record = card_room.http.get(f"{address}/record").json()
    assert record["deal"] == deal_of(secret)
    assert check_deal(record, commitment=table["commitment"]).over
    assert secret not in repr(card_room.store.load(table["table"]))


def test_only_public_responses_are_compressed(card_room):
    table = card_room.open("you", "thumb", "thumb", "thumb")
    with card_room.sit(table["table"], table["key"]) as ann:
        play_out(ann)
    encoding = lambda path: card_room.http.get(path).headers.get("content-encoding")  # noqa: E731
    public = ("/page/js/table/table.js", "/api/games", "/api/games/trick-walls/show", "/api/games/trick-walls/rules")
    assert {encoding(path) for path in public} == {"gzip"}
    weighted = ({"accept-encoding": f"gzip;q={weight}, identity"} for weight in ("0", "0.000", "0.5"))
    answers = [card_room.http.get("/api/games", headers=each).headers for each in weighted]
    assert [answer.get("content-encoding") for answer in answers] == [None, None, "gzip"]
    assert {answer["vary"] for answer in answers} == {answers[0]["vary"]}
    personal = (f"/api/tables/{table['table']}/{part}" for part in ("replay", "record"))
    assert {encoding(path) for path in personal} == {None}
    with card_room.sit(table["table"], table["key"]) as ann:
        assert ann.socket.protocol.extensions == []
