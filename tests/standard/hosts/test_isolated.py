"""Hosts that are not ASCII, in interpreters that do not load ordinary extension modules."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
try:
    import _interpreters
    interpreter = _interpreters.create("isolated")
    run = _interpreters.exec
except ImportError:
    import _xxsubinterpreters as _interpreters
    interpreter = _interpreters.create(isolated=True)
    run = _interpreters.run_string
failure = run(interpreter, f'''
import sys
sys.path[:] = {sys.path!r}
import weburl
assert weburl.can_parse("https://example.com/\u00e9")
assert weburl.can_parse("https://b\u00fccher.example/")
assert weburl.parse("https://\u65e5\u672c.jp/").href == "https://xn--wgv71a.jp/"
try:
    assert weburl.can_parse("https://\U00010ec7.example/")
except ImportError as error:
    assert "isolated subinterpreter" in str(error), error
''')
assert failure is None, failure
print("as documented")
"""


def test_an_isolated_interpreter_parses_hosts_beyond_ascii_or_says_why_it_cannot() -> None:
    """Since Python 3.12, it loads only extension modules that support it."""
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=False, capture_output=True, text=True
    )
    assert result.stdout == "as documented\n", result.stderr
