"""Conditions on an element for an attribute to count, and their wording in the docs.

A condition looks only at the element and its parent. `pages` checks what depends on the rest of
the page or on whether a text parses as a URL. This module has only the wording for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import attrs

from weburl.html.attributes import ASCII_WHITESPACE, is_keyword, space_separated_tokens
from weburl.html.tree import HTML, Element
from weburl.standard.infra.strings import ascii_lowercase

# Types of links that a browser loads or prepares to load. Other types are for people and programs
# to follow. Spec: https://html.spec.whatwg.org/#linkTypes, plus icons that some systems look for.
_LOADED_RELATIONS: Final = frozenset(
    {
        "apple-touch-icon",
        "apple-touch-icon-precomposed",
        "compression-dictionary",
        "dns-prefetch",
        "expect",
        "icon",
        "manifest",
        "mask-icon",
        "modulepreload",
        "pingback",
        "preconnect",
        "prefetch",
        "preload",
        "stylesheet",
    }
)
# Keywords that describe a link but do not make one, and keywords not allowed on a `link` element.
_ANNOTATIONS: Final = frozenset(
    {
        "bookmark",
        "external",
        "nofollow",
        "noopener",
        "noreferrer",
        "opener",
        "sponsored",
        "tag",
        "ugc",
    }
)
# Spec: https://mimesniff.spec.whatwg.org/#javascript-mime-type
_JAVASCRIPT: Final = frozenset(
    {
        *(f"application/{name}" for name in ("ecmascript", "javascript", "x-ecmascript",
                                             "x-javascript")),
        *(f"text/{name}" for name in ("ecmascript", "javascript", "jscript", "livescript",
                                      "x-ecmascript", "x-javascript")),
        *(f"text/javascript1.{version}" for version in range(6)),
    }
)  # fmt: skip

# Spec: https://ogp.me/, and the cards of Twitter
_OPEN_GRAPH: Final = re.compile(
    "og:url|(?:og:(?:audio|image|video)|twitter:(?:image|player))(?::(?:url|secure_url|src|stream))?"
)


@attrs.frozen
class Condition:
    """A condition on an element.

    ``words``: its wording in the docs. ``holds``: returns whether an element meets it.
    ``decides_if_url``: whether the attribute of an element that does not meet it has no URL at all.
    Otherwise the attribute of such an element has a URL that browsers do not use.
    """

    words: str
    holds: Callable[[Element], bool] = lambda _: True
    decides_if_url: bool = False


def rel_of(element: Element) -> tuple[str, ...]:
    """Return the keywords of an element's ``rel`` attribute, in lower case."""
    rel = element.attribute("rel")
    if not rel:
        return ()
    return _keywords(rel) if len(rel) > _LONGEST_KEPT else _kept_keywords(rel)


def _keywords(rel: str) -> tuple[str, ...]:
    return tuple(space_separated_tokens(ascii_lowercase(rel)))


# Pages repeat a few values, and several conditions on an element read the same one.
_LONGEST_KEPT: Final = 64
_kept_keywords: Final = lru_cache(maxsize=64)(_keywords)


def _has_no(name: str) -> Callable[[Element], bool]:
    return lambda element: element.attribute(name) is None


def _says(name: str, *keywords: str) -> Callable[[Element], bool]:
    return lambda element: any(is_keyword(element.attribute(name), keyword) for keyword in keywords)


def _is_in(element: Element, *names: str) -> Element | None:
    """Return the parent of ``element`` if it is an HTML element with one of ``names``, or None."""
    parent = element.parent
    if parent is None or parent.namespace != HTML or parent.name not in names:
        return None
    return parent


def _submits(button: Element) -> bool:
    type = button.attribute("type")
    if is_keyword(type, "submit"):
        return True
    if is_keyword(type, "button") or is_keyword(type, "reset"):
        return False
    return button.attribute("command") is None and button.attribute("commandfor") is None


def _is_used_by_media(source: Element) -> bool:
    media = _is_in(source, "audio", "video")
    return media is not None and media.attribute("src") is None


def _relates(link: Element) -> bool:
    rel = rel_of(link)
    keywords = set(rel) - _ANNOTATIONS - _LOADED_RELATIONS
    if "stylesheet" in rel:
        keywords.discard("alternate")  # Together they mean an alternative style sheet.
    if "icon" in rel:
        keywords.discard("shortcut")  # Authors write it out of habit; it has no meaning.
    return bool(keywords)


def _script_type(script: Element) -> str:
    """Return the type of a `script`: "classic" for JavaScript, otherwise its type in lower case.

    Spec: https://html.spec.whatwg.org/#prepare-the-script-element
    """
    type, language = script.attribute("type"), script.attribute("language")
    if type == "" or (type is None and not language):
        return "classic"
    text = f"text/{language}" if type is None else type.strip(ASCII_WHITESPACE)
    lowered = ascii_lowercase(text)
    return "classic" if lowered in _JAVASCRIPT else lowered


def _is_fetched(script: Element) -> bool:
    type = _script_type(script)
    if type == "module":
        return True
    if type != "classic":
        return False
    if script.namespace != HTML:
        return True
    return script.attribute("nomodule") is None and not _is_for_an_event(script)


def _is_for_an_event(script: Element) -> bool:
    target, event = script.attribute("for"), script.attribute("event")
    if target is None or event is None:
        return False
    if ascii_lowercase(target.strip(ASCII_WHITESPACE)) != "window":
        return True
    return ascii_lowercase(event.strip(ASCII_WHITESPACE)) not in ("onload", "onload()")


def _is_open_graph(meta: Element) -> bool:
    if meta.attribute("http-equiv") is not None:
        return False
    name = meta.attribute("property")
    name = meta.attribute("name") if name is None else name
    return name is not None and _OPEN_GRAPH.fullmatch(ascii_lowercase(name)) is not None


ALWAYS: Final = Condition("")
BASE: Final = Condition(
    "the first with an `href` outside shadow trees, and it sets the base URL",
    lambda base: base.is_in_document_tree,
)
CSS: Final = Condition(
    "`type` is empty or `text/css`",
    lambda style: not style.attribute("type") or is_keyword(style.attribute("type"), "text/css"),
    decides_if_url=True,
)
FETCHED_SCRIPT: Final = Condition(
    "`type` is JavaScript's or `module`; no `nomodule`, and no `for` and `event`", _is_fetched
)
FETCHED_SVG_SCRIPT: Final = Condition("`type` is JavaScript's or `module`", _is_fetched)
FETCHED_SCRIPT_WITHOUT_HREF: Final = Condition(
    "there is no `href`, and `type` is JavaScript's or `module`",
    lambda script: script.attribute("href") is None and _is_fetched(script),
)
IMAGE_BUTTON: Final = Condition("`type=image`", _says("type", "image"))
IN_MEDIA: Final = Condition(
    "in `audio` or `video`", lambda track: _is_in(track, "audio", "video") is not None
)
IN_MEDIA_WITHOUT_SRC: Final = Condition("in `audio` or `video` without `src`", _is_used_by_media)
IN_PICTURE: Final = Condition("in `picture`", lambda source: _is_in(source, "picture") is not None)
LOADED: Final = Condition(
    "`rel` has a keyword such as `stylesheet`, `icon`, `preload`, `manifest`",
    lambda link: not _LOADED_RELATIONS.isdisjoint(rel_of(link)),
)
NO_HREF: Final = Condition("there is no `href`", _has_no("href"))
NO_SRCDOC: Final = Condition("there is no `srcdoc`", _has_no("srcdoc"))
OPEN_GRAPH: Final = Condition(
    "`property` or `name` is `og:url`, `og:image`, `og:video`, `og:audio`, `twitter:image` or "
    "`twitter:player`, or one of these with `:url`, `:secure_url`, `:src` or `:stream`; no "
    "`http-equiv`",
    _is_open_graph,
    decides_if_url=True,
)
PING: Final = Condition(
    "it is an `http` or `https` URL, and `href` is a URL",
    lambda element: element.attribute("href") is not None,
)
PRELOADED_IMAGE: Final = Condition(
    "`rel=preload` and `as=image`",
    lambda link: "preload" in rel_of(link) and is_keyword(link.attribute("as"), "image"),
)
REFRESH: Final = Condition(
    "`http-equiv=refresh`; the first that is valid and not to `javascript:`",
    _says("http-equiv", "refresh"),
    decides_if_url=True,
)
RELATED: Final = Condition(
    "`rel` has a keyword such as `canonical`, `next`, `alternate`, or an unknown one", _relates
)
SPECULATION_RULES: Final = Condition(
    "`type=speculationrules`, no `src`; it is an `http` or `https` URL",
    lambda script: _script_type(script) == "speculationrules" and script.attribute("src") is None,
    decides_if_url=True,
)
SUBMIT_BUTTON: Final = Condition(
    "`type=submit`, or no other known `type` and no `command` or `commandfor`", _submits
)
SUBMIT_INPUT: Final = Condition("`type` is `submit` or `image`", _says("type", "submit", "image"))
