"""Makes an attrs class a single value to libraries that would write its components.

attrs' own functions see the fields of such a class. msgspec's encoder does not, and writes text by
a hook. pydantic calls a method of a class for its schema. The schemas are in a room above this one,
so `weburl` calls `use_schemas` to name them. `check_boolean` checks an option of such a class.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, Never, Protocol, Self, TypeVar

from attrs.exceptions import FrozenInstanceError

_T = TypeVar("_T")


def check_boolean(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Raise TypeError unless the value of an attribute is True or False. attrs calls it."""
    if not isinstance(value, bool):
        raise TypeError(f"{attribute.name} must be True or False, not {type(value).__name__}")


if TYPE_CHECKING:
    from attrs import Attribute

    class Schemas(Protocol):
        """The methods that pydantic calls on a class of values."""

        def core_schema_of(self, kind: type) -> object:
            """Return pydantic's schema of a class."""

        def json_schema_of(self, kind: type) -> dict[str, Any]:
            """Return the JSON Schema of a class."""


_schemas: Callable[[], Schemas]  # set by `use_schemas`


def use_schemas(load: Callable[[], Schemas]) -> None:
    """Let `OneValue` get its schemas from what ``load`` returns, once pydantic needs one."""
    global _schemas  # noqa: PLW0603
    _schemas = load


_FIELDS: Final = "_attrs_fields"


class _InheritedFields:
    """The fields of an attrs class, found as if a base class had them.

    msgspec's encoder takes an object apart only if the list of fields is in the class itself. attrs
    finds an inherited one too.
    """

    def __get__(self, instance: object, owner: type) -> Any:  # noqa: ANN401  # attrs' own tuple
        return getattr(
            owner, _FIELDS
        )  # AttributeError for a class without fields, as attrs expects


class FrozenValue:
    """A value that cannot change, so that a copy of it is the value itself.

    Its ``__init__`` and ``__setstate__`` fill a new value, and raise `FrozenInstanceError` for one
    that is filled.
    """

    __slots__ = ()

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        fill = cls.__dict__.get("__setstate__")
        if fill is not None and not hasattr(fill, "__wrapped__"):
            made: Any = cls
            made.__setstate__ = _once(fill)

    def __attrs_pre_init__(self) -> None:  # the ``__init__`` of attrs calls it
        refuse_to_refill(self)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class OneValue(FrozenValue):
    """A value that pydantic accepts as the type of a field: text in JSON, itself in Python.

    It prints as text, but it is not text: adding it to text raises TypeError, with what to write
    instead. It defines no other method only to refuse it, because ``isinstance(value, Sized)`` and
    other abstract classes look for the methods.
    """

    __slots__ = ()

    if not TYPE_CHECKING:  # mypy and pyright know the attribute from attrs' decorator
        __attrs_attrs__ = _InheritedFields()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> object:
        return _schemas().core_schema_of(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: object) -> object:
        return _schemas().json_schema_of(cls)

    if not TYPE_CHECKING:  # a type checker reports that these are missing

        def __add__(self, other: object) -> Never:
            raise TypeError(
                f"a {type(self).__name__} is not text: write str(value) to add text to it, or"
                f' for a URL, url / "segment", url.join("reference") or url.with_query_param(…)'
            )

        __radd__ = __add__


def refuse_to_refill(value: FrozenValue) -> None:
    """Raise `FrozenInstanceError` if a value of an attrs class is filled already."""
    for field in value.__attrs_attrs__:  # type: ignore[attr-defined]  # of any attrs class
        if hasattr(value, field.name):
            raise _UnchangeableError(f"a {type(value).__name__} does not change once it is made")
        return


def _once(fill: Callable[[FrozenValue, object], None]) -> Callable[[FrozenValue, object], None]:
    @wraps(fill)
    def __setstate__(self: FrozenValue, state: object) -> None:  # noqa: N807
        refuse_to_refill(self)
        fill(self, state)

    return __setstate__


def one_value(cls: type[_T]) -> type[_T]:
    """Make a class of `attrs.frozen` a single value, and return the same class.

    The class must have `OneValue` among its bases. ``copy.replace()`` of Python 3.13 works with it.
    """
    setattr(cls, _FIELDS, cls.__attrs_attrs__)  # type: ignore[attr-defined]  # of any attrs class
    del cls.__attrs_attrs__  # type: ignore[attr-defined]
    cls.__replace__ = _replace  # type: ignore[attr-defined]
    cls.__setattr__ = _refuse_to_change  # type: ignore[method-assign]
    cls.__delattr__ = _refuse_to_change  # type: ignore[method-assign]
    return cls


def _replace(self: Any, /, **changes: object) -> object:  # noqa: ANN401
    """Return a value with some of its components replaced. The result is checked."""
    kind = type(self)
    return kind(**{name: getattr(self, name) for name in kind.__match_args__} | changes)


class _UnchangeableError(FrozenInstanceError):
    """attrs' error, with a message of our own."""

    def __init__(self, message: str) -> None:
        AttributeError.__init__(self, message)
        self.msg = message


def _refuse_to_change(self: object, name: str, value: object = None) -> Never:  # noqa: ARG001
    raise _UnchangeableError(
        f"a {type(self).__name__} does not change, so its {name!r} cannot be set: methods such as"
        f" with_path return a new one, and a function that wants text takes str(value)"
    )
