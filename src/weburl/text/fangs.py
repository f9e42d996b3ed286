"""Links that no program opens, as people write them about attacks: ``hxxps://evil[.]example``."""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.infra.strings import require_text
from weburl.text.finding import find_links

_WITHOUT_FANGS: Final = str.maketrans("tT", "xX")
_WITH_FANGS: Final = str.maketrans("xX*", "tTt")
# A scheme, if there is one, and the host or the mail address after it.
_HOST: Final = re.compile(r"((?:[A-Za-z]+://)?)([^/?#]*)")
_MAIL: Final = re.compile(r"((?:[A-Za-z]+:)?)([^?]*)")
_SCHEME: Final = re.compile(r"(?<![A-Za-z0-9+.-])([Hh])([Tt][Tt])([Pp][Ss]?:)(?=//)")
_SCHEME_WITHOUT_FANGS: Final = re.compile(
    r"(?<![A-Za-z0-9+.-])([Hh])([Xx][Xx]|[Tt][Tt]|\*\*)([Pp][Ss]?)"
    r"(?::|\[:\])(?://|\[//\]|\[/\]\[/\]|/\[/\])"
    r"|(?<![A-Za-z0-9+.-])([Hh])([Xx][Xx]|[Tt][Tt]|\*\*)([Pp][Ss]?)\[://\]"
)
# In brackets of any kind, between two signs, with up to one space on each side.
_SIGN: Final = re.compile(
    r"(?<=[^\s\[({<]) ?[\[({<] ?(?:(\.|[Dd][Oo][Tt])|(@|[Aa][Tt])) ?[\])}>] ?(?=[^\s\])}>])"
)


def defang(text: str) -> str:
    """Return ``text`` with its web and mail addresses written so that no program makes links.

    "https://a.com/x.y" becomes "hxxps://a[.]com/x.y", and "me@a.com" becomes "me[@]a[.]com". The
    addresses are those that `find_links` finds with ``any_host``, and every other "http://" and
    "https://" becomes "hxxp://" and "hxxps://", too. Nothing else changes, so `refang` returns
    ``text``, if it changes nothing in ``text`` itself. The time is linear. Raises TypeError if
    ``text`` is not text.
    """
    pieces: list[str] = []
    at = 0
    for link in find_links(require_text(text, "text"), any_host=True):
        beginning = _MAIL if link.url.scheme == "mailto" else _HOST
        found = beginning.match(link.text)
        assert found is not None  # each piece may be empty
        without_fangs = found[2].replace(".", "[.]").replace("@", "[@]")
        pieces += [text[at : link.start], found[1], without_fangs, link.text[found.end() :]]
        at = link.end
    return _SCHEME.sub(
        lambda found: f"{found[1]}{found[2].translate(_WITHOUT_FANGS)}{found[3]}",
        "".join([*pieces, text[at:]]),
    )


def refang(text: str) -> str:
    """Return ``text`` with the addresses as programs read them. The opposite of `defang`.

    It also reads what other people write: "h**p://", "hxxp[://]", "a[dot]com", "a(.)com",
    "me [at] a [dot] com", in brackets of every kind. It is for addresses: "meet (at) noon" becomes
    "meet@noon". The time is linear. Raises TypeError if ``text`` is not text.
    """
    text = _SCHEME_WITHOUT_FANGS.sub(_scheme_with_fangs, require_text(text, "text"))
    return _SIGN.sub(lambda found: "." if found[1] else "@", text)


def _scheme_with_fangs(found: re.Match[str]) -> str:
    first, middle, last = filter(None, found.groups())
    return f"{first}{middle.translate(_WITH_FANGS)}{last}://"
