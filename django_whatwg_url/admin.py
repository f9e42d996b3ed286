"""URLs in Django's admin: links in lists and on pages, and filters by a part of the URL.

`URLAdminMixin` shows every URL field as a link. Use the filters in ``list_filter``:
``("url", URLHostListFilter)``. The widget for input is in `widgets`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import attrs
from django.contrib.admin.filters import AllValuesFieldListFilter, FieldListFilter
from django.db.models import Count, Q
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_lazy as django_text  # not for our catalogues

import weburl
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.functions import PART_EXPRESSIONS
from django_whatwg_url.links import link
from django_whatwg_url.parts.lookups import PartInForms
from django_whatwg_url.storage.values import UnparsableURL, to_url
from weburl import URLParseError, URLRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.contrib.admin.options import ModelAdmin
    from django.contrib.admin.views.main import ChangeList
    from django.db.models import Field, Model, QuerySet
    from django.http import HttpRequest
    from django.utils.functional import _StrOrPromise

    _ModelAdmin = ModelAdmin[Any]
else:
    _ModelAdmin = object

__all__ = [
    "URLAdminMixin",
    "URLHostListFilter",
    "URLLink",
    "URLSchemeListFilter",
    "URLValuesListFilter",
]

# A longer URL is shortened in a list, but always shows its whole site.
_MAX_LENGTH: Final = 60


@attrs.frozen
class URLLink:
    """Shows a URL field as a link, in ``list_display``, ``readonly_fields`` and ``fields``.

    Only http and https URLs become links. Username and password are never shown. `URLAdminMixin`
    replaces the names of URL fields with instances of this class.

    Args:
        name: The name of the field.
        short_description: The label. By default, it is made from the name.
        max_length: How many characters of the URL are shown.
        empty: What is shown if there is no URL.
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
        # Django uses it in the CSS class of the cell.
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
            text = weburl.render(url, max_length=self.max_length)
            return format_html('<bdi dir="ltr">{}</bdi>', text)
        if isinstance(url, UnparsableURL):
            return format_html('<bdi dir="ltr">{}</bdi>', url.error.input_without_password)
        return self.empty


class URLAdminMixin(_ModelAdmin):
    """Shows the URL fields of a model as links wherever they cannot be edited.

    Use it with a ModelAdmin or an inline: ``class LinkAdmin(URLAdminMixin, admin.ModelAdmin)``. URL
    fields in ``list_editable`` stay inputs. The column that links to the row's page shows the URL
    without a link of its own. ``url_max_length``: how many characters of a URL are shown.
    """

    url_max_length: ClassVar[int] = _MAX_LENGTH

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        names = list(super().get_list_display(request))
        leading = super().get_list_display_links(request, names) or ()
        return [
            name if name in self.list_editable else self._link(name, linked=name not in leading)
            for name in names
        ]

    def get_list_display_links(self, request: HttpRequest, list_display: Any) -> Any:
        # Return both: Django passes either the names or their replacements.
        leading = super().get_list_display_links(request, list_display)
        return leading and [*leading, *map(self._link, leading)]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        names = list(super().get_readonly_fields(request, obj))
        # Return both: the form leaves out fields by name.
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

    def _link(self, name: Any, *, linked: bool = True) -> Any:
        """Return what shows the field ``name``, or ``name`` itself if it is not a URL field."""
        for field in self.opts.concrete_fields:
            if field.name == name and isinstance(field, CanonicalURLField):
                label = field.verbose_name
                empty = self.get_empty_value_display()
                return URLLink(field.name, label, self.url_max_length, empty, linked)
        return name


class URLValuesListFilter(AllValuesFieldListFilter):
    """Django's filter by the values of a field. It also finds the rows that do not hold a URL.

    The app registers it for URL fields without choices, so ``list_filter = ["url"]`` uses it.
    """

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any] | None:
        values: Iterable[object] = self.lookup_choices
        broken = {str(value): value for value in values if isinstance(value, UnparsableURL)}
        chosen = self.used_parameters.get(self.lookup_kwarg)
        if isinstance(chosen, list):
            self.used_parameters[self.lookup_kwarg] = [broken.get(text, text) for text in chosen]
        return super().queryset(request, queryset)


class _PartListFilter(FieldListFilter):
    """Filters the rows by one part of a URL. An index on that part makes it fast.

    ``max_choices``: how many values it offers. They are the first ones in sort order.
    """

    part: ClassVar[str]
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
        self.parameter: str = f"{field_path}__{self.part}"
        self.selected: list[str] = params.get(self.parameter, [])
        super().__init__(field, request, params, model, model_admin, field_path)
        self.values: list[str] = list(self.offered(model_admin, request))
        self.title: _StrOrPromise | None = self.title_of(getattr(field, "verbose_name", field_path))

    def offered(self, model_admin: ModelAdmin[Any], request: HttpRequest) -> QuerySet[Any, str]:
        """Return the values to choose from, in sort order."""
        rows = model_admin.get_queryset(request).exclude(**{f"{self.parameter}__isnull": True})
        values = rows.order_by(self.parameter).values_list(self.parameter, flat=True)
        return values.distinct()[: self.max_choices]

    def title_of(self, field: _StrOrPromise) -> _StrOrPromise:
        """Return the heading of the filter, made from the label of its field."""
        raise NotImplementedError

    def display(self, value: str) -> str:
        """Return a value in the form that people see."""
        return value

    def expected_parameters(self) -> list[str | None]:
        return [self.parameter]

    def has_output(self) -> bool:
        return len(self.values) > 1 or bool(self.selected)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any] | None:
        if self.selected and all(value in self.values for value in self.selected):
            return queryset.filter(self._is_one_of(self.selected))
        return super().queryset(request, queryset)

    def get_facet_counts(self, pk_attname: str, filtered_qs: QuerySet[Any]) -> dict[str, Count]:  # noqa: ARG002
        return {
            f"{number}__c": Count(pk_attname, filter=self._is_one_of([value]))
            for number, value in enumerate(self.values)
        }

    def _is_one_of(self, values: list[str]) -> Q:
        """Return the condition that the part is one of ``values``, which came from the table.

        They are compared as they are, because a row that another program wrote may hold any text.
        The usual lookup raises an error for a value that cannot be the part of a URL.
        """
        return Q(PartInForms(PART_EXPRESSIONS[self.part](self.field_path), values))

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        counts = self.get_facet_queryset(changelist) if changelist.add_facets else {}
        yield {
            "selected": not self.selected,
            "query_string": changelist.get_query_string(remove=[self.parameter]),
            "display": django_text("All"),
        }
        for number, value in enumerate(self.values):
            display = self.display(value)
            if changelist.add_facets:
                display = f"{display} ({counts[f'{number}__c']})"
            yield {
                "selected": value in self.selected,
                "query_string": changelist.get_query_string({self.parameter: value}),
                "display": display,
            }


class URLHostListFilter(_PartListFilter):
    """Filters the rows by the host of a URL: ``list_filter = [("url", URLHostListFilter)]``."""

    part = "host"

    def title_of(self, field: _StrOrPromise) -> _StrOrPromise:
        # Translators: the heading of a filter in the admin, as in "By host of URL".
        return _("host of %(field)s") % {"field": field}

    def display(self, value: str) -> str:
        try:
            return weburl.render(weburl.parse(f"https://{value}/"), only="host") or value
        except URLParseError:
            return value  # An opaque host, or the empty host.


class URLSchemeListFilter(_PartListFilter):
    """Filters the rows by the scheme of a URL: ``list_filter = [("url", URLSchemeListFilter)]``."""

    part = "scheme"

    def title_of(self, field: _StrOrPromise) -> _StrOrPromise:
        # Translators: the heading of a filter in the admin, as in "By scheme of URL".
        return _("scheme of %(field)s") % {"field": field}
