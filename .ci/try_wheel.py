"""Fails unless the installed `weburl` works: checks a few results that use every dependency.

`make wheels` and CI run it away from the sources. "plain" also checks that neither Django nor tqdm
came with it. Usage: try_wheel.py compiled | interpreted [plain]
"""

from __future__ import annotations

import sys
import sysconfig
from importlib.metadata import version
from importlib.util import find_spec

import weburl
from weburl import COMPILED

# unicodedata2 may turn the GIL on later, so this is asked first.
HAS_GIL = getattr(sys, "_is_gil_enabled", lambda: True)()

EXPECTED = [
    (weburl.parse("HTTPS://EXAMPLE.com/a/../b").href, "https://example.com/b"),
    (weburl.parse("//b\u00fccher.example", "https://h").href, "https://xn--bcher-kva.example/"),
    (weburl.render(weburl.parse("https://b\u00fccher.example")), "https://b\u00fccher.example/"),
    (weburl.render(weburl.parse("https://a.b.co.uk"), only="registrable_domain"), "b.co.uk"),
    (weburl.is_valid_url_string("https:h"), False),
    (str(weburl.URLSearchParams("?a=%41")), "a=A"),
    (COMPILED, sys.argv[1] == "compiled"),
    (HAS_GIL, not sysconfig.get_config_var("Py_GIL_DISABLED")),
    (weburl.__version__, version("weburl")),
]

if "plain" in sys.argv:
    EXPECTED += [(find_spec(name), None) for name in ("django", "tqdm")]

for found, expected in EXPECTED:
    if found != expected:
        sys.exit(f"got {found!r} instead of {expected!r}")
print(f"weburl {weburl.__version__}, {sys.argv[1]}, in Python {sys.version.split()[0]}")
