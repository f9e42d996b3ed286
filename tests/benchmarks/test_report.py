"""The table says what was measured, and the page has the table of its numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks import chart, django_paths, kept, publish, table
from benchmarks.contenders import ORACLE, installed_peers
from benchmarks.imports import import_times
from benchmarks.memory import bytes_each
from benchmarks.operations import ROWS, Inputs, Operation


def time(nanoseconds: float) -> dict[str, float]:
    """Return a time as the runner does."""
    return {"median": nanoseconds, "minimum": nanoseconds, "texts": 7}


def run(*, compiled: bool) -> dict[str, Any]:
    """Return what a measurement writes, with numbers that are easy to recognize."""
    own = 45.0 if compiled else 300.0
    times = {
        operation: {"quick": time(100.0), "pywhatwgurl": time(4000.0)}
        | {row.name: time(own) for row in ROWS if row.operation is operation}
        for operation in Operation
    }
    times[Operation.PARSE]["the literal state machine"] = time(9000.0)
    failed = {"urls": {"failed": 3, "of": 555}, "references": {"failed": 4, "of": 336}}
    return {
        "python": "3.11.0",
        "machine": "Linux x86_64",
        "compiled": compiled,
        "rounds": 9,
        "whole": True,
        "links": "links.txt, 7 different ones",
        "versions": {"quick": "1.0", "pywhatwgurl": "0.1"},
        "written_in": {"quick": "C", "pywhatwgurl": "Python"},
        "memory": {
            "weburl.parse(s)": {"resident": 400.0, "allocated": 350.0, "with_texts": 300.0},
            "quick": {"resident": None},
        },
        "kept": {
            "weburl.parse(s)": {"keep": own, "collect": 12.5, "drop": 41.0},
            "quick": {"keep": 1234.0, "collect": 99.0, "drop": 100.0},
        },
        "django": {
            "reading rows": {"URLField": 2.0, "records": 2.1, "as_text": 2.2},
            "`save`": {"URLField": 80.0, "records": 96.0, "as_text": 80.0},
        },
        "imports": {"": time(8), "weburl": time(30), "attrs": time(20)},
        "conformance": {"quick": failed, "weburl": {"urls": {"failed": 0, "of": 555}}},
        "growth": [
            {
                "shape": "dots",
                "function": "canonicalize",
                "ns_per_byte": [1.0] * 7,
                "grows": 1.0,
                "flat": True,
            },
            {
                "shape": "dots",
                "function": "check",
                "ns_per_byte": [1.0, 2.0],
                "grows": 2.0,
                "flat": False,
            },
        ],
        "declined": {"links": {"of": 7, "causes": {"failures": 2, "other": 1}}},
        "caches_switched_off": [],
        "times": dict.fromkeys(Inputs, times),
    }


def lines(text: str, start: str) -> list[str]:
    """Return the lines of a table that start with a cell."""
    return [line for line in text.splitlines() if line.startswith(f"| {start} |")]


def test_a_ratio_is_to_the_fastest_peer_and_bold_within_reach() -> None:
    """45 to 100 is 0.45, 300 to 100 is 3.00; a list with no reach of its own has the common one."""
    text = table.render(table.merge([run(compiled=False), run(compiled=True)]))
    assert lines(text, "canonicalize")[0] == (
        "| canonicalize | links | none | 45 | **0.45** quick | ≤ 0.45 | 300 | 3.00 quick | ≤ 1.3 |"
    )
    assert lines(text, "canonicalize")[1].endswith(
        "| 45 | 0.45 quick | ≤ 0.4 | 300 | 3.00 quick | – |"
    )
    assert lines(text, "canonicalize")[8] == (
        "| canonicalize | other schemes | none | 45 | **0.45** quick | ≤ 1.0 "
        "| 300 | 3.00 quick | – |"
    )
    assert "| **1/88.9** | ≤ 1/40 | **1/13.3** | ≤ 1/6 |" in lines(text, "canonicalize")[9]
    assert "| 30.0 ms | 1.50 import attrs | ≤ 1.2 |" in text


def test_the_literal_state_machine_is_no_peer() -> None:
    """Where it is alone with us, there is no ratio."""
    assert table.fastest({"canonicalize": {"median": 1.0}, ORACLE.name: {"median": 9.0}}) is None


def test_all_parts_have_their_table() -> None:
    """Failed cases stand beside the times; what is not flat is named."""
    text = table.render(table.merge([run(compiled=False), run(compiled=True)]))
    assert lines(text, "quick (C)")[0].endswith("| 100 | 7 of 891 |")
    assert lines(text, "the literal state machine")[0].startswith(
        "| the literal state machine | 9,000 | – |"
    )
    assert lines(text, "weburl, compiled")[0].endswith("| 45 | 0 of 555 |")
    assert lines(text, "weburl.parse(s), compiled")[0].endswith("| 400 | 350 | 300 |")
    assert lines(text, "dots")[0].startswith("| dots | 1.0 | 2.0 at 128 KiB | **2.00** check |")
    assert lines(text, "compiled")[0] == "| compiled | links | 3 of 7 | 2 failures, 1 other |"
    assert text.count("\n### ") == 11


def test_the_page_has_a_row_for_the_main_kinds_of_text() -> None:
    """With the ratio of each way to do an operation, in both builds; the others share a row."""
    runs = table.merge([run(compiled=False), run(compiled=True)])
    of_kind = runs["compiled"]["times"]
    parsing = dict(of_kind[Inputs.PORTS])[Operation.PARSE]
    of_kind[Inputs.PORTS] = {Operation.PARSE: parsing | {"quick": time(50.0)}}
    for kind in (Inputs.CREDENTIALS, Inputs.IPV4, Inputs.IPV6, Inputs.FILES, Inputs.OTHER_SCHEMES):
        of_kind[kind] = {Operation.PARSE: of_kind[kind][Operation.PARSE]}
    text = table.for_page(runs)
    compiled = ["0.45"] * len(ROWS)
    for name in ("links", "slow", "idn"):
        assert lines(text, name) == [
            f"| {name} | {' | '.join(compiled)} |",
            f"| {name} | {' | '.join(['3.00'] * len(ROWS))} |",
        ]
    at_most = ["0.90" if row.operation is Operation.PARSE else "–" for row in ROWS]
    assert lines(text, "others, at most") == [
        f"| others, at most | {' | '.join(at_most)} |",
        f"| others, at most | {' | '.join(['3.00'] * len(ROWS))} |",
    ]
    assert [len(lines(text, str(kind))) for kind in Inputs] == [2] * 3 + [0] * 6


def test_the_page_leaves_out_what_few_look_up() -> None:
    """It shows libraries, what they keep, and Django without the goals."""
    runs = table.merge([run(compiled=False), run(compiled=True)])
    for measured in runs.values():
        measured["memory"]["weburl.URL(s)"] = measured["memory"]["weburl.parse(s)"]
        measured["django"]["`full_clean`"] = measured["django"]["`save`"]
    text = table.for_page(runs)
    assert text.count("\n### ") == 4
    assert lines(text, "weburl.URL(s), compiled") == []
    assert lines(text, "the literal state machine") == lines(text, "texts") == []
    assert lines(text, "weburl.parse(s), compiled") == [
        "| weburl.parse(s), compiled | 400 | 12.5 |"
    ]
    assert lines(text, "quick") == ["| quick | – | 99.0 |"]
    assert lines(text, "`full_clean`") == []
    assert lines(text, "`save`") == ["| `save` | 80.0 | 1.20 | 1.20 | 1.00 |"]
    assert lines(text, "dots") == []


def test_a_build_that_is_not_there_is_missed_in_words() -> None:
    """And its columns are empty."""
    text = table.render(table.merge([run(compiled=False), run(compiled=False)]))
    assert "There was no compiled build of `weburl` to measure." in text
    assert "| canonicalize | links | none | – | – | ≤ 0.45 | 300 | 3.00 quick |" in text


def test_a_cache_that_was_switched_off_is_named() -> None:
    """In words and in its column."""
    one = run(compiled=False) | {"caches_switched_off": ["weburl.standard.hosts.parser.parse_host"]}
    text = table.render(table.merge([one]))
    assert "Switched off in the interpreted build: weburl.standard.hosts.parser.parse_host." in text
    assert lines(text, "canonicalize")[0].startswith("| canonicalize | links | off |")


def test_some_parts_alone_have_their_table_too() -> None:
    """A quick run measures what it is asked for."""
    one = {
        key: value for key, value in run(compiled=True).items() if key not in {"times", "growth"}
    }
    text = table.render(table.merge([one]))
    assert text.count("\n### ") == 5


def test_a_comparison_shows_few_of_them() -> None:
    """Each build and each peer, with what it is written in."""
    text = table.in_brief(table.merge([run(compiled=False), run(compiled=True)]))
    assert text.splitlines()[2:] == [
        "| weburl, compiled | Python | 45 | 45 | 45 | 45 | 0 of 555 |",
        "| weburl, interpreted | Python | 300 | 300 | 300 | 300 | 0 of 555 |",
        "| quick | C | 100 | 100 | 100 | 100 | 7 of 891 |",
        "| pywhatwgurl | Python | 4,000 | 4,000 | 4,000 | 4,000 | – |",
    ]


def test_a_quick_run_leaves_the_documents_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole one writes the page's table, between its markers, and the numbers."""
    monkeypatch.setattr(chart, "draw", lambda _, path: path.write_text("<svg/>"))
    docs, aside = tmp_path / "docs", tmp_path / "aside"
    docs.mkdir()
    aside.mkdir()
    monkeypatch.setattr(publish, "DOCS", docs)
    for name in publish.PAGES:
        (docs / name).write_text(f"{publish.BEGIN}\n\nold\n\n{publish.END}\n")
    page = docs / "benchmarks.md"
    before = f"# Title\n\n{publish.BEGIN}\n\nold\n\n{publish.END}\n\nmore\n"
    page.write_text(before)
    quick = run(compiled=False) | {"whole": False}
    publish.publish([quick, run(compiled=True)], aside)
    assert page.read_text() == before
    assert {path.name for path in aside.iterdir()} == {"performance.json", "performance.svg"}
    publish.publish([run(compiled=False)], aside)
    written = page.read_text()
    runs = json.loads((docs / "performance.json").read_text())
    assert publish.table_in(written) == table.for_page(runs)
    assert publish.table_in((docs / "performance.md").read_text()).count("| quick | C |") == 1
    assert written.startswith("# Title\n")
    assert written.endswith("\nmore\n")
    assert table.render(runs) in capsys.readouterr().out


def test_the_pages_have_the_tables_of_the_numbers() -> None:
    """Nobody wrote into them by hand; without numbers they have no table."""
    numbers = publish.DOCS / "performance.json"
    measured = numbers.is_file()
    runs = json.loads(numbers.read_text(encoding="utf-8")) if measured else {}
    for name in publish.PAGES:
        page = (publish.DOCS / name).read_text(encoding="utf-8")
        expected = publish.PAGES[name](runs) if measured else publish.NOT_MEASURED
        assert publish.table_in(page) == expected
    assert (publish.DOCS / "performance.svg").is_file() == measured


def test_the_chart_has_a_bar_for_each_library(tmp_path: Path) -> None:
    """The slowest first, which is drawn at the bottom; the file is the same each time."""
    runs = table.merge([run(compiled=False), run(compiled=True)])
    assert len(chart.bars(runs, Operation.PARSE)) == 4
    assert chart.bars(runs, Operation.HREF) == [
        ("pywhatwgurl", 4000.0),
        ("weburl, interpreted", 300.0),
        ("quick", 100.0),
        ("weburl, compiled", 45.0),
    ]
    pytest.importorskip("matplotlib", reason="matplotlib is in the dependency group `bench`")
    chart.draw(runs, tmp_path / "one.svg")
    chart.draw(runs, tmp_path / "two.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert ET.parse(tmp_path / "one.svg").getroot().tag.endswith("svg")


def test_imports_are_measured_beyond_the_bare_interpreter() -> None:
    """Which has a time of its own."""
    times = import_times(["sys"], 1)
    assert set(times) == {"", "sys"}
    assert times[""]["median"] > 0


def test_the_bytes_of_an_object_are_what_the_measure_grows_by() -> None:
    """For each text, with what is made of it kept."""
    made: list[str] = []

    def make(text: str) -> str:
        made.append(text)
        return text

    assert bytes_each(make, ["a", "b"], lambda: 100 * len(made)) == 100


def test_urllib_is_always_there() -> None:
    """It is the one peer that comes with Python."""
    assert "urllib.parse" in {peer.name for peer in installed_peers()}


def test_kept_objects_are_in_a_table_with_their_builds() -> None:
    """A row for each build of weburl, and one for each peer."""
    text = table.render(table.merge([run(compiled=False), run(compiled=True)]))
    assert lines(text, "weburl.parse(s), compiled")[-1].endswith("| 45 | 41 | 12.5 |")
    assert lines(text, "weburl.parse(s), interpreted")[-1].endswith("| 300 | 41 | 12.5 |")
    assert lines(text, "quick")[-1] == "| quick | 1,234 | 100 | 99.0 |"


def test_djangos_paths_are_ratios_to_urlfield_and_bold_within_reach() -> None:
    """Records and text, for each build; a task without a goal for records has none in bold."""
    text = table.render(table.merge([run(compiled=False), run(compiled=True)]))
    reading = "| reading rows | 2.0 | **1.05** | ≤ 1.08 | 1.10 | **1.05** | ≤ 1.15 | 1.10 |"
    assert lines(text, "reading rows") == [reading]
    saving = "| `save` | 80.0 | 1.20 | – | **1.00** | 1.20 | – | **1.00** |"
    assert lines(text, "`save`") == [saving]


def test_every_path_of_django_is_measured_of_every_field() -> None:
    """REST framework is measured where it is installed; each goal is one of the tasks."""
    times = django_paths.path_times(1, 20)
    without_rest = {name for name in django_paths.WANTED if not name.startswith("REST")}
    assert without_rest | {"`save`", "ModelForm", "`full_clean`", "admin's list"} <= set(times)
    for task in times.values():
        assert set(task) == set(django_paths.FIELDS)


def test_what_is_kept_is_made_of_all_texts_again_and_again() -> None:
    """As many objects as are asked for; the times are of some rounds."""
    made: list[str] = []

    def make(text: str) -> str:
        made.append(text)
        return text

    times = kept.times_while_kept(make, ["a", "b"], 5)
    assert set(times) == {"keep", "collect", "drop"}
    assert made[:10] == [*"ababa", *"ababa"]
