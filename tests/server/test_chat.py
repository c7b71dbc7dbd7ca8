"""The rate limit of talk, against a plain count."""

from random import Random

import pytest

from parlour.server.store.stored_table import ChatMessage
from parlour.server.table.people.chat import CHAT_BURST, CHAT_BURST_SECONDS, Talk


@pytest.mark.parametrize("seed", range(20))
def test_a_seat_sends_up_to_the_limit_in_any_ten_seconds(seed):
    """Refused messages and those of other seats do not count."""
    chance, talk, now = Random(seed), Talk("words"), 100.0
    said = {0: [], 1: []}
    for number in range(80):
        now += chance.choice([0.0, 0.25, 0.5, 0.5, 1.0, 1.5, 4.0, CHAT_BURST_SECONDS])
        by = chance.choice([0, 0, 1])
        lately = [moment for moment in said[by] if now - moment < CHAT_BURST_SECONDS]
        message = ChatMessage(by, f"{number}", "hello")
        assert bool(talk.refusal(message, now)) == (len(lately) >= CHAT_BURST)
        if len(lately) < CHAT_BURST:
            talk.add(message, now)
            said[by].append(now)
    assert len(said[0]) > CHAT_BURST
