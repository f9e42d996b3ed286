"""How many cases of web-platform-tests a library fails: what its speed is worth.

A case of urltestdata.json is passed by a library that writes the href which the case has, or that
refuses the text where the case does. A case of setters_tests.json is passed if every attribute
which the case names then has the value it gives. The counts are in ``extra_info`` of the JSON file.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest

from benchmarks.bench_urls import PEERS_CODE
from benchmarks.contenders import BY_NAME, WEBURL, Contender
from tests.wpt import wpt_file


@pytest.mark.parametrize("who", BY_NAME)
def bench_conformance(who: str, benchmark: Any) -> None:
    """Run all cases without a base, with a base if the library can join, and of setters."""
    urls, setters = wpt_file("urltestdata.json"), wpt_file("setters_tests.json")
    if not (urls.is_file() and setters.is_file()):
        pytest.skip("the data of web-platform-tests are not here")
    contender = BY_NAME[who]
    if not contender.load():
        pytest.skip(f"{who} is not installed")
    joins = contender is WEBURL or who in PEERS_CODE["join, href"]
    cases = [
        case
        for case in json.loads(urls.read_text(encoding="utf-8"))
        if isinstance(case, dict) and (joins or case["base"] is None)
    ]
    passed = benchmark.pedantic(lambda: [_parses_right(contender, case) for case in cases])
    if contender.settable:
        passed += [
            _sets_right(contender, name, case)
            for name, of_name in json.loads(setters.read_text(encoding="utf-8")).items()
            if name != "comment"
            for case in of_name
        ]
    benchmark.extra_info.update(who=who, failed=passed.count(False), of=len(passed))


def _parses_right(contender: Contender, case: dict[str, Any]) -> bool:
    names = dict(contender.namespace, s=case["input"])
    try:
        if case["base"] is None:
            code = "parse(s).href" if contender is WEBURL else PEERS_CODE["href"][contender.name]
        else:
            names["base"] = names["make_base"](case["base"])
            code = "base.join(s).href"
            if contender is not WEBURL:
                code = PEERS_CODE["join, href"][contender.name]
        href = eval(code, names)
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
