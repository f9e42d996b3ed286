"""The base classes of columns that Python computes from a URL whenever a row is saved.

SQL cannot compute a registrable domain or the key of a URL, so Python computes the value and stores
it. `managers` does the same for updates, and `rows.recompute` for all rows of a table.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypedDict, TypeVar

from django.core import checks
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.db.models.query_utils import DeferredAttribute

from django_whatwg_url.column.checks import check_indexes
from django_whatwg_url.column.columns import DEFAULT_MAX_LENGTH, with_one_index
from django_whatwg_url.column.values import is_expression

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.expressions import Combinable
    from django.utils.functional import _StrOrPromise

    class CompanionOptions(TypedDict, total=False):
        """The options that the fields of this package pass to CharField."""

        max_length: int
        db_index: bool
        unique: bool
        error_messages: dict[str, _StrOrPromise] | None
        help_text: _StrOrPromise
        db_column: str | None
        db_comment: str | None
        db_tablespace: str | None

    _CharField = models.CharField[str | Combinable | None, str | None]
else:
    _CharField = models.CharField

CUT: Final = "\x7f"
"""Comes before the digest of a shortened value. A URL never contains it."""
DIGEST_LENGTH: Final = 64
SHORTEST_MAX_LENGTH: Final = 100
"""The least ``max_length``. It leaves room for the beginning of a long value before the digest."""

_CompanionT = TypeVar("_CompanionT", bound="Companion")


def with_digest(beginning: str, value: str) -> str:
    """Return what is stored for a value that is too long: its beginning, and its digest."""
    digest = sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{beginning}{CUT}{digest}"


class Companion(_CharField):
    """A base class for a column that is computed from the field ``from_field`` of its row.

    It is always ``null=True`` and not editable. Each subclass defines `computed_from`, and inherits
    the type of its column from a class in `column.columns`.

    Raises TypeError for an option that is always the same.
    """

    empty_strings_allowed = False
    default_max_length: ClassVar[int] = DEFAULT_MAX_LENGTH
    non_db_attrs: tuple[str, ...] = (*models.CharField.non_db_attrs, "from_field")

    if TYPE_CHECKING:
        # The mypy plugin uses these instead of CharField's attributes, because null is always True.
        _pyi_private_set_type: str | Combinable | None  # type: ignore[assignment]
        _pyi_private_get_type: str | None  # type: ignore[assignment]
        _pyi_lookup_exact_type: str | None

    def __init__(
        self,
        from_field: str,
        verbose_name: _StrOrPromise | None = None,
        **options: Unpack[CompanionOptions],
    ) -> None:
        self.from_field = from_field
        options.setdefault("max_length", self.default_max_length)
        options.setdefault("db_index", True)
        # A URL may have no such value, and people do not enter it.
        fixed: Any = {"null": True, "blank": True, "editable": False}
        for name in fixed.keys() & options.keys():
            raise TypeError(f"{name} is always {fixed[name]} for this field, so leave it out")
        super().__init__(verbose_name, **fixed, **options)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        for option in ("null", "blank", "editable"):
            del kwargs[option]
        if kwargs.pop("db_index", False) is False:
            kwargs["db_index"] = False
        if self.max_length == self.default_max_length:
            del kwargs["max_length"]
        return name, path, [self.from_field, *args], kwargs

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        return with_one_index(super().db_type(connection), connection)

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        return check_indexes(self, super().check(**kwargs), kwargs.get("databases"))

    def computed_from(self, url: object) -> str | None:
        """Return the value for ``url``, which is a value of the field ``from_field``."""
        raise NotImplementedError

    def computed(self, instance: models.Model) -> str | None:
        """Return the value for the current URL of ``instance``."""
        return self.computed_from(getattr(instance, self.from_field))

    def as_stored(self, value: str | None) -> str | None:
        """Return a computed value in the form in which the column stores it."""
        return value

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # noqa: ARG002
        self.follow(model_instance)
        values = vars(model_instance)
        if self.attname not in values:
            return getattr(model_instance, self.attname)  # The URL is deferred.
        # getattr() could compute the value again.
        return values[self.attname]

    def follow(self, instance: models.Model) -> None:
        """Set the attribute of ``instance`` to the value for its URL.

        It is None if the URL is an expression, because the old value may belong to another URL. If
        the URL is deferred, the attribute is not changed.
        """
        if self.can_be_computed(instance):
            setattr(instance, self.attname, self.computed(instance))
        elif self.from_field in vars(instance):
            setattr(instance, self.attname, None)

    def can_be_computed(self, instance: models.Model) -> bool:
        """Return whether the URL is loaded, and is not an expression."""
        values = vars(instance)
        return self.from_field in values and not is_expression(values[self.from_field])


class _FollowingAttribute(DeferredAttribute):
    """The attribute of a `FollowingCompanion`: the value for the current URL of the instance."""

    field: Any

    def __get__(self, instance: models.Model | None, cls: type[models.Model] | None = None) -> Any:
        if instance is None:
            return self
        if self.field.can_be_computed(instance):
            return self.field.computed(instance)
        data = vars(instance)
        return data[self.field.attname] if self.field.attname in data else super().__get__(instance)

    def __set__(self, instance: models.Model, value: object) -> None:
        vars(instance)[self.field.attname] = value


class FollowingCompanion(Companion):
    """A companion whose attribute always belongs to the current URL of the instance.

    So the attribute is already correct before the row is saved, and validation can use it. If the
    URL is deferred or an expression, the attribute is the value in the row. The URL may be in a
    text field of any class.
    """

    descriptor_class = _FollowingAttribute
    shortened_value: ClassVar[tuple[str, str]]
    """What the value is, and the id of the check for a column that is too short for its digest."""

    def computed(self, instance: models.Model) -> str | None:
        # getattr() would parse the text into a record, which is not needed here.
        values = vars(instance)
        url, name = values[self.from_field], f"_{self.attname}_computed"
        if name not in values or values[name][0] is not url:
            values[name] = url, self.computed_from(url)
        return values[name][1]  # type: ignore[no-any-return]

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        return [*super().check(**kwargs), *self._check_text_field(), *self._check_length()]

    def _check_length(self) -> Iterator[checks.CheckMessage]:
        if isinstance(self.max_length, int) and self.max_length < SHORTEST_MAX_LENGTH:
            what, id = self.shortened_value
            yield checks.Error(
                f"max_length={self.max_length} is too little for the digest of a long {what}.",
                hint=f"Set it to {SHORTEST_MAX_LENGTH} or more.",
                obj=self,
                id=id,
            )

    def _check_text_field(self) -> Iterator[checks.CheckMessage]:
        source: Any = None
        with suppress(FieldDoesNotExist):
            source = self.model._meta.get_field(self.from_field)
        is_text = isinstance(source, (models.CharField, models.TextField))
        if not is_text or source.model is not self.model or isinstance(source, Companion):
            yield checks.Error(
                f"from_field={self.from_field!r} is not a text field of this model.",
                hint=(
                    "Set it to the name of the field with the URL, in the same table. If the "
                    "model inherits the URL from another table, declare this field there, too."
                ),
                obj=self,
                id="django_whatwg_url.E007",
            )


def companions_of(model: type[models.Model], kind: type[_CompanionT]) -> list[_CompanionT]:
    """Return the companion fields of class ``kind`` of a model, including inherited fields."""
    return [field for field in model._meta.concrete_fields if isinstance(field, kind)]
