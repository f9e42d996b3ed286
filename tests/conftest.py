"""How much Hypothesis tries, by the environment variable HYPOTHESIS_PROFILE.

"default" is what a person waits for, "few" what Pyodide does in that time, "more" what a change
must pass within the hour of `.ci/run`, "ci" what it must pass where nobody waits (taken where `CI`
is set), and "thorough" goes on for many minutes and, unlike the others, tries something new each
time.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Whole URLs out of many pieces are slow to draw on a busy machine; nothing is wrong with that.
_SLOW = (HealthCheck.too_slow,)

settings.register_profile(
    "default", max_examples=100, deadline=None, derandomize=True, suppress_health_check=_SLOW
)
for _name, _examples in (("few", 10), ("more", 300), ("ci", 1000)):
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
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default")
)
