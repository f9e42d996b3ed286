"""The oldest releases of clients that can obey a policy."""

from __future__ import annotations

import re
from types import ModuleType


def require(library: ModuleType, oldest: str) -> None:
    """Raise ImportError if the installed ``library`` is older than the release ``oldest``."""
    found: str = library.__version__
    if _numbers(found) < _numbers(oldest):
        name = library.__name__
        raise ImportError(
            f"weburl needs {name} {oldest} or newer, and {found} is installed:"
            f" pip install '{name}>={oldest}'",
            name=name,
        )


def _numbers(release: str) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]+", release)[:3]]
