"""How much Hypothesis tries, by the environment variable HYPOTHESIS_PROFILE.

"default" is what a person and `.ci/run` wait for, "few" what Pyodide does in that time, and "many"
what `.ci/nightly` tries. "thorough" takes many minutes, and each run tries something new.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Whole URLs out of many pieces are slow to draw on a busy machine; nothing is wrong with that.
_SLOW = (HealthCheck.too_slow,)

for _name, _examples in (("few", 10), ("default", 100), ("many", 1000)):
    settings.register_profile(
        _name,
        max_examples=_examples,
        deadline=None,
        derandomize=True,
        print_blob=True,
        suppress_health_check=_SLOW,
    )
settings.register_profile(
    "thorough", max_examples=20_000, deadline=None, print_blob=True, suppress_health_check=_SLOW
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "default")
