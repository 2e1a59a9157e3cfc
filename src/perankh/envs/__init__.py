"""Environments for learning: many games stepped together, and the games in the APIs of other packages."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from perankh.envs.batches import Batch, Step, batch
from perankh.errors import MissingPackage

if TYPE_CHECKING:
    from perankh.envs.gymnasium import gymnasium_env, gymnasium_vector_env
    from perankh.envs.openspiel import register_openspiel
    from perankh.envs.pettingzoo import pettingzoo_env
    from perankh.envs.torchrl import torchrl_env

__all__ = [
    "Batch",
    "Step",
    "batch",
    "gymnasium_env",
    "gymnasium_vector_env",
    "pettingzoo_env",
    "register_openspiel",
    "torchrl_env",
]

# The functions that need another package: the module here, and the extra that installs the package.
ON_DEMAND = {
    "gymnasium_env": ("gymnasium", "envs"),
    "gymnasium_vector_env": ("gymnasium", "envs"),
    "pettingzoo_env": ("pettingzoo", "envs"),
    "register_openspiel": ("openspiel", "envs"),
    "torchrl_env": ("torchrl", "torch"),
}


def __getattr__(name: str) -> Any:
    """Import the packages of other APIs only when one asks for them."""
    if name not in ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, extra = ON_DEMAND[name]
    try:
        return getattr(import_module(f"{__name__}.{module}"), name)
    except ModuleNotFoundError as error:
        raise MissingPackage(f"{name} needs the package {error.name}: pip install perankh[{extra}]") from error
