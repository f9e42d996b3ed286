"""Errors for names that people guess, because other libraries have them: what it is called here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Final, Never, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")

_EDIT: Final = "a method such as url.with_path(…), or url.with_query_param(…)"
_DECODED: Final = "url.segments, url.name and url.query_params, which are decoded"
_OF_STR: Final = (
    *("encode", "endswith", "find", "lower", "lstrip", "partition", "removeprefix"),
    *("removesuffix", "rpartition", "rsplit", "rstrip", "split", "startswith", "strip", "upper"),
)

OF_RECORD: Final = {
    **{name: f"str(url).{name}(…), or the same with url.hostname" for name in _OF_STR},
    "_replace": _EDIT,
    "absolute": "url.join(reference)",
    "args": "url.query_params",
    "authority": "url.host_port and url.userinfo",
    "copy": "url itself, which never changes",
    "copy_with": _EDIT,
    "decode": "str(url), or the parts of the URL, in place of urlsplit(url) and urlparse(url)",
    "domain": "url.registrable_domain, or url.hostname for the whole host",
    "explicit_port": "url.port",
    "extension": "url.suffix",
    "filename": "url.name",
    "geturl": "str(url)",
    "hash": "url.fragment",
    "human_repr": "weburl.render(url)",
    "is_absolute": "True, because every URLRecord is absolute",
    "netloc": "url.host_port, or also url.userinfo",
    "params": "url.query_params, or url.query_pairs in order",
    "parts": "url.segments",
    "pathname": "url.path_text",
    "protocol": "url.scheme",
    "query_string": "url.query",
    "raw_host": "url.hostname",
    "raw_path": "url.path_text",
    "remove_query_param": "url.without_query_params(…)",
    "replace": _EDIT,
    "resolve": "url.join(reference)",
    "search": "url.query",
    "search_params": "url.query_params",
    "set": "a method such as url.with_query_param(…)",
    "set_query_param": "url.with_query_param(…)",
    "site": "weburl.obtain_a_site(url)",
    "subdomain": "url.hostname.removesuffix(url.registrable_domain or '')",
    "tld": "url.public_suffix",
    "url": "str(url)",
    "user": "url.username",
    "with_netloc": "url.with_host(…)",
    "with_params": "url.update_query(…)",
    "with_user": "url.with_username(…)",
    "without_query": "url.with_query(None)",
}
"""What attributes of a `URLRecord` are called in other libraries, and here."""

OF_URL: Final = {
    "fragment": "url.hash, without its '#'",
    "host_port": "url.host",
    "join": "weburl.URL(reference, url)",
    "name": "url.record.name",
    "netloc": "url.host",
    "params": "url.search_params",
    "path": "url.pathname",
    "query": "url.search, without its '?', or url.search_params",
    "query_params": "url.search_params",
    "registrable_domain": "url.record.registrable_domain",
    "scheme": "url.protocol, without its ':'",
    "segments": "url.record.segments",
    "searchParams": "url.search_params",
    "toJSON": "url.to_json()",
    "with_path": "url.pathname = …, or url.record.with_path(…)",
    "with_query": "url.search = …, or url.record.with_query(…)",
}
"""The same for a `URL`, whose names come from browsers. A `URLRecord` has others."""

OF_MODULE: Final = {
    "build": "weburl.URLRecord.build(…)",
    "canParse": "weburl.can_parse(text)",
    "decode": _DECODED,
    "encode": "weburl.URLRecord.build(…), which encodes each part",
    "find_links": "weburl.text.find_links(text)",
    "is_url": "weburl.can_parse(text), or weburl.is_valid_url_string(text)",
    "is_valid": "weburl.can_parse(text), or weburl.is_valid_url_string(text)",
    "join": "weburl.parse(text, base), or url.join(text)",
    "normalize": "weburl.canonicalize(text)",
    "parse_url": "weburl.parse(text)",
    "parse_qs": "url.query_params, or weburl.URLSearchParams(query)",
    "parse_qsl": "url.query_pairs",
    "percent_decode": _DECODED,
    "quote": "weburl.URLRecord.build(…) or url / segment, which encode each part",
    "unquote": _DECODED,
    "url_key": "weburl.keys.url_key(url, rules)",
    "urldefrag": "url.without_fragment()",
    "urlencode": "str(weburl.URLSearchParams(mapping))",
    "urljoin": "weburl.parse(text, base), or url.join(text)",
    "urlparse": "weburl.parse(text)",
    "urlsplit": "weburl.parse(text)",
    "urlunparse": "weburl.URLRecord.build(…)",
    "validate": "weburl.check(text)",
}
"""The same for the module `weburl`."""

OF_REFERENCE: Final = {
    "canonicalize": "reference.canonical()",
    "join": "reference.resolve(base).join(text)",
    "normalize": "reference.canonical()",
    **{
        name: f"reference.resolve(base).{name}"
        for name in ("fragment", "path_text", "query", "query_pairs", "query_params", "segments")
    },
    **{
        name: f"reference.edited(lambda url: url.{name}(…))"
        for name in (
            *("add_query_param", "joinpath", "keep_query_params", "sort_query_params"),
            *("update_query", "with_fragment", "with_name", "with_path", "with_query"),
            *("with_query_param", "with_suffix", "without_fragment", "without_query_params"),
        )
    },
}
"""The same for a `RelativeReference`, which has the parts of a URL once it is resolved."""

_CONVERSIONS: Final = {
    **{name: f"{name}.from_{name}" for name in ("httpx", "httpx2", "rfc3986", "urllib", "yarl")},
    "pydantic": "pydantic_urls.from_pydantic",
}


def url_of_type(value: object) -> str:
    """Return the name of the type of ``value``, and how to convert a URL of another library."""
    kind = type(value)
    library = kind.__module__.partition(".")[0]
    if library in _CONVERSIONS:
        call = f"weburl.integrations.{_CONVERSIONS[library]}(url)"
        return f"{library}.{kind.__name__}: write {call}"
    return f"{kind.__name__}: write url.decode()" if kind is bytes else kind.__name__


def host_of_type(value: object) -> str:
    """Return the name of the type of ``value``, and how to convert an address of Python."""
    name = type(value).__name__
    if type(value).__module__ != "ipaddress" or not name.endswith("Address"):
        return name
    return f"ipaddress.{name}: write weburl.{name}.from_ipaddress(address)"


OF_PATTERN: Final = {
    "fragment": "hash",
    "host": "hostname and port",
    "path": "pathname",
    "query": "search",
    "scheme": "protocol",
    "user": "username",
}
"""The same for the components of a `URLPattern`, whose names come from browsers."""


def no_such_name(package: str, name: str, guesses: Mapping[str, str]) -> str:
    """Return the message for a name that a package does not have, with what to write instead."""
    from importlib.util import find_spec  # slow to import

    hint = ""
    if name in guesses:
        hint = f": write {guesses[name]}"
    elif name.isidentifier() and not name.startswith("_") and find_spec(f"{package}.{name}"):
        hint = f": import {package}.{name} first"
    return f"module {package!r} has no attribute {name!r}{hint}"


def keywords_refused(method: Callable[_P, _T]) -> Callable[_P, _T]:
    """Return ``method``, whose only parameter is ``query``, with a hint for other keywords."""

    @wraps(method)
    def checked(*args: _P.args, **named: _P.kwargs) -> _T:
        for name in named:
            if name != "query":
                call = f'{method.__name__}({{"{name}": …}})'
                raise TypeError(f"names and values are one mapping, not keywords: write {call}")
        return method(*args, **named)

    return checked


class Guess:
    """A name that a class does not have: reading it raises AttributeError with what to write.

    A method ``__getattr__`` would make every attribute of the class slower to read.
    """

    def __init__(self, name: str, hint: str) -> None:
        self._name = name
        self._hint = hint

    def __get__(self, instance: object, owner: type) -> Never:
        raise AttributeError(
            f"{owner.__name__!r} object has no attribute {self._name!r}: write {self._hint}",
            name=self._name,
            obj=owner if instance is None else instance,
        )


def with_guesses(guesses: Mapping[str, str]) -> Callable[[type[_T]], type[_T]]:
    """Return a decorator that makes a class say what these names are called there.

    ``dir()`` of its objects does not show them.
    """

    def decorated(cls: type[_T]) -> type[_T]:
        for name, hint in guesses.items():
            setattr(cls, name, Guess(name, hint))
        cls.__dir__ = _names  # type: ignore[method-assign]
        return cls

    def _names(self: object) -> list[str]:
        return [name for name in object.__dir__(self) if name not in guesses]

    return decorated
