"""The model field for URLs that are compared as text. It has no queries on a part of a URL.

The form field is `forms.ExactURLField`, and the rules for the text are in
`validators.ExactURLValidator`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, overload

from django.db import models
from django.utils.translation import gettext_lazy as _

from django_whatwg_url import forms
from django_whatwg_url.column.columns import ExactColumn
from django_whatwg_url.column.values import is_expression, text_of
from django_whatwg_url.fields.options import OF_URLS, _GetT_co, _SetT_contra
from django_whatwg_url.fields.text import URLTextField
from django_whatwg_url.rules.messages import FIELD_MESSAGES
from django_whatwg_url.rules.validators import ExactURLValidator, exact_text

if TYPE_CHECKING:
    from typing import Unpack

    from django.forms import Field as FormField
    from django.utils.functional import _Getter, _StrOrPromise

    from django_whatwg_url.fields.options import ExactURLOptions, TextOfURL


class ExactURLField(ExactColumn, URLTextField[_SetT_contra, _GetT_co]):
    """A URL that is stored and compared as the text that was given, byte for byte.

    The attribute is a `str`. ``https://example.com`` and ``https://example.com/`` are two values,
    although they are the same URL to a browser. OpenID Connect requires this for issuers, and OAuth
    for redirect URIs.

    ``full_clean()`` and every way of saving raise ValidationError for text that is not a URL, with
    the standard's name for the error as the code. They also refuse characters that a parser would
    remove (spaces and control characters at the ends, tabs and newlines), NUL and lone surrogates,
    with the code "invalid-URL-unit". Lookups accept any text.

    Args:
        max_length: The longest text in characters, 2048 by default. Saving a longer URL raises an
            error.

    The other options are those of `CanonicalURLField`. Raises TypeError and ValueError for invalid
    options.

    Spec: #concept-url-parser
    """

    __module__ = "django_whatwg_url.fields"

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = FIELD_MESSAGES
    description: _StrOrPromise | _Getter[_StrOrPromise] = _("URL as text")
    own_options: ClassVar[tuple[str, ...]] = (*OF_URLS, "strictness")
    form_class: ClassVar[type[FormField]] = forms.ExactURLField
    form_widget: ClassVar[type[forms.ExactURLInput]] = forms.ExactURLInput
    refused_default: ClassVar[tuple[str, str]] = (
        "django_whatwg_url.E031",
        "Set it to a URL that the field accepts, or remove it.",
    )

    if TYPE_CHECKING:

        @overload
        def __init__(
            self: ExactURLField[TextOfURL, str],
            verbose_name: _StrOrPromise | None = None,
            *,
            null: Literal[False] = False,
            **options: Unpack[ExactURLOptions],
        ) -> None: ...

        @overload
        def __init__(
            self: ExactURLField[TextOfURL | None, str | None],
            verbose_name: _StrOrPromise | None = None,
            *,
            null: bool,
            **options: Unpack[ExactURLOptions],
        ) -> None: ...

        def __init__(self, *args: Any, **options: Any) -> None: ...

    def take_options(self, own: dict[str, Any]) -> None:
        rules = ExactURLValidator(own["schemes"], own["strictness"], own["policy"])
        own |= {"schemes": rules.schemes, "strictness": rules.strictness}
        super().take_options(own)
        self.validators.append(rules)

    def canonical_text(self, value: Any) -> str:
        exact_text(text_of(value), self.error_messages)
        return text_of(value)

    def get_prep_value(self, value: Any) -> Any:
        value = models.Field.get_prep_value(self, value)
        return value if value is None or is_expression(value) else text_of(value)
