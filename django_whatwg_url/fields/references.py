"""The model field for a path on this site or a whole URL, as menus and redirects store it.

The form field is `forms.URLReferenceField`, and the rules for the text are in
`validators.URLReferenceValidator`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, overload

from django.utils.translation import gettext_lazy as _

from django_whatwg_url import forms
from django_whatwg_url.column.columns import ASCIIColumn
from django_whatwg_url.column.values import text_of
from django_whatwg_url.fields.options import OF_URLS, _GetT_co, _SetT_contra
from django_whatwg_url.fields.text import URLTextField
from django_whatwg_url.query.lookups import COMPARISONS
from django_whatwg_url.rules.messages import REFERENCE_MESSAGES
from django_whatwg_url.rules.validators import URLReferenceValidator, reference_text

if TYPE_CHECKING:
    from typing import Unpack

    from django.forms import Field as FormField
    from django.utils.functional import _Getter, _StrOrPromise

    from django_whatwg_url.fields.options import ReferenceOptions, TextOfURL


class URLReferenceField(ASCIIColumn, URLTextField[_SetT_contra, _GetT_co]):
    """A path on this site or a whole URL, stored as canonical text.

    The attribute is a `str`: ``/about?x#y``, ``?page=2``, ``#top`` or ``https://example.com/``. It
    is written by `validators.reference_text`, so two spellings of a reference are stored as the
    same text. `references.resolve_reference` returns the whole URL.

    ``full_clean()`` and every way of saving raise ValidationError for other text, with the
    standard's name for the error as the code. This includes references that name a host in any
    spelling (``//evil.example``), and references such as ``a/b`` or ``example.com``, which mean a
    different URL in each folder.

    Args:
        max_length: The longest canonical text in characters, 2048 by default. Saving a longer
            reference raises an error.
        allow_scheme_relative: Whether a reference may name a host, as ``//cdn.example/a`` does.

    The other options are those of `CanonicalURLField`, without ``strictness``. Schemes and policy
    are for whole URLs. Raises TypeError and ValueError for invalid options.

    Spec: #relative-url-string
    """

    __module__ = "django_whatwg_url.fields"

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = {**REFERENCE_MESSAGES}
    description: _StrOrPromise | _Getter[_StrOrPromise] = _("URL as text")
    converts_operands = True
    own_options: ClassVar[tuple[str, ...]] = (*OF_URLS, "allow_scheme_relative")
    form_class: ClassVar[type[FormField]] = forms.URLReferenceField
    refused_default: ClassVar[tuple[str, str]] = (
        "django_whatwg_url.E032",
        "Set it to a path or URL that the field accepts, or remove it.",
    )

    if TYPE_CHECKING:

        @overload
        def __init__(
            self: URLReferenceField[TextOfURL, str],
            verbose_name: _StrOrPromise | None = None,
            *,
            null: Literal[False] = False,
            **options: Unpack[ReferenceOptions],
        ) -> None: ...

        @overload
        def __init__(
            self: URLReferenceField[TextOfURL | None, str | None],
            verbose_name: _StrOrPromise | None = None,
            *,
            null: bool,
            **options: Unpack[ReferenceOptions],
        ) -> None: ...

        def __init__(self, *args: Any, **options: Any) -> None: ...

        allow_scheme_relative: bool

    def take_options(self, own: dict[str, Any]) -> None:
        rules = URLReferenceValidator(own["schemes"], own["policy"], own["allow_scheme_relative"])
        own |= {
            "schemes": rules.schemes,
            "allow_scheme_relative": rules.allow_scheme_relative,
        }
        super().take_options(own)
        self.validators.append(rules)

    def canonical_text(self, value: Any) -> str:
        return reference_text(
            text_of(value),
            allow_scheme_relative=self.allow_scheme_relative,
            messages=self.error_messages,
        )


for _lookup in COMPARISONS:
    URLReferenceField.register_lookup(_lookup)
