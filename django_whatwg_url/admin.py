"""URLs in Django's admin: links in lists and on pages, and filters for parts of a URL.

`URLAdminMixin` shows every URL field as a link, and uses `URLValuesListFilter` for its name in
``list_filter``. `URLHostListFilter` is named there. The input widget is in `widgets`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import attrs
from django.contrib.admin.filters import AllValuesFieldListFilter, FieldListFilter
from django.contrib.admin.utils import quote
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import Count, ExpressionWrapper, F, Q, TextField
from django.db.models.constants import LOOKUP_SEP
from django.db.models.lookups import In
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_lazy as django_text  # Not for our catalogues.

import weburl
from django_whatwg_url.beside.written import written_column, written_fields
from django_whatwg_url.column.values import UnparsableURL, to_url
from django_whatwg_url.fields import (
    CanonicalURLField,
    ExactURLField,
    RegistrableDomainField,
    URLReferenceField,
)
from django_whatwg_url.forms.fields import ADMIN_CSS
from django_whatwg_url.functions import PART_EXPRESSIONS
from django_whatwg_url.links import link
from django_whatwg_url.query.lookups import PartInForms
from django_whatwg_url.rules.messages import LOOKALIKE_MESSAGES, without_credentials
from weburl import URLParseError, URLRecord
from weburl.lookalikes import ProtectedNames, suspicions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from django.contrib.admin.options import ModelAdmin
    from django.contrib.admin.views.main import ChangeList
    from django.db.models import Field, Model, QuerySet
    from django.http import HttpRequest
    from django.utils.functional import _StrOrPromise
    from django.utils.safestring import SafeString

    _ModelAdmin = ModelAdmin[Any]
else:
    _ModelAdmin = object

__all__ = [
    "URLAdminMixin",
    "URLHostListFilter",
    "URLLink",
    "URLLookalike",
    "URLValuesListFilter",
]

# A longer URL is shortened in a list, but its whole site is always shown.
_MAX_LENGTH: Final = 60


@attrs.frozen
class URLLink:
    """Shows a URL field as a link, in ``list_display``, ``readonly_fields`` and ``fields``.

    Only http and https URLs become links. Username and password are never shown. `URLAdminMixin`
    replaces the names of URL fields with instances of this class.

    Args:
        name: The name of the field.
        short_description: The label. By default, it is made from the name.
        max_length: How many characters of the URL to show.
        empty: What to show if there is no URL.
        linked: Whether URLs become links. False in a column that already links to the row's page.
    """

    name: str
    short_description: _StrOrPromise = attrs.field(eq=False)
    max_length: int = _MAX_LENGTH
    empty: _StrOrPromise = attrs.field(default="-", eq=False)
    linked: bool = attrs.field(default=True, eq=False)

    @short_description.default
    def _label(self) -> str:
        return self.name.replace("_", " ")

    @property
    def __name__(self) -> str:
        # Django uses this in the CSS class of the cell.
        return self.name

    @property
    def admin_order_field(self) -> str:
        """The field by which the column is sorted."""
        return self.name

    def __call__(self, instance: Model) -> _StrOrPromise:
        url = to_url(getattr(instance, self.name))
        if isinstance(url, URLRecord) and self.linked:
            return link(url, self.max_length)
        if isinstance(url, URLRecord):
            return _isolated(weburl.render(url, max_length=self.max_length))
        if isinstance(url, UnparsableURL):
            return _isolated(_cut(url.redacted(), self.max_length))
        return self.empty


class _ExactLink(URLLink):
    """Shows an exact URL as it is stored, so that two that differ never look the same."""

    def __call__(self, instance: Model) -> _StrOrPromise:
        stored = getattr(instance, self.name) or ""
        text = _cut(without_credentials(stored), self.max_length)
        url = to_url(stored)
        if isinstance(url, URLRecord) and self.linked:
            return link(url, text=text)
        return _isolated(text) if text else self.empty


class _IsolatedText(URLLink):
    """Shows a spelling as text from left to right, not as a link."""

    def __call__(self, instance: Model) -> _StrOrPromise:
        text = getattr(instance, self.name)
        return _isolated(_cut(self.shown(str(text)), self.max_length)) if text else self.empty

    def shown(self, text: str) -> str:
        """Return what to show for the text in the column."""
        return without_credentials(text)


class _IsolatedHost(_IsolatedText):
    """Shows a registrable domain in its own script."""

    def shown(self, text: str) -> str:
        return _host_text(text)


def _protected(names: ProtectedNames | Iterable[str]) -> ProtectedNames:
    return names if isinstance(names, ProtectedNames) else ProtectedNames(names)


@attrs.frozen
class URLLookalike:
    """Shows in ``list_display`` what the host of a URL field may be taken for.

    That is one of ``names``, or else why people may misread the host.

    Args:
        name: The name of the field.
        names: The names to protect, as in `weburl.lookalikes.ProtectedNames`.
        short_description: The label.
        empty: What to show for any other host.
    """

    name: str
    names: ProtectedNames = attrs.field(default=ProtectedNames(()), converter=_protected)
    short_description: _StrOrPromise = attrs.field(default=_("looks like"), eq=False)
    empty: _StrOrPromise = attrs.field(default="-", eq=False)

    @property
    def __name__(self) -> str:
        # Django uses this in the CSS class of the cell.
        return f"{self.name}_looks_like"

    def __call__(self, instance: Model) -> _StrOrPromise:
        url = to_url(getattr(instance, self.name))
        if not isinstance(url, URLRecord) or url.host is None:
            return self.empty
        if found := self.names.looks_like(url.host):
            return found.name
        warnings = (each.reason for each in suspicions(url.host) if each.reason.is_warning)
        reason = next(warnings, None)
        return self.empty if reason is None else LOOKALIKE_MESSAGES[reason]


class URLAdminMixin(_ModelAdmin):
    """Shows the URL fields of a model as links wherever they cannot be edited.

    Use it with a ModelAdmin or an inline: ``class LinkAdmin(URLAdminMixin, admin.ModelAdmin)``. URL
    fields in ``list_editable`` remain inputs. The column that links to the row's page shows the URL
    without a link of its own. ``url_max_length``: how many characters of a URL to show.

    References, registrable domains and the columns that ``written`` names are shown from left to
    right. A whole URL in a `URLReferenceField` is a link. An `ExactURLField` is shown as it is
    stored, and a field with choices by its label. If a `UniqueURLKey` refuses a URL, the message
    links to the row that already has it, for users who may view that row.

    In ``list_filter``, the name of one of these fields that has no choices means
    `URLValuesListFilter`.
    """

    url_max_length: ClassVar[int] = _MAX_LENGTH

    class Media:
        css: ClassVar[dict[str, Sequence[str]]] = ADMIN_CSS

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        names = list(super().get_list_display(request))
        leading = super().get_list_display_links(request, names) or ()
        return [
            name if name in self.list_editable else self._link(name, linked=name not in leading)
            for name in names
        ]

    def get_list_display_links(self, request: HttpRequest, list_display: Any) -> Any:
        # Return both, because Django passes either the names or their replacements.
        leading = super().get_list_display_links(request, list_display)
        return leading and [*leading, *map(self._link, leading)]

    def get_search_fields(self, request: HttpRequest) -> list[Any]:
        return [self._of_any_text(path) for path in super().get_search_fields(request)]

    def _of_any_text(self, path: Any) -> Any:
        """Return a lookup that finds no rows for text that ``path__exact`` would refuse."""
        whole = path.removesuffix("__exact") if isinstance(path, str) else path
        if whole == path:
            return path
        start, _separator, part = whole.rpartition(LOOKUP_SEP)
        if isinstance(self._field_at(whole), CanonicalURLField):
            return f"{whole}__from_text__exact"
        is_part = part in _REFUSING_PARTS and isinstance(self._field_at(start), CanonicalURLField)
        is_domain = isinstance(self._field_at(whole), RegistrableDomainField)
        return f"={whole}" if is_part or is_domain else path

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        return [
            (path, URLValuesListFilter) if _shown_by(self._field_at(path)) is not None else path
            for path in super().get_list_filter(request)
        ]

    def _field_at(self, path: Any) -> Any:
        """Return the field that ``path`` names, or None."""
        model: Any = self.model
        field: Any = None
        for name in path.split(LOOKUP_SEP) if isinstance(path, str) else ():
            try:
                field = model._meta.get_field(name)
            except (AttributeError, FieldDoesNotExist):
                return None  # Django's checks report it.
            model = field.related_model
        return field

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        names = list(super().get_readonly_fields(request, obj))
        # Return both, because the form excludes fields by name.
        links = [self._link(name) for name in names]
        return [*names, *(shown for shown in links if shown not in names)]

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        read_only: set[object] = set(self.get_readonly_fields(request, obj))
        if obj is not None and not self.has_change_permission(request, obj):
            read_only |= {field.name for field in self.opts.get_fields()}
        placed: set[object] = set()

        def shown(fields: Any) -> list[Any]:
            answer: list[Any] = []
            for name in fields:
                if isinstance(name, list | tuple):
                    answer.append(shown(name))
                    continue
                field = self._link(name) if name in read_only else name
                if field not in placed:
                    placed.add(field)
                    answer.append(field)
            return answer

        return [
            (title, {**options, "fields": shown(options["fields"])})
            for title, options in super().get_fieldsets(request, obj)
        ]

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return self._with_links(request, super().add_view(request, *args, **kwargs))

    def change_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return self._with_links(request, super().change_view(request, *args, **kwargs))

    def _with_links(self, request: HttpRequest, response: Any) -> Any:
        """Return the response. If it is a page with a form, its errors link to existing rows."""
        context = getattr(response, "context_data", None)
        if isinstance(response, TemplateResponse) and context and "adminform" in context:
            for errors in context["adminform"].form.errors.as_data().values():
                for error in errors:
                    self._link_to_row(request, error)
        return response

    def _link_to_row(self, request: HttpRequest, error: ValidationError) -> None:
        """Link an error to the row that already has the URL, if the user may view that row."""
        row = (error.params or {}).get("row")
        if not isinstance(row, self.model) or not self.has_view_permission(request, row):
            return
        if not self.get_queryset(request).filter(pk=row.pk).exists():
            return
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
        address = reverse(name, args=[quote(row.pk)], current_app=self.admin_site.name)
        (message,) = error.messages
        error.message = format_html('<a href="{}">{}</a>', address, message)
        error.params = None

    def _link(self, name: Any, *, linked: bool = True) -> Any:
        """Return an object that shows the field ``name``, or ``name`` if it is not a URL field."""
        for field in self.opts.concrete_fields:
            shown = _shown_by(field) if field.name == name else None
            if shown is not None:
                label = field.verbose_name
                empty = self.get_empty_value_display()
                return shown(field.name, label, self.url_max_length, empty, linked)
        return name


_SHOWN: Final[dict[type[Any], type[URLLink]]] = {
    CanonicalURLField: URLLink,
    URLReferenceField: URLLink,
    ExactURLField: _ExactLink,
    RegistrableDomainField: _IsolatedHost,
}
"""By the class of a field: the class that shows it where it cannot be edited."""

# The parts for which ``exact`` refuses some text.
_REFUSING_PARTS: Final = ("scheme", "host", "hostname", "port", "origin")

_URLS: Final = tuple(kind for kind in _SHOWN if _SHOWN[kind] is URLLink)


def _shown_by(field: Any) -> type[URLLink] | None:
    """Return the class that shows a field where it cannot be edited, or None for Django's."""
    if getattr(field, "choices", None):
        return None  # Django shows the label of the choice.
    for kind, shown in _SHOWN.items():
        if isinstance(field, kind):
            return shown
    model = getattr(field, "model", None)
    # The spelling of a URL may contain its password.
    if model is not None and field in map(written_column, written_fields(model)):
        return _IsolatedText
    return None


class URLValuesListFilter(AllValuesFieldListFilter):
    """Django's filter for the values of a field. It also finds rows whose text is not a URL.

    URLs are shown as people read them. Usernames and passwords are masked. URLs that differ only in
    these are a single choice, and so are all spellings of a URL that other programs wrote.
    `URLAdminMixin` uses it for ``list_filter = ["url"]``.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The name of a choice is in the address of the page. Several rows with different text may
        # belong to it.
        self.values: dict[str | None, list[str | None]] = {}
        stored = ExpressionWrapper(F(self.field.name), output_field=TextField())
        for text in self.lookup_choices.values_list(stored, flat=True):
            self.values.setdefault(self._named(text), []).append(text)
        self.lookup_choices: Any = list(self.values)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any] | None:
        chosen = self.used_parameters.get(self.lookup_kwarg)
        if isinstance(chosen, list) and all(text in self.values for text in chosen):
            del self.used_parameters[self.lookup_kwarg]
            texts = [stored for text in chosen for stored in self.values[text]]
            queryset = queryset.filter(self._is_one_of(texts))
        return super().queryset(request, queryset)

    def get_facet_counts(self, pk_attname: str, filtered_qs: QuerySet[Any]) -> dict[str, Count]:  # noqa: ARG002
        return {
            f"{number}__c": Count(pk_attname, filter=self._is_one_of(values))
            for number, values in enumerate(self.values.values())
        }

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        for choice in super().choices(changelist):
            text, space, count = str(choice["display"]), "", ""
            if text not in self.values and changelist.add_facets:
                text, space, count = text.rpartition(" (")
            if text in self.values:
                choice["display"] = format_html(
                    '<bdi dir="ltr">{}</bdi>{}{}', self._shown(text), space, count
                )
            yield choice

    def _is_one_of(self, texts: list[str | None]) -> Q:
        if texts == [None]:
            return Q((self.lookup_kwarg_isnull, True))
        return Q(_InAsStored(F(self.field_path), texts))

    def _named(self, stored: str | None) -> str | None:
        """Return the name of the choice for the text of a row, without credentials."""
        if not stored:
            return stored
        if not isinstance(self.field, _URLS):
            return without_credentials(stored)
        url = to_url(stored)
        if isinstance(url, URLRecord) and not url.username and not url.password:
            return url.href
        return without_credentials(str(url))

    def _shown(self, text: str) -> str:
        """Return what to show for a choice."""
        if isinstance(self.field, RegistrableDomainField):
            return _host_text(text)
        url = to_url(text) if isinstance(self.field, _URLS) else None
        if isinstance(url, URLRecord) and not url.includes_credentials:
            return weburl.render(url, max_length=_MAX_LENGTH)
        return _cut(text, _MAX_LENGTH)


class _InAsStored(In):
    """Compares a column with text from rows, without preparing it."""

    prepare_rhs = False


def _isolated(text: str) -> SafeString:
    """Return HTML that shows text from left to right, whatever surrounds it."""
    return format_html('<bdi dir="ltr">{}</bdi>', text)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _host_text(host: str) -> str:
    """Return a host in its own script, unless that would be misleading."""
    try:
        return weburl.render(weburl.parse(f"https://{host}/"), only="host") or host
    except URLParseError:
        return host  # An opaque host, or the empty host.


class URLHostListFilter(FieldListFilter):
    """Filters the rows by the host of a URL: ``list_filter = [("url", URLHostListFilter)]``.

    An index on the host makes it fast. ``max_choices``: how many hosts to offer. They are the first
    ones in sort order.
    """

    max_choices: ClassVar[int] = 100

    def __init__(
        self,
        field: Field[Any, Any],
        request: HttpRequest,
        params: dict[str, list[str]],
        model: type[Model],
        model_admin: ModelAdmin[Any],
        field_path: str,
    ) -> None:
        self.parameter: str = f"{field_path}__host"
        self.selected: list[str] = params.get(self.parameter, [])
        super().__init__(field, request, params, model, model_admin, field_path)
        self.hosts: list[str] = list(self.offered(model_admin.get_queryset(request)))
        # Translators: the heading of a filter in the admin, as in "By host of URL".
        self.title: _StrOrPromise | None = _("host of %(field)s") % {
            "field": getattr(field, "verbose_name", field_path)
        }

    def offered(self, rows: QuerySet[Any]) -> QuerySet[Any, str]:
        """Return the hosts to choose from."""
        name = self.parameter
        found = rows.exclude(**{f"{name}__isnull": True}).order_by(name)
        return found.values_list(name, flat=True).distinct()[: self.max_choices]

    def expected_parameters(self) -> list[str | None]:
        return [self.parameter]

    def has_output(self) -> bool:
        return len(self.hosts) > 1 or bool(self.selected)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any] | None:
        if self.selected and all(host in self.hosts for host in self.selected):
            return queryset.filter(self._is_one_of(self.selected))
        return super().queryset(request, queryset)

    def get_facet_counts(self, pk_attname: str, filtered_qs: QuerySet[Any]) -> dict[str, Count]:  # noqa: ARG002
        return {
            f"{number}__c": Count(pk_attname, filter=self._is_one_of([host]))
            for number, host in enumerate(self.hosts)
        }

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        counts = self.get_facet_queryset(changelist) if changelist.add_facets else {}
        yield {
            "selected": not self.selected,
            "query_string": changelist.get_query_string(remove=[self.parameter]),
            "display": django_text("All"),
        }
        for number, host in enumerate(self.hosts):
            # Without <bdi>, a right-to-left page would reorder the labels of a host.
            display = format_html("<bdi>{}</bdi>", _host_text(host))
            if changelist.add_facets:
                display = format_html("{} ({})", display, counts[f"{number}__c"])
            yield {
                "selected": host in self.selected,
                "query_string": changelist.get_query_string({self.parameter: host}),
                "display": display,
            }

    def _is_one_of(self, hosts: list[str]) -> Q:
        # Compare them unchanged, because a row that another program wrote may hold any text. The
        # usual lookup raises an error for text that cannot be the host of a URL.
        return Q(PartInForms(PART_EXPRESSIONS["host"](self.field_path), hosts))
