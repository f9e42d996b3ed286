"""Makes an attrs class a single value to libraries that would write its components.

attrs' own functions see the fields of such a class. msgspec's encoder does not, and writes text by
a hook. pydantic asks a class for its schema by a method, which imports `integrations.pydantic` when
it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

_T = TypeVar("_T")
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
    """A value that cannot change, so that a copy of it is the value itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class OneValue(FrozenValue):
    """A value that pydantic accepts as the type of a field: text in JSON, itself in Python."""

    __slots__ = ()

    if not TYPE_CHECKING:  # mypy and pyright know the attribute from attrs' decorator
        __attrs_attrs__ = _InheritedFields()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> object:
        import weburl.integrations.pydantic

        return weburl.integrations.pydantic.core_schema_of(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: object) -> object:
        import weburl.integrations.pydantic

        return weburl.integrations.pydantic.json_schema_of(cls)


def one_value(cls: type[_T]) -> type[_T]:
    """Make a class of `attrs.frozen` a single value, and return the same class.

    The class must have `OneValue` among its bases. ``copy.replace()`` of Python 3.13 works with it.
    """
    setattr(cls, _FIELDS, cls.__attrs_attrs__)  # type: ignore[attr-defined]  # of any attrs class
    del cls.__attrs_attrs__  # type: ignore[attr-defined]
    cls.__replace__ = _replace  # type: ignore[attr-defined]
    return cls


def _replace(self: Any, /, **changes: object) -> object:  # noqa: ANN401
    """Return a value with some of its components replaced. The result is checked."""
    kind = type(self)
    return kind(**{name: getattr(self, name) for name in kind.__match_args__} | changes)
