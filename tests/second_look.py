"""Runs the tests; where a few failed, runs these once more, alone. Every argument is pytest's.

The run passes if all tests pass, or if at most ten failed and each of them passes alone: see docs/decisions/110-a-second-look.md.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

MOST = 10  # more failures than these are no matter of time


class Failures:
    """The tests that failed, under the names that pytest takes: xdist appends the group of a test to its name."""

    def __init__(self) -> None:
        self.tests: dict[str, None] = {}
        self.collected = True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            name, at, group = report.nodeid.rpartition("@")
            self.tests[name if at and "]" not in group else report.nodeid] = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.collected = self.collected and not report.failed


def main(arguments: list[str]) -> int:
    failures = Failures()
    result = int(pytest.main(arguments, plugins=[failures]))
    names = list(failures.tests)
    if result != pytest.ExitCode.TESTS_FAILED or not failures.collected or not 0 < len(names) <= MOST:
        return result
    print(f"\nOnce more, alone: {len(names)} that failed.", flush=True)
    again = subprocess.call([sys.executable, "-m", "pytest", "--numprocesses", "0", *names])
    if again == pytest.ExitCode.OK:
        print("\n".join(f"unsteady: {name}" for name in names), flush=True)
    return again


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
