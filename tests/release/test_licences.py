"""`.ci/licences.py`: the licences of what comes with the package."""

from __future__ import annotations

import re
from email.message import Message

import pytest

import licences
from licences import Package, complaints, is_accepted, licence_of, with_table

PAGE = "# Page\n\n<!-- licences -->\nold\n<!-- end of licences -->\n\nMore.\n"


def told(*fields: tuple[str, str]) -> Message:
    """Return metadata with these fields."""
    message = Message()
    for name, value in fields:
        message[name] = value
    return message


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        ([("License-Expression", "MIT")], "MIT"),
        ([("License-Expression", "MIT"), ("License", "GPL")], "MIT"),
        ([("Classifier", "License :: OSI Approved :: BSD License")], "BSD-3-Clause"),
        (
            [
                ("Classifier", "License :: OSI Approved"),
                ("Classifier", "License :: OSI Approved :: MIT License"),
                ("Classifier", "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)"),
                ("Classifier", "Topic :: Internet"),
            ],
            "MIT AND MPL-2.0",
        ),
        ([("License", "MIT License")], "MIT"),
        ([("License", "Copyright\nAll rights reserved")], None),
        ([("License", "  ")], None),
        ([], None),
    ],
)
def test_a_licence_is_read_from_metadata(
    fields: list[tuple[str, str]], licence: str | None
) -> None:
    """New and old metadata tell it in three ways."""
    assert licence_of(told(*fields)) == licence


@pytest.mark.parametrize(
    ("licence", "accepted"),
    [
        ("MIT", True),
        ("MPL-2.0 AND MIT", True),
        ("(Apache-2.0 OR BSD-3-Clause) AND ISC", True),
        ("GPL-3.0-only", False),
        ("MIT AND GPL-3.0-only", False),
        ("Proprietary", False),
        ("", False),
        (None, False),
    ],
)
def test_each_licence_of_an_expression_has_to_be_known(licence: str | None, accepted: bool) -> None:
    """None for a package that tells none, or is not installed."""
    assert is_accepted(licence) is accepted


def test_a_list_that_is_out_of_date_is_a_complaint() -> None:
    """So is a licence that nobody knows."""
    listed = [Package("one", "MIT"), Package("two", None)]
    first, second = complaints(listed, PAGE)
    assert first.startswith("two has an unknown licence")
    assert "make licences" in second
    listed = [Package("one", "MIT"), Package("three", "ISC"), Package("two", "MIT")]
    page = with_table(PAGE, listed)
    assert "| ISC | three |\n| MIT | one, two |\n" in page
    assert "old" not in page and page.endswith("More.\n")
    assert complaints(listed, page) == []


def test_the_dependencies_here_are_listed() -> None:
    """With what they need themselves, and without this package."""
    page = licences.PAGE.read_text(encoding="utf-8").partition("<!-- licences -->")[2]
    rows = re.findall(r"^\| (.+) \| (.+) \|$", page, re.MULTILINE)
    listed = {(name, licence) for licence, names in rows for name in names.split(", ")}
    found = licences.packages(with_extras=False)
    names = {name for name, _ in found}
    assert {"attrs", "django", "idna", "publicsuffixlist", "sqlparse", "tqdm"} <= names
    assert "django-whatwg-url" not in names and "pyarrow" not in names
    for name, licence in found:
        assert is_accepted(licence), name
        assert (name, licence) in listed
