"""django-tables2: a column that shows URLs as links, without username and password.

`register` makes model tables use it. The app calls it if "django_tables2" is in INSTALLED_APPS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.utils.html import format_html

import weburl
from django_whatwg_url.column.values import text_of, to_url
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.links import linked_href
from django_whatwg_url.rules.messages import without_credentials
from weburl import URLRecord
from weburl.integrations.building_blocks import required

with required("django-tables2"):
    import django_tables2
    from django_tables2.columns import library

__all__ = ["CanonicalURLColumn", "register"]

if TYPE_CHECKING:
    _URLColumn = object  # Its decorator has no types.
else:
    _URLColumn = django_tables2.URLColumn


class CanonicalURLColumn(_URLColumn):
    """A column of URLs. Only http and https URLs become links. Usernames and passwords are hidden.

    ``max_length``: how many characters to show. The default, None, shows all. ``text`` and
    ``attrs`` work as in django-tables2's ``URLColumn``. An export contains the URL without username
    and password. If a row contains text that is not a URL, it is shown with a password masked.
    """

    text: Any

    def __init__(self, *args: Any, max_length: int | None = None, **kwargs: Any) -> None:
        attrs: dict[str, Any] = dict(kwargs.pop("attrs", None) or {})
        link = {"rel": "noopener noreferrer", "dir": "ltr", **attrs.get("a", {})}
        column: Any = super()
        column.__init__(*args, attrs={**attrs, "a": link}, **kwargs)
        self.max_length = max_length

    def get_url(self, value: object) -> str | None:
        return linked_href(to_url(value)) or None

    def text_value(self, record: object, value: object) -> Any:
        if self.text is not None:
            column: Any = super()
            return column.text_value(record, value)
        url = to_url(value)
        if not isinstance(url, URLRecord):
            return format_html('<bdi dir="ltr">{}</bdi>', without_credentials(text_of(value)))
        shown = weburl.render(url, max_length=self.max_length)
        # A link already has a "dir" attribute.
        return shown if linked_href(url) else format_html('<bdi dir="ltr">{}</bdi>', shown)

    def value(self, record: object, value: object) -> str:  # noqa: ARG002
        url = to_url(value)
        if isinstance(url, URLRecord) and url.includes_credentials:
            url = url.with_password("").with_username("")
        return url.href if isinstance(url, URLRecord) else without_credentials(text_of(value))

    @classmethod
    def from_field(cls, field: models.Field[Any, Any], **kwargs: Any) -> Self | None:
        return cls(**kwargs) if isinstance(field, CanonicalURLField) else None


def register() -> None:
    """Make model tables use `CanonicalURLColumn` for URL fields.

    The app calls this if "django_tables2" is in INSTALLED_APPS. It does not affect columns that a
    table declares.
    """
    if CanonicalURLColumn not in library.columns:
        # django-tables2 uses the last registered column that accepts a field.
        library.register(CanonicalURLColumn)
