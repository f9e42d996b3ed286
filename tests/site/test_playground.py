"""The playground: each of its readings is what weburl says, and nothing else is loaded."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import tomllib
from base64 import b64encode
from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from bs4 import BeautifulSoup, Tag  # furo brings it
from packaging.requirements import Requirement

import weburl
from docs.site.playground import answering, engine, policy, scripts, styles
from docs.site.playground import page as playground
from docs.site.playground.texts import GROUPS, Text
from tests.playground import DOCUMENT, built
from tests.site.built import addresses_in_css, page
from weburl.viewer import report as viewer_report

# MyST asks Sphinx for what Sphinx 11 will not have: its affair until then.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser.*is deprecated")

TEXTS: Final = [text for texts in GROUPS.values() for text in texts]
GETTERS: Final = (
    *("href", "origin", "protocol", "username", "password", "host", "hostname"),
    *("port", "pathname", "search", "hash"),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of the page, built alone."""
    return built(tmp_path_factory.mktemp("playground"))


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a directory as `make` fills it, with small files in the place of Pyodide's."""
    pyodide = tmp_path / "installed" / "node_modules" / "pyodide"
    pyodide.mkdir(parents=True)
    for number, name in enumerate(("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"), start=1):
        (pyodide / name).write_bytes(b"x" * number * 1_000_000)
    (pyodide / "python_stdlib.zip").touch()
    (pyodide / "console.html").touch()
    (pyodide / "package.json").write_text('{"version": "314.1.2"}', encoding="utf-8")
    lock = '{"info": {"python": "3.14.9"}}'
    (pyodide / "pyodide-lock.json").write_text(lock, encoding="utf-8")
    wheels = tmp_path / "installed" / "wheels"
    wheels.mkdir()
    for name in ("attrs-26.1.0", "weburl-9.8.7", "idna-3.20"):
        (wheels / f"{name}-py3-none-any.whl").write_bytes(b"x" * 500_000)
    return tmp_path / "installed"


@pytest.fixture(scope="module")
def soup(path: Path) -> BeautifulSoup:
    """Return the page, parsed."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def reading(soup: BeautifulSoup, text: Text) -> Tag:
    """Return what the page has of a text."""
    found = soup.select_one(f"details#text-{text.name}")
    assert found is not None, text
    return found


def column(found: Tag) -> dict[str, str]:
    """Return the attributes that the page gives for weburl."""
    rows = found.select("tr[data-attribute]")
    cells = [(str(row["data-attribute"]), row.select_one("td")) for row in rows]
    return {name: cell.get_text() for name, cell in cells if cell is not None}


def test_there_is_a_reading_of_every_text(soup: BeautifulSoup) -> None:
    """Below the headings of the groups, each by a name of its own, and closed."""
    ids = [str(found["id"]) for found in soup.select("details.reading")]
    assert ids == [f"text-{text.name}" for text in TEXTS]
    assert len({(text.url, text.base) for text in TEXTS}) == len(set(ids)) == len(TEXTS) == 103
    assert [found.get_text() for found in soup.select(".twin .group h3")] == list(GROUPS)
    assert soup.select("details[open]") == []


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)
def test_a_reading_is_what_weburl_says(soup: BeautifulSoup, text: Text) -> None:
    """Its parts by the web's own class, its errors, its origin and its registrable domain."""
    found = reading(soup, text)
    errors = weburl.check(text.url, text.base).errors
    assert [a.get_text() for a in found.select(".error-name a")] == [e.type.value for e in errors]
    shown = column(found)
    if not weburl.can_parse(text.url, text.base):
        assert set(shown.values()) == {"none"}
        assert "does not parse" in found.select("summary")[0].get_text()
        return
    url, record = weburl.URL(text.url, text.base), weburl.parse(text.url, text.base)
    for name in GETTERS:
        assert shown[name] == (getattr(url, name) or "empty"), name
    assert shown["searchParams"] == (str(url.search_params) or "empty")
    assert [code.get_text() for code in found.select("section.stored code")] == [url.href]
    rows = found.select("section.identity dl > div")
    identity = {row.select("dt")[0].get_text(): row.select("dd")[0].get_text() for row in rows}
    assert identity["Origin"] == url.origin
    if isinstance(record.host, weburl.Domain):
        domain = record.host.registrable_domain
        assert identity["Registrable domain"] == ("none" if domain is None else str(domain))
    rows = found.select(".readers tbody th")
    readers = {name for row in rows for name in re.split(", | and ", row.get_text())}
    assert readers >= {"URL Standard", "RFC 3986", "urllib.parse"}


def test_the_texts_are_of_all_kinds() -> None:
    """Some parse and some do not; every validation error of the standard is there."""
    found = [weburl.check(text.url, text.base) for text in TEXTS]
    parsed = Counter(report.record is not None for report in found)
    assert parsed == {True: 80, False: 23}
    shown = {error.type for report in found for error in report.errors}
    assert shown == set(weburl.ValidationErrorType)


def test_no_anchor_is_there_twice_and_each_link_has_one(soup: BeautifulSoup) -> None:
    """Though the parts of all reports have the same ids in the viewer."""
    ids = Counter(str(found["id"]) for found in soup.select("[id]"))
    assert {name for name, count in ids.items() if count > 1} == set()
    linked = {str(a["href"])[1:] for a in soup.select(".twin a[href^='#']")}
    labelling = {str(found["aria-labelledby"]) for found in soup.select(".twin [aria-labelledby]")}
    assert linked <= set(ids)
    assert labelling <= set(ids)
    assert len(linked) > 80
    # Three sections are always there, and the table of the query once.
    assert len(labelling) > 5 * len(TEXTS)


def test_the_page_loads_files_of_the_site_alone(path: Path) -> None:
    """Scripts that are no modules, which browsers would not load from a file."""
    loaded = [address.text for address in page(path).addresses if address.is_loaded]
    assert {"playground/playground.js", "playground/playground.css"} <= set(loaded)
    for address in loaded:
        assert (path.parent / address.partition("?")[0]).is_file(), address
    assert (
        addresses_in_css((path.parent / "playground" / "playground.css").read_text("utf-8")) == []
    )
    assert 'type="module"' not in path.read_text(encoding="utf-8")
    script = (path.parent / "playground" / "playground.js").read_text(encoding="utf-8")
    assert (
        re.search(r"\b(?:fetch|XMLHttpRequest|sendBeacon|WebSocket|eval|innerHTML)\b", script)
        is None
    )


def test_the_policy_stands_before_all_that_it_is_about(soup: BeautifulSoup) -> None:
    """It lets in what the theme has inside of the page, by hashes."""
    assert soup.head is not None
    first = soup.head.find_all(True)[1]
    assert first["http-equiv"] == "Content-Security-Policy"
    said = str(first["content"])
    assert "default-src 'none'" in said
    assert "unsafe-inline" not in said
    assert "unsafe-eval" not in said
    assert re.search(r"\w+:(?!;|$)", said.replace("data:", "")) is None  # no host, no scheme
    inside = [script.string or "" for script in soup.select("script:not([src])")]
    assert len(inside) == 1
    assert digest(inside[0]) in said


def digest(text: str) -> str:
    """Return the source for a text in a policy."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_a_policy_has_the_hash_of_each_script_and_style() -> None:
    """And of attributes, in the place of styles; not of what is loaded."""
    script = "a < b && '</p>'"
    text = (
        f"<script>{script}</script><script src=x></script>"
        "<style>p{}</style>"
        "<p style='color: red'>text</p><style>q > p {}</style>"
    )
    parts = dict(part.split(" ", 1) for part in policy.policy(text, with_python=False).split("; "))
    assert parts["script-src"] == f"'self' {digest(script)}"
    for style in ("p{}", "color: red", "q > p {}"):
        assert digest(style) in parts["style-src"]
    assert parts["style-src"].count("sha256") == 3


def test_a_page_without_the_place_for_a_policy_is_an_error(tmp_path: Path) -> None:
    """A theme that writes its head in another way must not lose the policy."""
    other = tmp_path / "page.html"
    other.write_text("<head></head>", encoding="utf-8")
    with pytest.raises(ValueError, match=r"page\.html"):
        policy.add(other, with_python=False)


def test_modules_become_one_script() -> None:
    """With names of their own, and what they import from each other."""
    one = "const KEPT = 1;\nexport const A = 2;\nexport function b() {}\n"
    two = 'import { A, b } from "./one.js";\nconst KEPT = A;\n'
    found = scripts.joined({"one": one, "two": two})
    assert "return { A, b };" in found
    assert "const { A, b } = one_module;" in found
    assert re.search(r"^(?:import|export)\b", found, re.MULTILINE) is None


@pytest.mark.parametrize("text", ["import a from 'b';", "export default 1;", "export { a };"])
def test_other_ways_to_import_and_export_are_refused(text: str) -> None:
    """In the place of a script that does not run."""
    with pytest.raises(ValueError, match=r"one\.js"):
        scripts.joined({"one": text})


def test_a_style_sheet_stays_within_its_part() -> None:
    """What it says of the root is said of the part."""
    assert styles.within(".part", ":root { --a: b; }\np { c: d; }\n") == (
        ".part {\n& { --a: b; }\np { c: d; }\n}\n"
    )


def test_only_the_marked_places_of_a_document_are_filled() -> None:
    """All else stays as it is written, and no line in the blocks is empty."""
    text = DOCUMENT.read_text(encoding="utf-8")
    found = playground.filled(text, None)
    assert playground.filled("# Another\n", None) == "# Another\n"
    assert "make docs" in text
    assert "make docs" not in found
    marked = re.compile(r"<!-- playground: .*?<!-- end of playground -->\n", re.DOTALL)
    block = re.compile(r"^<(?:div|p)[ >].*?(?=^$)", re.DOTALL | re.MULTILINE)
    assert len(block.findall(found)) == 3
    assert block.sub("", found) == marked.sub("", text)


# --- what runs in the browser -------------------------------------------------------------------


def test_the_page_says_what_it_loads_and_how_large_it_is(tmp_path: Path, installed: Path) -> None:
    """Its own wheel first, with the sizes of the files that are copied beside the page."""
    (tmp_path / "built").mkdir()
    path = built(tmp_path / "built", engine.found(installed))
    soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    asked = json.loads(str(soup.select("#playground-engine")[0]["data-engine"]))
    wheels = ["weburl-9.8.7", "attrs-26.1.0", "idna-3.20"]
    assert asked["wheels"] == [f"wheels/{name}-py3-none-any.whl" for name in wheels]
    assert (asked["weburl"], asked["pyodide"], asked["python"]) == ("9.8.7", "314.1.2", "3.14.9")
    directory = path.parent / "playground"
    files = {file.relative_to(directory).as_posix(): file for file in directory.rglob("*.*")}
    own = {"playground.css", "playground.js", "worker.js", "answering.py"}
    loaded = {name: file.stat().st_size for name, file in files.items() if name not in own}
    assert sum(loaded.values()) == asked["size"]
    assert asked["scripts"].items() <= loaded.items()
    assert set(asked["scripts"]) == {"pyodide/pyodide.mjs", "pyodide/pyodide.asm.mjs"}
    assert set(asked["wheels"]) <= set(loaded)
    assert own < set(files)
    assert "pyodide/console.html" not in files
    rows = soup.select("#playground-packages tbody tr")
    shown = [[cell.get_text() for cell in row.select("td")] for row in rows]
    assert shown[0] == ["Pyodide", "314.1.2", "6.00 MB"]
    assert shown[1] == ["weburl", "9.8.7", "0.50 MB"]
    assert len(shown) == 4


def test_only_a_page_that_runs_python_may_run_webassembly(tmp_path: Path, installed: Path) -> None:
    """Nothing else: no inline script, no eval, and connections to the site alone."""
    (tmp_path / "built").mkdir()
    text = built(tmp_path / "built", engine.found(installed)).read_text(encoding="utf-8")
    found = BeautifulSoup(text, "html.parser").select("meta[http-equiv]")[0]
    said = dict(part.split(" ", 1) for part in str(found["content"]).split("; "))
    assert said["default-src"] == "'none'"
    assert said["script-src"].startswith("'self' 'wasm-unsafe-eval' 'sha256-")
    assert said["script-src"].count("sha256") == 1
    assert said["connect-src"] == "'self'"
    assert said["worker-src"] == "'self' blob:"
    assert said["trusted-types"] == policy.WORKER
    assert said["require-trusted-types-for"] == "'script'"
    assert "'unsafe-eval'" not in said["script-src"]
    assert "unsafe-inline" not in str(found["content"])
    without = policy.policy("<p>", with_python=False)
    assert "wasm" not in without
    assert "connect-src" not in without
    assert "trusted-types 'none'" in without


def test_a_site_without_pyodide_says_so(soup: BeautifulSoup) -> None:
    """It has no file for it, and the script finds nothing to load."""
    shown = soup.select("#playground-engine")[0]
    assert "built without npm" in shown.get_text()
    assert "data-engine" not in shown.attrs
    assert soup.select("#playground-progress") == []


@pytest.mark.parametrize("lost", ["pyodide.asm.wasm", "pyodide.mjs", None])
def test_what_is_not_complete_is_not_there(installed: Path, lost: str | None) -> None:
    """A file of Pyodide is missing, or all wheels are."""
    assert engine.found(installed) is not None
    if lost is None:
        shutil.rmtree(installed / "wheels")
    else:
        (installed / "node_modules" / "pyodide" / lost).unlink()
    assert engine.found(installed) is None


@pytest.mark.parametrize(
    "wheel",
    ["regex-1-cp314-cp314-manylinux_2_28_x86_64.whl", "weburl-1-py3-none-any.whl"],
)
def test_a_wheel_that_pyodide_cannot_run_is_an_error(installed: Path, wheel: str) -> None:
    """A compiled one, and a second one of ours."""
    (installed / "wheels" / wheel).touch()
    with pytest.raises(ValueError, match=r"regex|2 wheels"):
        engine.found(installed)


def test_weburl_needs_only_the_packages_that_the_site_serves() -> None:
    """To answer every text: what it imports is of the group, or it does without it in Pyodide."""
    code = (
        "import sys\n"
        "from docs.site.playground import answering, texts\n"
        "import json\n"
        "for group in texts.GROUPS.values():\n"
        "    for text in group:\n"
        "        question = {'url': text.url, 'base': text.base or '', 'pattern': 'x/:y'}\n"
        "        assert answering.answer(json.dumps(question))[0] == '200 OK'\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    imported = set(run.stdout.split())
    distributions = importlib.metadata.packages_distributions()
    needed = {name for module in imported for name in distributions.get(module, ())}
    project = DOCUMENT.parent.parent / "src" / "pyproject.toml"
    groups = tomllib.loads((DOCUMENT.parent.parent / "pyproject.toml").read_text("utf-8"))
    served = {Requirement(text).name for text in groups["dependency-groups"]["playground"]}
    declared = {
        Requirement(text).name: Requirement(text).marker
        for text in tomllib.loads(project.read_text("utf-8"))["project"]["dependencies"]
    }
    in_pyodide = {"sys_platform": "emscripten", "platform_python_implementation": "CPython"}
    absent = {
        name
        for name, marker in declared.items()
        if marker is not None and not marker.evaluate(in_pyodide)
    }
    assert absent == {"regex", "unicodedata2"}
    assert served == {"attrs", "idna", "publicsuffixlist", "webencodings"}
    assert needed & set(declared) - absent <= served
    assert {"attrs", "idna", "publicsuffixlist"} <= needed
    assert set(declared) - absent == served


@pytest.mark.parametrize("url", ["https://h/\ud800<b>", "x", ""])
def test_an_answer_is_that_of_the_viewer(url: str) -> None:
    """With its status, in ASCII."""
    status, text = answering.answer(json.dumps({"url": url, "base": ""}))
    assert status == "200 OK"
    assert text.isascii()
    assert json.loads(text)["report"]["validation"] == viewer_report(url)["validation"]
    assert answering.answer("[]")[0] == "400 Bad Request"
