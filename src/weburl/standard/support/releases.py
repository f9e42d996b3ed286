"""The oldest releases of the optional libraries, and the ImportError for those that are older.

`docs/support.md` lists them, and the extras and groups of `pyproject.toml` name the same.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from types import TracebackType
from typing import Final

OLDEST: Final = {
    "aiohttp": "3.14",
    "django-filter": "25.1",
    "django-import-export": "4.3",
    "django-ninja": "1.4",
    "django-oauth-toolkit": "3.4",
    "djangorestframework": "3.16",
    "duckdb": "1.2",
    "httpx": "0.28",
    "httpx2": "2.16",
    "hypothesis": "6.100",
    "markdown-it-py": "4",
    "pandas": "2.2",
    "polars": "1.37",
    "pyarrow": "18",
    "pydantic": "2.11",
    "pyspark": "4",
    "requests": "2.32",
    "rfc3986": "2",
    "sqlalchemy": "2",
    "turbohtml": "1.15",
    "urllib3": "2.6.3",
    "wagtail": "7",
    "yarl": "1.24.3",
}
"""The oldest release of each optional library that works, by its name on PyPI."""


class required:  # noqa: N801  # it reads as a statement
    """A context in which an optional library is imported: ``with required("httpx"): …``.

    Args:
        name: the name of the library on PyPI, one of `OLDEST`.
        extra: the extra of `weburl` that has it, if there is one.

    Raises ImportError, which names what to install, if the library is missing or too old. A library
    whose release cannot be found, as in a frozen program, is taken to be new enough.
    """

    __module__ = "weburl.integrations.building_blocks"

    def __init__(self, name: str, extra: str | None = None) -> None:
        self._name = name
        wanted = f"{name}>={OLDEST[name]}" if extra is None else f"weburl[{extra}]"
        self._install = f"pip install '{wanted}'"

    def __enter__(self) -> None:
        found = _installed(self._name)
        if found is not None and _numbers(found) < _numbers(OLDEST[self._name]):
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

    @property
    def _what(self) -> str:
        return f"weburl needs {self._name} {OLDEST[self._name]} or newer"


@cache
def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _numbers(release: str) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]+", release)[:3]]
