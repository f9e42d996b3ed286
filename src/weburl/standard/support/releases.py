"""The ImportError for an optional library that is missing or too old."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from types import TracebackType


class required:  # noqa: N801  # it reads as a statement
    """A context in which an optional library is imported: ``with required("httpx>=0.28"): …``.

    Args:
        requirement: the name of the library on PyPI and its oldest release that works.
        extra: the extra of `weburl` that has it, if there is one.

    Raises ImportError, which names what to install, if the library is missing or too old. A library
    whose release cannot be found, as in a frozen program, is taken to be new enough.
    """

    __module__ = "weburl.integrations.building_blocks"

    def __init__(self, requirement: str, extra: str | None = None) -> None:
        self._name, _, self._oldest = requirement.partition(">=")
        self._what = f"weburl needs {self._name} {self._oldest} or newer"
        self._install = f"pip install '{requirement if extra is None else f'weburl[{extra}]'}'"

    def __enter__(self) -> None:
        found = _installed(self._name)
        if found is not None and _numbers(found) < _numbers(self._oldest):
            raise ImportError(
                f"{self._what}, and {found} is installed: {self._install}", name=self._name
            )

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        if not isinstance(error, ImportError):
            return
        raise ImportError(
            f"{self._what}: {self._install}", name=error.name, path=error.path
        ) from error


@cache
def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _numbers(release: str) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]+", release)[:3]]
