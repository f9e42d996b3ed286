"""Ray in this process, for the tests and documents of a session."""

from __future__ import annotations

import os
import warnings
from functools import cache

import pytest


@cache
def ray_session() -> None:
    """Start Ray with one worker; skip the running test where it is not installed."""
    ray = pytest.importorskip("ray", reason="needs the group engines: Ray")
    # Without it, Ray warns that a default will change.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    with warnings.catch_warnings():
        # Ray warns of settings that it makes itself.
        warnings.simplefilter("ignore", DeprecationWarning)
        pytest.importorskip("ray.data").DataContext.get_current()
