"""Memory and processor time of processes, from Linux's ``/proc``: for trials of the server."""

import os
from pathlib import Path


def process_tree(number: int) -> list[int]:
    """Return the ids of a process and its descendants."""
    found, new = [number], [number]
    while new:
        number = new.pop()
        children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        new += map(int, children)
        found += map(int, children)
    return found


def memory(numbers: list[int]) -> float:
    """Return the memory of processes, in MB; shared pages count once."""
    kilobytes = 0
    for number in numbers:
        text = Path(f"/proc/{number}/smaps_rollup").read_text()
        kilobytes += sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
    return kilobytes / 1024


def cpu_seconds(number: int) -> float:
    """Return the processor seconds of a process and its ended children; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
