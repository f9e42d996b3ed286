"""A column for the registrable domain of a URL."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.core import checks
from django.core.exceptions import EmptyResultSet, FieldDoesNotExist, ValidationError
from django.utils.translation import gettext_lazy as _

import weburl
from django_whatwg_url.beside.base import Companion
from django_whatwg_url.column.columns import ASCIIColumn
from django_whatwg_url.column.values import StoredText, is_url_field, text_of, to_url
from django_whatwg_url.query.generics import AnyExact
from django_whatwg_url.query.lookups import COMPARISONS, TEXT_LOOKUPS, SearchedColumn
from django_whatwg_url.rules.messages import operand_error, presentable_part
from weburl import Domain, URLParseError, URLRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models import Model
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType
    from django.utils.functional import _Getter, _StrOrPromise


# Characters that would end the host in "https://" plus the text.
_DELIMITERS: Final = frozenset("/\\?#@:")


def registrable_domain(url: object) -> str | None:
    """Return the registrable domain of a URL in ASCII, or None if it does not have one.

    ``url``: a record, or any value that a URL field accepts. The result is None for None, for text
    that does not parse, for hosts that are not domains, and for public suffixes. It uses the
    current Public Suffix List of `weburl.public_suffix`.

    Spec: #host-registrable-domain
    """
    record = to_url(url)
    if not isinstance(record, URLRecord) or record.host is None:
        return None
    domain = record.host.registrable_domain
    return None if domain is None else domain.value


class RegistrableDomainField(ASCIIColumn, SearchedColumn, Companion):
    """The registrable domain of the URL in another field of the model, or NULL.

    The column is filled as `URLKeyField` describes. After other updates, and after a new edition of
    the Public Suffix List, run the command ``update_registrable_domains``.

    The attribute is ASCII text, such as "xn--bcher-kva.example", or None. It is None until the
    first save. Lookups for whole values take a domain in any spelling, and raise ValidationError
    for text that is not a domain. The field is always ``null=True`` and not editable.

    Args:
        from_field: The name of the URL field, a `CanonicalURLField` of the same model.
        verbose_name: As for other fields.
        max_length: The length of the column in characters. 2048 by default.
        db_index: Whether the column has an index. True by default.
        **options: ``unique``, ``help_text``, ``db_column``, ``db_comment`` and ``db_tablespace``.

    Spec: #host-registrable-domain
    """

    __module__ = "django_whatwg_url.fields"

    converts_operands = has_column = True
    description: _StrOrPromise | _Getter[_StrOrPromise] = _("Registrable domain of a URL")
    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = {
        "invalid": _("“%(value)s” is not a domain.")
    }

    if TYPE_CHECKING:
        # For the mypy plugin. A lookup also accepts a `Domain`.
        _pyi_lookup_exact_type: str | Domain | None  # type: ignore[assignment]

    # Checks.

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        return [*super().check(**kwargs), *self._check_from_field()]

    def _check_from_field(self) -> Iterator[checks.CheckMessage]:
        try:
            url: Any = self.model._meta.get_field(self.from_field)
        except FieldDoesNotExist:
            url = None
        # isinstance() is not possible, because `fields` imports this module.
        is_url = url is not None and is_url_field(url)
        if not is_url or url.model is not self.model:
            yield checks.Error(
                f"from_field={self.from_field!r} is not a CanonicalURLField of this model.",
                hint=(
                    "Set it to the name of a CanonicalURLField in the same table. If the model "
                    "inherits the URL from another table, declare this field there, too."
                ),
                obj=self,
                id="django_whatwg_url.E004",
            )
        elif isinstance(self.max_length, int) and (
            not isinstance(url.max_length, int) or url.max_length > self.max_length
        ):
            yield checks.Warning(
                f"'{self.from_field}' allows longer URLs than '{self.name}' allows domains, so a "
                "domain may be too long.",
                hint="Set the same max_length on both fields.",
                obj=self,
                id="django_whatwg_url.W004",
            )

    # Values.

    def to_python(self, value: Any) -> str | None:
        """Return the domain in canonical form. Raises ValidationError if it is not a domain."""
        if value is None or value == "":
            return None
        if isinstance(value, Domain):
            return value.value
        text = text_of(value)
        host = None
        if _DELIMITERS.isdisjoint(text):
            with suppress(URLParseError):
                host = weburl.parse(f"https://{text}/").host  # A canonical URL parses faster.
        if isinstance(host, Domain):
            return host.value
        raise ValidationError(
            self.error_messages["invalid"],
            code="invalid",
            params={"value": presentable_part(text)},
        )

    def pre_save(self, model_instance: Model, add: bool) -> Any:
        value = super().pre_save(model_instance, add)
        is_computed = type(value) is str and self.can_be_computed(model_instance)
        return StoredText(value) if is_computed else value

    def get_prep_value(self, value: Any) -> Any:
        # A computed domain is not parsed again.
        if isinstance(value, StoredText):
            return text_of(value)
        try:
            return self.to_python(value)
        except ValidationError as error:
            advice = "For other text, use iexact, which finds no rows."
            raise operand_error(error, value, f"a domain for {self}", advice) from error

    def computed_from(self, url: object) -> str | None:
        return registrable_domain(url)


# The column is ASCII, and some databases require operands to be ASCII as well.
for _lookup in (*TEXT_LOOKUPS, *COMPARISONS):
    RegistrableDomainField.register_lookup(_lookup)


@RegistrableDomainField.register_lookup
class DomainIExact(AnyExact):
    """``site__iexact``: finds the same rows as ``exact``, because domains are in lower case.

    Text that is not a domain finds no rows, because people search with ``iexact`` in the admin.
    """

    lookup_name: str | None = "iexact"

    def get_prep_lookup(self) -> Any:
        try:
            return super().get_prep_lookup()
        except ValidationError:
            return ""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:  # noqa: ARG002  # overridden
        if self.rhs == "":
            raise EmptyResultSet
        # The operator of ``iexact`` is LIKE on some databases, with wildcards.
        return compiler.compile(AnyExact(self.lhs, self.rhs))
