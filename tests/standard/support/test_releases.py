"""Optional libraries that are missing or too old are refused at import."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from weburl.standard.support import releases
from weburl.standard.support.releases import required

PROJECT: Final = Path(__file__).parents[3]
_REQUIRED: Final = re.compile(r'with required\("([a-z0-9-]+)>=([0-9.]+)"')
NAMED: Final = [
    named
    for directory in ("src/weburl", "django_whatwg_url")
    for path in (PROJECT / directory).rglob("*.py")
    for named in _REQUIRED.findall(path.read_text(encoding="utf-8"))
    if "support" not in path.parts
]
OLDEST: Final = dict(NAMED)
"""The oldest release of each optional library, where it is imported."""
# The client, and the last release that is too old.
CLIENTS: Final = [
    ("httpx", "0.27.2"),
    ("httpx2", "2.15.9"),
    ("requests", "2.31.0"),
    ("urllib3", "2.6.2"),
    ("aiohttp", "3.13.2"),
]
# The page of each library, in docs/. The others are on the page of the integration with their name.
PAGES: Final = {
    "aiohttp": "fetching.md",
    "duckdb": "columns/engines.md",
    "djangorestframework": "integrations/rest-framework.md",
    "httpx": "fetching.md",
    "httpx2": "fetching.md",
    "hypothesis": "integrations/testing.md",
    "markdown-it-py": "command-line.md",
    "pandas": "columns/engines.md",
    "polars": "columns/engines.md",
    "pyarrow": "columns/index.md",
    "pyspark": "columns/engines.md",
    "requests": "fetching.md",
    "rfc3986": "integrations/other-url-types.md",
    "turbohtml": "html.md",
    "urllib3": "fetching.md",
    "yarl": "integrations/other-url-types.md",
}


def test_an_old_library_is_an_import_error_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """This holds for each library, before it is imported."""
    monkeypatch.setattr(releases, "version", lambda _name: "0.0.9")
    releases._installed.cache_clear()
    try:
        for name, oldest in OLDEST.items():
            context = required(f"{name}>={oldest}")
            with pytest.raises(ImportError, match="or newer") as caught, context:
                pytest.fail("it is imported")
            assert caught.value.name == name
            assert str(caught.value) == (
                f"weburl needs {name} {oldest} or newer, and 0.0.9 is installed:"
                f" pip install '{name}>={oldest}'"
            )
    finally:
        releases._installed.cache_clear()
    assert len(OLDEST) > 20


@pytest.mark.parametrize(("client", "old"), CLIENTS)
def test_an_old_client_is_refused(client: str, old: str) -> None:
    """Another process imports it, because the modules are already imported here."""
    code = (
        "import importlib.metadata as m; real = m.version\n"
        f"m.version = lambda name: {old!r} if name == {client!r} else real(name)\n"
        f"import weburl.fetching.{client}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: weburl needs {client} {OLDEST[client]} or newer, and {old} is installed:"
        f" pip install '{client}>={OLDEST[client]}'"
    )


def test_the_oldest_release_and_later_ones_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are compared as numbers. A release candidate counts as its release."""
    major, _, _ = OLDEST["httpx2"].partition(".")
    oldest = OLDEST["httpx2"]
    for release in (oldest, f"{oldest}.1", f"{oldest}rc1", f"{int(major) + 9}.0", f"{major}.100"):
        monkeypatch.setattr(releases, "_installed", lambda _name, release=release: release)
        with required(f"httpx2>={oldest}"):
            pass


def test_a_missing_library_is_an_import_error_that_says_what_to_install() -> None:
    """The message names the extra if there is one. Other errors are not changed."""
    missing = r"newer: pip install 'httpx>=0\.28'$"
    with pytest.raises(ImportError, match=missing) as caught, required("httpx>=0.28"):
        raise ModuleNotFoundError("No module named 'httpx'", name="httpx")
    assert caught.value.name == "httpx"
    missing = r"newer: pip install 'weburl\[columns\]'$"
    with pytest.raises(ImportError, match=missing), required("pyarrow>=18", "columns"):
        raise ImportError("cannot load it")
    with pytest.raises(KeyError), required("httpx>=0.28"):
        raise KeyError


def _requirements() -> dict[str, set[str]]:
    """Return the oldest releases that the two projects name for each package."""
    found: dict[str, set[str]] = {}
    for path in (PROJECT / "pyproject.toml", PROJECT / "src" / "pyproject.toml"):
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        groups = [
            *data.get("dependency-groups", {}).values(),
            *data["project"].get("optional-dependencies", {}).values(),
        ]
        for requirement in (each for group in groups for each in group if isinstance(each, str)):
            named = re.match(r"([a-z0-9-]+)(?:\[.*\])?>=([0-9.]+)", requirement)
            if named is not None:
                found.setdefault(named[1], set()).add(named[2])
    return found


def test_the_projects_name_the_same_releases() -> None:
    """They are in the extras, and in the groups for the tests of integrations."""
    requirements = _requirements()
    assert set(NAMED) == set(OLDEST.items())
    assert {name: {oldest} for name, oldest in OLDEST.items()} == {
        name: requirements.get(name) for name in OLDEST
    }


def test_each_library_has_its_oldest_release_on_its_page() -> None:
    """The page says, for example, "httpx 0.28 or newer"."""
    for name, oldest in OLDEST.items():
        page = PROJECT / "docs" / PAGES.get(name, f"integrations/{name}.md")
        assert f"{name} {oldest} or newer" in page.read_text(encoding="utf-8"), name
