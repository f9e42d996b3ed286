"""The attribute of a URL field with ``as_text=True``: plain text, as with Django's own URLField.

Nothing is converted when a row is read or a value is assigned. Text becomes canonical when the
instance is validated or saved. The field imports this module, not the other way round.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.db.models import Model
from django.db.models.query_utils import DeferredAttribute

from django_whatwg_url.storage.attributes import URLAttribute, row_text
from django_whatwg_url.storage.values import UnparsableURL, is_expression, text_of, to_url
from weburl import URLParseError, URLRecord, canonicalize

if TYPE_CHECKING:
    from django.db.models import Field

_BULK_UPDATE: Final = "bulk_update"


class _URLField(Protocol):
    @property
    def model(self) -> Any: ...
    @property
    def attname(self) -> str: ...
    @property
    def max_length(self) -> int | None: ...

    checked: tuple[str | None, str | None]

    @property
    def no_url(self) -> str | None: ...


class URLTextAttribute(DeferredAttribute):
    """The attribute of a URL field with ``as_text=True``. The instance holds the text itself.

    It has no ``__set__``, so Python reads and writes it as fast as the attribute of a CharField.
    """

    field: Any

    def record(self, instance: Model) -> URLRecord | UnparsableURL | None:
        """Return the URL of ``instance`` as a record, or what a record attribute would return.

        That is None if there is no URL, and an `UnparsableURL` for text that does not parse.
        """
        return to_url(getattr(instance, self.field.attname))


_URL_ATTRIBUTES: Final = (URLAttribute, URLTextAttribute)


def is_url_field(field: Any) -> bool:
    """Return whether ``field`` is a `CanonicalURLField`, for modules that `fields` imports."""
    return issubclass(field.descriptor_class, _URL_ATTRIBUTES)


def stored_text(field: _URLField, instance: Model, add: bool) -> object:  # noqa: ARG001
    """Make the attribute of ``instance`` canonical, and return the value to store.

    Text that does not parse stays in the attribute. It is returned with the key of its row,
    because the field refuses it unless the row already holds it. So is text that is too long.
    Django may call this twice. The arguments are those of `Field.pre_save`.
    """
    data = instance.__dict__
    name = field.attname
    value = data.get(name)
    text: str | None = None
    if type(value) is str and value:
        # This runs for every row of bulk_create(), so it calls no other function of ours.
        if value is field.checked[1]:
            return value
        try:
            text = canonicalize(value)
        except URLParseError:
            return row_text(value, field, instance)
    else:
        if name not in data:
            value = getattr(instance, name)
        if value is None or is_expression(value):
            return value
        text = canonical_text(value, no_url=field.no_url)
        if isinstance(text, UnparsableURL):
            return row_text(text_of(text), field, instance)
    data[name] = text
    if not text:
        return text
    limit = field.max_length
    if limit is None or len(text) <= limit:
        field.checked = (text, text)
        return text
    return row_text(text, field, instance)


def canonical_text(value: object, no_url: str | None = None) -> str | None:
    """Return a value as canonical text, or as an `UnparsableURL` if it does not parse.

    The result is None for None, and ``no_url`` for an empty string.
    """
    if type(value) is not str:
        if value is None:
            return None
        if isinstance(value, URLRecord):
            url = to_url(value)
            return url.href if isinstance(url, URLRecord) else url
        value = text_of(value)
    if value == "":
        return no_url
    try:
        return canonicalize(value)
    except URLParseError as error:
        return UnparsableURL(value, error)


def follow_bulk_update(model: type[Model]) -> None:
    """Make the attributes of instances canonical that `QuerySet.bulk_update` stores.

    How a URL is written is set before that, as for `Model.save`.

    It does not call ``pre_save()``. The only code that it runs for each instance is a method of the
    model, which is replaced here. Nothing changes for other models, or when rows are read.
    """
    name = "_prepare_related_fields_for_save"
    django_method: Any = getattr(model, name)
    if hasattr(django_method, "follows_bulk_update"):
        return  # Another field of the model, or of its parent, has replaced it.

    @wraps(django_method)
    def prepare(
        self: Model, operation_name: str, fields: Collection[Field[Any, Any]] | None = None
    ) -> None:
        django_method(self, operation_name, fields)
        if operation_name == _BULK_UPDATE:
            for field in fields or ():
                if isinstance(vars(self).get(field.attname), (str, URLRecord)):
                    _make_canonical(field, self)

    vars(prepare)["follows_bulk_update"] = True
    setattr(model, name, prepare)


def _make_canonical(field: Any, instance: Model) -> None:
    if getattr(field, "written", None) is not None:
        field.keep_written(instance)
    if issubclass(field.descriptor_class, URLTextAttribute):
        stored_text(field, instance, False)
