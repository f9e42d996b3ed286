"""URLs in JSON: the encoder for a `JSONField`, or for `json.dumps()`, whose data holds them."""

from __future__ import annotations

from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from weburl import URL, URLRecord

__all__ = ["URLJSONEncoder"]


class URLJSONEncoder(DjangoJSONEncoder):
    """Django's encoder, and URLs as their hrefs: ``JSONField(encoder=URLJSONEncoder)``.

    JSON has no type for them: read back, they are text.
    """

    def default(self, o: Any) -> Any:
        if isinstance(o, (URLRecord, URL)):
            return o.href
        return super().default(o)
