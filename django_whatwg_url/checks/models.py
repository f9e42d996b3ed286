"""System checks of models: their indexes, constraints and managers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from django.apps import AppConfig, apps
from django.core import checks
from django.db import models
from django.db.models import F, Q

from django_whatwg_url.beside.base import FollowingCompanion
from django_whatwg_url.beside.managers import Follower, URLQuerySet, followers_of
from django_whatwg_url.fields import URLReferenceField
from django_whatwg_url.generated import check_url_field


def check_names(
    app_configs: Sequence[AppConfig] | None = None, **_kwargs: object
) -> list[checks.CheckMessage]:
    """Return the messages about fields that this package's indexes and constraints refer to."""
    return [
        message
        for model in models_of(app_configs)
        for named in (*model._meta.indexes, *model._meta.constraints)
        if isinstance(url_field := getattr(named, "url_field", None), str)
        for message in check_url_field(
            model, f"{type(named).__name__} {named.name!r}", model, url_field
        )
    ]


def check_managers(
    app_configs: Sequence[AppConfig] | None = None, **_kwargs: object
) -> list[checks.CheckMessage]:
    """Return the messages about models with columns that `update()` of their URL would not update.

    Only the default manager of each model is checked.
    """
    messages: list[checks.CheckMessage] = []
    for model in models_of(app_configs):
        if (followers := [*followers_of(model)]) and not _updates_followers(model):
            messages += [_not_updated(model, follower) for follower in followers]
    return messages


def _updates_followers(model: type[models.Model]) -> bool:
    # A manager that needs a request, for example for a tenant, may raise any error.
    with suppress(Exception):
        return isinstance(model._default_manager.all(), URLQuerySet)  # noqa: SLF001  # documented
    return False


def check_sources(
    app_configs: Sequence[AppConfig] | None = None, **_kwargs: object
) -> list[checks.CheckMessage]:
    """Return the messages about columns that follow a field of references.

    Without a base, "/a?b=1" is not a URL, so it has no key and no parameters.
    """
    return [
        checks.Warning(
            f"{column.name!r} is NULL for every relative reference in {column.from_field!r}, such "
            "as '/about'. Only absolute URLs have a value.",
            hint=(
                "Use a CanonicalURLField or an ExactURLField, or silence this check if most values "
                "are absolute."
            ),
            obj=column,
            id="django_whatwg_url.W035",
        )
        for model in models_of(app_configs)
        for column in model._meta.concrete_fields
        if isinstance(column, FollowingCompanion)
        and any(
            isinstance(field, URLReferenceField) and field.name == column.from_field
            for field in model._meta.concrete_fields
        )
    ]


def _not_updated(model: type[models.Model], follower: Follower) -> checks.CheckMessage:
    name = follower.column.name
    is_constrained = any(
        name in names
        for names in (
            [name] if follower.column.unique else [],
            *model._meta.unique_together,
            *map(_names_of_constraint, model._meta.constraints),
        )
    )
    kind: type[checks.Warning | checks.Error] = checks.Warning
    id = "django_whatwg_url.W032"
    if is_constrained:
        kind, id = checks.Error, "django_whatwg_url.E033"
    constrained = " A constraint of the model needs the right value." if is_constrained else ""
    return kind(
        f"QuerySet.update() and bulk_update() of {follower.source!r} leave the old value in "
        f"{name!r}, which follows it.{constrained}",
        hint=(
            "Write objects = URLQuerySet.as_manager() in the model, or make your own manager from "
            "it: YourManager.from_queryset(URLQuerySet)(). The class is in "
            "django_whatwg_url.managers."
        ),
        obj=model,
        id=id,
    )


def _names_of_constraint(constraint: models.BaseConstraint) -> set[str]:
    read = [*getattr(constraint, "expressions", ()), getattr(constraint, "condition", None)]
    return {
        *getattr(constraint, "fields", ()),
        *(name for each in read for name in _names_in(each)),
    }


def _names_in(expression: Any) -> Iterator[str]:
    """Yield the names of the fields that an expression or a condition reads."""
    if isinstance(expression, F):
        name: str = expression.name  # type: ignore[attr-defined]
        yield name.partition("__")[0]
    elif isinstance(expression, Q):
        for child in expression.children:
            if isinstance(child, tuple):
                yield child[0].partition("__")[0]
                yield from _names_in(child[1])
            else:
                yield from _names_in(child)
    elif hasattr(expression, "get_source_expressions"):
        for source in expression.get_source_expressions():
            yield from _names_in(source)


def models_of(app_configs: Sequence[AppConfig] | None) -> Iterator[type[models.Model]]:
    """Yield the models that have a table of their own."""
    for config in apps.get_app_configs() if app_configs is None else app_configs:
        # A proxy shares its columns and indexes with another model, which is checked too.
        yield from (model for model in config.get_models() if not model._meta.proxy)
