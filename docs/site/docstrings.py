"""A Sphinx extension that converts our docstrings to reStructuredText for autodoc.

Our docstrings are plain text: ``code`` in double backticks, names in single ones, anchors of the
URL Standard after "Spec:", and the sections "Args:", "Attributes:" and "Raises:". Everything else
is shown unchanged.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import re
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from docs.site import promised

URL_STANDARD: Final = "https://url.spec.whatwg.org/"
ROOT: Final = Path(__file__).resolve().parents[2]
PROMISED: Final = promised.names(ROOT)
_OURS: Final = ("weburl.", "django_whatwg_url.")

_PIECE: Final = re.compile(
    r"``(?P<code>.+?)``|`(?P<name>[^`\s]+)`|Spec: (?P<anchors>(?:#|https://)[^\s,]+(?:,\s+(?:#|https://)[^\s,]+)*)",
    re.DOTALL,
)
# A line of a section, "Args:" or "Raises:", that begins the text about one name.
_ITEM: Final = re.compile(r"(    )(\*{0,2}\w+(?:, \w+)*): ")
_SECTIONS: Final = frozenset({"Args:", "Attributes:", "Raises:"})
# Default values that say nothing to a reader: marks of a missing argument, and tables.
_MARKERS: Final = re.compile(
    r"<[^<>]* at 0x[0-9a-f]+>|<object object>|<class '[^']*\.NOT_PROVIDED'>|\bNOTHING\b"
    r"|\{'[^{}]{100,}\}"
)
_CLASS: Final = re.compile(r"<class '(?:\w+\.)*(\w+)'>")
_SPECIAL: Final = re.compile(r"[\\*`|_:<>\[\]]")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the extension."""
    app.connect("autodoc-process-docstring", _process_docstring)
    app.connect("autodoc-process-signature", _process_signature)
    app.connect("autodoc-skip-member", _skip_member)
    app.connect("missing-reference", _missing_reference)
    app.add_directive("names-of-module", NamesOfModule)
    app.add_directive("modules", Modules)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


# --- text ---------------------------------------------------------------------------------------


def restructured(text: str, place: str) -> str:
    """Return a docstring as reStructuredText. ``place``: the dotted path of what it describes."""
    written, end = [], 0
    for piece in _PIECE.finditer(text):
        written += [_escaped(text[end : piece.start()]), _piece(piece, place)]
        end = piece.end()
    return "".join([*written, _escaped(text[end:])])


def with_lists(text: str) -> str:
    """Return the text of a docstring with the names of its sections as a list."""
    lines, in_section = [], False
    for line in text.split("\n"):
        if line and not line.startswith(" "):
            in_section = line in _SECTIONS
        item = _ITEM.match(line) if in_section else None
        if item is not None:
            names = ", ".join([f"`{name}`" for name in item[2].split(", ")])
            line = f"{item[1]}- {names}: {line[item.end() :]}"  # noqa: PLW2901
        elif in_section and line.startswith("        "):
            line = f"      {line.lstrip()}"  # noqa: PLW2901
        lines.append(line)
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _piece(piece: re.Match[str], place: str) -> str:
    """Return code, a link to a name, or links to anchors, so that a letter can follow."""
    if piece["code"] is not None:
        return rf":code:`{_in_role(piece['code'])}`\ "
    if piece["name"] is not None:
        target = found(piece["name"], place)
        if target is None:
            return rf":code:`{_in_role(piece['name'])}`\ "
        return rf":py:obj:`{piece['name']} <{target}>`\ "
    links = (_link(anchor) for anchor in re.split(r",\s+", piece["anchors"]))
    return "Spec\\: " + ", ".join(links)


def _in_role(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("`", "\\`")


def _link(anchor: str) -> str:
    address = f"{URL_STANDARD}{anchor}" if anchor.startswith("#") else anchor
    return rf"`{_escaped(anchor)} <{_escaped(address)}>`__\ "


def found(name: str, place: str) -> str | None:
    """Return the full path of a public name that a docstring of ``place`` mentions, else None."""
    bare = name.removesuffix("()")
    parents = place.split(".")
    nearest = [".".join([*parents[:length], bare]) for length in range(len(parents), 0, -1)]
    for path in [*nearest, f"weburl.{bare}", bare]:
        if _is_documented(path):
            return path
    elsewhere = [f"{module}.{bare}" for module in PROMISED if _is_documented(f"{module}.{bare}")]
    return elsewhere[0] if len(elsewhere) == 1 else None


def _is_documented(path: str) -> bool:
    """Return whether the reference has an entry for a dotted path of a name or a member."""
    module, _, name = path.rpartition(".")
    if name in PROMISED.get(module, ()):
        return True
    module, _, kind = module.rpartition(".")
    if kind not in PROMISED.get(module, ()):
        return False
    value = getattr(importlib.import_module(module), kind)
    if name.startswith("_") or not isinstance(value, type) or name not in vars(value):
        return False
    return bool(getattr(vars(value)[name], "__doc__", None))


# --- hooks of autodoc ---------------------------------------------------------------------------


def _process_docstring(
    app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]
) -> None:
    """Replace the lines of a docstring with reStructuredText."""
    if what == "data":
        text = described(name)
    elif what == "module":
        text = "\n".join(lines).split("\n\n")[0]  # the rest is for contributors
    else:
        text = "\n".join(lines)
    lines[:] = restructured(with_lists(text), name).splitlines()


def _process_signature(
    app: Sphinx,
    what: str,
    name: str,
    value: Any,
    options: object,
    signature: str | None,
    returned: str | None,
) -> tuple[str | None, str | None]:
    """Show a default value as "..." if its repr says nothing, and a class by its name."""
    return signature and _CLASS.sub(r"\1", _MARKERS.sub("...", signature)), returned


def described(path: str) -> str:
    """Return the string after the assignment of a module's name, in the module that defines it.

    Where a module has a stub, the stub says where names are from, since they may be imported late.
    """
    module, _, name = path.rpartition(".")
    source = Path(inspect.getfile(importlib.import_module(module)))
    stub = source.with_suffix(".pyi")
    tree = ast.parse((stub if stub.is_file() else source).read_text(encoding="utf-8"))
    for before, after in itertools.pairwise(tree.body):
        if isinstance(before, ast.AnnAssign | ast.Assign) and isinstance(after, ast.Expr):
            targets = before.targets if isinstance(before, ast.Assign) else [before.target]
            if [ast.unparse(target) for target in targets] != [name]:
                continue
            return str(ast.literal_eval(after.value))
    for statement in ast.walk(tree):
        if isinstance(statement, ast.ImportFrom) and name in {one.name for one in statement.names}:
            return described(f"{statement.module}.{name}")
    return ""


def _skip_member(
    app: Sphinx, what: str, name: str, value: object, skip: bool, options: object
) -> bool | None:
    """Leave out the docstrings that `typing.NamedTuple` generates."""
    return True if (getattr(value, "__doc__", None) or "").startswith("Alias for field") else None


def _missing_reference(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.Element | None:
    """Show types of other libraries, and private ones, without a link."""
    if node.get("refdomain") != "py" or not node["refdoc"].startswith("reference/"):
        return None
    is_of_docstring = node["reftype"] == "obj" and node["reftarget"].startswith(_OURS)
    return None if is_of_docstring else content


class NamesOfModule(SphinxDirective):
    """A list of links to names, each with the first sentence of its docstring.

    Names of several modules are shown with their module.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the list."""
        lines = []
        is_of_several = len({path.rpartition(".")[0] for path in self.content}) > 1
        for path in self.content:
            module, _, name = path.rpartition(".")
            text = summary(getattr(importlib.import_module(module), name), path)
            shown = path if is_of_several else name
            lines.append(rf"- :py:obj:`{shown} <{path}>`\ : {restructured(text, module)}")
        return self.parse_text_to_nodes("\n".join(lines))


class Modules(SphinxDirective):
    """A list of links to the pages of modules, each with the first sentence of its docstring."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the list."""
        lines = []
        for name in self.content:
            text = _first_sentence(inspect.getdoc(importlib.import_module(name)) or "")
            lines.append(rf"- :py:mod:`{name}`\ : {restructured(text, name)}")
        return self.parse_text_to_nodes("\n".join(lines))


def summary(value: Any, path: str) -> str:
    """Return the first sentence that describes a public name."""
    is_described = isinstance(value, type) or inspect.isroutine(value)
    text = (inspect.getdoc(value) or "") if is_described else described(path)
    return _first_sentence(text)


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.?])\s", " ".join(text.split()), maxsplit=1)[0]
