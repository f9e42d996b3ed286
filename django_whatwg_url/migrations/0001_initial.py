"""Creates the journal of the runs that rewrite URLs."""

from typing import ClassVar

from django.db import migrations, models
from django.db.migrations.operations.base import Operation


class Migration(migrations.Migration):
    initial: ClassVar[bool | None] = True

    dependencies: ClassVar[list[tuple[str, str]]] = []

    operations: ClassVar[list[Operation]] = [
        migrations.CreateModel(
            name="Run",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("started", models.CharField(max_length=30)),
                ("source", models.CharField(max_length=200)),
                ("columns", models.TextField()),
                ("options", models.TextField()),
                ("summary", models.TextField(default="")),
                ("undone", models.CharField(default="", max_length=30)),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Change",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("run", models.BigIntegerField()),
                ("unit", models.BigIntegerField(null=True)),
                ("model", models.CharField(max_length=200)),
                ("key", models.TextField()),
                ("before", models.TextField()),
                ("after", models.TextField(null=True)),
            ],
            options={
                "default_permissions": (),
                "indexes": [
                    models.Index(fields=["run", "id"], name="whatwg_url_change_run"),
                    models.Index(fields=["run", "unit"], name="whatwg_url_change_unit"),
                ],
            },
        ),
    ]
