"""Nobody is sent what their seat may not know: not in scenes, not in answers, not in logs."""

import hashlib
import json
import re

import pytest

from parlour.engine.chance import new_stream
from parlour.engine.deals import check_deal, commitment_of, deal_of
from parlour.engine.views import SPECTATOR, view_of
from parlour.games import all_games, find_game
from parlour.server.room import Room, key_hash
from parlour.server.viewers import Viewer, to_text
from parlour.tables import find_table
from tests.helpers import ALL_CARDS
from tests.laws.walks import rearranged
from tests.server.house import play_out


def laid_otherwise(room, seat, stream, look):
    """What ``look`` gives when everything that the seat does not know lies elsewhere."""
    match = room.match
    truth = match._states[0].copy()
    match._states[0] = rearranged(match.state, seat, stream)
    match._legal_now = None
    try:
        return look(), bool(truth != match._states[0])
    finally:
        match._states[0] = truth
        match._legal_now = None


def scene_of(room, seat):
    watch = room._watches[seat]
    return to_text(
        find_table(room.match.game.id).lay_out(view_of(room.match, seat), room.names, watch._before).to_json()
    )


def answers_of(room, seat):
    """Everything the room says to a seat that asks about every card."""
    viewer = Viewer(seat)
    for card in ALL_CARDS:
        for action in (card, f"give {card}", "top"):
            room.why(viewer, action)
    room.refuse(viewer, "no")
    return [text for _, text in viewer._waiting]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("trick-walls", 3, {"rounds": 2}),
        ("trick-walls", 3, {"rounds": 1, "long_run": True}),
        *((game.id, game.players[0], {}) for game in all_games() if game.id != "trick-walls"),
        ("tricky-tribes", 4, {}),
    ],
)
def test_everything_sent_is_the_same_when_unknown_cards_lie_elsewhere(house, monkeypatch, capfd, game, seats, options):
    stream, compared, differences = new_stream(7), [], []
    tell = Room._tell_event

    def sent_to(room, seat):
        about = {"type": "table", **room.about(), "seat": seat}
        return scene_of(room, seat), about, answers_of(room, seat) if room.seen % 5 == 0 else None

    def compare(room, seat):
        sent = sent_to(room, seat)
        other, moved = laid_otherwise(room, seat, stream, lambda: sent_to(room, seat))
        compared.append(moved)
        if sent != other or sent[0] != room._watches[seat].scene:
            differences.append((seat, room.seen))

    def tell_and_compare(room):
        tell(room)
        for seat in {0, SPECTATOR} & set(room._watches):
            compare(room, seat)

    monkeypatch.setattr(Room, "_tell_event", tell_and_compare)
    table = house.open("you", "open", *["thumb"] * (seats - 2), game=game, options=options)
    with house.sit(table["table"], table["key"]) as ann, house.sit(table["table"]) as spectator:
        for player in (ann, spectator):
            player.hear_type("scenes")
        taken = house.http.post(f"/api/tables/{table['table']}/seats", json={"seat": 1, "name": "Bo"}).json()
        with house.sit(table["table"], taken["key"]) as bo:
            play_out(ann, bo, until=lambda scene: scene["over"] or scene["seen"] >= 90)
            seen = ann.scene["seen"]
        spectator.until_seen(seen)
    assert not differences
    assert sum(compared) > 30
    assert capfd.readouterr() == ("", "")


def test_a_seat_is_sent_no_card_before_it_is_shown(house):
    table = house.open("you", "thumb", "thumb", "thumb")
    with house.sit(table["table"]) as spectator, house.sit(table["table"], table["key"]) as ann:
        play_out(ann)
        spectator.until(lambda scene: scene["over"])
    shown = set()
    events = house.store.load(table["table"]).events
    for scene in spectator.scenes:
        shown |= {event.do for event in events[: scene["seen"]] if event.by >= 0}
        assert set(re.findall(r'"([2-9TJQKA][CDHS])"', json.dumps(scene))) <= shown


def test_keys_are_kept_as_hashes_and_logs_are_silent(house, capfd):
    table = house.open("you", "thumb")
    with house.sit(table["table"], table["key"]) as ann:
        play_out(ann)
        assert not any(table["key"] in text for text in ann.texts)
    with house.sit(table["table"], "wrong") as stranger:
        stranger.close_code()
    seat = house.store.load(table["table"]).seats[0]
    assert seat.key_hash == hashlib.sha256(table["key"].encode()).hexdigest() == key_hash(table["key"])
    kept = b"".join(path.read_bytes() for path in house.place.parent.iterdir())
    assert table["key"].encode() not in kept
    assert capfd.readouterr() == ("", "")


def test_an_answer_out_of_turn_does_not_tell_what_the_other_may_do(house):
    table = house.open("you", "open")
    taken = house.http.post(f"/api/tables/{table['table']}/seats", json={"seat": 1, "name": "Bo"}).json()
    with house.sit(table["table"], table["key"]) as ann, house.sit(table["table"], taken["key"]) as bo:
        for player in (ann, bo):
            player.until(lambda scene: scene["actor"] in (0, 1))
        acting, other = (ann, bo) if ann.scene["actor"] == 0 else (bo, ann)
        answers = set()
        for typed in (*(card.lower() for card in ALL_CARDS), *acting.scene["legal"]):
            other.do(typed)
            answer = other.hear()
            assert answer.pop("do") == typed
            answers.add(json.dumps(answer))
        assert len(answers) == 1


def test_the_server_fails_without_telling_why(house, monkeypatch, capfd):
    def fail(*arguments):
        raise RuntimeError("the seven of hearts, 7H")

    table = house.open("you", "thumb")
    with house.sit(table["table"], table["key"]) as ann:
        ann.until(lambda scene: scene["legal"])
        monkeypatch.setattr(Room, "_refusal", fail)
        ann.do("7H")
        assert ann.hear()["reason"] == "something went wrong in the server"
        monkeypatch.undo()
        ann.say(type="ping")
        assert ann.hear() == {"type": "pong"}
    monkeypatch.setattr(Room, "about", fail)
    answer = house.http.get(f"/api/tables/{table['table']}")
    assert answer.status_code == 500
    assert answer.json() == {"error": "something went wrong in the server"}
    assert "nosniff" in answer.headers["x-content-type-options"]
    assert "7H" not in "".join(capfd.readouterr())


def test_the_secret_of_the_deal_is_opened_when_the_game_is_over_and_not_before(house, capfd):
    table = house.open("you", "thumb")
    address = f"/api/tables/{table['table']}"
    secret = house.store.load(table["table"]).secret
    answers = [house.http.get(f"{address}{path}").text for path in ("", "/record")]
    with house.sit(table["table"], table["key"]) as ann, house.sit(table["table"]) as spectator:
        play_out(ann)
        spectator.until(lambda scene: scene["over"])
        assert ann.about["commitment"] == spectator.about["commitment"] == table["commitment"] == commitment_of(secret)
        assert not any(secret in text for text in [*ann.texts, *spectator.texts, *answers, *capfd.readouterr()])
    record = house.http.get(f"{address}/record").json()
    assert record["deal"] == deal_of(secret)
    assert check_deal(record, find_game, commitment=table["commitment"]).over
    assert secret not in repr(house.store.load(table["table"]))
