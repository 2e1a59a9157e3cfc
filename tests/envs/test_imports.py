"""Packages of other APIs are imported when somebody asks for them, and an error names what is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import perankh.envs

PACKAGES = "gymnasium, pettingzoo, pyspiel, torch, torchrl, jax"


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_nothing_is_imported_before_it_is_needed() -> None:
    code = f"import sys, perankh.envs; print([name for name in '{PACKAGES}'.split(', ') if name in sys.modules])"
    assert run(code) == "[]"


def test_a_missing_package_is_named_with_what_installs_it() -> None:
    code = """
import sys
import perankh.envs
from perankh.errors import MissingPackage
names = {"pyspiel": "register_openspiel", "pettingzoo": "pettingzoo_env", "gymnasium": "gymnasium_env", "torch": "torchrl_env"}
for package in names:
    sys.modules[package] = None
    try:
        getattr(perankh.envs, names[package])
    except MissingPackage as error:
        print(error)
"""
    assert run(code).splitlines() == [
        "register_openspiel needs the package pyspiel: pip install perankh[envs]",
        "pettingzoo_env needs the package pettingzoo: pip install perankh[envs]",
        "gymnasium_env needs the package gymnasium: pip install perankh[envs]",
        "torchrl_env needs the package torch: pip install perankh[torch]",
    ]


def test_all_that_is_offered_is_there() -> None:
    for name in perankh.envs.__all__:
        assert callable(getattr(perankh.envs, name)), name
    with pytest.raises(AttributeError, match="no attribute 'other_env'"):
        perankh.envs.other_env  # noqa: B018
