"""Adds the key of each page, and computes it for the bookmarks that are there."""

from __future__ import annotations

from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import django_whatwg_url.fields


def store_keys(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Store the key of every bookmark."""
    bookmarks: Any = apps.get_model("bookmarks", "Bookmark")
    rows = bookmarks.objects.using(schema_editor.connection.alias)
    for bookmark in rows.only("url").iterator():
        bookmark.save(update_fields=["url_key"])


class Migration(migrations.Migration):
    dependencies = [("bookmarks", "0002_sites")]

    operations = [
        migrations.AddField(
            model_name="bookmark",
            name="url_key",
            field=django_whatwg_url.fields.URLKeyField("url", rules="page@1"),
        ),
        migrations.RunPython(store_keys, migrations.RunPython.noop),
    ]
