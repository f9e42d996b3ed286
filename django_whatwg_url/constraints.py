"""Constraints on a URL column or its key. The database refuses a bad row, whoever writes it.

``full_clean()`` also checks them, and reports the error for the field. NULL satisfies all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS, models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from django_whatwg_url.duplicates import (
    ANY_PAGE,
    OWN_PAGE,
    SAME_PAGE,
    row_with_same_key,
    same_page_error,
)
from django_whatwg_url.functions import LooksCanonical
from django_whatwg_url.query.policies import policy_condition, rules_left_out
from weburl import URLPolicy

if TYPE_CHECKING:
    from django.db.models.expressions import Combinable
    from django.utils.functional import _StrOrPromise

__all__ = ["IsCanonicalURL", "URLAllowedBy", "UniqueURLKey"]


class _URLConstraint(models.CheckConstraint):
    default_code: ClassVar[str]

    def __init__(
        self,
        url_field: str,
        condition: Q | Combinable,
        *,
        name: str,
        violation_error_code: str | None = None,
        violation_error_message: _StrOrPromise | None = None,
    ) -> None:
        self.url_field = url_field
        super().__init__(
            condition=Q(**{f"{url_field}__isnull": True}) | Q(condition),
            name=name,
            violation_error_code=violation_error_code or self.default_code,
            violation_error_message=violation_error_message,
        )

    def validate(self, *args: Any, **kwargs: Any) -> None:
        try:
            super().validate(*args, **kwargs)
        except ValidationError as error:
            raise ValidationError({self.url_field: error}) from error

    def deconstruct(self) -> Any:
        path, _args, kwargs = super().deconstruct()
        del kwargs["condition"]
        if self.violation_error_code == self.default_code:
            del kwargs["violation_error_code"]
        return path, (self.url_field, *self.values()), kwargs

    def values(self) -> tuple[object, ...]:
        """Return the positional arguments after the field's name, for migrations."""
        return ()


class IsCanonicalURL(_URLConstraint):
    """Refuses text that is certainly not canonical, whatever program writes it.

    It uses `django_whatwg_url.functions.LooksCanonical`, which does not catch everything, because
    SQL cannot parse. ``name``: the name of the constraint in the database.
    """

    default_code = "not-canonical"
    default_violation_error_message: _StrOrPromise = _("This is not a URL in canonical form.")

    def __init__(self, url_field: str, *, name: str, **options: Any) -> None:
        super().__init__(url_field, LooksCanonical(url_field), name=name, **options)


class URLAllowedBy(_URLConstraint):
    """Refuses a URL that ``policy`` does not allow, as far as SQL can check.

    SQL checks schemes, ports, credentials, fragments, the length, allowed and refused hosts,
    whether a host is an IP address, and whether it is a single label. It never refuses a URL that
    the policy allows. It is less exact in two cases:

    - It allows every host below a registrable domain.
    - It does not parse the host of a URL whose scheme is not special (see
      `weburl.SPECIAL_SCHEMES`) in the way of the web.

    SQL cannot check classes of addresses, networks, special-use names, suffixes, names that cannot
    be resolved, patterns, a `weburl.HostList`, and agreement with other readers. So also give the
    policy to the field. `left_out` names the rules of this policy that SQL does not check.

    Raises TypeError if ``policy`` is not a policy. A reference to a policy is refused, because the
    constraint is part of the table, and would not change with the policy. Raises ValueError if its
    hosts are too many for a constraint.
    """

    default_code = "url-not-allowed"
    default_violation_error_message: _StrOrPromise = _("This URL cannot be used here.")

    def __init__(self, url_field: str, policy: URLPolicy, *, name: str, **options: Any) -> None:
        if isinstance(policy, str) or callable(policy):
            raise TypeError(
                "a constraint takes a weburl.URLPolicy, not a reference to one: it is part of the"
                " table, and would stay as it is when the policy changes"
            )
        if not isinstance(policy, URLPolicy):
            raise TypeError(f"policy must be a weburl.URLPolicy, not {type(policy).__name__}")
        self.policy = policy
        super().__init__(url_field, policy_condition(url_field, policy), name=name, **options)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of the rules of the policy that the database does not check."""
        return rules_left_out(self.policy)

    def values(self) -> tuple[object, ...]:
        return (self.policy,)


class UniqueURLKey(models.UniqueConstraint):
    """Allows only one row with a key, or only one for each value of other fields.

    It is a `UniqueConstraint` on these columns. Its validation is different in two ways:

    - The error belongs to the field of the URL, and names the existing row. So a form shows it,
      although the key is not in the form.
    - A field of ``within`` does not have to be in the form, if the instance has its value. Set it
      before the form is validated: ``BookmarkForm(data, instance=Bookmark(owner=user))``.

    Args:
        key_field: The name of a `URLKeyField`.
        within: The names of other fields, such as ``["owner"]``.
        name: The name of the constraint in the database.
        violation_error_code: The code of the error, "same-page" by default.
        violation_error_message: The message. "%(url)s" in it becomes the URL of the existing row,
            without a password. The default message contains it only with ``within``, because the
            row may otherwise belong to someone else.

    Raises TypeError if ``within`` is a string.
    """

    def __init__(
        self,
        key_field: str,
        *,
        within: Iterable[str] = (),
        name: str,
        violation_error_code: str | None = None,
        violation_error_message: _StrOrPromise | None = None,
    ) -> None:
        if isinstance(within, str):
            raise TypeError("within must be an iterable of names, not a string")
        self.key_field = key_field
        self.within: tuple[str, ...] = tuple(within)
        super().__init__(
            fields=(*self.within, key_field),
            name=name,
            violation_error_code=violation_error_code or SAME_PAGE,
            violation_error_message=violation_error_message,
        )

    def validate(
        self,
        model: type[models.Model],
        instance: models.Model,
        exclude: Iterable[str] | None = None,
        using: str = DEFAULT_DB_ALIAS,
    ) -> None:
        key: Any = model._meta.get_field(self.key_field)
        if exclude is not None and key.from_field in exclude:
            return
        row = row_with_same_key(instance, self.key_field, self.within, using=using)
        if row is not None:
            error = same_page_error(row, self.key_field, self._message())
            error.code = self.violation_error_code
            raise ValidationError({key.from_field: error})

    def _message(self) -> _StrOrPromise:
        given = self.violation_error_message
        if given is not None and given != self.default_violation_error_message:
            return given
        return OWN_PAGE if self.within else ANY_PAGE

    def deconstruct(self) -> Any:
        path, _args, kwargs = super().deconstruct()
        del kwargs["fields"]
        if self.violation_error_code == SAME_PAGE:
            del kwargs["violation_error_code"]
        if self.within:
            kwargs["within"] = self.within
        return path, (self.key_field,), kwargs
