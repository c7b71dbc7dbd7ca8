"""Ctrl-C never comes in the middle of what belongs together."""

import subprocess
import sys

DISTURBED = """
import os, signal
import numpy  # has threads of its own, which would take the signal
from parlour.interrupts import undisturbed

told = []
signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored where tests are run in the background
try:
    with undisturbed():
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(100_000):
            pass
        told.append("done")
except KeyboardInterrupt:
    told.append("heard")
print(*told, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def test_it_is_heard_when_that_is_over_whatever_threads_there_are():
    result = subprocess.run([sys.executable, "-c", DISTURBED], capture_output=True, text=True, timeout=60)
    assert result.stdout.split() == ["done", "heard", "True"], result.stderr
