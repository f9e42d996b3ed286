"""The admin's widget for a URL: imported only where the admin is in use."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.admin.widgets import AdminURLFieldWidget
from django.core.exceptions import ValidationError

from django_whatwg_url.columns.values import to_url
from weburl import URLRecord

# Whatever schemes a field allows, a click must never run a script.
LINKED_SCHEMES: Final = ("http", "https")


class AdminCanonicalURLWidget(AdminURLFieldWidget):
    """The admin's URL input, with a link to the current URL when its scheme is http or https."""

    # Not "url": browsers then refuse text without a scheme, which the field accepts.
    input_type = "text"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs=attrs, validator_class=_LinkValidator)

    def get_context(self, name: str, value: object, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, value, attrs)
        url = to_url(value)
        if context["url_valid"] and isinstance(url, URLRecord):
            context["widget"]["href"] = url.href
        return context


class _LinkValidator:
    """Refuses what must not be a link."""

    def __call__(self, value: object) -> None:
        url = to_url(value)
        if not (isinstance(url, URLRecord) and url.scheme in LINKED_SCHEMES):
            raise ValidationError("Not a link.")
