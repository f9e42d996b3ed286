"""A mixin for forms that asks people whether they mean a host that looks like another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from django_whatwg_url.column.values import to_url
from django_whatwg_url.rules.messages import LOOK_ALIKE, POLICY_ERROR_MESSAGES
from weburl import URLRecord
from weburl.lookalikes import ProtectedNames

if TYPE_CHECKING:
    _Form = forms.Form
else:
    _Form = object


class LookalikeFormMixin(_Form):
    """Asks once whether people mean a host that looks like one of your names.

    The first time, such a URL is an error, and the form has one more field: a checkbox with the
    label "I mean this address". Once it is ticked, the URL is accepted. The name of the checkbox is
    the name of the URL field with "_meant" at the end. In a template that writes each field by
    itself, write it too.

    ``not_like``: the names, by the name of the URL field. They are as in
    `weburl.lookalikes.ProtectedNames`.
    """

    __module__ = "django_whatwg_url.forms"

    not_like: ClassVar[Mapping[str, ProtectedNames | Iterable[str]]] = {}

    def clean(self) -> dict[str, Any] | None:
        """Return the cleaned data, with an error for each look-alike that was not confirmed."""
        cleaned: dict[str, Any] | None = super().clean()
        for name, names in self.not_like.items():
            self._ask(name, names if isinstance(names, ProtectedNames) else ProtectedNames(names))
        return cleaned

    def _ask(self, name: str, names: ProtectedNames) -> None:
        url = to_url(self.cleaned_data.get(name))
        host = url.host if isinstance(url, URLRecord) else None
        found = None if host is None else names.looks_like(host)
        if found is None:
            return
        box = f"{name}_meant"
        is_meant = self.data.get(self.add_prefix(box)) == str(host)
        # The value is the host, so a tick does not count for another one.
        widget = forms.CheckboxInput(attrs={"value": str(host)}, check_test=lambda _value: is_meant)
        self.fields[box] = forms.BooleanField(
            label=_("I mean this address"), required=False, widget=widget
        )
        if not is_meant:
            params = {"culprit": str(host), "allowed": found.name}
            message = POLICY_ERROR_MESSAGES[LOOK_ALIKE]
            self.add_error(name, ValidationError(message, code=LOOK_ALIKE, params=params))
