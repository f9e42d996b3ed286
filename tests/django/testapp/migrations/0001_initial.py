"""The test app's tables."""

import django.db.models.deletion
import django.db.models.functions.text
from django.db import migrations, models

import django_whatwg_url.fields
import tests.django.testapp.models


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
                ("title", models.CharField(blank=True, max_length=100)),
            ],
        ),
        migrations.CreateModel(
            name="Parent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", django_whatwg_url.fields.CanonicalURLField()),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Chosen",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "url",
                    django_whatwg_url.fields.CanonicalURLField(
                        choices=[
                            ("https://one.example/", "The first"),
                            ("https://two.example/", "The second"),
                        ]
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Defaulted",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", django_whatwg_url.fields.CanonicalURLField(default="HTTP://Text.Example")),
                (
                    "record",
                    django_whatwg_url.fields.CanonicalURLField(default="http://record.example/"),
                ),
                (
                    "called",
                    django_whatwg_url.fields.CanonicalURLField(
                        default=tests.django.testapp.models.a_default
                    ),
                ),
                (
                    "in_database",
                    django_whatwg_url.fields.CanonicalURLField(
                        db_default="HTTP://Database.Example"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Page",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "url",
                    django_whatwg_url.fields.CanonicalURLField(
                        blank=True, null=True, verbose_name="address"
                    ),
                ),
                (
                    "source",
                    django_whatwg_url.fields.CanonicalURLField(
                        db_index=True, default="https://example.com/source"
                    ),
                ),
                ("published", models.DateField(null=True)),
                ("title", models.CharField(blank=True, max_length=100)),
            ],
        ),
        migrations.CreateModel(
            name="Short",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", django_whatwg_url.fields.CanonicalURLField(max_length=30)),
            ],
        ),
        migrations.CreateModel(
            name="Site",
            fields=[
                (
                    "url",
                    django_whatwg_url.fields.CanonicalURLField(primary_key=True, serialize=False),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Strict",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("valid", django_whatwg_url.fields.CanonicalURLField(strictness="valid")),
                (
                    "anonymous",
                    django_whatwg_url.fields.CanonicalURLField(
                        blank=True,
                        error_messages={"invalid-credentials": "No passwords, please."},
                        null=True,
                        strictness=("invalid-reverse-solidus", "invalid-credentials"),
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Child",
            fields=[
                (
                    "parent_ptr",
                    models.OneToOneField(
                        auto_created=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        parent_link=True,
                        primary_key=True,
                        serialize=False,
                        to="testapp.parent",
                    ),
                ),
                ("mirror", django_whatwg_url.fields.CanonicalURLField(null=True)),
            ],
            options={
                "abstract": False,
            },
            bases=("testapp.parent",),
        ),
        migrations.CreateModel(
            name="Constrained",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", django_whatwg_url.fields.CanonicalURLField(unique_for_date="day")),
                ("mirror", django_whatwg_url.fields.CanonicalURLField(null=True)),
                ("day", models.DateField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("url", "mirror"), name="unique_pair"),
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("mirror"), name="unique_lower_mirror"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("url__startswith", "https://")), name="url_is_https"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Visit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "bookmark",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="testapp.bookmark",
                        to_field="url",
                    ),
                ),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="testapp.site"
                    ),
                ),
            ],
        ),
    ]
