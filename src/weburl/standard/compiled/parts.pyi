from collections.abc import Callable
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

def read_parts_quickly(record_class: type) -> None: ...
def with_fast_origin(
    origin_class: type, opaque_class: type
) -> Callable[[_Function], _Function]: ...
def have_same_origin(a: object, b: object) -> bool | None: ...
