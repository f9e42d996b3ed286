"""The pages of the API reference: one for each public module, with an entry for each public name.

They contain directives of autodoc, which takes signatures and docstrings from the code.
"""

from __future__ import annotations

import importlib
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Final

from docs.site import examples, promised

DIRECTORY: Final = "reference"

# The heading for each module: that of the first prefix that matches.
_GROUPS: Final = {
    "weburl.integrations.": "weburl with other libraries",
    "weburl.history.": "Older rules",
    "weburl": "weburl, without Django",
    "django_whatwg_url.integrations.": "Django with other libraries",
    "django_whatwg_url": "Django",
}

USED_MOST: Final = (
    "weburl.parse",
    "weburl.canonicalize",
    "weburl.URLRecord",
    "weburl.URLPolicy",
    "weburl.render",
    "weburl.URLParseError",
    "django_whatwg_url.fields.CanonicalURLField",
    "django_whatwg_url.forms.CanonicalURLField",
    "django_whatwg_url.redirects.safe_redirect_url",
    "weburl.keys.url_key",
    "weburl.columns.canonicalize",
)
"""What most programs use, which the first page of the reference begins with."""

TOPICS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "weburl": {
        "Parsing and checking": (
            *("parse", "canonicalize", "check", "can_parse", "is_valid_url_string"),
            *("URLParseError", "Report", "ValidationError", "ValidationErrorType"),
        ),
        "URLRecord": (
            "URLRecord",
            "RelativeReference",
            "parse_reference",
            "ComparedWithTextWarning",
        ),
        "Hosts": (
            *("Host", "Domain", "IPv4Address", "IPv6Address", "OpaqueHost", "EmptyHost"),
            *("parse_host", "check_addresses", "address_classes"),
        ),
        "URLs that change": ("URL", "URLSearchParams"),
        "Display, files, schemes and the build": (
            *("render", "render_html", "path_from_file_url", "file_url_from_path"),
            *("SPECIAL_SCHEMES", "Scheme", "default_port", "COMPILED"),
        ),
        "Policies and readings": (
            *("URLPolicy", "PolicyViolation", "URLPolicyError", "HostList", "HostListProblem"),
            *("readings", "Reading", "Readings"),
        ),
        "Origins and sites": (
            *("origin_of", "same_origin", "same_site", "obtain_a_site", "parse_origins"),
            *("origin_problems", "Origin", "TupleOrigin", "OpaqueOrigin", "Site", "SchemeAndHost"),
            *("OriginProblem", "OriginError"),
        ),
        "URL patterns": (
            *("URLPattern", "URLPatternList", "URLPatternResult", "URLPatternComponentResult"),
            "URLPatternError",
        ),
    },
    "weburl.html": {
        "Links of a page": (
            *("links", "page", "Page", "PageLink", "LinkKind", "PageLimits", "PageLimitError"),
            "respond_to_base_url_changes",
        ),
        "Rewriting": (
            *("rewrite_links", "LinkInPage", "Change", "Remove", "CannotRewrite", "absolute_links"),
            *("relative_links", "move_host", "with_params", "with_rel", "without_refused_links"),
        ),
        "Documents and base URLs": (
            *("Document", "Environment", "EnvironmentSettings", "document_base_url"),
            *("fallback_base_url", "set_frozen_base_url", "set_url", "parse_url"),
            *("encoding_parse_url", "encoding_parse_and_serialize_url"),
            "extract_character_encoding_from_meta_element",
            *("matches_about_blank", "matches_about_srcdoc"),
        ),
    },
    "weburl.keys": {
        "Keys and their rules": (
            *("url_key", "KeyRules", "KeyExplanation", "StepTaken", "Step", "Certainty"),
            *("RULE_NAMES", "STEPS", "DEFAULT_DOCUMENTS", "linear_pattern"),
        ),
        "Params that a key leaves out": (
            *("TRACKING_PARAMS", "TrackingParams", "ParamRule", "Params", "ParamList"),
            "params_from_clearurls",
        ),
        "Keys of web archives": ("surt", "SURTProfile"),
    },
    "weburl.columns": {
        "Parsing and parts": (
            *("canonicalize", "parse", "check", "can_parse", "resolve", "render", "part"),
            *("host", "path_segments", "path_depth", "file_name", "file_extension"),
            *("search_param", "search_params", "without_query_params"),
        ),
        "Hosts, sites and origins": (
            *("registrable_domain", "public_suffix", "subdomain", "site", "same_site", "origin"),
            *("canonical_host", "is_ip", "registrable_domain_of_host"),
        ),
        "Keys, policies and patterns": (
            *("key", "key_hash", "surt", "allowed", "refusal", "in_host_list"),
            *("host_in_host_list", "lookalikes", "matches"),
        ),
        "Warnings and types": (
            *("BareHostsWarning", "OtherPortsWarning", "Column", "ArrowColumn", "Base", "Part"),
            *("Errors", "Progress", "ArrowArrayExportable", "ArrowStreamExportable"),
        ),
    },
}
"""The topics of a module with many names, each with the names that belong there."""

_A_PAGE_EACH: Final = frozenset({"weburl"})
"""Modules whose topics are pages. Those of others are sections."""

_ORDER: Final = [
    "weburl, without Django",
    "Django",
    "Django with other libraries",
    "weburl with other libraries",
    "Older rules",
]


def write(root: Path, target: Path) -> None:
    """Write the pages into ``target``, the sources of the site; ``root`` is the checkout."""
    directory = target / DIRECTORY
    directory.mkdir()
    modules = promised.names(root)
    shown = examples.found(examples.sources(root), modules)
    for module, names in modules.items():
        for name, page in _pages(module, names, shown, modules):
            (directory / f"{name}.rst").write_text("\n".join(page), encoding="utf-8")
    (directory / "index.rst").write_text("\n".join(_index(modules)), encoding="utf-8")


def _heading(text: str, line: str) -> list[str]:
    return [text, line * len(text), ""]


def _index(modules: dict[str, list[str]]) -> Iterator[str]:
    """Yield the lines of the first page."""
    yield from _heading("API reference", "=")
    yield "Every public name, by the module to import it from. :doc:`/stability` explains what is"
    yield "promised. The :ref:`genindex` lists all names alphabetically."
    yield ""
    public = {f"{module}.{name}" for module, names in modules.items() for name in names}
    used = [path for path in USED_MOST if path in public]
    if used:
        yield from _heading("What most programs use", "-")
        yield from (".. names-of-module::", "", *(f"   {path}" for path in used), "")
    for group in _ORDER:
        yield from _heading(group, "-")
        listed = [f"   {module}" for module in modules if _group(module) == group]
        yield from (".. modules::", "", *listed, "")
        yield from (".. toctree::", "   :hidden:", "", *listed, "")


def _group(module: str) -> str:
    return next(group for prefix, group in _GROUPS.items() if module.startswith(prefix))


def _pages(
    module: str,
    names: list[str],
    shown: examples.Found,
    modules: dict[str, list[str]],
) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the lines of each page of a module."""
    topics = TOPICS.get(module, {})
    introduction = [*_heading(module, "="), f".. automodule:: {module}", "   :no-members:", ""]
    without = set(names).difference(*topics.values()) if topics else ()
    if without:
        raise ValueError(f"{sorted(without)} of {module} are in no topic of docs/site/reference.py")
    by_topic = {topic: [n for n in wanted if n in names] for topic, wanted in topics.items()}
    by_topic = {topic: of_topic for topic, of_topic in by_topic.items() if of_topic}
    if not topics:
        entries = _entries(module, names, shown, modules)
        yield module, [*introduction, *_overview(module, names), *entries]
        return
    for topic, of_topic in by_topic.items():
        introduction += [*_heading(topic, "-"), *_overview(module, of_topic)]
        entries = _entries(module, of_topic, shown, modules)
        if module in _A_PAGE_EACH:
            yield _page_of(module, topic), [*_heading(f"{module}: {topic}", "="), *entries]
        else:
            introduction += entries
    if module in _A_PAGE_EACH:
        introduction += [".. toctree::", "   :hidden:", ""]
        introduction += [f"   {_page_of(module, topic)}" for topic in by_topic]
    yield module, [*introduction, ""]


def _page_of(module: str, topic: str) -> str:
    return f"{module}-{topic.lower().replace(',', '').replace(' ', '-')}"


def _overview(module: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a list of names, each with a sentence."""
    if len(names) > 1:
        yield from (".. names-of-module::", "")
        yield from (f"   {module}.{name}" for name in names)
        yield ""


def _entries(
    module: str,
    names: Sequence[str],
    shown: examples.Found,
    modules: dict[str, list[str]],
) -> Iterator[str]:
    """Yield the lines of the entries of names, with their examples."""
    for name in names:
        yield from _entry(module, name, modules)
        example = shown.get((module, name))
        if example is not None:
            yield f"   Example, from :doc:`/{example.page}`:" if example.page else "   Example:"
            yield ""
            yield "   .. code-block:: python"
            yield ""
            yield textwrap.indent(example.text, " " * 6)
            yield ""


def _entry(module: str, name: str, modules: dict[str, list[str]]) -> Iterator[str]:
    """Yield the directive of a name; more lines can follow."""
    value = getattr(importlib.import_module(module), name)
    home = getattr(value, "__module__", None)
    if isinstance(value, type):
        kind = "exception" if issubclass(value, BaseException) else "class"
    else:
        kind = "function" if inspect.isroutine(value) else "data"
    if kind != "data" and home != module and name in modules.get(str(home), ()):
        yield f".. py:{kind}:: {name}"
        yield f"   :module: {module}"
        yield ""
        yield f"   The same as :py:obj:`{home}.{name}`."
    elif kind == "class" and module != "weburl" and name in modules["weburl"]:
        # Not as a class: the name in an annotation means the class of `weburl`.
        yield f".. py:data:: {name}"
        yield f"   :module: {module}"
        yield ""
        yield f"   For annotations. To a type checker it is :py:obj:`weburl.{name}`."
    else:
        yield f".. auto{kind}:: {module}.{name}"
        if isinstance(value, type):
            yield "   :members:"
            if issubclass(value, Enum):
                yield "   :undoc-members:"
    yield ""
