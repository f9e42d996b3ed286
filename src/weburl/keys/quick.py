"""Quick keys, which compiled code tries before the steps.

`plan_of` prepares rules. The plan's ``key_of`` takes a URL as text, and returns its key, or None if
it is unsure. Then the steps run, as they do for every URL without compiled code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weburl.standard.storage import COMPILED

if COMPILED or TYPE_CHECKING:
    from weburl.keys.quick_compiled import KeyPlan, plan_of
else:

    class KeyPlan:
        """What is prepared of rules: nothing."""

        __slots__ = ()

        def key_of(self, _url: object) -> None:
            """Return None: the steps run."""

    def plan_of(_steps: object, _details: object) -> KeyPlan:
        """Return a plan that is always unsure."""
        return KeyPlan()


__all__ = ["KeyPlan", "plan_of"]
