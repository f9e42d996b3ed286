"""System checks of whole models: indexes, constraints and managers. The app registers them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from django.apps import AppConfig, apps
from django.core import checks
from django.db import models

from django_whatwg_url.checks.references import check_url_field
from django_whatwg_url.managers import Follower, URLQuerySet, followers_of
from django_whatwg_url.operations.remaking import names_in


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
    """Return the messages about models with a column that `update()` of the URL would not update.

    Only the default manager of a model is looked at.
    """
    messages: list[checks.CheckMessage] = []
    for model in models_of(app_configs):
        if (followers := [*followers_of(model)]) and not _updates_followers(model):
            messages += [_not_updated(model, follower) for follower in followers]
    return messages


def _updates_followers(model: type[models.Model]) -> bool:
    # A manager may raise any error outside a request, for example one that needs a tenant.
    with suppress(Exception):
        return isinstance(model._default_manager.all(), URLQuerySet)  # noqa: SLF001  # documented
    return False


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
    return {*getattr(constraint, "fields", ()), *(name for each in read for name in names_in(each))}


def models_of(app_configs: Sequence[AppConfig] | None) -> Iterator[type[models.Model]]:
    """Yield the models that have a table of their own."""
    for config in apps.get_app_configs() if app_configs is None else app_configs:
        # A proxy shares its columns and indexes with another model, which is checked too.
        yield from (model for model in config.get_models() if not model._meta.proxy)
