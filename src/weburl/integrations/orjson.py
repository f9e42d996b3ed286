"""orjson: ``orjson.dumps(data, default=weburl.integrations.orjson.default)``.

The standard library's ``json.dumps`` accepts the same function. Reading returns plain text.
"""

from __future__ import annotations

from weburl.integrations.texts import WRITTEN

__all__ = ["default"]


def default(value: object) -> str:
    """Return a URL, a reference, a host, an origin or a site as text, with a URL's password.

    Raises TypeError for any other value, as orjson expects.
    """
    if isinstance(value, WRITTEN):
        return str(value)
    raise TypeError(f"Type is not JSON serializable: {type(value).__name__}")
