"""Both packages run where Python is set up in another way: without docstrings, without extras."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PUBLIC = json.loads((ROOT / "docs" / "public_names.json").read_text(encoding="utf-8"))

# What is always installed. Everything else is missing for the program below, as in an environment
# where only the two packages were installed.
IN_A_BARE_ENVIRONMENT = """
import importlib, json, sys

PRESENT = {
    "asgiref", "attr", "attrs", "django", "django_whatwg_url", "idna", "publicsuffixlist", "regex",
    "sqlparse", "tqdm", "typing_extensions", "unicodedata2", "webencodings", "weburl",
}


class Missing:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in PRESENT | sys.stdlib_module_names and not top.startswith("_"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Missing())

import django
from django.conf import settings

apps = ["django.contrib.auth", "django.contrib.contenttypes", "django_whatwg_url"]
settings.configure(INSTALLED_APPS=apps)
django.setup()
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ImportError as error:
        print(json.dumps([name, str(error)]))
"""

CHECKS = """
import copy, pickle, weburl
from weburl.keys import KeyRules, surt, url_key
from weburl.text import find_links

record = weburl.parse("HTTPS://user:s3cret@B\\u00fccher.example:443/a/../b?q=\\u00e4#x")
assert False, "python -O leaves assertions out"
checks = [
    record.href == "https://user:s3cret@xn--bcher-kva.example/b?q=%C3%A4#x",
    pickle.loads(pickle.dumps(record)) == copy.deepcopy(record) == record,
    record.with_fragment(None).with_host("h").href == "https://user:s3cret@h/b?q=%C3%A4",
    weburl.render(weburl.parse("https://b\\u00fccher.example/")) == "https://b\\u00fccher.example/",
    weburl.check("https://a b/").failure is not None,
    "s3cret" not in repr(record),
    url_key("https://a.example/?utm_source=x", KeyRules.page()) == "https://a.example/",
    surt("https://www.example.com/a") == "com,example)/a",
    [link.url.href for link in find_links("see https://example.com/.")] == ["https://example.com/"],
    weburl.URLPolicy.webhook().allows("http://127.0.0.1/") is False,
    weburl.URLPattern("https://*.example/*").test("https://a.example/b"),
    str(weburl.URLSearchParams("a=%41")) == "a=A",
    weburl.same_site("https://a.b.co.uk", "https://b.co.uk"),
    weburl.URL("https://h/").origin == "https://h",
]
url = weburl.URL("https://h/")
for name in ("search", "hash"):
    try:
        setattr(url, name, b"")
    except TypeError as error:
        checks.append("bytes" in str(error))
    else:
        checks.append(False)
if not all(checks):
    raise SystemExit(f"wrong: {[index for index, one in enumerate(checks) if not one]}")
"""


def run(*arguments: str) -> str:
    """Run Python with these arguments, and return what it prints. It must succeed."""
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_without_the_library_each_module_says_what_to_install() -> None:
    """Every public module is imported where no optional library is installed."""
    told = [json.loads(line) for line in run("-c", IN_A_BARE_ENVIRONMENT, *PUBLIC).splitlines()]
    assert len(told) >= 20
    assert [one for one in told if "pip install" not in one[1]] == []


def test_a_pypy_whose_regular_expressions_are_wrong_is_refused() -> None:
    """PyPy 7.3.19 did not repeat groups possessively, so hosts in Hebrew were not valid."""
    program = """
import re, sys
sys.implementation.name = "pypy"
import weburl.standard.infra.build
del sys.modules["weburl.standard.infra.build"]
re.match = lambda pattern, text: None
try:
    import weburl.standard.infra.build
except ImportError as error:
    print(error)
"""
    assert "needs PyPy 8.0" in run("-c", program)


@pytest.mark.parametrize("flags", [("-OO",), ("-OO", "-bb", "-X", "dev", "-W", "error")])
def test_without_docstrings_and_assertions_all_works(flags: tuple[str, ...]) -> None:
    """PYTHONOPTIMIZE=2 is an ordinary setting, and compiled modules read docstrings."""
    run(*flags, "-c", CHECKS)
