"""Ctrl-C does not interrupt a protected block."""

import subprocess
import sys

DISTURBED = """
import os, signal
import numpy  # has threads of its own, which would take the signal
from parlour.interrupts import defer_interrupts

done = []
signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored where tests are run in the background
try:
    with defer_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(100_000):
            pass
        done.append("done")
except KeyboardInterrupt:
    done.append("heard")
print(*done, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def test_it_takes_effect_after_the_block_with_any_number_of_threads():
    result = subprocess.run([sys.executable, "-c", DISTURBED], capture_output=True, text=True, timeout=60)
    assert result.stdout.split() == ["done", "heard", "True"], result.stderr
