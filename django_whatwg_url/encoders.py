"""Writes URLs, hosts, origins and sites to JSON, for responses, sessions and signed values.

JSON has no types for them, so they become strings, and reading the JSON returns strings.
"""

from __future__ import annotations

import json
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.core.signing import JSONSerializer

from weburl import URL, Host, Origin, RelativeReference, Site, URLRecord, URLSearchParams

__all__ = ["URLJSONEncoder", "URLJSONSerializer"]

WRITTEN_AS_TEXT: Final = (
    URLRecord | URL | URLSearchParams | Host | Origin | Site | RelativeReference
)


class URLJSONEncoder(DjangoJSONEncoder):
    """Django's JSON encoder. It also writes URLs, hosts, origins and sites, as their ``str()``.

    Use it with `JSONField`, `JsonResponse`, `json_script`, the test client and `json.dumps()`. The
    output includes the password of a URL that has one.
    """

    def default(self, o: Any) -> Any:
        return str(o) if isinstance(o, WRITTEN_AS_TEXT) else super().default(o)


class URLJSONSerializer(JSONSerializer):
    """Django's serializer for sessions and signed values, with `URLJSONEncoder` for writing.

    Use it as ``SESSION_SERIALIZER = "django_whatwg_url.encoders.URLJSONSerializer"``, or as
    ``signing.dumps(…, serializer=URLJSONSerializer)``. It reads in the same way as Django's.
    """

    def dumps(self, obj: Any) -> bytes:
        text = json.dumps(obj, separators=(",", ":"), cls=URLJSONEncoder)
        return text.encode("latin-1")
