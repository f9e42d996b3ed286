"""Creates the index that finds the bookmarks of a site."""

from __future__ import annotations

from django.db import migrations

import django_whatwg_url.indexes


class Migration(migrations.Migration):
    dependencies = [("bookmarks", "0001_initial")]

    operations = [
        migrations.AddIndex(
            model_name="bookmark",
            index=django_whatwg_url.indexes.URLIndex(
                "url", name="bookmark_url_rever_791538_idx", part="reversed_host"
            ),
        ),
    ]
