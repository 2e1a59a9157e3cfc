"""Compiling rules as parts of the functions that Python calls.

Numba makes each compiled function ready to be called from Python: it links it with all that it calls, optimises the whole, emits
machine code and wraps it. Python calls none of a game's hundreds of rules; it calls entry points. So rules are compiled as
parts, which are only translated. An entry point is linked with all parts it needs. There they become private to it, so that the
optimiser sees every call: it merges what is called once and drops what no caller uses.

This rests on private classes of Numba. It is used with the versions it was tested with; with any other version, or with
PERANKH_PLAIN_COMPILE=1, rules are compiled as Numba compiles any function: slower to compile, the same results.
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
    return {"pipeline_class": compilers()[0]} if supported() else {}


@cache
def entry_options() -> dict[str, Any]:
    """The arguments of `numba.njit` for a function that Python calls."""
    return {"pipeline_class": compilers()[1]} if supported() else {}


@cache
def compilers() -> tuple[Any, Any]:
    """Numba's compiler with other last steps, for parts and for entry points."""
    from llvmlite.binding import Linkage
    from numba import _dynfunc  # type: ignore[attr-defined]
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NativeLowering

    class PartLibrary(JITCodeLibrary):
        """The code of a part alone, ready for linking."""

        def finalize(self) -> None:
            for library in self._linking_libraries:
                self._reload_init.update(library._reload_init)
            self._finalize_dynamic_globals()
            self._finalized = True

    class EntryLibrary(JITCodeLibrary):
        """The code of an entry point and of all parts that it needs."""

        def finalize(self) -> None:
            # A part is linked after one that calls it: the linker leaves out what nobody has asked for yet.
            needed = dict.fromkeys(self._linking_libraries)
            waiting = list(needed)
            for library in waiting:
                if isinstance(library, PartLibrary):
                    new = [other for other in dict.fromkeys(library._linking_libraries) if other not in needed]
                    needed.update(dict.fromkeys(new))
                    waiting.extend(new)
            self._linking_libraries = waiting
            super().finalize()

        def _optimize_final_module(self) -> None:
            for function in self._final_module.functions:
                shared = not function.is_declaration and function.linkage == Linkage.linkonce_odr
                if shared and not function.name.startswith("NRT_"):  # Numba looks for its reference counting by name
                    function.linkage = Linkage.internal
            super()._optimize_final_module()

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

    @register_pass(mutates_CFG=True, analysis_only=False)
    class EntryLowering(NativeLowering):
        """Translate an entry point. Nothing calls it but its wrapper for Python."""

        _name = "entry_lowering"

        def run_pass(self, state: Any) -> bool:
            linked = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            linked.enable_object_caching()
            state["library"] = linked
            state.flags.no_cfunc_wrapper = True
            return bool(super().run_pass(state))

    def compiler(lowering: Any) -> Any:
        class Compiler(CompilerBase):
            """Numba's compiler with another lowering."""

            def define_pipelines(self) -> list[Any]:
                """The usual passes, but for the lowering."""
                manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
                manager.passes = [(lowering if step is NativeLowering else step, why) for step, why in manager.passes]
                manager.finalize()
                return [manager]

        return Compiler

    return compiler(PartLowering), compiler(EntryLowering)
