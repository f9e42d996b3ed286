"""How each library does each operation, as code that a loop over texts is made of.

Code rather than functions, as for `timeit`: a call more for each text would be charged to all, and
blur the ratios. A library that is not installed is left out. Nothing is timed here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from inspect import signature
from types import ModuleType
from typing import Any, Final

from attrs import field, frozen

from benchmarks.operations import ROWS, Operation

BASE: Final = "https://example.com/a/b/c?d=e#f"
"""What is joined with a reference; parsed beforehand where a library can keep it parsed."""

SLOW_SAMPLE: Final = 16
"""A slow library gets every so many-th text."""


@frozen
class Contender:
    """A library, and its code for what it can do.

    ``setup`` binds ``parse`` and, where it can join, ``make_base``, and whatever else ``code``
    wants. In ``code`` the text is ``s``, the base ``base``, and its text
    ``base_text``. ``before`` runs before each pass:
    it empties caches. ``settable`` names what makes an object with the attributes of the web's URL
    class, to read and to set. A ``slow`` one gets a sample of the texts.
    """

    name: str
    distribution: str
    written_in: str
    setup: str
    code: Mapping[Operation, str]
    before: str = "pass"
    settable: str = ""
    slow: bool = False
    namespace: dict[str, Any] = field(factory=dict, eq=False, repr=False)

    def version(self) -> str:
        """Return the version that is installed; "" where only sources are on the path."""
        if not self.distribution:
            return ".".join(map(str, sys.version_info[:3]))
        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            return ""

    def load(self) -> bool:
        """Return whether the library is installed; if so, `function` and `loop` can be called."""
        if not self.namespace:
            try:
                exec(self.setup, self.namespace)
            except ImportError:
                self.namespace.clear()
                return False
            if "make_base" in self.namespace:
                self.namespace["base"] = self.namespace["make_base"](BASE)
                self.namespace["base_text"] = BASE
        return True

    def function(self, operation: Operation) -> Callable[..., Any]:
        """Return a function of a text, and of a base if it joins, to the operation's value."""
        *statements, value = self.code[operation].split("; ")
        body = "".join(f"    {statement}\n" for statement in (*statements, f"return {value}"))
        return self._define(f"def made(s, base=base):\n{body}", operation)

    def loop(self, operation: Operation) -> Callable[[Sequence[str]], None]:
        """Return a function that does the operation with each of the texts, for nothing."""
        return loop(self.code[operation], self.namespace)

    def _define(self, source: str, operation: Operation) -> Callable[..., Any]:
        namespace = {"base": None} | self.namespace
        exec(compile(source, f"<{self.name}: {operation}>", "exec"), namespace)
        made: Callable[..., Any] = namespace["made"]
        return made

    def empty_caches(self) -> None:
        """Forget what passes before this one left behind."""
        exec(self.before, self.namespace)


def loop(code: str, namespace: Mapping[str, Any]) -> Callable[[Sequence[str]], None]:
    """Return a function that runs ``code`` for each of the texts.

    The names that ``code`` uses are made local: every contender's are equally near.
    """
    names = sorted(name for name in namespace if re.search(rf"(?<![.\w]){name}\b", code))
    arguments = "".join(f", {name}={name}" for name in names)
    made: dict[str, Any] = dict(namespace)
    exec(f"def loop(texts{arguments}):\n for s in texts:\n  {code}", made)
    function: Callable[[Sequence[str]], None] = made["loop"]
    return function


def _components(*names: str) -> str:
    return "; ".join(("u = parse(s)", *(f"u.{name}" for name in names)))


# With the web's names, and a parser that takes a base.
_WEB: Final = {
    Operation.PARSE: "parse(s)",
    Operation.HREF: "parse(s).href",
    Operation.COMPONENTS: _components(
        "protocol", "username", "password", "hostname", "port", "pathname", "search", "hash"
    ),
    Operation.CAN_PARSE: "can_parse(s)",
    Operation.JOIN: "parse(s, base)",
    Operation.JOIN_HREF: "parse(s, base).href",
    Operation.JOIN_TEXTS: "parse(s, base_text)",
    Operation.PARAMS: "str(URLSearchParams(s))",
}

PEERS: Final = (
    Contender(
        "can_ada",
        "can_ada",
        "C++",
        "import can_ada; from can_ada import can_parse, URLSearchParams; "
        "parse = make_base = can_ada.parse",
        {
            **_WEB,
            Operation.JOIN: "base + s",
            Operation.JOIN_HREF: "(base + s).href",
            Operation.JOIN_TEXTS: "parse(base_text) + s",
        },
        settable="parse",
    ),
    Contender(
        "url-py",
        "url-py",
        "Rust",
        "import url; parse = make_base = url.URL.parse",
        {
            Operation.PARSE: "parse(s)",
            Operation.HREF: "str(parse(s))",
            Operation.COMPONENTS: _components(
                "scheme", "username", "password", "host_str", "port", "path", "query", "fragment"
            ),
            Operation.JOIN: "base.join(s)",
            Operation.JOIN_HREF: "str(base.join(s))",
            Operation.JOIN_TEXTS: "parse(base_text).join(s)",
        },
    ),
    Contender(
        "pydantic_core",
        "pydantic_core",
        "Rust",
        "import pydantic_core; parse = pydantic_core.Url",
        {
            Operation.PARSE: "parse(s)",
            Operation.HREF: "str(parse(s))",
            Operation.COMPONENTS: _components(
                "scheme", "username", "password", "host", "port", "path", "query", "fragment"
            ),
        },
    ),
    Contender(
        "upa_url",
        "upa_url",
        "C++",
        "from upa_url import URL as parse, URLSearchParams; "
        "make_base = parse; can_parse = parse.canParse",
        _WEB,
        settable="parse",
    ),
    Contender(
        "ada_url",
        "ada_url",
        "C++, cffi",
        "from ada_url import URL as parse, URLSearchParams; "
        "make_base = str; can_parse = parse.can_parse",
        _WEB,
        settable="parse",
    ),
    Contender(
        "urllib.parse",
        "",
        "Python",
        "from urllib.parse import clear_cache, parse_qsl, urlencode, urljoin, urlsplit as parse; "
        "make_base = str",
        {
            Operation.PARSE: "parse(s)",
            Operation.HREF: "parse(s).geturl()",
            Operation.COMPONENTS: _components(
                "scheme", "username", "password", "hostname", "port", "path", "query", "fragment"
            ),
            Operation.JOIN: "urljoin(base, s)",
            Operation.JOIN_HREF: "urljoin(base, s)",
            Operation.JOIN_TEXTS: "urljoin(base_text, s)",
            Operation.PARAMS: "urlencode(parse_qsl(s, keep_blank_values=True))",
        },
        before="clear_cache()",
    ),
    Contender(
        "yarl",
        "yarl",
        "Cython, Python",
        # Its cache of 128 URLs cannot be emptied, but filled.
        "import yarl; parse = make_base = yarl.URL; "
        "yarl.cache_configure(idna_encode_size=0, idna_decode_size=0, encode_host_size=0)",
        {
            Operation.PARSE: "parse(s)",
            Operation.HREF: "str(parse(s))",
            Operation.COMPONENTS: _components(
                "scheme",
                "raw_user",
                "raw_password",
                "raw_host",
                "port",
                "raw_path",
                "raw_query_string",
                "raw_fragment",
            ),
            Operation.JOIN: "base.join(parse(s))",
            Operation.JOIN_HREF: "str(base.join(parse(s)))",
            Operation.JOIN_TEXTS: "parse(base_text).join(parse(s))",
        },
        before="yarl.cache_clear(); [parse(f'http://h/{i}') for i in range(128)]",
    ),
    Contender(
        "pywhatwgurl",
        "pywhatwgurl",
        "Python",
        "from pywhatwgurl import URL as parse, URLSearchParams; "
        "make_base = str; can_parse = parse.can_parse",
        _WEB,
        settable="parse",
        slow=True,
    ),
)

WEBURL: Final = Contender(
    "weburl",
    "django-whatwg-url",
    "Python",
    "from weburl import URL, URLSearchParams, can_parse, canonicalize, parse; make_base = parse",
    {row.operation: row.code for row in reversed(ROWS)},
    settable="URL",
)
"""The first row of each operation; all rows are in `ROWS`. It is ``slow`` nowhere."""

ORACLE: Final = Contender(
    "the literal state machine",
    "",
    "Python",
    "from tests.reference.machine import basic_url_parse as parse; "
    "from tests.reference.serializing import url_serializer",
    {Operation.PARSE: "parse(s)", Operation.HREF: "url_serializer(parse(s))"},
    slow=True,
)
"""What `weburl` would cost if it were written as the standard is: the tests' reference."""


def installed_peers() -> list[Contender]:
    """Return the peers that can be imported."""
    return [peer for peer in PEERS if peer.load()]


def switch_off_weburl_caches(modules: Mapping[str, ModuleType] = sys.modules) -> list[str]:
    """Make `weburl` work out everything again, and return the names of the caches it had.

    A function that remembers its results, as `functools.lru_cache` makes it, gives way to the
    one inside in every module that names it. One without parameters loads something once, which
    is no shortcut.
    """
    names = []
    for module_name, module in sorted(modules.items()):
        if module_name.partition(".")[0] == "weburl":
            for name, value in sorted(vars(module).items()):
                if hasattr(value, "cache_clear") and signature(value.__wrapped__).parameters:
                    value.cache_clear()
                    setattr(module, name, value.__wrapped__)
                    names.append(f"{module_name}.{name}")
    return names
