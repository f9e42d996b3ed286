"""What the modules in Python keep between calls, why it has a bound, and why threads may share it.

`tests/standard/compiled/test_shared_state.py` does the same for the compiled modules.
`benchmarks.leaks` runs everything long enough to show the bounds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from weburl.standard.hosts import uts46
from weburl.standard.url.api import parse

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = (ROOT / "src" / "weburl", ROOT / "django_whatwg_url")
MODULES: Final = {
    path.relative_to(package.parent).with_suffix("").as_posix(): ast.parse(path.read_text("utf-8"))
    for package in PACKAGES
    for path in sorted(package.rglob("*.py"))
    if path.parent.name != "compiled"
}

_AT_IMPORT: Final = "set once, while the import system holds the lock of the module"
_AT_START: Final = "set when Django starts, before there are requests"

# Names of a module that a function binds again or changes, and dicts that fill themselves.
CHANGED: Final = {
    ("weburl/keys/steps", "RUN"): _AT_IMPORT,
    ("weburl/standard/infra/one_value", "_schemas"): _AT_IMPORT,
    ("weburl/standard/url/record", "_join_quickly"): _AT_IMPORT,
    ("weburl/standard/url/record", "_parse"): _AT_IMPORT,
    ("weburl/standard/url/record", "_references"): _AT_IMPORT,
    ("weburl/standard/hosts/public_suffix", "_Lists"): (
        "one list or none; a thread sees the old one or the new one, and both are frozen"
    ),
    ("weburl/standard/hosts/public_suffix", "_for_context"): (
        "each thread and each task has its own value, which is taken back at the end of the block"
    ),
    ("weburl/fetching/guard", "current_hop"): "as above: it is taken back after each request",
    ("weburl/fetching/urllib3", "_chain_of_manager"): "as above",
    ("weburl/fetching/aiohttp", "_chain_of_task"): "as above",
    ("weburl/standard/hosts/uts46", "_mapped_to"): (
        "emptied at 32,768 code points; threads that ask at the same time store the same answer"
    ),
    ("weburl/standard/hosts/uts46", "_kinds"): "as above",
    ("weburl/standard/hosts/uts46", "_ordinary"): (
        "emptied with `_kinds`; a code point that is missing only takes the longer way"
    ),
    ("weburl/standard/hosts/uts46", "_marks"): "only grows, and Unicode has 2,500 marks",
    ("weburl/columns/duckdb", "_COMPUTE_BY_NAME"): (
        "an entry for each different set of lists or policies, since DuckDB may still call it;"
        " `setdefault` lets threads have the same one"
    ),
}

# Functions with `functools.cache` and parameters: what bounds the arguments.
CACHED_BY_ARGUMENT: Final = {
    ("weburl/standard/hosts/public_suffix", "packaged_list"): "a Boolean",
    ("weburl/standard/support/releases", "_installed"): "the names of optional libraries",
    ("weburl/standard/infra/encodings", "_encoder"): "the 40 names of the Encoding Standard",
    ("weburl/columns/spark", "_udf"): "the names of our SQL functions",
    ("django_whatwg_url/query/lookups", "_taking_text"): "lookup classes of Django",
    ("django_whatwg_url/query/lookups", "_giving_text"): "transform classes of Django",
    ("django_whatwg_url/query/operands", "_encoded_characters"): "names of components",
}

# What is emptied when it is full.
EMPTIED_WHEN_FULL: Final = {
    ("weburl/standard/infra/percent_encoding", "pieces"): "of one call",
    ("weburl/standard/hosts/uts46", "self"): "`_Remembered`, above",
    ("weburl/fetching/guard", "self._remembered"): (
        "256 URLs of a client; threads that ask at the same time store equal answers"
    ),
    ("weburl/fetching/guard", "peers"): (
        "256 addresses of a client; one that is missing is judged again"
    ),
    ("weburl/patterns/automaton", "self._sets"): (
        "500 sets of a pattern, each with an entry for each ASCII character at most; threads that"
        " ask at the same time store equal sets"
    ),
}

_CHANGES: Final = {
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove",
    "setdefault", "update",
}  # fmt: skip
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def test_everything_that_may_change_is_in_the_table() -> None:
    """A new one needs its argument there."""
    found = {(module, name) for module, tree in MODULES.items() for name in changed(tree)}
    assert found == set(CHANGED)


def test_caches_without_a_bound_have_few_arguments() -> None:
    """One without parameters holds one value. What two threads make at the same time is equal."""
    found = {
        (module, function.name)
        for module, tree in MODULES.items()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        and any(
            ast.unparse(each) in ("cache", "functools.cache") for each in function.decorator_list
        )
        and parameters(function)
    }
    assert found == set(CACHED_BY_ARGUMENT)


def test_all_other_caches_have_a_bound() -> None:
    """`lru_cache` has a lock of its own, and its values are frozen, or belong to one call."""
    found = 0
    for tree in MODULES.values():
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("cache", "lru_cache"):
                bounds = [*call.args, *(each.value for each in call.keywords)]
                assert len(bounds) == 1
                assert ast.unparse(bounds[0]) != "None"
                assert ast.unparse(call.func) == "lru_cache"
                found += 1
    assert found >= 25


def test_what_is_emptied_when_it_is_full_is_in_the_table() -> None:
    """A new one needs its argument there."""
    found = {
        (module, ast.unparse(size.args[0]))
        for module, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare)
        if isinstance(size := node.test.left, ast.Call) and ast.unparse(size.func) == "len"
        if f"{ast.unparse(size.args[0])}.clear()" in map(ast.unparse, node.body)
    }
    assert found == set(EMPTIED_WHEN_FULL)


def changed(tree: ast.Module) -> Iterator[str]:
    """Yield the names of a module that its functions bind again or change."""
    names = {
        name.id
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for name in ast.walk(statement)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    names |= {each.name for each in tree.body if isinstance(each, ast.ClassDef)}
    names |= {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for function in ast.walk(tree):
        if isinstance(function, _FUNCTIONS):
            yield from _changed_in(function, names)
    yield from _that_fill_themselves(tree)


def _changed_in(
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, names: set[str]
) -> Iterator[str]:
    nodes = list(ast.walk(function))
    bound_again = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    own = {each.id for each in nodes if isinstance(each, ast.Name) and _is_stored(each)}
    seen = names - parameters(function) - (own - bound_again)
    yield from bound_again
    for node in nodes:
        match node:
            case ast.Subscript(value=ast.Name(name)) | ast.Attribute(value=ast.Name(name)):
                if _is_stored(node) and name in seen:
                    yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(name), attr=attribute)):
                if attribute in _CHANGES and name in seen:
                    yield name


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """Return the names of a function's parameters."""
    taken = function.args
    return {each.arg for each in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)}


def _is_stored(node: ast.Name | ast.Subscript | ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store | ast.Del)


def _that_fill_themselves(tree: ast.Module) -> Iterator[str]:
    """Yield the module's context variables, and its dicts whose class has ``__missing__``."""
    kinds = {"ContextVar"}
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            methods = {each.name for each in statement.body if isinstance(each, ast.FunctionDef)}
            bases = {ast.unparse(base).partition("[")[0] for base in statement.bases}
            if "__missing__" in methods or bases & kinds:
                kinds.add(statement.name)
        match statement:
            case (
                ast.AnnAssign(target=ast.Name(name), value=ast.Call(func=ast.Name(kind)))
                | ast.Assign(targets=[ast.Name(name)], value=ast.Call(func=ast.Name(kind)))
            ) if kind in kinds:
                yield name


@pytest.mark.parametrize(("source", "found"), [
    ("kept = {}\ndef f(a): kept[a] = a", ["kept"]),
    ("kept = []\ndef f(a): kept.append(a)", ["kept"]),
    ("def f():\n global kept\n kept = 1", ["kept"]),
    ("class Kept: pass\ndef f(a): Kept.a = a", ["Kept"]),
    ("from x import kept\ndef f(a): kept.update(a)", ["kept"]),
    ("class D(dict):\n def __missing__(self, a): pass\nclass E(D): pass\nkept = E(1)", ["kept"]),
    ("kept: Final = ContextVar('kept')", ["kept"]),
    ("kept = {}\ndef f(kept): kept[1] = 1", []),
    ("kept = {}\ndef f():\n kept = {}\n kept[1] = 1", []),
    ("kept = {}\nkept[1] = 1", []),
])  # fmt: skip
def test_the_search_finds_what_changes(source: str, found: list[str]) -> None:
    """And nothing else: a function's own names may change."""
    assert list(changed(ast.parse(source))) == found


def test_what_is_known_of_code_points_has_a_bound() -> None:
    """A text with all of Unicode does not make the tables larger than their bound."""
    before = 0x1_0000
    for start in range(0x80, before, 0x40):
        uts46.map_and_normalize("".join(map(chr, range(start, start + 0x40))))
        uts46.are_valid(["".join(map(chr, range(start, start + 0x40)))], be_strict=False)
    assert len(uts46._mapped_to) <= uts46._MOST_REMEMBERED
    assert len(uts46._kinds) <= uts46._MOST_REMEMBERED
    assert len(uts46._ordinary) <= uts46._MOST_REMEMBERED + 0x80
    assert len(uts46._marks) < 3000


@pytest.mark.nightly
def test_threads_may_empty_what_others_read() -> None:
    """The hosts that they read are the same, whatever is remembered at the time."""
    hosts = {f"https://{chr(0x4E00 + at)}{chr(0x3B1 + at % 20)}.example/" for at in range(200)}
    wanted = {text: parse(text).href for text in hosts}

    def work(number: int) -> None:
        for at, text in enumerate(hosts):
            if at % 5 == number:
                uts46._kinds.clear()
                uts46._mapped_to.clear()
            assert parse(text).href == wanted[text]

    with ThreadPoolExecutor(4) as executor:
        list(executor.map(work, range(4)))
