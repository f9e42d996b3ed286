"""Today's tables may change. What an older document says may not change with them.

`weburl.history` keeps tables of its own. It shares with today's code only what is not a fact of one
edition, and the docstring of the room says what that is.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import weburl.history

HISTORY: Final = Path(weburl.history.__file__).parent

# It compares the older rules with today's.
COMPARERS: Final = {"readings"}

# All that the other modules import from today's code. None of it is a table of today.
SHARED: Final = {
    "weburl.standard.hosts": {"punycode", "uts46"},
    "weburl.standard.hosts.ipv6": {"is_ipv6_address", "parse_ipv6"},
    "weburl.standard.hosts.values": {"IPv4Address", "IPv6Address"},
    "weburl.standard.infra.code_points": {"PercentEncodeSet", "character_class"},
    "weburl.standard.infra.credentials": {"masked_value", "without_credentials"},
    "weburl.standard.infra.encodings": {"encode_or_fail", "get_encoding", "get_output_encoding"},
    "weburl.standard.infra.errors": {"Failure"},
    "weburl.standard.infra.percent_encoding": {
        "percent_decode",
        "percent_decode_to_text",
        "percent_encode_after_encoding",
        "utf8_percent_encode",
    },
    "weburl.standard.infra.strings": {
        "ascii_lowercase",
        "is_visible",
        "join_surrogate_pairs",
        "remove_tabs_and_newlines",
        "require_text",
        "to_scalar_value_string",
    },
}

TEXTS: Final = (
    "http://h/",
    "zap://EXAMPLE.com:1234\\a\\..\\b?it's",
    "zap:x",
    "zap:",
    "ZAP://user:pass@H:1234/a b?q#f",
    "http://user~:p~@example~.com/~a/~b?~q#~f",
    "https://ex~ample:443/C:/..?'~'#`~`",
    "x://~opaque~host~/~",
    "x:~opaque~path~?~#~",
    "ws://h:80/%7e/%2E%2e/.%2e/%2e",
    "blob:https://~h/~",
    "blob:zap://h:1234/",
    "file:///C|/~/../x",
    "file://~host/c:/..",
    "//~h:1234/~?~#~",
    "~a/../b~?~#~",
    "http://1.2.0x3.04/",
    "http://256/~",
    "http://1.2.3.09/",
    "http://[::1.2.3.4]/~",
    "http://B\u00fccher~.example/\u00fc?\u00fc#\u00fc",
    "http://xn--bcher-kva.example/",
    "javascript:alert('~')",
)
BASES: Final = (None, "http://h/~a/b?~", "zap://h:1234/a/b", "file:///c:/a")

# Prints as JSON what each edition makes of the texts; "now" is today's standard.
ANSWERS: Final = """
from weburl.history import (
    decomposition, html5_urls, rfc3986, rfc3987, url_standard_2020, url_standard_2024,
    web_addresses,
)
import weburl

def answer(function, *arguments):
    try:
        return str(function(*arguments))
    except (ValueError, KeyError) as error:
        return f"{type(error).__name__}: {error}"

def of_a_year(year, text, base):
    yield answer(year.parse, text, base)
    yield answer(year.is_valid_url_string, text, base)
    yield answer(lambda: year.parse(text, base, encoding="windows-1252").origin)
    for name in ("protocol", "username", "host", "port", "pathname", "search", "hash"):
        yield answer(lambda name=name: year.set_attribute(year.parse(text, base), name, text))
        yield answer(lambda name=name: year.set_attribute(year.parse("zap://h:1"), name, "1234"))
    yield answer(lambda: year.set_attribute(year.parse("http://h"), "protocol", text))
    yield answer(lambda: year.get_attribute(year.parse(text, base), "pathname"))

answers = {"2020": [], "2024": [], "html5": [], "web addresses": [], "rfc": [], "now": []}
for text in TEXTS:
    answers["html5"] += [
        answer(html5_urls.parse, text),
        answer(html5_urls.is_valid_url, text),
        answer(html5_urls.is_hierarchical_url, text),
        answer(decomposition.decompose, text),
    ]
    answers["web addresses"] += [
        answer(web_addresses.parse, text),
        answer(web_addresses.is_valid_web_address, text),
    ]
    answers["rfc"].append(answer(rfc3987.parse_iri_reference, text))
    for base in BASES:
        answers["2020"] += of_a_year(url_standard_2020, text, base)
        answers["2024"] += of_a_year(url_standard_2024, text, base)
        answers["now"].append(answer(lambda: weburl.parse(text, base).href))
        if base is not None:
            answers["html5"].append(answer(html5_urls.resolve, text, base))
            answers["web addresses"].append(answer(web_addresses.resolve, text, base))
            answers["rfc"].append(answer(rfc3986.parse, text, base))
print(json.dumps(answers))
"""

# Adds a scheme, and "~" to each set and each pattern, before any other module reads them.
CHANGED_TABLES: Final = """
import re
from weburl.standard.infra import code_points

SETS_OF_INFRA = {name for name in vars(code_points) if name.startswith("ASCII_")}
changed = set()
for name, value in list(vars(code_points).items()):
    if name.startswith("_") or not name.isupper() or name in SETS_OF_INFRA:
        continue
    if isinstance(value, code_points.PercentEncodeSet):
        setattr(code_points, name, value.plus("~"))
    elif isinstance(value, frozenset):
        setattr(code_points, name, value | {"~"})
    else:
        continue
    changed.add(name)
from weburl.standard.infra import code_point_regexes
for name, value in list(vars(code_point_regexes).items()):
    if isinstance(value, re.Pattern) and not value.groups:
        setattr(code_point_regexes, name, re.compile(f"{value.pattern}|~"))
        changed.add(name)
from weburl.standard.infra import schemes
zap = schemes.Scheme(name="zap", default_port=1234)
schemes.SPECIAL_SCHEMES = {**schemes.SPECIAL_SCHEMES, "zap": zap}
schemes.DEFAULT_PORTS["zap"] = 1234
schemes.TUPLE_ORIGIN_SCHEMES |= {"zap"}
schemes.ENCODING_KEEPING_SCHEMES |= {"zap"}
from weburl.standard.infra import url_units
url_units.NOT_A_URL_UNIT = re.compile(url_units.NOT_A_URL_UNIT.pattern + "|~")
from weburl.standard.hosts import ipv4
ipv4.parse_ipv4_number = lambda text: None
ipv4.ends_in_a_number = lambda domain: True
assert len(changed) > 15, changed
"""


def imports(path: Path) -> list[tuple[str, str | None]]:
    """Return the module and the name of each import in a file, also those inside functions."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return [
        *(
            (alias.name, None)
            for node in nodes
            if isinstance(node, ast.Import)
            for alias in node.names
        ),
        *(
            (str(node.module), alias.name)
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        ),
    ]


def answers_of(changes: str) -> dict[str, list[str]]:
    """Return what each edition makes of the texts in a process that first runs ``changes``."""
    given = f"import json\nTEXTS = {TEXTS!r}\nBASES = {BASES!r}\n"
    run = subprocess.run(
        [sys.executable, "-c", given + changes + ANSWERS],
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stderr
    answers: dict[str, list[str]] = json.loads(run.stdout)
    return answers


def test_changes_of_todays_tables_change_no_answer_of_an_older_edition() -> None:
    """A new scheme and a new member of every set are seen by today's parser only."""
    before, after = answers_of(""), answers_of(CHANGED_TABLES)
    # Without this the test could pass because nothing was changed.
    assert before.pop("now") != after.pop("now")
    assert {edition: len(answers) for edition, answers in before.items()} == {
        "2020": 1748,
        "2024": 1748,
        "html5": 161,
        "web addresses": 115,
        "rfc": 92,
    }
    for edition in before:
        for unchanged, answer in zip(before[edition], after[edition], strict=True):
            assert answer == unchanged, edition


@pytest.mark.parametrize("path", sorted(HISTORY.glob("*.py")), ids=lambda path: path.stem)
def test_a_module_of_history_imports_no_table_of_today(path: Path) -> None:
    """Except for the one that compares, modules import only the helpers that are listed here."""
    if path.stem in COMPARERS:
        return
    for module, name in imports(path):
        if module.split(".")[0] == "weburl" and not module.startswith("weburl.history"):
            assert name in SHARED.get(module, ()), f"{path.name} imports {name} from {module}"


def test_every_shared_helper_is_used_and_named_in_the_docstring_of_the_room() -> None:
    """The list of what is shared has no entry too many, and a reader of the room finds it."""
    used: dict[str, set[str]] = {}
    for path in HISTORY.glob("*.py"):
        if path.stem not in COMPARERS:
            for module, name in imports(path):
                if module in SHARED and name is not None:
                    used.setdefault(module, set()).add(name)
    assert used == SHARED
    doc = weburl.history.__doc__ or ""
    named = set(re.findall(r"`(weburl\.standard\.(?:hosts|infra)\.[a-z0-9_]+)`", doc))
    of_hosts = {f"weburl.standard.hosts.{name}" for name in SHARED["weburl.standard.hosts"]}
    assert named == (SHARED.keys() - {"weburl.standard.hosts"}) | of_hosts
