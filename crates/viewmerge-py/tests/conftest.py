"""How many random cases are run, and where the test data is."""

from __future__ import annotations

import os
import sys

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
