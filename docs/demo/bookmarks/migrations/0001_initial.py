"""Creates the table of bookmarks."""

from __future__ import annotations

from django.db import migrations, models

import django_whatwg_url.fields


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Bookmark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", django_whatwg_url.fields.CanonicalURLField(unique=True)),
                ("added", models.DateTimeField(auto_now_add=True)),
            ],
        ),
    ]
