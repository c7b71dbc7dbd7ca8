"""The main module of the process from which workers are forked: it loads the modules and data of all workers once.

That process has no threads, database or connections, and ends with the dispatcher. All workers share the memory of what
it has loaded.
"""

import gc
from importlib import import_module

gc.disable()  # loaded modules are never garbage
import_module("parlour.server.process.worker").prepare()
gc.collect()
gc.freeze()
