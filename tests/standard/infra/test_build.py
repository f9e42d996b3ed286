"""Tests of `infra.build`. `tests/standard/compiled/test_equality.py` compares the builds."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from weburl import COMPILED
from weburl.standard.url import fast_path


# Texts that are canonical, or nearly, which is where two bodies could part.
def test_the_build_is_the_one_that_was_asked_for() -> None:
    """WEBURL_EXPECTED_BUILD, which CI sets, is "compiled" or "interpreted"."""
    expected = os.environ.get("WEBURL_EXPECTED_BUILD")
    if expected is None:
        pytest.skip("WEBURL_EXPECTED_BUILD names no build")
    assert expected == ("compiled" if COMPILED else "interpreted")
    assert fast_path.parse_quickly.__module__.startswith("weburl.standard.compiled") is COMPILED


SECOND = """
import warnings
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    import weburl, weburl.standard.url.fast_path
assert weburl.parse("HTTP://EXAMPLE.com/../a b").href == "http://example.com/a%20b"
assert weburl.URL("/x", "http://a/").href == "http://a/x"
assert [(each.category, str(each.message)[:44]) for each in found] == [
    (RuntimeWarning, "weburl is slower here, because its compiled ")
] * (not weburl.COMPILED) * COMPILED_IN_THE_FIRST
print("done")
"""

BOTH = f"""
import sys
import weburl
if sys.version_info >= (3, 13):
    import _interpreters as interpreters
    second = interpreters.create("legacy")
else:
    import _xxsubinterpreters as interpreters
    second = interpreters.create(isolated=False)
code = {SECOND!r}.replace("COMPILED_IN_THE_FIRST", str(weburl.COMPILED))
problem = interpreters.run_string(second, code)
assert problem is None, problem
interpreters.destroy(second)
"""


def test_a_second_interpreter_of_a_process_can_use_the_package() -> None:
    """Only one interpreter can load compiled modules, so the import once failed in others."""
    result = subprocess.run(
        [sys.executable, "-c", BOTH],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        timeout=600,
        check=False,
        text=True,
    )
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stderr
