"""Fast ways to make a record, for the parser. Nothing is checked here.

The caller guarantees that the values are valid. Each function fills the writable slots, and then
freezes the record by setting its class.
"""

from __future__ import annotations

from typing import Any

from weburl.standard.hosts.values import Host
from weburl.standard.url.record import STATE, RecordStorage, URLRecord


def trusted_record(
    scheme: str,
    username: str,
    password: str,
    host: Host | None,
    port: int | None,
    path: str,
    query: str | None,
    fragment: str | None,
) -> URLRecord:
    """Return a record of these components, without checks. ``path`` is text."""
    # The frozen `__init__` and its checks take longer than parsing. Filling the slots and then
    # setting the class takes a third of the time of eight calls of a slot's `__set__`.
    record = RecordStorage()
    record.scheme = scheme
    record.username = username
    record.password = password
    record.host = host
    record.port = port
    record.path_text = path
    record.query = query
    record.fragment = fragment
    record.__class__ = URLRecord
    return record  # type: ignore[return-value]  # mypy does not follow the change of class


def trusted_relative(
    base: URLRecord, path: str, query: str | None, fragment: str | None
) -> URLRecord:
    """Return ``base`` with another path, query and fragment, without checks."""
    record = RecordStorage()
    record.scheme = base.scheme
    record.username = base.username
    record.password = base.password
    record.host = base.host
    record.port = base.port
    record.path_text = path
    record.query = query
    record.fragment = fragment
    record.__class__ = URLRecord
    return record  # type: ignore[return-value]


def replaced(record: URLRecord, **components: object) -> URLRecord:
    """Return ``record`` with some of its slots replaced, without checks."""
    values: list[Any] = [
        components[name] if name in components else getattr(record, name) for name in STATE
    ]
    return trusted_record(*values)
