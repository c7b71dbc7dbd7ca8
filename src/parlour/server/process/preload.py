"""What workers are forked from: a process that imports this, and with it all that they need, once for all of them.

It has no threads, no database and no connections, answers nobody and ends with the door. What it has loaded is in the
memory of all workers, but takes room once.
"""

import gc
import signal
from importlib import import_module

gc.disable()  # nothing of what is loaded goes again, so nobody need look
signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a whole group may be told to end: the door has to hear of each worker
import_module("parlour.server.process.worker").prepare()
gc.collect()
gc.freeze()
