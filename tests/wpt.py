"""Where the data files of web-platform-tests are found, and how they are read.

The files are no part of this project: they come from `url/resources` and `urlpattern/resources` of
a web-platform-tests checkout, and a test that needs one that is absent is skipped, or fails where
`CI` is set.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ATTRIBUTES = (
    "href",
    "protocol",
    "username",
    "password",
    "host",
    "hostname",
    "port",
    "pathname",
    "search",
    "hash",
)
"""The attributes of the web's interface that can be set."""

GETTERS = (*ATTRIBUTES, "origin")
"""Those that can be read."""

SETTER_CASES = {
    "protocol": 35,
    "username": 13,
    "password": 12,
    "host": 67,
    "hostname": 48,
    "port": 27,
    "pathname": 33,
    "search": 16,
    "hash": 26,
    "href": 1,
}
"""How many cases setters_tests.json has for each."""

_VARIABLE = "WPT_URL_RESOURCES"
_BESIDE_THE_PROJECT = Path(__file__).resolve().parents[2] / "shared" / "wpt"


def wpt_file(name: str) -> Path:
    """Return the path of the data file `name`, such as `urltestdata.json`, which may be absent.

    It is looked for in the directory that the environment variable WPT_URL_RESOURCES names, or
    else in `../shared/wpt` from the project's root. The files of `urlpattern/resources` are also
    looked for there, beside `url/resources`.
    """
    named = os.environ.get(_VARIABLE)
    directory = Path(named) if named else _BESIDE_THE_PROJECT
    beside = directory.parents[1] / "urlpattern" / "resources" / name
    is_beside = name.startswith("urlpattern") and not (directory / name).is_file()
    return beside if is_beside and beside.is_file() else directory / name


def wpt_path(name: str) -> Path:
    """Return the path of the data file `name`, as `wpt_file` does, in a test that needs it.

    Skips the running test if the file is not there; fails it if WPT_URL_RESOURCES is set, since
    it then points to a wrong place, or if CI is.
    """
    import pytest  # not at hand where the benchmarks run

    path = wpt_file(name)
    if not path.is_file():
        reason = (
            f"{name} of web-platform-tests is not in {path.parent}: point the environment "
            f"variable {_VARIABLE} to url/resources of a web-platform-tests checkout"
        )
        if os.environ.get(_VARIABLE) or os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return path


def load(name: str) -> Any:
    """Return the data of the file `name`; lone surrogates stay in its strings.

    Skips or fails the running test as `wpt_path` does.
    """
    return json.loads(wpt_path(name).read_text(encoding="utf-8"))


def load_cases(name: str) -> list[dict[str, Any]]:
    """Return the cases of a file that is a list of objects, without the comments between them.

    Skips or fails the running test as `wpt_path` does.
    """
    return [case for case in load(name) if isinstance(case, dict)]
