"""The models of the journal: runs, and the changes of each. `journal` writes and reads them.

They contain whole URLs, including passwords, so they have no permissions and are not in the admin.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models

APP_LABEL = "django_whatwg_url"
FIRST_MIGRATION = (APP_LABEL, "0001_initial")


class Run(models.Model):  # noqa: DJ008  # It is never shown.
    """A run. ``started`` and ``undone`` are in UTC. ``undone`` may be empty."""

    objects: ClassVar[models.Manager[Run]]

    id: models.BigAutoField[int, int] = models.BigAutoField(primary_key=True)
    started: models.CharField[str, str] = models.CharField(max_length=30)
    source: models.CharField[str, str] = models.CharField(max_length=200)
    columns: models.TextField[str, str] = models.TextField()
    options: models.TextField[str, str] = models.TextField()
    summary: models.TextField[str, str] = models.TextField(default="")
    undone: models.CharField[str, str] = models.CharField(max_length=30, default="")

    class Meta:
        app_label: ClassVar[str] = APP_LABEL
        default_permissions: ClassVar[tuple[()]] = ()


class Change(models.Model):  # noqa: DJ008
    """A changed row, or a removed row if ``after`` is NULL. The newest has the highest key.

    Changes with the same ``unit`` belong to one removed row and its references. ``run`` is not a
    foreign key, so that a change takes no lock on its run.
    """

    objects: ClassVar[models.Manager[Change]]

    id: models.BigAutoField[int, int] = models.BigAutoField(primary_key=True)
    run: models.BigIntegerField[int, int] = models.BigIntegerField()
    unit: models.BigIntegerField[int | None, int | None] = models.BigIntegerField(null=True)
    model: models.CharField[str, str] = models.CharField(max_length=200)
    key: models.TextField[str, str] = models.TextField()
    before: models.TextField[str, str] = models.TextField()
    after: models.TextField[str | None, str | None] = models.TextField(null=True)  # noqa: DJ001  # a removed row has no values after it

    class Meta:
        app_label: ClassVar[str] = APP_LABEL
        default_permissions: ClassVar[tuple[()]] = ()
        indexes: ClassVar[tuple[models.Index, ...]] = (
            models.Index(fields=["run", "id"], name="whatwg_url_change_run"),
            models.Index(fields=["run", "unit"], name="whatwg_url_change_unit"),
        )
