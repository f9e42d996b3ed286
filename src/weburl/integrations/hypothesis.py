"""The entry point for Hypothesis, so that ``st.from_type(URLRecord)`` works.

The strategies are imported when the first of them is used.
"""

from __future__ import annotations

from types import ModuleType
from typing import get_args

from weburl import URL, Host, OpaqueOrigin, SchemeAndHost, TupleOrigin, URLRecord

__all__ = ["register"]


def register() -> None:
    """Register the strategies of our classes. Hypothesis calls this when it is imported.

    `Host`, `Origin` and `Site` are unions of these classes.
    """
    from hypothesis.strategies import builds, register_type_strategy

    for kind in get_args(Host):
        register_type_strategy(kind, lambda kind: _testing().hosts([kind]))
    register_type_strategy(URLRecord, lambda _: _testing().urls())
    register_type_strategy(URL, lambda _: _testing().urls().map(lambda record: URL(record.href)))
    register_type_strategy(TupleOrigin, lambda _: _testing().tuple_origins())
    register_type_strategy(SchemeAndHost, lambda _: _testing().schemes_and_hosts())
    register_type_strategy(OpaqueOrigin, lambda _: builds(OpaqueOrigin))


def _testing() -> ModuleType:
    from weburl import testing

    return testing
