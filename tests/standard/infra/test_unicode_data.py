"""Unicode's properties without unicodedata2 are right for each code point that Python knows.

What stands for None among the loaded modules cannot be imported. So the module under test is loaded
once more in this process, and other programs run in one of their own.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import unicodedata
from bisect import bisect_right
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from idna.uts46data import uts46_starts, uts46_statuses

from tests.wpt import load_cases
from weburl.standard.infra import unicode_data

unicodedata2 = pytest.importorskip("unicodedata2", reason="tests/pyodide compares it there.")

ROOT: Final = Path(__file__).resolve().parents[2]
ALL: Final = list(map(chr, range(0x110000)))
# What each version of Unicode has assigned, with surrogates, private use and noncharacters.
ASSIGNED: Final = {"14.0.0": 284_278, "15.0.0": 288_767, "15.1.0": 289_394, "16.0.0": 294_579}
# How many rows of the test data hold a code point that such a Python does not know.
DECLINED: Final = {"14.0.0": 86, "15.0.0": 78, "15.1.0": 78, "16.0.0": 60}


def loaded_alone() -> ModuleType:
    """Return the module as it is loaded without unicodedata2."""
    spec = importlib.util.spec_from_file_location("alone", unicode_data.__file__)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(sys.modules, "unicodedata2", None)
        spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def alone() -> ModuleType:
    """Return the module with the tables of this Python, which are older than Unicode 18."""
    module = loaded_alone()
    if module.COMPLETE:
        pytest.skip("this Python has all code points of Unicode 18")
    return module


@pytest.mark.parametrize(
    ("version", "complete"),
    [("14.0.0", False), ("17.0.0", False), ("18.0.0", True), ("18.1.0", True)],
)
def test_pythons_own_tables_are_complete_from_unicode_18_on(
    monkeypatch: pytest.MonkeyPatch, version: str, complete: bool
) -> None:
    """Python 3.15 has Unicode 18, so unicodedata2 is not installed there."""
    monkeypatch.setattr(unicodedata, "unidata_version", version)
    assert loaded_alone().COMPLETE is complete


def known_to_python() -> list[str]:
    """Return the code points that are assigned in this Python's version of Unicode."""
    return [char for char in ALL if unicodedata.category(char) != "Cn"]


def test_unicodedata2_is_used_where_it_is_installed() -> None:
    """It is installed for the tests."""
    assert unicode_data.COMPLETE
    assert unicodedata2.unidata_version == unicode_data.UNICODE_VERSION
    assert unicode_data.bidirectional is unicodedata2.bidirectional
    assert all(map(unicode_data.knows, ALL))
    unicode_data.require("\u0378")


def test_python_knows_as_many_code_points_as_its_version_of_unicode_has(alone: ModuleType) -> None:
    """So the tests below compare all of them."""
    assert not alone.COMPLETE
    assert len(known_to_python()) == ASSIGNED[alone.UNICODE_VERSION]
    assert sum(map(alone.knows, ALL)) == ASSIGNED[alone.UNICODE_VERSION]


@pytest.mark.parametrize("name", ["category", "bidirectional", "combining"])
def test_each_property_is_the_same_for_every_code_point_that_python_knows(
    alone: ModuleType, name: str
) -> None:
    """Two categories and nine bidi classes are wrong in Python's tables, and are corrected."""
    ours, theirs = getattr(alone, name), getattr(unicodedata2, name)
    assert [char for char in known_to_python() if ours(char) != theirs(char)] == []


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_each_normalization_form_is_the_same_for_every_code_point_that_python_knows(
    alone: ModuleType, form: str
) -> None:
    """The text is the code point, or its canonical decomposition."""
    differ = [
        char
        for char in known_to_python()
        for text in {char, unicodedata2.normalize("NFD", char)}
        if alone.normalize(form, text) != unicodedata2.normalize(form, text)
    ]
    assert differ == []


def test_nothing_that_python_knows_composes_to_what_it_does_not_know(alone: ModuleType) -> None:
    """A newer composite has a newer part, or is never composed."""
    younger = 0
    for char in ALL:
        parts = unicodedata2.decomposition(char).split()
        if alone.knows(char) or not parts or parts[0].startswith("<"):
            continue
        younger += 1
        text = "".join(chr(int(part, 16)) for part in parts)
        assert not all(map(alone.knows, text)) or unicodedata2.normalize("NFC", text) == text
    assert younger >= 1 or sys.version_info >= (3, 14)  # Unicode 17 and 18 have no new composites


def test_a_code_point_that_no_label_may_contain_changes_no_text_around_it(
    alone: ModuleType,
) -> None:
    """So a host with such a code point, unknown to Python, is refused in any case."""
    parts = {
        part
        for char in ALL
        for part in unicodedata2.decomposition(char).split()
        if not unicodedata2.decomposition(char).startswith("<")
    }
    disallowed = 0
    for first, after, status in zip(
        uts46_starts, [*uts46_starts[1:], 0x110000], uts46_statuses, strict=True
    ):
        for code_point in range(first, after) if status == ord("X") else ():
            char = chr(code_point)
            if alone.knows(char):
                continue
            disallowed += 1
            assert unicodedata2.normalize("NFC", char) == char
            assert unicodedata2.combining(char) == 0
            assert f"{code_point:04X}" not in parts
    assert disallowed > 800_000


def test_the_message_names_the_code_point_and_both_libraries(alone: ModuleType) -> None:
    """It contains nothing else of the host."""
    letter = next(
        char
        for char in ALL
        if not alone.knows(char) and unicodedata2.category(char).startswith("L")
    )
    with pytest.raises(ImportError) as caught:
        alone.require(f"secret{letter}")
    assert f"U+{ord(letter):04X} need unicodedata2" in str(caught.value)
    assert alone.UNICODE_VERSION in str(caught.value)
    assert "secret" not in str(caught.value)
    assert caught.value.name == "unicodedata2"


# --- a program without unicodedata2 -----------------------------------------------------------

PROGRAM: Final = """
import json, sys
sys.modules["unicodedata2"] = None
from weburl import parse, can_parse, check, URLParseError
from weburl.standard.hosts.domains import domain_to_ascii
from weburl.standard.infra.unicode_data import COMPLETE
assert not COMPLETE
def answer(function, *arguments):
    try:
        return function(*arguments)
    except ImportError as error:
        assert "need unicodedata2" in str(error)
        return "declined"
def href(domain):
    try:
        return str(parse(f"https://{domain}/").host)
    except URLParseError:
        return None
print(json.dumps([
    [answer(domain_to_ascii, domain, False), answer(domain_to_ascii, domain, True),
     answer(href, domain)]
    for domain in json.load(sys.stdin)
]))
"""


def answers(program: str, domains: list[str]) -> list[Any]:
    """Return what a program prints about domains, in its own interpreter."""
    result = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        encoding="utf-8",
        input=json.dumps(domains),
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"},
    )
    found: list[Any] = json.loads(result.stdout)
    return found


def with_and_without(domains: list[str]) -> tuple[int, list[str]]:
    """Return how many answers are declined without unicodedata2, and the domains with wrong ones.

    An answer is wrong if it is neither declined nor the one that unicodedata2 gives.
    """
    complete = PROGRAM.replace('sys.modules["unicodedata2"] = None\n', "").replace(
        "assert not COMPLETE", "assert COMPLETE"
    )
    declined, wrong = 0, []
    for domain, ours, theirs in zip(
        domains, answers(PROGRAM, domains), answers(complete, domains), strict=True
    ):
        assert len(ours) == len(theirs) == 3
        assert "declined" not in theirs
        declined += "declined" in ours
        if any(one not in ("declined", other) for one, other in zip(ours, theirs, strict=True)):
            wrong.append(domain)
    return declined, wrong


@pytest.mark.usefixtures("alone")
def test_unicodes_own_domains_are_right_or_declined() -> None:
    """None of more than 2671 rows is wrong, and few are declined."""
    cases = [
        case
        for name in ("IdnaTestV2.json", "IdnaTestV2-removed.json", "toascii.json")
        for case in load_cases(name)
    ]
    declined, wrong = with_and_without([case["input"] for case in cases])
    assert len(cases) == 2671 + 20 + 87
    assert wrong == []
    assert declined == DECLINED[unicodedata.unidata_version]


@pytest.mark.usefixtures("alone")
def test_a_host_with_a_code_point_is_right_or_declined() -> None:
    """One in 500, and of those that Python does not know or has other properties for, far more.

    Between letters, and encoded. A host is declined only if a label may contain its code point.
    """
    corrected = {*unicode_data._CATEGORIES, *unicode_data._BIDI_CLASSES}
    assert len(corrected) == 2 + 9 - 1
    younger = {char for char in ALL if _is_younger(char)}
    chars = [
        char
        for at, char in enumerate(ALL)
        if not "\ud800" <= char <= "\udfff"
        and (
            char in corrected
            or (char in younger and unicodedata2.category(char) != "Lo")
            or at % (50 if char in younger else 500) == 0
        )
    ]
    for texts in (
        [f"a{char}b" for char in chars],
        [f"xn--{char.encode('punycode').decode()}" for char in chars if char > "\x7f"],
    ):
        declined, wrong = with_and_without(texts)
        assert wrong == []
        assert 0 < declined <= len(younger.intersection(chars))


def _is_younger(char: str) -> bool:
    """Return whether a label may contain ``char``, as it is or mapped, and Python lacks it."""
    status = uts46_statuses[bisect_right(uts46_starts, ord(char)) - 1]
    return unicodedata.category(char) == "Cn" and status != ord("X")
