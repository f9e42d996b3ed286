"""msgspec: hooks for its encoders, its decoders and its schemas, in JSON and in other formats.

``msgspec.json.encode(data, enc_hook=enc_hook)``,
``msgspec.json.decode(text, type=…, dec_hook=dec_hook)``.

For annotations this module has stand-ins for the classes of `weburl`, with the same names. msgspec
reads an attrs class as an object with fields, and would not call ``dec_hook`` for it. To a type
checker each stand-in is the class itself, and so it is to ``isinstance()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from weburl.integrations import texts

if TYPE_CHECKING:
    from weburl import (
        Domain,
        EmptyHost,
        IPv4Address,
        IPv6Address,
        OpaqueHost,
        OpaqueOrigin,
        RelativeReference,
        SchemeAndHost,
        TupleOrigin,
        URLRecord,
    )

__all__ = [
    "Domain",
    "EmptyHost",
    "IPv4Address",
    "IPv6Address",
    "OpaqueHost",
    "OpaqueOrigin",
    "RelativeReference",
    "SchemeAndHost",
    "TupleOrigin",
    "URLRecord",
    "dec_hook",
    "enc_hook",
    "schema_hook",
]

_T = TypeVar("_T")


class _StandIn(type):
    """A class that msgspec does not support, in the place of a class of values."""

    kind: type

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.kind)  # msgspec calls this for what `dec_hook` returns

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, cls.kind)

    def __call__(cls, *args: object, **kwargs: object) -> object:
        return cls.kind(*args, **kwargs)

    def __getattr__(cls, name: str) -> object:
        if name == "__attrs_attrs__":
            raise AttributeError(name)
        return getattr(cls.kind, name)  # such as `IPv4Address.from_ipaddress`


if not TYPE_CHECKING:
    _STAND_IN = {
        kind: _StandIn(kind.__name__, (), {"__module__": __name__, "kind": kind})
        for kind in texts.KINDS
    }
    globals().update({kind.__name__: stand_in for kind, stand_in in _STAND_IN.items()})


def enc_hook(value: object) -> str:
    """Return a URL, a reference, a host, an origin or a site as text, with a URL's password.

    Raises NotImplementedError for any other value, as msgspec expects.
    """
    if isinstance(value, texts.WRITTEN):
        return str(value)
    raise NotImplementedError(f"Encoding objects of type {type(value).__name__} is unsupported")


def dec_hook(kind: type[_T], value: Any) -> _T:  # noqa: ANN401
    """Return the value of the class ``kind`` for the text ``value``.

    ``kind`` is a class of `weburl` or its stand-in. Raises `URLParseError` or TypeError for invalid
    values, which msgspec turns into its ValidationError, and NotImplementedError for any other
    class.
    """
    wanted: type[_T] = _class_of(kind)
    if wanted not in texts.KINDS:
        raise NotImplementedError(f"Decoding objects of type {kind!r} is unsupported")
    return value if isinstance(value, wanted) else texts.read(wanted, value)


def schema_hook(kind: type) -> dict[str, Any]:
    """Return the JSON Schema of a class of values, for ``msgspec.json.schema()``.

    ``kind`` is a class of `weburl` or its stand-in. Raises NotImplementedError for any other class.
    """
    wanted = _class_of(kind)
    if wanted not in texts.KINDS:
        raise NotImplementedError(f"Generating JSON schema for {kind!r} is unsupported")
    return texts.json_schema_of(wanted)


def _class_of(kind: type) -> type:
    return kind.kind if isinstance(kind, _StandIn) else kind
