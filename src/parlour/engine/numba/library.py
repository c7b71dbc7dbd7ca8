"""A compiler for rules without machine code of their own; only compiled loops call such rules.

Numba optimizes each function with all its callees and translates it to machine code, although a rule's own machine
code is never run. A rule at the bottom of the call graph is thus compiled once for each rule above it. This compiler
stops after the lowering to LLVM IR; the code of all rules is optimized and translated once, as part of the loop that
calls them (Numba's pull request 9566 proposes the same).

The rules keep Numba's own linkage (``linkonce_odr``) in every loop. Another module of the process may define a
function of the same name, and the loader may take either. Therefore no function that Numba names may be made internal:
LLVM may drop arguments of internal functions, and the loader does not distinguish them from others.
"""

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class _LinkableLibrary(JITCodeLibrary):
    """A code library that other libraries link in, and that is never run by itself."""

    def finalize(self) -> None:
        """Link the libraries of the callees into this one; do not optimize or translate the result."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LinkableLowering(NativeLowering):
    """Numba's lowering, into a linkable library."""

    _name = "parlour_linkable_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower a function to LLVM IR, and register it under the name that its callers use."""
        context, identity = state.targetctx, state.func_id
        state.library = _LinkableLibrary(context.codegen(), identity.func_qualname)
        # A copy: Numba looks a compiled function up by its flags object, which must not change.
        state.flags = state.flags.copy()
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        entry = _dynfunc.make_function(identity.module, identity.func_name, "", 0, lowered.env, (state.library,))
        context.insert_user_function(entry, lowered.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = lowered._replace(cfunc=entry)
        return True


class RuleCompiler(CompilerBase):
    """The ``pipeline_class`` for rules: Numba's own passes except for the lowering."""

    def define_pipelines(self) -> list[Any]:
        """Return the single pipeline."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(_LinkableLowering if each is NativeLowering else each, why) for each, why in passes.passes]
        passes.finalize()
        return [passes]


RULE_OPTIONS = {"pipeline_class": RuleCompiler, "no_cfunc_wrapper": True}
"""Numba's options for a function that only compiled code calls."""
WITHOUT_ARRAYS = {"_nrt": False}
"""Numba's options for a function that creates no arrays: without reference counting, which would cost more than most
rules.
"""
GENERIC_OPTIONS = {**RULE_OPTIONS, **WITHOUT_ARRAYS, "forceinline": True}
"""Numba's options for the functions of a game's contract: inlined wherever they are called, so that LLVM need not pass
the seven values of an array, most of which no rule reads.
"""
CALLED_OPTIONS = {**RULE_OPTIONS, **WITHOUT_ARRAYS, "forceinline": False}
"""Numba's options for a function that stays a function of its own: callees inherit ``forceinline`` otherwise."""
