"""What each room may import, and what `import weburl` loads.

The contracts are in `pyproject.toml`. They and the map need the dependency group "check".
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Final, get_args

import pytest

import weburl
import weburl.html
import weburl.keys
import weburl.lookalikes
import weburl.origins
import weburl.public_suffix
import weburl.redirect_uris
import weburl.text
from weburl.integrations import building_blocks

PACKAGE: Final = Path(weburl.__file__).parent

# What only some programs need: libraries, and modules that are slow to load or have big tables.
NOT_LOADED: Final = {
    *("django", "django_whatwg_url", "httpx", "idna", "publicsuffixlist", "regex", "turbohtml"),
    *("unicodedata2", "urllib3", "webencodings"),
    "weburl.standard.compiled.code_point_facts",
    "weburl.standard.hosts.public_suffix",
    "weburl.standard.hosts.punycode",
    "weburl.standard.hosts.uts46",
    "weburl.standard.infra.encodings",
    "weburl.standard.infra.masking",
    "weburl.standard.infra.unicode_data",
    "weburl.standard.rendering.scripts",
    "weburl.standard.rendering.skeletons",
    "weburl.standard.rendering.spoofing",
}
# What people import by name, beside the modules that need other packages.
PUBLIC_MODULES: Final = [
    weburl,
    building_blocks,
    weburl.html,
    weburl.keys,
    weburl.lookalikes,
    weburl.origins,
    weburl.public_suffix,
    weburl.redirect_uris,
    weburl.text,
]


def test_rooms_import_only_what_their_contracts_allow() -> None:
    """The contracts count imports inside functions and chains of imports, too."""
    pytest.importorskip("importlinter", reason="needs the dependency group “check”")
    program = "from importlinter.cli import lint_imports_command as run; run(['--no-cache'])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken." in done.stdout


def test_the_map_of_the_architecture_page_is_drawn_from_the_code() -> None:
    """`make map` draws it. A table says what each wing is for."""
    pytest.importorskip("grimp", reason="needs the dependency group “check”")
    from tests.structure import ARCHITECTURE, wings, with_maps

    page = ARCHITECTURE.read_text(encoding="utf-8")
    assert page.count("<!-- map: ") == 2
    assert with_maps(page) == page
    assert re.findall(r"^\| \*\*(.+?)\*\* \|", page, re.MULTILINE) == [*wings()][::-1]


def test_a_listing_of_weburl_has_at_most_twenty_names() -> None:
    """What people import, and one folder for how the standard works."""
    names = {path.name for path in PACKAGE.iterdir()} - {"__pycache__"}
    assert len(names) <= 20
    assert {"__init__.py", "__main__.py", "html", "keys", "py.typed", "standard"} <= names


def loaded_by(program: str) -> set[str]:
    """Return the names of the modules that a program loads, in an interpreter of its own."""
    program = f"import sys; before = set(sys.modules); {program}; print(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    return set(done.stdout.split())


def test_import_loads_no_library_and_no_table_that_a_url_may_not_need() -> None:
    """Parsing a plain URL loads less than half of the standard, and no other room."""
    plain = loaded_by("import weburl; weburl.parse('https://example.com:8080/a/b?c#d')")
    ours = {name for name in plain if name.startswith("weburl.")}
    assert "weburl.standard.url.record" in ours
    assert all(f"{name}.".startswith("weburl.standard.") for name in ours)
    # The compiled modules are one library, which has all that parsing needs.
    assert len([name for name in ours if "weburl.standard.compiled" not in name]) <= 25
    more = loaded_by(
        "import weburl; weburl.parse('https://h').with_host('i').join('?\\u00e9').origin; "
        "weburl.URL('https://h?a=b').search_params.append('c', 'd'); weburl.check('https:h')"
    )
    assert (plain | more) & NOT_LOADED == set()
    known = {
        ".".join(("weburl", *path.relative_to(PACKAGE).with_suffix("").parts))
        for path in PACKAGE.rglob("*.py")
    }
    assert {name for name in NOT_LOADED if name.startswith("weburl.")} <= known


def test_import_of_html_loads_no_parser_before_there_is_html() -> None:
    """A page is read with another library."""
    loaded = loaded_by(
        "import weburl.html as html; html.parse_url('x', html.Document('https://example.com/'))"
    )
    assert "weburl.html.tree" in loaded or "weburl.html.documents" in loaded
    assert loaded.isdisjoint({"turbohtml", "webencodings", "weburl.standard.infra.encodings"})


def test_every_public_name_is_known_to_the_type_checker_where_it_is_loaded_from() -> None:
    """What `__getattr__` finds is what the imports for the type checker say."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    checked = [node for node in tree.body if isinstance(node, ast.If)]
    assert len(checked) == 1
    seen = {
        alias.name: str(node.module).removeprefix("weburl.")
        for node in checked[0].body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == weburl._MODULE_OF
    public = {*weburl.__all__, "ValidationError"}
    assert set(seen) < public
    assert dir(weburl) == sorted(weburl.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing_of_the_kind'"):
        _ = weburl.nothing_of_the_kind  # type: ignore[attr-defined]


@pytest.mark.parametrize("package", PUBLIC_MODULES, ids=lambda package: package.__name__)
def test_the_public_names_are_sorted_and_there(package: ModuleType) -> None:
    """Each of them once, none private, and every one documented."""
    names = package.__all__
    assert names == sorted(
        names, key=lambda name: (not name.isupper(), not name[0].isupper(), name)
    )
    assert len(set(names)) == len(names)
    for name in names:
        assert not name.startswith("_")
        value = getattr(package, name)
        # The docstring of a table follows it in the source; the reference takes it from there.
        assert value.__doc__ or isinstance(value, MappingProxyType) or get_args(value)
