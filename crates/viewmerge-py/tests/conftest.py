"""Sets the number of random cases and the place of the test data."""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, os.path.dirname(__file__))

# The same cases every time; VIEWMERGE_CASES multiplies their number.
settings.register_profile(
    "viewmerge",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("viewmerge")


def pytest_sessionfinish(session: Any) -> None:
    """Checks that every remedy given has helped."""
    from support import REMEDIES

    if REMEDIES["given"] != REMEDIES["helped"]:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    from support import REMEDIES

    if REMEDIES["given"]:
        told = f"remedies given and applied: {REMEDIES['given']}, of which removed the copy: {REMEDIES['helped']}"
        terminalreporter.write_line(told)
