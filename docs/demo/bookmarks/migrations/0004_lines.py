"""Adds the lines of an import that added no bookmark."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("bookmarks", "0003_keys")]

    operations = [
        migrations.CreateModel(
            name="ImportedLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("text", models.CharField(max_length=300)),
                ("reason", models.TextField(blank=True)),
                (
                    "bookmark",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="spellings",
                        to="bookmarks.bookmark",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("number", "text"), name="one_line_of_each_import"
                    )
                ],
            },
        ),
    ]
