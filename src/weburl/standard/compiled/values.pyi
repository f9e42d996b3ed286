from typing import TypeVar

_Value = TypeVar("_Value")

def use_values(
    record_class: type,
    storage_class: type,
    domain_class: type,
    ipv4_class: type,
    ipv6_class: type,
    opaque_class: type,
    empty_class: type,
) -> None: ...
def untracked(value: _Value) -> _Value: ...
