"""System checks of a URL field: its options, its parts in indexes, and the column of ``written``.

The field calls them. Nothing is registered with Django.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.core import checks
from django.core.exceptions import FieldDoesNotExist
from django.db import connections, models, router
from django.db.models import F

from django_whatwg_url.column.checks import check_collation, check_indexes
from django_whatwg_url.column.values import to_url
from django_whatwg_url.functions import URLPart, generated_part, holds_part
from weburl import URLRecord


def check_field(
    field: Any,
    found: list[checks.CheckMessage],
    databases: Sequence[str] | None,
) -> list[checks.CheckMessage]:
    """Return the messages about ``field``: CharField's messages in ``found``, and ours.

    ``databases``: the aliases of the databases to query. With None, no database is queried.
    """
    messages = check_indexes(field, found, databases)
    messages += [*_check_blank(field), *_check_defaults(field)]
    messages += check_collation(field, field.db_collation, databases)
    if not {"fields.E004", "fields.E005"} & {message.id for message in found}:
        # With one of these errors, the choices may not be pairs.
        messages += _check_choices(field)
    return messages


def _check_blank(field: Any) -> Iterator[checks.CheckMessage]:
    if field.blank and not field.null and not field.as_text:
        yield checks.Warning(
            "blank=True allows this field to be empty, but it can store an empty value only with "
            "null=True.",
            hint=(
                "An empty string is not a URL, so this field stores NULL for it. Write "
                f"{field.name} = {type(field).__name__}(…, null=True, blank=True), or remove "
                "blank=True."
            ),
            obj=field,
            id="django_whatwg_url.W001",
        )


def _check_defaults(field: Any) -> Iterator[checks.CheckMessage]:
    for option in ("default", "db_default"):
        default = getattr(field, option)
        if not isinstance(default, (str, URLRecord)) or default == field.no_url:
            continue  # There is no default, or it is a callable or an expression.
        url = to_url(default)
        if isinstance(url, URLRecord):
            yield from _check_scheme(field, f"{option}={str(default)!r}", url)
            yield from _check_length(field, option, len(url.href))
        elif url is not None or not field.null:
            reason = "an empty string is not a URL" if url is None else url.error.reason
            yield checks.Error(
                f"{option}={default!r} cannot be stored: {reason}",
                hint="Set it to a URL, or remove it.",
                obj=field,
                id="django_whatwg_url.E001",
            )


def _check_length(field: Any, option: str, length: int) -> Iterator[checks.CheckMessage]:
    if field.max_length is not None and length > field.max_length:
        yield checks.Error(
            f"{option} cannot be stored: its canonical form has {length} characters, but "
            f"max_length is {field.max_length}.",
            hint="Set a greater max_length, or use another URL.",
            obj=field,
            id="django_whatwg_url.E001",
        )


def _check_choices(field: Any) -> Iterator[checks.CheckMessage]:
    for key, label in field.choices or ():
        # A group has a list of choices instead of a label.
        pairs = label if isinstance(label, (list, tuple)) else [(key, label)]
        yield from _check_keys(field, [each for each, _label in pairs])


def _check_keys(field: Any, keys: Iterable[object]) -> Iterator[checks.CheckMessage]:
    for key in keys:
        if key in (None, ""):
            continue
        url = to_url(key)
        expected = url.href if isinstance(url, URLRecord) else None
        if key != expected:
            yield checks.Error(
                f"'choices' contains {str(key)!r}, which is not a URL in canonical form.",
                hint=f"Write {expected!r}." if expected else "Write a URL.",
                obj=field,
                id="django_whatwg_url.E002",
            )
        elif isinstance(url, URLRecord):
            yield from _check_scheme(field, f"choice {key!r}", url)


def _check_scheme(field: Any, subject: str, url: URLRecord) -> Iterator[checks.CheckMessage]:
    if field.schemes is not None and url.scheme not in field.schemes:
        yield checks.Warning(
            f"The scheme of {subject} is not in schemes, so full_clean() and forms refuse it.",
            hint=f"Add {url.scheme!r} to schemes, or use another URL.",
            obj=field,
            id="django_whatwg_url.W002",
        )


def check_parts(field: Any, databases: Iterable[str] | None) -> list[checks.CheckMessage]:
    """Return the messages about indexes, constraints and generated columns of a URL's parts.

    ``databases``: the aliases of the databases to check, as Django passes them. With None, no
    database is checked.
    """
    model: type[models.Model] = field.model
    messages: list[checks.CheckMessage] = [*_check_columns(field, model)]
    for alias in databases or ():
        connection: Any = connections[alias]
        if (
            router.allow_migrate_model(alias, model)
            and not connection.features.supports_expression_indexes
        ):
            messages += _check_expressions(field, model, connection.display_name)
    return messages


def _check_columns(field: Any, model: type[models.Model]) -> Iterator[checks.CheckMessage]:
    for column in model._meta.local_fields:
        part = generated_part(column, field.name)
        if part is not None and not holds_part(column, part):
            yield checks.Warning(
                f"Queries on {field.name}__{part.part} do not use this column, because its "
                "output_field may compare text differently.",
                hint=f"Write {_recipe(field, part.part, column.name)}.",
                obj=column,
                id="django_whatwg_url.W010",
            )


def _check_expressions(
    field: Any, model: type[models.Model], database: str
) -> Iterator[checks.CheckMessage]:
    options = model._meta
    indexed = {
        type(generated_part(column, field.name))
        for column in options.local_fields
        if _is_indexed(column, model)
    }
    for index in options.indexes:
        missing = [p for p in _parts_in(index.expressions, field.name) if type(p) not in indexed]
        if missing:
            yield checks.Warning(
                f"{database} does not support indexes on expressions, so it will not create "
                f"{index.name!r}.",
                hint=f"Add {_recipes(field, missing, 'db_index')}. Queries will use the column.",
                obj=model,
                id="django_whatwg_url.W011",
            )
    for constraint in options.constraints:
        parts = _parts_in(getattr(constraint, "expressions", ()), field.name)
        if isinstance(constraint, models.UniqueConstraint) and parts:
            yield checks.Warning(
                f"{database} does not support unique constraints on expressions, so it will not "
                f"enforce {constraint.name!r}.",
                hint=(
                    f"Add {_recipes(field, parts)}, and use these columns in the constraint's "
                    "fields."
                ),
                obj=model,
                id="django_whatwg_url.W012",
            )


def _is_indexed(column: Any, model: type[models.Model]) -> bool:
    options = model._meta
    starts = [index.fields[0].removeprefix("-") for index in options.indexes if index.fields]
    starts += [
        constraint.fields[0]
        for constraint in options.constraints
        if isinstance(constraint, models.UniqueConstraint) and constraint.fields
    ]
    return bool(column.db_index or column.unique or column.name in starts)


def _parts_in(expressions: Iterable[Any], name: str) -> list[URLPart]:
    """Return the parts of the URL field ``name`` that expressions contain."""
    found: list[URLPart] = []
    for expression in expressions:
        if isinstance(expression, URLPart) and expression.get_source_expressions() == [F(name)]:
            found.append(expression)
        elif hasattr(expression, "get_source_expressions"):
            found += _parts_in(expression.get_source_expressions(), name)
    return found


def _recipes(field: Any, parts: list[URLPart], *options: str) -> str:
    return " and ".join(_recipe(field, part.part, part.part, *options) for part in parts)


def _recipe(field: Any, part: str, column: str, *options: str) -> str:
    extra = "".join(f", {option}=True" for option in options)
    return f"{column} = GeneratedURLPartField({field.name!r}, part={part!r}{extra})"


def check_written(field: Any) -> Iterator[checks.CheckMessage]:
    """Yield the messages about the column that ``written`` of a field names."""
    name: str | None = field.written
    if name is None:
        return
    try:
        column: Any = field.model._meta.get_field(name)
    except FieldDoesNotExist:
        column = None
    reason = _unsuitable(field, column)
    if reason is not None:
        yield checks.Error(
            f"written={name!r} {reason}.",
            hint="Name a CharField or TextField of the same table that is declared after the URL.",
            obj=field,
            id="django_whatwg_url.E030",
        )
        return
    if column.max_length is not None and (
        field.max_length is None or column.max_length < field.max_length
    ):
        yield checks.Warning(
            f"'{field.name}' allows longer URLs than '{name}' can keep, so saving a URL may raise "
            "an error.",
            hint=f"Set max_length of '{name}' to at least that of '{field.name}'.",
            obj=field,
            id="django_whatwg_url.W030",
        )
    if column.editable:
        yield checks.Warning(
            f"'{name}' is shown in forms, but it is filled from '{field.name}'.",
            hint=f"Set editable=False on '{name}'.",
            obj=field,
            id="django_whatwg_url.W031",
        )


def _unsuitable(field: Any, column: Any) -> str | None:
    """Return the reason why a column cannot keep the spelling, or None."""
    if column is None or column not in field.model._meta.concrete_fields:
        return "is not a column of this model"
    if column == field:
        return "is the URL itself"
    if column.model is not field.model:
        return "is in another table"
    if column.creation_counter < field.creation_counter:
        return f"comes before {field.name!r}, so it is saved before the URL is read"
    # These fields would change the text, or refuse it.
    is_text = isinstance(column, (models.CharField, models.TextField))
    if not is_text or getattr(column, "holds_ascii", False) or column.choices or column.unique:
        return "is not a plain text column"
    others = (other for other in field.model._meta.concrete_fields if other is not field)
    if any(getattr(other, "written", None) == field.written for other in others):
        return "is named by another URL field as well"
    return None
