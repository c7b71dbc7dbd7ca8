"""Access to a Numba dispatcher: its cache, its compile step and its machine code."""

from collections.abc import Callable
from typing import Any

import numba
from numba.core.errors import NumbaError
from parlour.engine.errors import CompileError
from parlour.engine.numba.cache import Announce, FolderFor, GameCache

Explain = Callable[[str], str]
"""Returns one sentence that explains a compile error of Numba's, given its message, or an empty string."""


def loop_dispatcher(function: Callable[..., Any], folder_for: FolderFor, explain: Explain, announce: Announce) -> Any:
    """Return a dispatcher that releases the GIL, caches machine code in the game's folder and explains compile errors.

    Args:
        function: the Python function.
        folder_for: returns the cache folder for the types of a call's arguments.
        explain: returns the text of the :class:`CompileError` for a message of Numba's; if it is empty, Numba's own
            error is raised.
        announce: called before each compilation; its argument is the types of the call's arguments.
    """
    dispatcher = numba.njit(nogil=True)(function)
    dispatcher._cache = GameCache(function, folder_for, announce)
    dispatcher._compile_for_args = _with_explanation(dispatcher._compile_for_args, explain)
    return dispatcher


def _with_explanation(compile_for_args: Callable[..., Any], explain: Explain) -> Callable[..., Any]:
    def compile_or_explain(*arguments: Any, **named: Any) -> Any:
        try:
            return compile_for_args(*arguments, **named)
        except NumbaError as error:
            if sentence := explain(str(error)):
                raise CompileError(sentence) from error
            raise

    return compile_or_explain


def machine_code(function: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """Return the machine code of a loop for arguments of these types; all calls must have the same types.

    A direct call saves the lookup of the argument types, about a microsecond per call. An interpreted function is
    returned unchanged. Raises :class:`CompileError`.
    """
    if not hasattr(function, "_compile_for_args"):  # an interpreted function
        return function
    return function._compile_for_args(*arguments)  # type: ignore[no-any-return]
