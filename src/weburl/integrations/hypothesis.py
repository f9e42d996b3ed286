"""The entry point for Hypothesis, so that ``st.from_type(URLRecord)`` works.

The strategies are imported when the first of them is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from weburl import URL, Host, OpaqueOrigin, SchemeAndHost, TupleOrigin, URLRecord

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["register"]


def register() -> None:
    """Register the strategies of our classes. Hypothesis calls this when it is imported.

    `Host`, `Origin` and `Site` are unions of these classes.
    """
    from hypothesis.strategies import register_type_strategy

    for kind in get_args(Host):
        register_type_strategy(kind, _hosts)
    register_type_strategy(URLRecord, _urls)
    register_type_strategy(URL, _mutable_urls)
    register_type_strategy(TupleOrigin, _tuple_origins)
    register_type_strategy(SchemeAndHost, _schemes_and_hosts)
    register_type_strategy(OpaqueOrigin, _opaque_origins)


def _hosts(kind: type[Any]) -> SearchStrategy[Any]:
    from weburl.testing import hosts

    return hosts([kind])


def _urls(_kind: type[Any]) -> SearchStrategy[URLRecord]:
    from weburl.testing import urls

    return urls()


def _mutable_urls(_kind: type[Any]) -> SearchStrategy[URL]:
    from weburl.testing import urls

    return urls().map(lambda record: URL(record.href))


def _tuple_origins(_kind: type[Any]) -> SearchStrategy[TupleOrigin]:
    from weburl.testing import tuple_origins

    return tuple_origins()


def _schemes_and_hosts(_kind: type[Any]) -> SearchStrategy[SchemeAndHost]:
    from weburl.testing import schemes_and_hosts

    return schemes_and_hosts()


def _opaque_origins(_kind: type[Any]) -> SearchStrategy[OpaqueOrigin]:
    from hypothesis.strategies import builds

    return builds(OpaqueOrigin)
