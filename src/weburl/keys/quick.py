"""Quick keys, which compiled code tries before the steps.

`plan_of` prepares rules. The plan's ``key_of`` takes a URL as text, and returns its key, or None if
it is unsure. Then the steps run, as they do for every URL without compiled code.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from weburl.keys.steps import PARAM_STEPS, Details
from weburl.standard.storage import COMPILED

if TYPE_CHECKING:
    from weburl.standard.compiled.suffixes import SuffixTable

if COMPILED or TYPE_CHECKING:
    from weburl.keys.compiled.plans import KeyPlan as KeyPlan  # noqa: PLC0414  # `rules` uses it
else:

    class KeyPlan:
        """A plan that is always unsure."""

        __slots__ = ()

        def __init__(self, *_prepared: object) -> None:
            """Keep nothing."""

        def key_of(self, _url: object) -> None:
            """Return None: the steps run."""


_IS_PREFIX: Final = 1
_IS_EVERYWHERE: Final = 2


def plan_of(steps: Collection[str], details: Details) -> KeyPlan:
    """Return a plan, whose ``key_of`` also reads text that is not canonical.

    ``steps``: the names of those that are on.
    """
    names = details.dropped.plain_names
    options = {*steps}
    starts = [start for start in details.keep_fragments if start.isascii()]
    if details.keep_text_directives:
        options.add("keep_text_directives")
    if PARAM_STEPS & options:
        options.add("changes_query")
    if names is None or not details.only_drops_some:
        options.add("declines_queries")
    return KeyPlan(
        options,
        "".join(start for start in starts if len(start) == 1).encode(),
        "".join(start[0] for start in starts if len(start) > 1).encode(),
        [
            (name.text.encode(), name.is_prefix * _IS_PREFIX | name.is_everywhere * _IS_EVERYWHERE)
            for name in names or ()
        ],
        _packaged_table,
    )


def _packaged_table() -> SuffixTable:
    """Return the table for `weburl.keys.steps.end_of_www`."""
    from weburl.standard.hosts.public_suffix import packaged_list

    return packaged_list()._table  # type: ignore[return-value]  # noqa: SLF001  # as it is if compiled
