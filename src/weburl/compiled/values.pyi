from typing import TypeVar

_Value = TypeVar("_Value")

def untracked(value: _Value) -> _Value: ...
