"""Makes a class a single value to other libraries, not a collection of components.

A library that took a URL apart would write its password as a value of its own. pydantic asks a
class for its schema by a method, which imports `integrations.pydantic` when it is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

import attrs

_T = TypeVar("_T")


class OneValue:
    """A value that pydantic accepts as the type of a field: text in JSON, itself in Python."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> object:
        import weburl.integrations.pydantic

        return weburl.integrations.pydantic.core_schema_of(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: object) -> object:
        import weburl.integrations.pydantic

        return weburl.integrations.pydantic.json_schema_of(cls)


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def one_value(
    *,
    init: bool = True,
    slots: bool = True,
    eq: bool = True,
    order: bool = False,
    repr: bool = True,
) -> Callable[[type[_T]], type[_T]]:
    """Make a frozen class as `attrs.frozen` does, but one that other libraries do not take apart.

    `attrs.asdict()`, msgspec, cattrs and rich take a class apart if they find attrs' list of its
    fields, without calling a hook. So the list is deleted.
    """

    def decorate(cls: type[_T]) -> type[_T]:
        cls.__replace__ = _replace  # type: ignore[attr-defined]  # copy.replace(), of Python 3.13
        made = attrs.frozen(cls, init=init, slots=slots, eq=eq, order=order, repr=repr)
        del made.__attrs_attrs__  # type: ignore[attr-defined]
        return made

    return decorate


def _replace(self: Any, /, **changes: object) -> object:  # noqa: ANN401
    """Return a value with some of its components replaced. The result is checked."""
    kind = type(self)
    return kind(**{name: getattr(self, name) for name in kind.__match_args__} | changes)
