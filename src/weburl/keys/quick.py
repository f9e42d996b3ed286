"""Quick keys, which are tried before the steps: by compiled code, or else by one regex.

Both have `plan_of`, which prepares rules. The plan's ``key_of`` takes a URL as text and returns its
key, or None when it is unsure. Then the steps run.
"""

from __future__ import annotations

from weburl.standard.storage import COMPILED

if COMPILED:
    from weburl.keys.quick_compiled import KeyPlan, plan_of
else:
    from weburl.keys.quick_regex import KeyPlan, plan_of  # type: ignore[assignment]

__all__ = ["KeyPlan", "plan_of"]
