"""A table of two people at a server."""

from contextlib import contextmanager

from parlour.server.store.database import StoreError

QUIET = {"rounds": 1}


def join(card_room, table, name="Bo", seat=1):
    """Take an open seat of a table; return its key."""
    answer = card_room.http.post(f"/api/tables/{table['table']}/seats", json={"seat": seat, "name": name})
    assert answer.status_code == 201
    return answer.json()["key"]


@contextmanager
def two_players(card_room, game="castle-walls", options=None, **manners):
    """Yield a pair of players, whose first is to act, and the id of their new table."""
    table = card_room.open("you", "open", game=game, options=options or {}, **manners)
    key = join(card_room, table)
    with card_room.sit(table["table"], table["key"]) as ann, card_room.sit(table["table"], key) as bo:
        ann.key, bo.key = table["key"], key
        for player in (ann, bo):
            player.until(lambda scene: scene["actor"] in (0, 1))
        yield (ann, bo) if ann.scene["legal"] else (bo, ann), table["table"]


def no_room(rows):
    """Refuse a write, as a store does on a full disk."""
    raise StoreError("the disk is full")
