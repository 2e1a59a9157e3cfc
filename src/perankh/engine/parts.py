"""Compiling rules as parts of the functions that Python calls.

Numba makes each compiled function ready to be called from Python: it links it with all that it calls, emits machine code for
the whole and wraps it. Python calls none of a game's hundreds of rules; it calls entry points, which contain all they need. So
rules are compiled as parts: translated, linked and optimised, while machine code is emitted once, for the entry points. That
takes about two thirds of the time.

This rests on private classes of Numba. It is used with the versions it was tested with; with any other version, or with
PERANKH_PLAIN_COMPILE=1, rules are compiled as Numba compiles any function: slower to compile, the same machine code.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numba

TESTED = ("0.68",)  # versions of Numba, without the last number


def supported() -> bool:
    """Are parts used here?"""
    return numba.__version__.rpartition(".")[0] in TESTED and not os.environ.get("PERANKH_PLAIN_COMPILE")


@cache
def options() -> dict[str, Any]:
    """The arguments of `numba.njit` for a rule."""
    return {"pipeline_class": part_compiler()} if supported() else {}


def part_compiler() -> Any:
    """Numba's compiler with another last step."""
    from numba import _dynfunc  # type: ignore[attr-defined]
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NativeLowering

    class PartLibrary(JITCodeLibrary):
        """The code of a part and of all that it calls, ready for linking."""

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

    @register_pass(mutates_CFG=True, analysis_only=False)
    class PartLowering(NativeLowering):
        """Translate a part, and make it known to its callers. Nothing is emitted, so Python must not call the result."""

        _name = "part_lowering"

        def run_pass(self, state: Any) -> bool:
            library = state["library"] = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = state.flags.no_compile = True
            super().run_pass(state)
            made = state["cr"]
            name = made.fndesc.qualname.rpartition(".")[2]
            handle = _dynfunc.make_function(made.fndesc.lookup_module(), name, "", 0, made.env, (library,))
            state.targetctx.insert_user_function(handle, made.fndesc, [library])
            state.reload_init.extend(library._reload_init)
            state["cr"] = made._replace(cfunc=handle)
            return True

    class PartCompiler(CompilerBase):
        """Numba's compiler with another lowering."""

        def define_pipelines(self) -> list[Any]:
            """The usual passes, but for the lowering."""
            manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
            manager.passes = [(PartLowering if step is NativeLowering else step, why) for step, why in manager.passes]
            manager.finalize()
            return [manager]

    return PartCompiler
