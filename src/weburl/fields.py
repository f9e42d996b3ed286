"""Building blocks for the URL fields of forms, databases and other libraries.

`django_whatwg_url` and `weburl.integrations` are built with these, and other integrations may be.
Code that knows a framework belongs into the integration.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self

from weburl.infra.code_points import SCHEME
from weburl.infra.strings import ascii_lowercase, exact, is_visible, require_text
from weburl.records.record import URLRecord
from weburl.validation.report import URLParseError

__all__ = ["UnparsableURL", "is_visible", "normalized_scheme", "starts_with_host_and_port"]

_HOST_AND_PORT: Final = re.compile(
    r"(?:localhost|[a-z0-9+-]*\.[a-z0-9.+-]*):[0-9]{1,5}(?:[/\\?#]|\Z)", re.ASCII | re.IGNORECASE
)
_OF_A_RECORD: Final = frozenset(name for name in dir(URLRecord) if not name.startswith("_"))


class UnparsableURL(str):
    """Text that is not a URL, unchanged, in the place of a record.

    A field gives this for a row that another program wrote. It is a `str`, so it can be shown and
    edited. ``error`` says what is wrong with it. It has no part of a URL: reading an attribute of
    `URLRecord` raises AttributeError, as does ``join()``.
    """

    __slots__ = ("error",)

    error: URLParseError

    def __new__(cls, text: str, error: URLParseError) -> Self:
        self = super().__new__(cls, text)
        self.error = error
        return self

    if not TYPE_CHECKING:  # Type checkers should report these attributes as missing.

        def __getattr__(self, name: str) -> NoReturn:
            if name in _OF_A_RECORD:
                raise self.missing_part(name)
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
            )

        def join(self, *_args: object) -> NoReturn:
            """Raise AttributeError: the caller means the method of a record, not that of text."""
            raise self.missing_part("join")

    def missing_part(self, name: str) -> AttributeError:
        """Return the error to raise if the attribute ``name`` of a record is read.

        A subclass may return an error of its own. Its message should show
        ``error.input_without_password``, never the text itself.
        """
        return AttributeError(
            f"There is no {name!r}, because {self.error.input_without_password!r} is not a URL: "
            f"{self.error.reason} Check isinstance(value, UnparsableURL) first.",
            name=name,
            obj=self,
        )

    def __repr__(self) -> str:
        return f"<UnparsableURL {self.error.input_without_password!r}: {self.error.reason}>"

    def __reduce__(self) -> tuple[type[Self], tuple[str, URLParseError]]:
        return type(self), (str(self), self.error)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def normalized_scheme(text: str) -> str | None:
    """Return a scheme as a record holds it, in lowercase; None if ``text`` is not a scheme.

    ``text`` has no ":". Only ASCII letters are lowercased. Raises TypeError for other types.

    Spec: #url-scheme-string
    """
    scheme = ascii_lowercase(exact(require_text(text, "a scheme")))
    return scheme if SCHEME.fullmatch(scheme) else None


def starts_with_host_and_port(text: str) -> bool:
    """Return whether ``text`` starts like "example.com:8080" or "localhost:8080/path".

    To the parser that is a URL with the scheme "example.com", which no person means. A field that
    adds a scheme to text without one should add it here, too. The host is "localhost" or has a dot,
    and the port has 1 to 5 digits. ``text`` must not start with spaces. Raises TypeError for other
    types.

    Spec: #concept-basic-url-parser
    """
    return _HOST_AND_PORT.match(require_text(text, "what may be a URL")) is not None
