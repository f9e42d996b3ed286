"""model_bakery: a generator for URL fields. Add it to the settings.

``BAKER_CUSTOM_FIELDS_GEN = {"django_whatwg_url.fields.CanonicalURLField":
"django_whatwg_url.integrations.model_bakery.gen_url"}``
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import weburl
from weburl import URLRecord
from weburl.integrations.building_blocks import required

with required("model-bakery"):
    from model_bakery.random_gen import baker_random

__all__ = ["gen_url"]

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_TOKEN: Final = 12  # letters, so that URLs rarely repeat in a unique column


def gen_url(
    max_length: int | None, allowed_schemes: Sequence[str] | None, as_text: bool = False
) -> URLRecord | str:
    """Return a random URL that a field with these options allows, as a value of its attribute.

    Raises ValueError if no URL with one of the schemes is so short.
    """
    schemes = ["https"] if allowed_schemes is None else list(allowed_schemes)
    for scheme in baker_random.sample(schemes, len(schemes)):
        for before, least in _before_the_token(scheme):
            room = _TOKEN if max_length is None else max_length - len(before)
            if room >= least:
                url = weburl.parse(before + _word(min(room, _TOKEN)))
                return url.href if as_text else url
    raise ValueError(f"no URL with the schemes {schemes} has {max_length} characters or fewer")


def _before_the_token(scheme: str) -> list[tuple[str, int]]:
    """Return strings to put before a token, each with the minimum length of the token."""
    if scheme == "file":  # the only special scheme that can do without a host
        return [("file:///", 0)]
    if scheme not in weburl.SPECIAL_SCHEMES:
        return [(f"{scheme}:", 0)]
    return [(f"{scheme}://www.{_word(6)}.com/", _TOKEN // 2), (f"{scheme}://{_word(1)}/", 0)]


def _word(length: int) -> str:
    return "".join(baker_random.choices(_LETTERS, k=length))


# The attributes of the field that model_bakery passes as arguments to `gen_url`.
gen_url.required = ["max_length", "allowed_schemes", "as_text"]  # type: ignore[attr-defined]
