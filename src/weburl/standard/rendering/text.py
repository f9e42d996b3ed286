"""§4.8: a URL as text for people, who use it to decide whether they trust the URL.

This module makes the named parts of a rendering, shortens them if space is short, and joins them.
`html` makes HTML from the same parts. `legible` decides what is decoded, and `spoofing` decides
which labels of a domain are shown in Unicode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from weburl.standard.hosts.values import Domain, Host, trusted_domain
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH, MAX_LABEL_LENGTH
from weburl.standard.infra.strings import require_text
from weburl.standard.rendering.legible import (
    FIRST_STRONG_ISOLATE,
    LEFT_TO_RIGHT_ISOLATE,
    POP_DIRECTIONAL_ISOLATE,
    beginning_of,
    decode_for_people,
    isolated,
)
from weburl.standard.url.api import parse_generally, record_of
from weburl.standard.url.origin import OPAQUE_ORIGIN, serialize_origin
from weburl.standard.url.record import AnyURL, URLRecord
from weburl.standard.url.value import replaced, serialize_url

Only: TypeAlias = Literal["host", "registrable_domain"]

_ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"
_ISOLATES: Final = f"{FIRST_STRONG_ISOLATE}{POP_DIRECTIONAL_ISOLATE}"
# These are never cut in two: the escapes of a code point, or any other character.
_ATOM: Final = re.compile("%[0-9A-Fa-f]{2}(?:%[89ABab][0-9A-Fa-f]){0,3}|.", re.DOTALL)
# Labels that sites put before their names although they mean nothing.
_IRRELEVANT_LABELS: Final = ("www.", "m.")
# A delimiter, and the mark for a cut.
_SHORTEST_TAIL: Final = 2
# Longer than schemes in use. A hostile scheme could fill pages before the host.
_MAX_SCHEME_LENGTH: Final = 40


Part: TypeAlias = tuple[str, str]
"""A part of a rendering: its name, and its text, which may contain isolates."""


class Wanted(NamedTuple):
    """The options of `render`, checked."""

    max_length: int | None
    only: Only | None
    omit_scheme: str | None
    omit_www: bool


def options_of(
    max_length: int | None, only: Only | None, omit_scheme: str | None, omit_www: bool
) -> Wanted:
    """Return the options of `render`. Raises its errors for them."""
    if max_length is not None:
        if type(max_length) is not int:
            raise TypeError(
                f"max_length must be an integer or None, not {masked_value(max_length)}"
            )
        if max_length < 1:
            raise ValueError(f"max_length must be at least 1, not {max_length}")
    if only not in (None, "host", "registrable_domain"):
        raise ValueError(
            f"only must be 'host', 'registrable_domain' or None, not {masked_value(only)}"
        )
    if omit_scheme is not None:
        require_text(omit_scheme, "omit_scheme")
    return Wanted(max_length, only, omit_scheme, omit_www)


def render(
    record: AnyURL,
    *,
    max_length: int | None = None,
    only: Only | None = None,
    omit_scheme: str | None = None,
    omit_www: bool = False,
    isolate: bool | None = None,
) -> str:
    """Return ``record`` as text for people to read, without username and password.

    The host is shown in Unicode if that cannot mislead. Percent-encoded bytes are decoded if they
    stand for letters beyond ASCII that look like no other letter. Parsing the text gives the same
    URL, except for username and password, parts that the arguments leave out, isolates, and a blob
    URL's path, which is shown as the URL inside it.

    ``max_length``: the space in code points, at least 1. Isolates do not count; they are invisible.
    If the text is too long, its end is cut first, then labels of the subdomain from the left. "…"
    marks each cut, and is used for nothing else. Scheme, registrable domain (or address, or opaque
    host) and port are never cut, so the text may be longer than asked. (Only a scheme of more than
    40 characters is cut at its end.)

    ``only``: "host" shows only the host. "registrable_domain" shows only that, or the host if
    there is no registrable domain. Both give "" if there is no host. ``omit_scheme``: a special
    scheme to leave out, such as "https"; use it only where all URLs have that scheme. ``omit_www``:
    whether to leave out a first label "www" or "m" before the registrable domain.

    ``isolate``: whether to put the text between U+2066 and U+2069, so that it does not mix with
    right-to-left text around it. None does so only if the text contains right-to-left words, each
    of which is then isolated too. False shows all such words in ASCII.

    Raises the errors of `weburl.parse`, TypeError for a ``max_length`` that is not an integer, and
    ValueError for one below 1 or another ``only``.

    Spec: #url-rendering
    """
    record = record_of(record)
    options = options_of(max_length, only, omit_scheme, omit_www)
    right_to_left = isolate is not False
    text = None
    if only is None and omit_scheme is None and not omit_www:
        text = _uncut(record, max_length, right_to_left=right_to_left)
    if text is None:
        parts = parts_for_people(record, options, right_to_left=right_to_left)
        text = "".join([text for _, text in parts])
    if isolate or FIRST_STRONG_ISOLATE in text:
        return f"{LEFT_TO_RIGHT_ISOLATE}{text}{POP_DIRECTIONAL_ISOLATE}"
    return text


def _uncut(record: URLRecord, max_length: int | None, *, right_to_left: bool) -> str | None:
    """Return a URL that fits as it is, or None if it must be taken apart.

    That takes several times as long, because only the Public Suffix List defines which labels may
    not be cut.
    """
    if record.scheme == "blob":
        return None
    host = record.host
    if isinstance(host, Domain) and "xn--" in host.value:
        return None
    href = record.href
    if max_length is not None and (
        len(href) > max_length or len(record.scheme) > _MAX_SCHEME_LENGTH
    ):
        return None
    if not record.includes_credentials and "%" not in href:
        return href
    del href  # A text of megabytes need not be there twice.
    path, query, fragment = (
        text and decode_for_people(text, right_to_left=right_to_left)
        for text in (record.path_text, record.query, record.fragment)
    )
    name = None if host is None else str(host)
    return serialize_url(record.scheme, "", "", name, record.port, path or "", query, fragment)


def parts_for_people(record: URLRecord, wanted: Wanted, *, right_to_left: bool) -> list[Part]:
    """Return the parts that `render` joins. No part is empty.

    ``right_to_left``: whether to show right-to-left words, in isolates.
    """
    max_length = wanted.max_length
    inner = _inner(record)
    shown = record if inner is None else inner
    scheme = record.scheme
    if max_length is not None and len(scheme) > _MAX_SCHEME_LENGTH:
        scheme = f"{scheme[: _MAX_SCHEME_LENGTH - len(_ELLIPSIS)]}{_ELLIPSIS}"
    scheme += ":" if inner is None else f":{inner.scheme}:"
    subdomain, kind, essence = _host_parts(
        shown.host, in_unicode=inner is None, right_to_left=right_to_left
    )
    if (
        wanted.omit_www
        and kind == "registrable-domain"
        and subdomain.startswith(_IRRELEVANT_LABELS)
    ):
        subdomain = subdomain.partition(".")[2]
    if wanted.only is not None:
        if wanted.only == "registrable_domain":
            subdomain = ""
        room = None if max_length is None else max_length - _shown_length(essence)
        labels = _last_labels(subdomain, room)
        return [part for part in (("subdomain", labels), (kind, essence)) if part[1]]

    if shown.host is not None:
        scheme += "//"
    omitted = wanted.omit_scheme
    if omitted is not None and scheme == f"{omitted}://" and shown.is_special and essence:
        scheme = ""
    port = "" if shown.port is None else f":{shown.port}"
    tail = _tail(shown, max_length, right_to_left=right_to_left)
    room = None
    if max_length is not None:
        room = max_length - _shown_length(f"{scheme}{essence}{port}")
        # The whole host, if at least the shortest tail fits after it; otherwise only that tail.
        tail = list(_elided(tail, max(room - _shown_length(subdomain), _SHORTEST_TAIL)))
        room -= sum(_shown_length(text) for _, text in tail)
    parts = (
        ("scheme", scheme),
        ("subdomain", _last_labels(subdomain, room)),
        (kind, essence),
        ("port", port),
        *tail,
    )
    return [part for part in parts if part[1]]


def _inner(record: URLRecord) -> URLRecord | None:
    """Return the URL in the path of a blob URL, with the query and the fragment of the blob URL.

    An opaque path would be shown unchanged, but this one may contain a username and a host.
    """
    if record.scheme != "blob" or serialize_origin(record) == OPAQUE_ORIGIN:
        return None
    inner = parse_generally(record.path_text, None, "utf-8")
    return replaced(inner, query=record.query, fragment=record.fragment)


def _host_parts(
    host: Host | None, *, in_unicode: bool, right_to_left: bool
) -> tuple[str, str, str]:
    """Return the labels that may be left out, with their dots; the other part's name; its text."""
    if not isinstance(host, Domain):
        return "", "host", "" if host is None else str(host)
    name, essence = _essence(host)
    # A longer name cannot exist, and checking so many labels would take long.
    if (
        in_unicode
        and "xn--" in host.value
        and len(host.value.removesuffix(".")) <= MAX_DOMAIN_LENGTH
    ):
        count = essence.count(".") + 1
        labels = labels_for_people(host, right_to_left=right_to_left)
        subdomain = "".join([f"{label}." for label in labels[:-count]])
        return subdomain, name, ".".join(labels[-count:])
    return host.value.removesuffix(essence), name, essence


def _essence(host: Domain) -> tuple[str, str]:
    """Return the name of the part that must be shown, and its labels in ASCII."""
    registrable_domain = host.registrable_domain
    if registrable_domain is not None:
        return "registrable-domain", registrable_domain.value
    if host.public_suffix is not None:
        return "host", host.value
    # No one can register a name with an empty label. The labels after it matter.
    name = host.value.rstrip(".")
    end = trusted_domain(name.rpartition("..")[2].lstrip("."))
    dots = host.value[len(name) :]
    return "host", (end.registrable_domain or end).value + dots


def labels_for_people(host: Domain, *, right_to_left: bool, isolate: bool = True) -> list[str]:
    """Return the labels of ``host``, in Unicode if they cannot mislead anyone.

    Args:
        host: a domain of at most 253 characters, because each label is checked.
        right_to_left: whether right-to-left labels are shown in Unicode, too.
        isolate: whether these are put into isolates.
    """
    labels = host.value.split(".")
    unicode_labels = host.to_unicode().split(".")
    if unicode_labels == labels:
        return labels

    from weburl.standard.rendering import spoofing  # Unicode's tables take a while to load.

    top_level_label = next((label for label in reversed(unicode_labels) if label), "")
    shown: list[str] = []
    for label, unicode_label in zip(labels, unicode_labels, strict=True):
        if (
            label == unicode_label
            or len(label) > MAX_LABEL_LENGTH
            or not spoofing.may_show_label(unicode_label, top_level_label)
        ):
            shown.append(label)
        elif not spoofing.is_right_to_left(unicode_label):
            shown.append(unicode_label)
        else:
            in_isolates = isolated(unicode_label) if isolate else unicode_label
            shown.append(in_isolates if right_to_left else label)
    return shown


def _tail(record: URLRecord, max_length: int | None, *, right_to_left: bool) -> list[Part]:
    """Return path, query and fragment, decoded. Long ones are cut, but not below ``max_length``."""
    parts: list[Part] = []
    path = record.path_text
    if record.host is None:
        # With "/.", which keeps it from being read as a host.
        path = serialize_url("", "", "", None, None, path, None, None)[1:]
    for name, delimiter, encoded in (
        ("path", "", path),
        ("query", "?", record.query),
        ("fragment", "#", record.fragment),
    ):
        if encoded is None:
            continue
        text = encoded if max_length is None else beginning_of(encoded, max_length)
        if "%" in text:
            text = decode_for_people(text, right_to_left=right_to_left)
        parts.append((name, delimiter + text))
    return parts


def _shown_length(text: str) -> int:
    return len(text) - sum(map(text.count, _ISOLATES))


def _last_labels(labels: str, room: int | None) -> str:
    """Return the labels before a registrable domain, cut from the left to fit.

    Spec: #url-rendering-elision
    """
    if not labels or room is None or _shown_length(labels) <= room:
        return labels
    room -= len(_ELLIPSIS)
    start = len(labels)
    while start:
        before = labels.rfind(".", 0, start - 1) + 1
        room -= _shown_length(labels[before:start])
        if room < 0:
            break
        start = before
    return _ELLIPSIS + labels[start:]


def _elided(parts: list[Part], room: int) -> Iterator[Part]:
    """Yield ``parts``, cut at the end to fit ``room``."""
    if sum(_shown_length(text) for _, text in parts) <= room:
        yield from parts
        return
    room -= len(_ELLIPSIS)
    for name, text in parts:
        length = _shown_length(text)
        if length > room:
            yield name, _beginning(text, room) + _ELLIPSIS
            return
        yield name, text
        room -= length


def _beginning(text: str, room: int) -> str:
    """Return as much of the beginning of ``text`` as fits, without splitting a character."""
    kept: list[str] = []
    is_isolated = False
    for found in _ATOM.finditer(text):
        atom = found[0]
        if atom in _ISOLATES:
            is_isolated = atom == FIRST_STRONG_ISOLATE
        elif len(atom) <= room:
            room -= len(atom)
        else:
            if atom > "\x7f":
                _drop_marks(kept, atom)
            break
        kept.append(atom)
    if is_isolated:
        kept = kept[:-1] if kept[-1] == FIRST_STRONG_ISOLATE else [*kept, POP_DIRECTIONAL_ISOLATE]
    return "".join(kept)


def _drop_marks(kept: list[str], next_atom: str) -> None:
    """Remove the last letter of ``kept`` if some of its marks were cut off."""
    from weburl.standard.rendering import spoofing

    while kept and spoofing.is_mark(next_atom):
        next_atom = kept.pop()
