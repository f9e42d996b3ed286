import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.CreateModel(
            name="ByURL",
            fields=[
                ("url", models.CharField(max_length=200, primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name="Keyed",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("url", models.TextField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Label",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=20)),
            ],
        ),
        migrations.CreateModel(
            name="Loose",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.CharField(max_length=400)),
            ],
        ),
        migrations.CreateModel(
            name="Whole",
            fields=[
                (
                    "loose_ptr",
                    models.OneToOneField(
                        auto_created=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        parent_link=True,
                        primary_key=True,
                        serialize=False,
                        to="wayinapp.loose",
                    ),
                ),
                ("extra", models.TextField(blank=True)),
            ],
            bases=("wayinapp.loose",),
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("object_id", models.CharField(max_length=40)),
                (
                    "content_type",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="contenttypes.contenttype"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Old",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.URLField(max_length=700, null=True, unique=True)),
                ("original", models.TextField(blank=True, default="")),
                ("created", models.DateField(null=True)),
                ("hidden", models.BooleanField(default=False)),
                ("labels", models.ManyToManyField(to="wayinapp.label")),
                (
                    "twin",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, to="wayinapp.old"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Cited",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "old",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="wayinapp.old",
                        to_field="url",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Owned",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("owner", models.IntegerField(null=True)),
                ("active", models.BooleanField(default=False)),
                ("url", models.TextField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("active", True)), fields=("url",), name="one_active"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Paired",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("owner", models.IntegerField(null=True)),
                ("url", models.CharField(max_length=200)),
            ],
            options={
                "unique_together": {("owner", "url")},
            },
        ),
        migrations.CreateModel(
            name="Place",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField(default=0)),
                (
                    "old",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="wayinapp.old"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PointsAtURL",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="wayinapp.byurl"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Profile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "old",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, to="wayinapp.old"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Shelf",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("olds", models.ManyToManyField(through="wayinapp.Place", to="wayinapp.old")),
            ],
        ),
        migrations.AddField(
            model_name="place",
            name="shelf",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, to="wayinapp.shelf"
            ),
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
                    "old",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="wayinapp.old"
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="place",
            constraint=models.UniqueConstraint(fields=("shelf", "old"), name="one_place"),
        ),
    ]
