"""Compiles a rule for nothing but being linked into the loops that call it, and a loop with all that it calls.

Numba makes a program of every function that it compiles, of those too that only compiled code calls: it optimizes the
function with all that it calls in turn, and translates both into machine code that nobody runs. What stands at the
bottom is so optimized and translated once for each function above it, which takes half of the time that a search takes
to compile (Numba's pull request 9566 tells of the same). Here a rule is handed on as it was lowered, and whichever loop
is run has all of it optimized and translated, once. There the rules are internal: nobody else can call them, so LLVM
may drop arguments that a rule does not read, and inline a rule that is called in one place, however large it is.
"""

from typing import Any

from llvmlite.binding import Linkage
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """Code that others link into theirs."""

    def finalize(self) -> None:
        """Put it together with all that it calls, and leave it at that."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """Code that is run, with what it calls for itself alone."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class _LoweringWhole(NativeLowering):  # type: ignore[misc]
    """Numba's lowering into code that is run."""

    _name = "lowering_to_be_run"

    def run_pass(self, state: Any) -> bool:
        """Lower a function into a library of ours."""
        state.library = _Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering into code that is not made ready to be run."""

    _name = "lowering_to_be_linked"

    def run_pass(self, state: Any) -> bool:
        """Lower a function, and tell Numba under which name others find it."""
        context, of = state.targetctx, state.func_id
        state.library = _Library(context.codegen(), of.func_qualname)
        state.flags = state.flags.copy()  # what has been compiled is found by the flags, so they stay as they are
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        name = _dynfunc.make_function(of.module, of.func_name, "", 0, lowered.env, (state.library,))
        context.insert_user_function(name, lowered.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = lowered._replace(cfunc=name)
        return True


class _Compiler(CompilerBase):  # type: ignore[misc]
    lowering: Any

    def define_pipelines(self) -> list[Any]:
        """Numba's own passes, but for the lowering."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(self.lowering if each is NativeLowering else each, why) for each, why in passes.passes]
        passes.finalize()
        return [passes]


class Linked(_Compiler):
    """Compiles a function that only compiled code calls: what is to be a Numba decorator's ``pipeline_class``."""

    lowering = _Lowering


class Whole(_Compiler):
    """The same for a function that Python calls."""

    lowering = _LoweringWhole
