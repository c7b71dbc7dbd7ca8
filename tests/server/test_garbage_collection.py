"""A server's garbage collector runs at regular times."""

import subprocess
import sys

import pytest

SERVED = """
import asyncio, gc, weakref
from parlour.server.process.resources import schedule_garbage_collection

class Ring:
    pass

async def let_go():
    ring = Ring()
    ring.itself = ring
    gone = weakref.ref(ring)
    del ring
    async with asyncio.timeout(60):
        while gone() is not None:
            await asyncio.sleep(0.01)

async def main():
    schedule_garbage_collection()
    assert not gc.isenabled()
    await let_go()
    await let_go()

asyncio.run(main())
"""


@pytest.mark.slow
def test_garbage_is_collected_regularly_without_automatic_collections():
    result = subprocess.run([sys.executable, "-c", SERVED], capture_output=True, text=True, timeout=100)
    assert result.returncode == 0, result.stderr
