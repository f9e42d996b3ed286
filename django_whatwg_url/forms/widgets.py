"""The widget for a URL in Django's admin. It is imported only if the admin is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.contrib.admin.widgets import AdminURLFieldWidget
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_lazy as django_text  # Not for our catalogues.

from django_whatwg_url.column.values import to_url
from django_whatwg_url.forms.fields import ADMIN_CSS, described, without_password
from django_whatwg_url.links import link, linked_href
from weburl import URLRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.forms.renderers import BaseRenderer
    from django.utils.safestring import SafeString

# The link needs to show only which site it is, because the input below it has the whole URL.
_MAX_LENGTH: Final = 80


class AdminCanonicalURLWidget(AdminURLFieldWidget):
    """The admin's URL input, with a link to the current URL if its scheme is http or https.

    When a form is shown again with errors, the widget also shows which URL would be stored, with
    "***" for the password, unless the field refuses the URL.
    """

    __module__ = "django_whatwg_url.widgets"

    template_name = "django/forms/widgets/input.html"
    # With type="url", browsers refuse text without a scheme, which the field accepts.
    input_type = "text"
    # The form field sets this to its method `to_store`.
    to_store: Callable[[object], URLRecord | None] | None = None

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs={"dir": "ltr", **(attrs or {})})

    def get_context(self, name: str, value: object, attrs: dict[str, Any] | None) -> dict[str, Any]:
        # Skip AdminURLFieldWidget, which uses Django's validator to decide whether to add a link.
        return super(AdminURLFieldWidget, self).get_context(name, value, attrs)

    class Media:
        css: ClassVar[dict[str, Sequence[str]]] = ADMIN_CSS

    def render(
        self,
        name: str,
        value: Any,
        attrs: dict[str, Any] | None = None,
        renderer: BaseRenderer | None = None,
    ) -> SafeString:
        url = to_url(value) if self.to_store is None else self.to_store(value)
        if not isinstance(url, URLRecord):
            return super().render(name, value, attrs, renderer)
        if str(value) != url.href:
            shown = link(url, text=without_password(url))
            attrs, stored = described(attrs, _("Will be stored as: %(url)s"), shown)
            field = super().render(name, value, attrs, renderer)
            # Use one paragraph, because the admin's CSS puts separate elements side by side.
            return format_html('<p class="url">{}<br>{}</p>', field, stored)
        field = super().render(name, value, attrs, renderer)
        if not linked_href(url):
            return field
        return format_html(
            '<p class="url">{} {}<br>{} {}</p>',
            django_text("Currently:"),
            link(url, _MAX_LENGTH),
            django_text("Change:"),
            field,
        )
