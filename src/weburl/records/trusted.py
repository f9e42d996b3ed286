"""Fast ways to make a record, for the parser: no checks, then frozen by setting the class.

The caller guarantees that a record may hold these values. Nothing is checked here.
"""

from __future__ import annotations

from typing import Any

from weburl.hosts.values import Domain, DomainStorage, Host
from weburl.records.record import STATE, RecordStorage, URLRecord


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
    """Return the record that the parser made, unchecked; its ``path`` is text."""
    # The frozen `__init__` and its checks cost more than parsing does. The storage is filled
    # first and frozen by its class, in a third of what eight calls of a slot's `__set__` take
    # (docs/performance.md).
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


def trusted_plain_record(
    scheme: str, host: str, port: int | None, path: str, query: str | None, fragment: str | None
) -> URLRecord:
    """Return the record of a URL with a domain and without credentials, unchecked."""
    # One call in place of three: this is what most URLs become.
    domain = DomainStorage()
    domain.value = host
    domain.__class__ = Domain
    record = RecordStorage()
    record.scheme = scheme
    record.username = ""
    record.password = ""
    record.host = domain  # type: ignore[assignment]  # mypy does not follow the change of class
    record.port = port
    record.path_text = path
    record.query = query
    record.fragment = fragment
    record.__class__ = URLRecord
    return record  # type: ignore[return-value]


def trusted_relative(
    base: URLRecord, path: str, query: str | None, fragment: str | None
) -> URLRecord:
    """Return the record of a URL with all of ``base`` that stands before the path, unchecked."""
    record = RecordStorage()  # in one call, too
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
    """Return ``record`` with some of what it stores replaced, unchecked."""
    values: list[Any] = [
        components[name] if name in components else getattr(record, name) for name in STATE
    ]
    return trusted_record(*values)
