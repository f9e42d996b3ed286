"""How many cases of web-platform-tests a library fails: what its speed is worth.

A case of urltestdata.json is passed by a library that writes the href which the case has, or that
refuses the text where the case does. A case of setters_tests.json is passed when every attribute
which the case names then has the value it gives.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.contenders import Contender
from benchmarks.operations import Operation
from tests.wpt import wpt_file


def failed_cases(contender: Contender) -> dict[str, dict[str, int]] | None:
    """Return how many cases a library has ``failed`` and ``of`` how many, by kind of case.

    ``urls`` are the cases without a base, ``references`` those with one, for libraries that can
    join, ``setters`` those of libraries with the web's attributes. None where the data are absent.
    """
    urls, setters = wpt_file("urltestdata.json"), wpt_file("setters_tests.json")
    if not (urls.is_file() and setters.is_file()):
        return None
    cases = [case for case in _load(urls) if isinstance(case, dict)]
    result = {"urls": _count(_parses_right(contender, c) for c in cases if c["base"] is None)}
    if Operation.JOIN_HREF in contender.code:
        result["references"] = _count(
            _parses_right(contender, case) for case in cases if case["base"] is not None
        )
    if contender.settable:
        result["setters"] = _count(
            _sets_right(contender, name, case)
            for name, cases_of_name in _load(setters).items()
            if name != "comment"
            for case in cases_of_name
        )
    return result


def _load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _count(passed: Any) -> dict[str, int]:
    outcomes = list(passed)
    return {"failed": outcomes.count(False), "of": len(outcomes)}


def _parses_right(contender: Contender, case: dict[str, Any]) -> bool:
    try:
        if case["base"] is None:
            href = contender.function(Operation.HREF)(case["input"])
        else:
            base = contender.namespace["make_base"](case["base"])
            href = contender.function(Operation.JOIN_HREF)(case["input"], base)
    except Exception:  # noqa: BLE001 -- peers raise what they like
        return bool(case.get("failure"))
    return not case.get("failure") and bool(href == case["href"])


def _sets_right(contender: Contender, name: str, case: dict[str, Any]) -> bool:
    try:
        url = contender.namespace[contender.settable](case["href"])
        with suppress(Exception):  # some raise where the web's setters ignore
            setattr(url, name, case["new_value"])
        return all(getattr(url, key) == value for key, value in case["expected"].items())
    except Exception:  # noqa: BLE001 -- peers raise what they like
        return False
