"""`.ci/check_addresses.py`, and the metadata that `hatch_build.py` writes."""

from __future__ import annotations

import json
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import check_addresses
import check_wheel
from tests.build_hook import hatch_build

ROOT = Path(__file__).resolve().parents[2]
URLS = {
    "Documentation": "https://docs.example/",
    "Source": "https://code.example/me/it",
    "Issues": "https://code.example/me/it/issues",
    "Changelog": "https://docs.example/changes.html",
}


def test_addresses_that_are_filled_in_pass() -> None:
    """With a path or without one."""
    assert check_addresses.complaints(URLS) == []


@pytest.mark.parametrize(
    ("name", "url", "said"),
    [
        ("Source", "https://source.invalid/it", "fill it in"),
        ("Source", "http://code.example/me/it", "not an https URL"),
        ("Source", "code.example/me/it", "not an https URL"),
        (
            "Issues",
            "https://code.example/me/other/issues",
            "not under 'https://code.example/me/it'",
        ),
        ("Issues", "https://code.example/me/itself", "not under 'https://code.example/me/it'"),
        ("Changelog", "https://elsewhere.example/", "not under 'https://docs.example/'"),
    ],
)
def test_an_address_that_is_wrong_is_named(name: str, url: str, said: str) -> None:
    """A release with it would have links that lead nowhere, or elsewhere."""
    found = check_addresses.complaints(URLS | {name: url})
    assert any(each.startswith(f"{name} is {url!r}") and said in each for each in found)


def test_an_address_that_is_missing_is_named() -> None:
    """All four are wanted."""
    found = check_addresses.complaints({"Source": URLS["Source"]})
    assert found == [
        f"[project.urls] has no {name}" for name in ("Documentation", "Issues", "Changelog")
    ]


def test_the_addresses_of_this_checkout_are_all_there() -> None:
    """Filled in or not."""
    project = tomllib.loads((ROOT / "src" / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    found = check_addresses.complaints(project["urls"])
    assert set(project["urls"]) == set(URLS)
    assert all(each.endswith("fill it in") for each in found)


def test_links_of_the_readme_are_absolute() -> None:
    """On PyPI, there are no files beside it."""
    text = '[a](docs/a.md#b) [c](https://d/) [e](#f) ![](docs/g.svg)\n<img src="docs/h.png">'
    assert hatch_build.with_absolute_links(text, "https://c/r", "v1") == (
        "[a](https://c/r/blob/v1/docs/a.md#b) [c](https://d/) [e](#f) "
        '![](https://c/r/blob/v1/docs/g.svg)\n<img src="https://c/r/raw/v1/docs/h.png">'
    )
    for directory, least in (("", 8), ("src", 5)):
        readme = (ROOT / directory / "README.md").read_text(encoding="utf-8")
        written = hatch_build.with_absolute_links(readme, "https://c/r", "v1", directory)
        assert len(check_wheel.RELATIVE.findall(readme)) >= least
        assert check_wheel.RELATIVE.findall(written) == []
        assert "v1/.." not in written
        assert "https://c/r/blob/v1/docs/quickstart.md" in written


def test_weburl_may_need_neither_django_nor_tqdm_and_the_app_just_its_version() -> None:
    """`check_wheel` names what is wrong."""
    check = check_wheel.complaints_about_the_needs
    assert check("weburl", "1.0.0", ["attrs>=24.2"]) == []
    assert check("weburl", "1.0.0", ["Django>=5", "tqdm"]) == ["needs Django>=5", "needs tqdm"]
    assert check("django_whatwg_url", "1.0.0", ["django>=5", "weburl==1.0.0"]) == []
    assert len(check("django_whatwg_url", "1.0.0", ["weburl>=1.0.0"])) == 1


def test_a_compiled_wheel_holds_each_module_in_some_library() -> None:
    """`check_wheel` finds the name that the interpreter looks for."""
    check = check_wheel.complaints_about_the_libraries
    modules = {"room/host", "room/hosts"}
    assert check(modules, {"room/hosts": b"\0PyInit_host\0PyInit_hosts\0"}) == []
    assert check(modules, {"room/hosts": b"\0PyInit_hosts\0", "room/scan": b""}) == [
        "lacks room/host, compiled",
        "should not contain room/scan, compiled",
    ]
    assert check(set(), {}) == []


@pytest.mark.parametrize("is_compiled", [False, True])
def test_the_list_of_what_is_inside_passes(is_compiled: bool) -> None:
    """It is the same in each build, and what `check_wheel` wants."""
    parts = {"Cython": "3.2.1"} if is_compiled else {}
    text = hatch_build.sbom("django-whatwg-url", "1.0.0", "BSD-3-Clause", parts)
    check = partial(check_wheel.complaints_about_the_sbom, "django-whatwg-url")
    assert check(text, "1.0.0", is_compiled=is_compiled) == []
    assert check(text, "1.0.1", is_compiled=is_compiled) == ["has an SBOM of version 1.0.0"]
    assert len(check(text, "1.0.0", is_compiled=not is_compiled)) == 1


def test_a_list_that_is_missing_or_different_is_named() -> None:
    """A missing file, another package, and what differs in each build."""
    check = partial(check_wheel.complaints_about_the_sbom, "django-whatwg-url")
    assert check(None, "1.0.0", is_compiled=False) == [
        "lacks its SBOM, sboms/django-whatwg-url.cdx.json"
    ]
    text = hatch_build.sbom("another", "1.0.0", "MIT", {})
    assert check(text, "1.0.0", is_compiled=False) == ["has an SBOM of something else"]
    document: dict[str, Any] = json.loads(
        hatch_build.sbom("django-whatwg-url", "1.0.0", "BSD-3-Clause", {})
    )
    document["serialNumber"] = "urn:uuid:1"
    assert check(json.dumps(document), "1.0.0", is_compiled=False) == [
        "has an SBOM that differs in each build"
    ]
