"""A column for the key of a URL. URLs that are probably the same page have the same key.

`weburl.keys` computes the keys. This module stores them in a column, and does not change the URL.
`duplicates` finds rows with the same key.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
from django.core import checks
from django.db.migrations.serializer import BaseSerializer
from django.db.migrations.writer import MigrationWriter
from django.db.models import lookups
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from django_whatwg_url.beside.base import (
    DIGEST_LENGTH,
    Companion,
    FollowingCompanion,
    with_digest,
)
from django_whatwg_url.column.columns import DEFAULT_MAX_LENGTH, ASCIIColumn
from django_whatwg_url.column.values import UnparsableURL, text_of
from django_whatwg_url.lookups import TypedLookup
from django_whatwg_url.query.lookups import TEXT_LOOKUPS, SearchedColumn
from django_whatwg_url.query.operands import percent_encode_operand, typed_hrefs
from weburl import URLParseError, URLRecord
from weburl.keys import RULE_NAMES, KeyRules, ParamRule
from weburl.keys import url_key as key_under

if TYPE_CHECKING:
    from typing import Unpack

    from django.utils.functional import _Getter, _StrOrPromise

    from django_whatwg_url.beside.base import CompanionOptions


def url_key(
    url: object, rules: KeyRules, *, max_length: int | None = DEFAULT_MAX_LENGTH
) -> str | None:
    """Return the key of a URL as a `URLKeyField` stores it, or None if ``url`` is not a URL.

    Args:
        url: A record, or any value that a URL field accepts.
        rules: The rules that decide which URLs have the same key.
        max_length: The length of the column. A longer key is shortened, and ends in U+007F and its
            SHA-256 digest in hexadecimal. So shortened keys are equal if the whole keys are. None
            means no limit.
    """
    if url is None or isinstance(url, UnparsableURL):
        return None
    try:
        key = key_under(url if isinstance(url, URLRecord) else text_of(url), rules)
    except URLParseError:
        return None
    return shortened(key, max_length)


def shortened(key: str, max_length: int | None) -> str:
    """Return ``key``, shortened to fit into ``max_length`` characters as `url_key` describes."""
    if max_length is None or len(key) <= max_length:
        return key
    return with_digest(key[: max_length - DIGEST_LENGTH - 1], key)


def rules_named(name: str) -> KeyRules:
    """Return the rules with a name: "page", "page@1", or an import path.

    Raises ValueError if there are no such rules, or no such version of them.
    """
    ready, _at, version = name.partition("@")
    if ready in RULE_NAMES:
        rules = KeyRules.named(ready)
        if version in {"", str(rules.version)}:
            return rules
        raise ValueError(
            f"{name!r} is a version of the rules that this release does not have. It has "
            f"{reference(rules)!r}."
        )
    with suppress(ImportError):
        imported: object = import_string(name)
        if isinstance(imported, KeyRules):
            return imported
    known = ", ".join(RULE_NAMES)
    raise ValueError(
        f"There are no rules {name!r}. Use one of {known}, or the import path of KeyRules."
    )


def reference(rules: KeyRules) -> str:
    """Return the name and the version of rules, such as "page@1"."""
    return f"{rules.name}@{rules.version}"


class _ValueSerializer(BaseSerializer):
    """Writes `KeyRules` and `ParamRule` into migrations, without arguments that are the default."""

    def serialize(self) -> Any:
        return _code_of(self.value), {f"import {type(self.value).__module__}"}


def _code_of(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({''.join(f'{_code_of(each)}, ' for each in value)})"
    kind = type(value)
    if not attrs.has(kind):
        return repr(value)
    given = [
        f"{field.name}={_code_of(getattr(value, field.name))}"
        for field in attrs.fields(kind)
        if field.init and getattr(value, field.name) != field.default
    ]
    return f"{kind.__module__}.{kind.__qualname__}({', '.join(given)})"


for _kind in (KeyRules, ParamRule):
    MigrationWriter.register_serializer(_kind, _ValueSerializer)


class URLKeyField(ASCIIColumn, SearchedColumn, FollowingCompanion):
    """The key of the URL in another field of the model, or NULL if its value is not a URL.

    Rows whose URLs are the same page under ``rules`` have the same key. The URL itself does not
    change. The attribute always belongs to the current URL of the instance, so ``full_clean()`` can
    check constraints on the key.

    The column is filled whenever a row is saved, by `Model.save()`, `create()`, `bulk_create()` and
    methods that use them. `QuerySet.update()`, `bulk_update()` and
    `bulk_create(update_conflicts=True)` fill it if the manager of the model is made from
    `managers.URLQuerySet`. If the URL is an expression, `update()` sets the key to NULL. After
    that, after other updates, and after a change of ``rules``, run the command ``update_url_keys``.

    A key longer than ``max_length`` ends in U+007F and its SHA-256 digest, so nothing is refused
    because its key is long. The field is always ``null=True`` and not editable.

    Args:
        from_field: The name of a text field of the same model, of any class: `URLField`,
            `CharField`, `TextField`, `CanonicalURLField` and others.
        verbose_name: As for other fields.
        rules: `weburl.keys.KeyRules`, or the name of such rules: "browser", "page" or "crawl", or
            an import path. `KeyRules.page()` by default.
        max_length: The length of the column in characters, at least 100. 2048 by default.
        db_index: Whether the column has an index. True by default.
        **options: ``unique``, ``error_messages``, ``help_text``, ``db_column``, ``db_comment`` and
            ``db_tablespace``.

    Raises TypeError if ``rules`` are neither rules nor a name.
    """

    __module__ = "django_whatwg_url.fields"

    description: _StrOrPromise | _Getter[_StrOrPromise] = _("Key of a URL")
    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = {
        "unique": _("Another entry already leads to this page, perhaps in another spelling.")
    }
    non_db_attrs: tuple[str, ...] = (*Companion.non_db_attrs, "rules")
    shortened_value: ClassVar[tuple[str, str]] = ("key", "django_whatwg_url.E008")

    def __init__(
        self,
        from_field: str,
        verbose_name: _StrOrPromise | None = None,
        *,
        rules: KeyRules | str | None = None,
        **options: Unpack[CompanionOptions],
    ) -> None:
        if rules is not None and not isinstance(rules, (KeyRules, str)):
            raise TypeError(
                f"rules must be weburl.keys.KeyRules or a name, not {type(rules).__name__}"
            )
        self._rules = KeyRules.page() if rules is None else rules
        super().__init__(from_field, verbose_name, **options)

    @cached_property
    def rules(self) -> KeyRules:
        """The rules. Raises ValueError if their name is unknown.

        An old migration may name a version that this release does not have.
        """
        return self._rules if isinstance(self._rules, KeyRules) else rules_named(self._rules)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        # Always write the version, so that a release with different rules needs a migration.
        kwargs["rules"] = self._rules
        if not isinstance(self._rules, str) or self._rules in RULE_NAMES:
            named = self.rules.name in RULE_NAMES and self.rules == KeyRules.named(self.rules.name)
            kwargs["rules"] = reference(self.rules) if named else self.rules
        return name, path, args, kwargs

    # Checks.

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        found = super().check(**kwargs)
        try:
            self.rules  # noqa: B018
        except ValueError as error:
            found.append(checks.Error(str(error), obj=self, id="django_whatwg_url.E008"))
        return found

    # Values.

    def computed_from(self, url: object) -> str | None:
        return url_key(url, self.rules, max_length=self.max_length)

    def get_prep_value(self, value: Any) -> Any:
        prepared = super().get_prep_value(value)
        if not isinstance(prepared, str):
            return prepared
        if not prepared.isascii() or "\0" in prepared:
            prepared = percent_encode_operand(prepared)  # Some databases refuse other text.
        return shortened(prepared, self.max_length)


for _lookup in TEXT_LOOKUPS:
    URLKeyField.register_lookup(_lookup)


@URLKeyField.register_lookup
class SameAs(TypedLookup):
    """``url_key__same_as="Example.com/?utm_source=a"``: finds rows with the page that people type.

    The operand is a URL or text, to which the rules of the field are applied. Text without a scheme
    means https or http. Text that is not a URL finds no rows. The query can use the index on the
    column.
    """

    lookup_name: str | None = "same_as"

    def alternatives(self) -> list[lookups.Lookup[Any]]:
        field = self.lhs.output_field
        keys = {field.computed_from(href) for href in typed_hrefs(self.rhs)}
        return [lookups.In(self.lhs, sorted(keys - {None}))] if keys else []
