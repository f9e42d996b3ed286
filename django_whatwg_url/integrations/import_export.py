"""django-import-export: a widget that reads URLs in any spelling and writes canonical text.

`URLResourceMixin` makes a `ModelResource` use it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.core.exceptions import ValidationError

from django_whatwg_url.column.values import UnparsableURL, text_of, to_url
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.forms import CanonicalURLField as CanonicalURLFormField
from django_whatwg_url.forms import CanonicalURLTextField
from weburl import URLRecord
from weburl.integrations.building_blocks import required

with required("django-import-export>=4.3"):
    from import_export.widgets import CharWidget, Widget

__all__ = ["CanonicalURLWidget", "URLResourceMixin"]


class CanonicalURLWidget(CharWidget):  # type: ignore[misc]
    """Reads a URL in any spelling, and writes its canonical text, including a password.

    ``assume_scheme``: the scheme for text without one ("example.com"). With None, the default, such
    text is an error. Text that is not a URL is reported as an error of its row when the row is
    saved, and the code is the standard's name for the error. Empty text becomes None. With
    ``as_text=True``, the widget returns canonical text instead of a record, and ``empty_value`` for
    empty text. With ``keeps_spelling=True``, that text also carries its spelling, for a field with
    ``written``. Other arguments are passed to `CharWidget`.
    """

    def __init__(
        self,
        *args: Any,
        assume_scheme: str | None = None,
        as_text: bool = False,
        empty_value: str | None = None,
        keeps_spelling: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        options: Any = {"max_length": None, "schemes": None, "assume_scheme": assume_scheme}
        self._as_text = as_text
        self._form_field = (
            CanonicalURLTextField(
                required=False, empty_value=empty_value, keeps_spelling=keeps_spelling, **options
            )
            if as_text
            else CanonicalURLFormField(required=False, **options)
        )

    def clean(
        self, value: object, row: object = None, **kwargs: Any
    ) -> URLRecord | UnparsableURL | str | None:
        text = super().clean(None if value is None else text_of(value), row, **kwargs)
        try:
            return self._form_field.clean(text)
        except ValidationError:
            url = to_url(text)
            if not isinstance(url, UnparsableURL):
                raise  # The cell contains two URLs, which the model would accept.
            # The model raises the error, because it names the field and checks other fields too.
            return text_of(text) if self._as_text else url


class URLResourceMixin:
    """A mixin for a ``ModelResource``. It uses `CanonicalURLWidget` for URL fields of the model.

    Put it before ``ModelResource`` in the list of base classes. It does not affect fields that a
    resource declares.
    """

    @classmethod
    def widget_from_django_field(cls, f: Any, default: type[Any] = Widget) -> Any:
        """Return the widget for a model field, or a function that makes it."""
        if not isinstance(f, CanonicalURLField):
            base: Any = super()
            return base.widget_from_django_field(f, default)
        if not f.as_text and f.written is None:
            return CanonicalURLWidget
        return partial(
            CanonicalURLWidget,
            as_text=True,
            empty_value=f.no_url,
            keeps_spelling=f.written is not None,
        )
