"""The main module of the process from which workers are forked: it loads the modules and data of all workers once.

That process has no threads, database or connections, and ends with the dispatcher. All workers share the memory of what
it has loaded.
"""

import gc
import signal
from importlib import import_module

gc.disable()  # loaded modules are never garbage
signal.signal(signal.SIGTERM, signal.SIG_IGN)  # sent to the whole group: the dispatcher ends the workers
import_module("parlour.server.process.worker").prepare()
gc.collect()
gc.freeze()
