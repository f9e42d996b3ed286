"""Errors for names that people guess, because other libraries have them: what it is called here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Never, TypeVar

_T = TypeVar("_T")

OF_RECORD: Final = {
    "absolute": "url.join(reference)",
    "args": "url.query_params",
    "authority": "url.hostname and url.port",
    "copy": "url itself, which never changes",
    "domain": "url.registrable_domain, or url.hostname for the whole host",
    "extension": "url.suffix",
    "filename": "url.name",
    "geturl": "str(url)",
    "hash": "url.fragment",
    "human_repr": "weburl.render(url)",
    "netloc": "url.hostname and url.port",
    "params": "url.query_params, or url.query_pairs in order",
    "parts": "url.segments",
    "pathname": "url.path_text",
    "protocol": "url.scheme",
    "query_string": "url.query",
    "raw_host": "url.hostname",
    "replace": "a method such as url.with_path(…), or url.with_query_param(…)",
    "search": "url.query",
    "search_params": "url.query_params",
    "set": "a method such as url.with_query_param(…)",
    "site": "weburl.obtain_a_site(url)",
    "subdomain": "url.hostname.removesuffix(url.registrable_domain or '')",
    "tld": "url.public_suffix",
    "url": "str(url)",
    "user": "url.username",
    "with_params": "url.update_query(…)",
    "with_user": "url.with_username(…)",
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
"""The same for a `URL`, whose names are those of browsers; a `URLRecord` has others."""

OF_MODULE: Final = {
    "build": "weburl.URLRecord.build(…)",
    "canParse": "weburl.can_parse(text)",
    "decode": "url.segments, url.name and url.query_params, which are decoded",
    "encode": "weburl.URLRecord.build(…), which encodes each part",
    "find_links": "weburl.text.find_links(text)",
    "is_url": "weburl.can_parse(text), or weburl.is_valid_url_string(text)",
    "is_valid": "weburl.can_parse(text), or weburl.is_valid_url_string(text)",
    "join": "weburl.parse(text, base), or url.join(text)",
    "normalize": "weburl.canonicalize(text)",
    "parse_url": "weburl.parse(text)",
    "parse_qs": "url.query_params, or weburl.URLSearchParams(query)",
    "parse_qsl": "url.query_pairs",
    "quote": "weburl.URLRecord.build(…) or url / segment, which encode each part",
    "unquote": "url.segments, url.name and url.query_params, which are decoded",
    "url_key": "weburl.keys.url_key(url, rules)",
    "urlencode": "str(weburl.URLSearchParams(mapping))",
    "urljoin": "weburl.parse(text, base), or url.join(text)",
    "urlparse": "weburl.parse(text)",
    "urlsplit": "weburl.parse(text)",
    "urlunparse": "weburl.URLRecord.build(…)",
    "validate": "weburl.check(text)",
}
"""The same for the module `weburl`."""

OF_PATTERN: Final = {
    "fragment": "hash",
    "host": "hostname and port",
    "path": "pathname",
    "query": "search",
    "scheme": "protocol",
    "user": "username",
}
"""The same for the components of a `URLPattern`, whose names are those of browsers."""


def no_such_name(package: str, name: str, guesses: Mapping[str, str]) -> str:
    """Return the message for a name that a package does not have, with what to write instead."""
    from importlib.util import find_spec  # slow to import

    hint = ""
    if name in guesses:
        hint = f": write {guesses[name]}"
    elif name.isidentifier() and not name.startswith("_") and find_spec(f"{package}.{name}"):
        hint = f": import {package}.{name} first"
    return f"module {package!r} has no attribute {name!r}{hint}"


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
