"""Names and values as callers give them, and edits of the query of a record that take them.

`URLRecord` has a method for each edit. The other bytes of the query are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, TypeAlias, TypeVar

from weburl.standard.infra import query_pairs
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.strings import to_scalar_value_string
from weburl.standard.url.forms import pairs_of, parse_form_urlencoded
from weburl.standard.url.value import RecordStorage, trusted_relative

_Record = TypeVar("_Record", bound=RecordStorage)

BYTES: Final = (bytes, bytearray, memoryview)  # iterating over these yields numbers

QueryValue: TypeAlias = str | int | list[str] | list[int] | list[str | int] | tuple[str | int, ...]
"""The value of a name in a query, or several."""


class Pairs:
    """An iterable of pairs: the class `URLSearchParams`, which is in a room above this one."""

    __slots__ = ()

    def __iter__(self) -> Iterator[tuple[str, str]]:
        raise NotImplementedError


# Any iterable of pairs will do. But with Iterable in the place of the last four, mypy does not see
# that {"page": 2, "tag": ["a"]} is a mapping of these values.
QueryPairs: TypeAlias = (
    Mapping[str, QueryValue]
    | Sequence[tuple[str, QueryValue]]
    | AbstractSet[tuple[str, QueryValue]]
    | Iterator[tuple[str, QueryValue]]
    | Pairs
)
"""Names and values of a query."""

_FIXES: Final[dict[type, str]] = {
    bool: 'write "true" or "1", as the server reads it',
    bytes: "write value.decode()",
    type(None): 'leave the name out, or write ""',
}


def param_name(name: object) -> str:
    """Return a name without lone surrogates. Raises TypeError if it is not text."""
    if not isinstance(name, str):
        fix = "name.decode()" if isinstance(name, bytes) else "str(name)"
        raise TypeError(
            f"the name of a parameter must be text, not {type(name).__name__}: write {fix}"
        )
    return to_scalar_value_string(name)


def param_value(value: object, name: str) -> str:
    """Return one value as text without lone surrogates. Raises TypeError for other types."""
    if isinstance(value, str):
        return to_scalar_value_string(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return int.__repr__(value)  # not the method of a subclass, such as an enum
    kind = type(value)
    raise TypeError(
        f"the value of the parameter {quoted(name)} must be text, an int, or a list or tuple of"
        f" these, not {kind.__name__}: {_FIXES.get(kind, 'write str(value)')}"
    )


def param_values(value: object, name: str) -> list[str]:
    """Return the values that a name gets: the items of a list or a tuple, or one value."""
    if isinstance(value, list | tuple):
        return [param_value(each, name) for each in value]
    return [param_value(value, name)]


def pairs_from(init: object) -> list[tuple[str, str]]:
    """Return the names and values in ``init``: a query, pairs, a mapping or a `URLSearchParams`.

    Raises TypeError for any other value, and ValueError for an item that is not a pair.

    Spec: #dom-urlsearchparams-urlsearchparams
    """
    pairs = pairs_of(init)  # the fast path, for most values
    if pairs is not None:
        return pairs
    if type(init) is dict and all(map(_is_plain, init)) and all(map(_is_plain, init.values())):
        return [*init.items()]
    return [(name, value) for name, values in names_and_values(init) for value in values]


def _is_plain(value: object) -> bool:
    return type(value) is str and value.isascii()


def names_and_values(init: object) -> Iterable[tuple[str, list[str]]]:
    """Return the names in what `pairs_from` takes, each with the values that it gets there."""
    if isinstance(init, str):
        text = to_scalar_value_string(init).removeprefix("?")
        return ((name, [value]) for name, value in parse_form_urlencoded(text))
    if isinstance(init, Mapping):
        # `items` of Django's QueryDict has only the last value of a name.
        items = getattr(init, "lists", init.items)()
        given = [
            (name, (text := param_name(name)), param_values(each, text)) for name, each in items
        ]
        found = [(text, values) for _, text, values in given]
        # Two names that differ only in lone surrogates become one. The last value counts.
        is_exact = all(name == text for name, text, _ in given)
        return found if is_exact else dict(found).items()
    if not isinstance(init, Iterable) or isinstance(init, BYTES):
        fix = ": write query.decode()" if isinstance(init, bytes) else ""
        raise TypeError(
            f"a query must be text, a mapping or pairs of names and values,"
            f" not {type(init).__name__}{fix}"
        )
    return _of_pairs(init)


def _of_pairs(pairs: Iterable[Any]) -> Iterator[tuple[str, list[str]]]:
    for item in pairs:
        if not isinstance(item, Iterable) or isinstance(item, BYTES):
            raise TypeError(f"a pair must be a name and a value, not {type(item).__name__}")
        pair = tuple(item)
        if len(pair) != 2 or isinstance(item, str):
            what = "text" if isinstance(item, str) else f"{len(pair)} items"
            raise ValueError(f"a pair must be a name and a value, not {what}")
        name = param_name(pair[0])
        yield name, param_values(pair[1], name)


def without_query_params(
    record: _Record, *names: str, prefixes: str | Iterable[str] = ()
) -> _Record:
    """Return ``record`` without some parameters. See `URLRecord.without_query_params`."""
    unwanted = frozenset(map(param_name, names))
    starts = tuple(map(param_name, (prefixes,) if isinstance(prefixes, str) else prefixes))
    if "" in starts:
        raise ValueError("an empty prefix would remove every parameter: use with_query(None)")
    if not record.query:
        return record

    def is_unwanted(pair: str) -> bool:
        name = query_pairs.name_in(pair)
        return name in unwanted or name.startswith(starts)

    return _with_query_text(record, query_pairs.without_pairs(record.query, is_unwanted))


def keep_query_params(record: _Record, *names: str) -> _Record:
    """Return ``record`` with only some parameters. See `URLRecord.keep_query_params`."""
    wanted = frozenset(map(param_name, names))
    if not record.query:
        return record
    left = query_pairs.without_pairs(
        record.query, lambda pair: query_pairs.name_in(pair) not in wanted
    )
    return _with_query_text(record, left)


def with_query_param(record: _Record, name: str, value: QueryValue) -> _Record:
    """Return ``record`` with one parameter of that name. See `URLRecord.with_query_param`."""
    name = param_name(name)
    if isinstance(value, list | tuple):
        values = {name: param_values(value, name)}
        return _with_query_text(record, query_pairs.with_values(record.query, values))
    text = param_value(value, name)
    return _with_query_text(record, query_pairs.with_pair(record.query, name, text))


def add_query_param(record: _Record, name: str, value: QueryValue) -> _Record:
    """Return ``record`` with another parameter at the end. See `URLRecord.add_query_param`."""
    name = param_name(name)
    values = param_values(value, name)
    if not values:
        return record
    return _with_query_text(record, query_pairs.with_added_pair(record.query, name, *values))


def update_query(record: _Record, query: str | QueryPairs) -> _Record:
    """Return ``record`` with some parameters replaced. See `URLRecord.update_query`."""
    values: dict[str, list[str]] = {}
    for name, texts in names_and_values(query):
        values.setdefault(name, []).extend(texts)
    return _with_query_text(record, query_pairs.with_values(record.query, values))


def sort_query_params(record: _Record) -> _Record:
    """Return ``record`` with its parameters sorted. See `URLRecord.sort_query_params`."""
    return _with_query_text(record, record.query and query_pairs.sorted_pairs(record.query))


def _with_query_text(record: _Record, query: str | None) -> _Record:
    """Return ``record`` with this query, which is made of pieces of its own and of a form."""
    if query == record.query:
        return record
    return trusted_relative(record, record.path_text, query, record.fragment)
