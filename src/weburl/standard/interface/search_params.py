"""§6.2: `URLSearchParams`, an ordered list of names and values.

It does not know its URL, but calls a function when the list has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Self, TypeVar, overload

from weburl.standard.infra import form_urlencoded
from weburl.standard.infra.comparisons import unequal
from weburl.standard.url.fast_path import (
    parse_form_urlencoded,
    serialize_form_urlencoded,
    with_fast_methods,
)
from weburl.standard.url.params import (
    BYTES,
    Pairs,
    QueryPairs,
    pairs_from,
    param_name,
    param_value,
)

_Default = TypeVar("_Default")


@with_fast_methods
class URLSearchParams(Pairs):
    """The names and values in a query, in order. A name may occur more than once.

    ``init`` is a query, with or without "?", a mapping, an iterable of pairs of name and value, or
    another `URLSearchParams`. A name is text. A value is text, an int, or a list or tuple of these,
    which gives the name several values. Lone surrogates become U+FFFD.

    Raises TypeError for any other type. Servers write a float, a bool and None in different ways,
    so pass the text that yours reads. Raises ValueError for an item that is not a pair.

    Besides the methods of the standard, you can iterate over the pairs, ``in`` looks for a name or
    a pair, ``params[name]`` is the first value, and ``len()`` is the number of pairs.
    ``params[name] = value`` does what `set` does, and ``del params[name]`` removes all pairs with
    the name. Two objects with equal lists are equal. A `URLSearchParams` can change, so it cannot
    be hashed.

    Spec: #interface-urlsearchparams
    """

    __module__ = "weburl"

    __slots__ = ("_notify", "_pairs", "_query")
    __hash__: None = None  # type: ignore[assignment]

    def __init__(self, init: str | QueryPairs = "") -> None:
        self._notify: Callable[[], None] | None = None
        # A query without surrogates whose pairs were not needed yet, or None.
        self._query: str | None
        if type(init) is str and init.isascii():
            self._query = init.removeprefix("?")
        else:
            self._list = pairs_from(init)

    @property
    def _list(self) -> list[tuple[str, str]]:
        """The names and values."""
        while (query := self._query) is not None:
            pairs = parse_form_urlencoded(query)
            if self._query is query:  # No other thread has changed it meanwhile.
                self._pairs, self._query = pairs, None
        return self._pairs

    @_list.setter
    def _list(self, pairs: list[tuple[str, str]]) -> None:
        self._pairs = pairs
        self._query = None

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Self:
        """Return the names and values in ``data``, the bytes of a submitted form.

        A "?" at the start is part of the first name. Bytes that are not UTF-8 become U+FFFD. Raises
        TypeError if ``data`` is not bytes.

        Spec: #concept-urlencoded-parser
        """
        if not isinstance(data, BYTES):
            raise TypeError(f"a form's data must be bytes, not {type(data).__name__}")
        return cls(form_urlencoded.parse_form_urlencoded(bytes(data)))

    @property
    def size(self) -> int:
        """The number of pairs.

        Spec: #dom-urlsearchparams-size
        """
        return len(self._list)

    def append(self, name: str, value: str | int) -> None:
        """Add a pair at the end.

        Spec: #dom-urlsearchparams-append
        """
        self._list.append((param_name(name), param_value(value, name)))
        self._update()

    def delete(self, name: str, value: str | int | None = None) -> None:
        """Remove all pairs with this name and, if given, with this value.

        Spec: #dom-urlsearchparams-delete
        """
        matches = _matcher(name, value)
        self._list = [pair for pair in self._list if not matches(pair)]
        self._update()

    @overload
    def get(self, name: str) -> str | None: ...
    @overload
    def get(self, name: str, default: _Default) -> str | _Default: ...

    def get(self, name: str, default: _Default | None = None) -> str | _Default | None:
        """Return the first value with this name, or ``default``.

        Spec: #dom-urlsearchparams-get
        """
        name = param_name(name)
        for key, value in self._list:
            if key == name:
                return value
        return default

    def get_all(self, name: str) -> list[str]:
        """Return the values with this name, in order.

        Spec: #dom-urlsearchparams-getall
        """
        name = param_name(name)
        return [value for key, value in self._list if key == name]

    def has(self, name: str, value: str | int | None = None) -> bool:
        """Return whether there is a pair with this name and, if given, with this value.

        Spec: #dom-urlsearchparams-has
        """
        return any(map(_matcher(name, value), self._list))

    def set(self, name: str, value: str | int) -> None:
        """Set the value of the first pair with this name, and remove the other pairs with it.

        If there is no such pair, add one at the end.

        Spec: #dom-urlsearchparams-set
        """
        new = (param_name(name), param_value(value, name))
        first = next((at for at, pair in enumerate(self._list) if pair[0] == new[0]), None)
        if first is None:
            self._list.append(new)
        else:
            after = [pair for pair in self._list[first + 1 :] if pair[0] != new[0]]
            self._list[first:] = [new, *after]
        self._update()

    def sort(self) -> None:
        """Sort the pairs by name, in the order of UTF-16 code units. Equal names keep their order.

        Spec: #dom-urlsearchparams-sort
        """
        # Not `list.sort`, which raises ValueError if another thread changes the list meanwhile.
        self._list = sorted(self._list, key=lambda pair: pair[0].encode("utf-16-be"))
        self._update()

    def keys(self) -> Iterator[str]:
        """Iterate over the names. A name with several values is repeated."""
        for name, _ in self:
            yield name

    def values(self) -> Iterator[str]:
        """Iterate over the values."""
        for _, value in self:
            yield value

    def items(self) -> Iterator[tuple[str, str]]:
        """Iterate over the pairs. The iteration sees later changes, as in browsers."""
        for at in count():
            try:
                pair = self._list[at]
            except IndexError:
                return
            yield pair

    def _update(self) -> None:
        """Tell the URL, if there is one.

        Spec: #concept-urlsearchparams-update
        """
        if self._notify is not None:
            self._notify()

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return self.items()

    def __len__(self) -> int:
        return len(self._list)

    def __contains__(self, item: object) -> bool:
        match item:
            case str():
                return self.has(item)
            case (str() as name, str() as value):
                return self.has(name, value)
        return False

    def __getitem__(self, name: str) -> str:
        """Return the first value with this name, or raise KeyError."""
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: str | int) -> None:
        """Set the value of a name, as `set` does."""
        self.set(name, value)

    def __delitem__(self, name: str) -> None:
        """Remove all pairs with this name, or raise KeyError if there are none."""
        if not self.has(name):
            raise KeyError(name)
        self.delete(name)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, URLSearchParams):
            return self._list == other._list
        return unequal(self, other)

    def __str__(self) -> str:
        return serialize_form_urlencoded(self._list)

    def __repr__(self) -> str:
        return f"URLSearchParams({self._list!r})"

    def __reduce__(self) -> tuple[type[URLSearchParams], tuple[list[tuple[str, str]]]]:
        # A copy has no URL: it does not change the URL of the original.
        return type(self), (self._list.copy(),)


def params_of_url(query: str | None, notify: Callable[[], None]) -> URLSearchParams:
    """Return the parameters of a URL's ``query``, which call ``notify`` after each change.

    Spec: #concept-url-query-object
    """
    params = URLSearchParams()
    params._notify = notify  # noqa: SLF001
    refill(params, query)
    return params


def refill(params: URLSearchParams, query: str | None) -> None:
    """Replace the list of ``params`` with the pairs in ``query``, without notifying the URL.

    Spec: #concept-urlsearchparams-list
    """
    params._query = query or ""  # noqa: SLF001


def _matcher(name: str, value: str | int | None) -> Callable[[tuple[str, str]], bool]:
    wanted_name = param_name(name)
    if value is None:
        return lambda pair: pair[0] == wanted_name
    wanted = (wanted_name, param_value(value, name))
    return lambda pair: pair == wanted
