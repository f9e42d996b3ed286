"""Names and values as form data: compiled code, or else Python. See `fast_path`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weburl.standard.storage import COMPILED

if COMPILED and not TYPE_CHECKING:
    from weburl.standard.compiled.params import pairs_of
    from weburl.standard.compiled.params import parse_form as parse_form_urlencoded
    from weburl.standard.compiled.params import write_form as serialize_form_urlencoded
else:
    from weburl.standard.infra.form_urlencoded import (
        pairs_of,
        parse_form_urlencoded,
        serialize_form_urlencoded,
    )

__all__ = ["pairs_of", "parse_form_urlencoded", "serialize_form_urlencoded"]
