"""System checks of models: their indexes, constraints, managers and texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import Any, Final, NoReturn

from django.apps import AppConfig, apps
from django.core import checks
from django.db import connections, models

from django_whatwg_url.beside.base import FollowingCompanion
from django_whatwg_url.beside.managers import Follower, URLQuerySet, followers_of
from django_whatwg_url.beside.written import written_column, written_fields
from django_whatwg_url.fields import CanonicalURLField, URLReferenceField
from django_whatwg_url.fields.text import URLTextField
from django_whatwg_url.generated import check_url_field
from django_whatwg_url.operations.remaking import names_in

_MARKER: Final = "django-whatwg-url-credential"


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


def check_shown_texts(
    app_configs: Sequence[AppConfig] | None = None, **_kwargs: object
) -> list[checks.CheckMessage]:
    """Return the messages about models whose ``str()`` contains the credentials of a URL.

    ``__str__()`` is called on an instance that is not saved, without a query.
    """
    return [
        checks.Warning(
            f"__str__() shows the username and the password of {field.name!r}. The admin puts its "
            "text into pages, messages and the log of changes.",
            hint=(
                "Show another field, or only the host."
                if getattr(field, "as_text", True)
                else f"Write self.{field.name}.redacted() instead of str(self.{field.name})."
            ),
            obj=model,
            id="django_whatwg_url.W034",
        )
        for model in models_of(app_configs)
        if model.__str__ is not models.Model.__str__
        for field in _fields_of_urls(model)
        if _shows(model, field)
    ]


def check_lists(
    app_configs: Sequence[AppConfig] | None = None, **_kwargs: object
) -> list[checks.CheckMessage]:
    """Return the messages about lists of ``admin.site`` that show the credentials of a URL."""
    if not apps.is_installed("django.contrib.admin"):
        return []
    from django.contrib.admin import site  # It needs the app to be installed.

    from django_whatwg_url.admin import URLAdminMixin  # for the same reason

    registered = [
        (model, site.get_model_admin(model))
        for model in models_of(app_configs)
        if site.is_registered(model)
    ]
    return [
        checks.Warning(
            f"{option} of {type(model_admin).__name__} shows the usernames and passwords of the "
            f"URLs in {field.name!r}.",
            hint=f"Use URLAdminMixin, or write {instead} instead of the name.",
            obj=type(model_admin),
            id="django_whatwg_url.W036",
        )
        for model, model_admin in registered
        if not isinstance(model_admin, URLAdminMixin)
        for field in _fields_of_urls(model)
        if not field.choices
        for option, instead in (
            ("list_display", f'URLLink("{field.name}")'),
            ("list_filter", f'("{field.name}", URLValuesListFilter)'),
        )
        if field.name in getattr(model_admin, option)
    ]


def _fields_of_urls(model: type[models.Model]) -> Iterator[models.Field[Any, Any]]:
    """Yield the fields whose text may contain credentials, also those that ``written`` names."""
    spellings = [written_column(field) for field in written_fields(model)]
    for field in model._meta.concrete_fields:
        if isinstance(field, (CanonicalURLField, URLTextField)) or field in spellings:
            yield field


def _shows(model: type[models.Model], url_field: models.Field[Any, Any]) -> bool:
    values: dict[str, object] = {
        # Defaults are not used, because they may be callables that read the database.
        field.attname: "" if field.empty_strings_allowed and not field.null else None
        for field in model._meta.concrete_fields
        if not field.generated
    }
    values[url_field.attname] = f"https://{_MARKER}:{_MARKER}@host.example/"
    # The project's code may raise any error for such an instance.
    with suppress(Exception), ExitStack() as stack:
        for connection in connections.all():
            stack.enter_context(connection.execute_wrapper(_refuse_query))
        return _MARKER in str(model(**values))
    return False


def _refuse_query(*_args: object) -> NoReturn:
    raise RuntimeError("a check runs no query")


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
