"""model_bakery: a generator for URL fields. Add it to the settings.

``BAKER_CUSTOM_FIELDS_GEN = {"django_whatwg_url.fields.CanonicalURLField":
"django_whatwg_url.integrations.model_bakery.gen_url"}``
"""

from __future__ import annotations

from collections.abc import Sequence

from weburl import URLRecord
from weburl.integrations.building_blocks import required
from weburl.integrations.makers import random_url

with required("model-bakery"):
    from model_bakery.random_gen import baker_random

__all__ = ["gen_url"]


def gen_url(
    max_length: int | None, allowed_schemes: Sequence[str] | None, as_text: bool = False
) -> URLRecord | str:
    """Return a random URL that a field with these options allows, as a value of its attribute."""
    url = random_url(baker_random, schemes=allowed_schemes, max_length=max_length)
    return url.href if as_text else url


# The attributes of the field that model_bakery passes as arguments to `gen_url`.
gen_url.required = ["max_length", "allowed_schemes", "as_text"]  # type: ignore[attr-defined]
