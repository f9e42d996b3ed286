"""What builds the site: it refuses what is wrong, and writes what docstrings and diagrams say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docutils.core import publish_parts

from docs.site import docstrings, examples, llms, maps, pages, promised
from docs.site.__main__ import build

# MyST asks Sphinx for what Sphinx 11 will not have: its affair until then.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser.*is deprecated")

BESIDE_PROSE = re.compile(r"^```.*?^```|<!--.*?-->", re.MULTILINE | re.DOTALL)

NAMES = '{"weburl": ["address_classes"]}'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a small checkout, of which a site can be built."""
    root = tmp_path / "checkout"
    (root / "docs" / "pictures").mkdir(parents=True)
    for name in pages.ROOT_PAGES:
        (root / name).write_text(f"# {name}\n", encoding="utf-8")
    (root / "docs" / "stability.md").write_text("# Stability\n", encoding="utf-8")
    (root / "docs" / promised.FILE).write_text(NAMES, encoding="utf-8")
    (root / "docs" / "values.md").write_text("# Values\n\n## Here\n", encoding="utf-8")
    return root


def test_a_checkout_without_faults_is_built(checkout: Path, tmp_path: Path) -> None:
    """Links between the root and the documents are those of the site."""
    readme = "# Title\n\n[Values](docs/values.md#here) ![](docs/a.svg)\n"
    (checkout / "README.md").write_text(readme, encoding="utf-8")
    (checkout / "docs" / "a.svg").write_text("<svg/>", encoding="utf-8")
    page = "# Values\n\n## Here\n\n[back](../README.md), [changes](../CHANGELOG.md)\n"
    (checkout / "docs" / "values.md").write_text(page, encoding="utf-8")
    assert build(checkout, tmp_path / "site") == 0
    index = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    values = (tmp_path / "site" / "values.html").read_text(encoding="utf-8")
    assert 'href="values.html#here"' in index
    assert 'href="index.html"' in values
    assert 'href="changes.html"' in values


def test_a_picture_follows_the_switch_of_the_site(checkout: Path, tmp_path: Path) -> None:
    """And not the system: the theme hides one of two."""
    for name in ("light", "dark"):
        (checkout / "docs" / "pictures" / f"{name}.png").touch()
    readme = (
        "# Title\n\n<picture>\n"
        '  <source media="(prefers-color-scheme: dark)" srcset="docs/pictures/dark.png">\n'
        '  <img alt="A picture"\n       src="docs/pictures/light.png">\n</picture>\n\nText\n'
    )
    (checkout / "README.md").write_text(readme, encoding="utf-8")
    assert build(checkout, tmp_path / "site") == 0
    index = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    shown = re.findall(r'<img class="(\S+)" .*alt="(.+)" src="(.+)">', index)
    assert shown == [
        ("only-light", "A picture", "pictures/light.png"),
        ("only-dark", "A picture", "pictures/dark.png"),
    ]
    assert "<picture" not in index


def test_the_pages_of_a_folder_are_in_the_order_of_its_first_page(
    checkout: Path, tmp_path: Path
) -> None:
    """What it does not link stands last."""
    folder = checkout / "docs" / "columns"
    folder.mkdir()
    for name in ("first", "second", "unlinked", "zero"):
        (folder / f"{name}.md").write_text(f"# {name}\n", encoding="utf-8")
    index = "# Index\n\n[0](zero.md), [1](first.md), [2](second.md), [1](first.md)\n"
    (folder / "index.md").write_text(index, encoding="utf-8")
    pages.write(checkout, tmp_path / "source")
    written = (tmp_path / "source" / "columns" / "index.md").read_text(encoding="utf-8")
    assert written.endswith("\n\nzero\nfirst\nsecond\nunlinked\n```\n")


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("stray", "# A page in no list of contents\n"),
        ("models", "# A link to no page\n\n[x](missing.md)\n"),
        ("models", "# A link to no file\n\n[x](../missing.py)\n"),
        ("models", "# A link to no anchor\n\n[x](values.md#there)\n"),
        ("models", "# A link to no anchor here\n\n[x](#there)\n"),
        ("models", "# No picture\n\n![x](missing.svg)\n"),
        ("models", "# A heading\n\n#### Three levels below\n"),
    ],
)
def test_a_fault_makes_the_build_fail(
    page: str, text: str, checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And a warning names the page."""
    (checkout / "docs" / f"{page}.md").write_text(text, encoding="utf-8")
    assert build(checkout, tmp_path / "site") != 0
    assert f"{page}.md" in capsys.readouterr().err


def test_programs_get_a_list_of_the_pages(checkout: Path, tmp_path: Path) -> None:
    """With the title and the first sentence of each, in the order of the contents."""
    (checkout / "README.md").write_text(
        "# Title\n\nWhat [it](docs/values.md) is. More.\n", encoding="utf-8"
    )
    folder = checkout / "docs" / "columns"
    folder.mkdir()
    for name, text in {
        "index": "# Columns\n\n<!-- a. -->\n\n```python\n>>> 1\n```\n\nIn `a.b`: **all**\nof them.",
        "spark": "# Spark\n\n| a |\n|---|\n",
    }.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    assert build(checkout, tmp_path / "site") == 0
    assert (
        (tmp_path / "site" / "llms.txt").read_text(encoding="utf-8")
        == """# Title

> What it is.

## Guides with weburl

- [Values](values.html)

## Security

- [SECURITY.md](reporting.html)

## Data

- [Columns](columns/index.html): In `a.b`.
- [Spark](columns/spark.html)

## About the project

- [Stability](stability.html)
- [CHANGELOG.md](changes.html)
- [CONTRIBUTING.md](contributing.html)
"""
    )


def test_the_list_has_every_page_of_this_checkout() -> None:
    """Each once, with a title and a sentence."""
    root = Path(__file__).resolve().parents[2]
    listed = llms.text(pages.documents(root), pages.SECTIONS)
    entries = re.findall(r"^- \[(.+?)\]\((.+?)\)(: .+\.)?$", listed, re.MULTILINE)
    places = {place.with_suffix(".html").as_posix() for place in pages.documents(root).values()}
    assert {place for _title, place, _summary in entries} == places - {"index.html"}
    assert len(entries) == len(places) - 1
    without = [place for _title, place, summary in entries if not summary]
    assert without == []


def test_a_guide_is_short() -> None:
    """It has at most 1,250 words besides its code: tables of all options are reference."""
    docs = Path(__file__).resolve().parents[2] / "docs"
    captions = [name for name in pages.SECTIONS if name.startswith(("Start", "Guides", "Security"))]
    guides = [docs / f"{name}.md" for caption in captions for name in pages.SECTIONS[caption]]
    found = {
        path.name: len(BESIDE_PROSE.sub("", path.read_text(encoding="utf-8")).split())
        for path in guides
        if path.is_file()
    }
    assert len(found) > 35
    assert {name: words for name, words in found.items() if words > 1250} == {}


def html(docstring: str, place: str = "weburl.parse") -> str:
    """Return the body that docutils makes of a docstring; ``:py:obj:`` is Sphinx's."""
    text = docstrings.restructured(docstring, place).replace(":py:obj:", "")
    return str(publish_parts(text, writer="html5")["body"])


@pytest.mark.parametrize(
    "text",
    [
        "a * b and *c*, **options",
        "a_ and _b_ and |c| and [1]_",
        r"a \ backslash, \n",
        "http:\\\\example.com, 'a:b', https://example.com/?a=1#b",
        ":role: .. directive::",
        "- no list",
    ],
)
def test_what_is_plain_in_a_docstring_is_shown_as_it_is(text: str) -> None:
    """No character has a meaning but the backtick."""
    shown = html(f"Text {text}")
    assert "<em>" not in shown
    assert "problematic" not in shown
    for word in text.split():
        assert word.replace("&", "&amp;").replace("'", "'") in shown.replace("&quot;", '"')


@pytest.mark.parametrize(
    ("docstring", "shown"),
    [
        ("Of ``a``.", "Of [a]."),
        (r"A backslash is ``\n`` or ``a\b``.", r"A backslash is [\n] or [a\b]."),
        ("Several ``a``s, (``b``)", "Several [a]s, ([b])"),
        ("Over the end ``of a\nline``", "Over the end [of a line]"),
        ("A star: ``*`` and ``**``", "A star: [*] and [**]"),
        ("An `unknown` name", "An [unknown] name"),
    ],
)
def test_code_in_a_docstring_is_code(docstring: str, shown: str) -> None:
    """Also with a backslash, beside a letter and over the end of a line."""
    text = html(docstring).replace("</code>", "]").replace("<code", "[<code")
    assert re.sub(r"<[^>]+>", "", text).strip() == shown


def test_the_sections_of_a_docstring_are_lists() -> None:
    """Each name is an item with all of its lines, and what follows the section is outside."""
    docstring = """Do it.

Args:
    input: a text,
        of any length.
    base: a URL: or None.

Attributes:
    line, column: a place.

Raises:
    ValueError: it does not parse.

Spec: #concept-url
"""
    shown = re.sub(r"\s+", " ", html(docstrings.with_lists(docstring)))
    items = [re.sub("<[^>]+>", "", item) for item in re.findall("<li>(.*?)</li>", shown)]
    assert [item.strip() for item in items] == [
        "input: a text, of any length.",
        "base: a URL: or None.",
        "line, column: a place.",
        "ValueError: it does not parse.",
    ]
    assert "problematic" not in shown
    assert shown.index("Spec:") > shown.rindex("</ul>")
    assert docstrings.with_lists("Text.\n\n    a: b\n") == "Text.\n\n    a: b\n"


def test_a_name_in_a_docstring_is_found_from_where_it_stands() -> None:
    """A member of the class, then a name of the module, of weburl, of a single other module."""
    assert docstrings.found("allows", "weburl.URLPolicy.check") == "weburl.URLPolicy.allows"
    assert docstrings.found("check", "weburl.URLPolicy.allows") == "weburl.URLPolicy.check"
    assert docstrings.found("check", "weburl.parse") == "weburl.check"
    assert docstrings.found("check", "weburl.columns.parse") == "weburl.columns.check"
    assert docstrings.found("weburl.parse", "weburl.columns.parse") == "weburl.parse"
    assert docstrings.found("URLPolicy.allows()", "weburl.html") == "weburl.URLPolicy.allows"
    assert docstrings.found("URLIndex", "weburl") == "django_whatwg_url.indexes.URLIndex"
    assert docstrings.found("input", "weburl.parse") is None


def test_anchors_in_a_docstring_are_links_to_the_standard() -> None:
    """One or several, and those of other standards."""
    assert 'href="https://url.spec.whatwg.org/#concept-url"' in html("Spec: #concept-url")
    both = html("Text.\n\nSpec: #path-state, https://html.spec.whatwg.org/#base_url")
    assert 'href="https://url.spec.whatwg.org/#path-state"' in both
    assert 'href="https://html.spec.whatwg.org/#base_url"' in both


def test_an_alias_is_described_where_it_is_defined() -> None:
    """By the string behind it, through imports."""
    assert docstrings.described("weburl.Host") == "A host. Spec: #concept-host"
    assert docstrings.described("weburl.columns.Part").startswith("The names of the parts")


def test_a_diagram_has_every_box_and_arrow() -> None:
    """And all that is text in it is escaped."""
    diagram = 'flowchart TD\n    a["a<b"]\n    b["b/"]\n    c["c"]\n    a --> b\n    a --> c\n'
    drawing = maps.drawn(diagram)
    assert drawing.count("<rect") == 3
    assert drawing.count('class="head"') == 2
    assert "<title>a&lt;b imports b/; a&lt;b imports c</title>" in drawing
    assert "\n\n" not in drawing.rstrip("\n")


def test_a_box_shows_the_subgraph_that_it_is_in() -> None:
    """Below its own name, and in the text for people who do not see the picture."""
    diagram = (
        'flowchart TD\n    a["a"]\n    subgraph s["Both & more"]\n        b["b"]\n        c["c"]\n'
        "    end\n    a --> b\n    a --> c\n"
    )
    drawing = maps.drawn(diagram)
    assert drawing.count("<rect") == 3
    assert drawing.count(">Both &amp; more</text>") == 2
    assert "<title>a imports b; a imports c; Both &amp; more: b, c</title>" in drawing


def test_the_shortest_example_of_a_name_is_found(tmp_path: Path) -> None:
    """By what the page imports, not by what it writes."""
    page = tmp_path / "values.md"
    page.write_text(
        "```python\n>>> import weburl\n>>> weburl.parse('https://a/').href\n'https://a/'\n\n```\n"
        "```python\n>>> from weburl import parse as r\n>>> r('b:')\n```\n"
        "```python\nparse('c:')\n```\n",
        encoding="utf-8",
    )
    found = examples.found({page: Path("guide/values.md")}, {"weburl": ["parse", "check"]})
    assert set(found) == {("weburl", "parse")}
    assert found["weburl", "parse"].page == "guide/values"
    assert "r('b:')" in found["weburl", "parse"].text


def test_an_example_without_an_error_is_preferred(tmp_path: Path) -> None:
    """To a shorter one that shows what goes wrong."""
    page = tmp_path / "values.md"
    page.write_text(
        "```python\n>>> import weburl\n\n```\n"
        "```python\n>>> weburl.parse('b')\nTraceback (most recent call last):\nweburl.E: b\n```\n"
        "```python\n>>> weburl.parse('https://example.com/a/b/c?d=e#f').href == "
        "'https://example.com/a/b/c?d=e#f'\nTrue\n```\n",
        encoding="utf-8",
    )
    found = examples.found({page: Path("values.md")}, {"weburl": ["parse"]})
    assert "Traceback" not in found["weburl", "parse"].text


def test_an_example_that_reads_by_itself_is_preferred(tmp_path: Path) -> None:
    """To a shorter one with names that another block of its page has made."""
    page = tmp_path / "values.md"
    page.write_text(
        "```python\n>>> import weburl\n>>> text = 'a:'\n\n```\n"
        "```python\n>>> weburl.parse(text)\n```\n"
        "```python\n>>> [weburl.parse(each) for each in ('a:', 'b:')]\n```\n"
        "```python\n>>> weburl.check(text)\n```\n",
        encoding="utf-8",
    )
    found = examples.found({page: Path("values.md")}, {"weburl": ["parse", "check"]})
    assert "for each in" in found["weburl", "parse"].text
    assert found["weburl", "check"].text == ">>> weburl.check(text)"
