"""msgspec: hooks for its encoders, its decoders and its schemas, in JSON and in other formats.

``msgspec.json.encode(data, enc_hook=enc_hook)``,
``msgspec.json.decode(text, type=…, dec_hook=dec_hook)``.
"""

from __future__ import annotations

from typing import Any, TypeVar

from weburl import URL
from weburl.integrations import texts
from weburl.integrations.schemas import JSON_SCHEMAS

__all__ = ["dec_hook", "enc_hook", "schema_hook"]

_T = TypeVar("_T")
_WRITTEN: tuple[type, ...] = (*texts.KINDS, URL)


def enc_hook(value: object) -> str:
    """Return a URL, a host, an origin or a site as text. A password in a URL is written too.

    Raises NotImplementedError for any other value, as msgspec expects.
    """
    if isinstance(value, _WRITTEN):
        return str(value)
    raise NotImplementedError(f"Encoding objects of type {type(value).__name__} is unsupported")


def dec_hook(kind: type[_T], value: Any) -> _T:  # noqa: ANN401
    """Return the value of the class ``kind`` for the text ``value``.

    Raises `URLParseError` or TypeError for invalid values, which msgspec turns into its
    ValidationError, and NotImplementedError for a class that is not from weburl.
    """
    if kind not in texts.KINDS:
        raise NotImplementedError(f"Decoding objects of type {kind!r} is unsupported")
    return value if isinstance(value, kind) else texts.read(kind, value)


def schema_hook(kind: type) -> dict[str, Any]:
    """Return the JSON Schema of a class of values, for ``msgspec.json.schema()``.

    Raises NotImplementedError for a class that is not from weburl.
    """
    if kind not in JSON_SCHEMAS:
        raise NotImplementedError(f"Generating JSON schema for {kind!r} is unsupported")
    return dict(JSON_SCHEMAS[kind])
