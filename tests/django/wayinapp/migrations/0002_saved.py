import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("wayinapp", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Person",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
            ],
        ),
        migrations.CreateModel(
            name="Rich",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("url", models.CharField(max_length=400, unique=True)),
                ("price", models.DecimalField(decimal_places=2, max_digits=8)),
                ("moment", models.DateTimeField()),
                ("day", models.DateField()),
                ("took", models.DurationField()),
                ("data", models.JSONField()),
                ("raw", models.BinaryField()),
                ("is_on", models.BooleanField()),
                ("ratio", models.FloatField()),
            ],
        ),
        migrations.CreateModel(
            name="Saved",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("group", models.CharField(default="", max_length=80)),
                ("url", models.CharField(max_length=400)),
                ("normalized", models.TextField(default="")),
                ("title", models.TextField(default="")),
                (
                    "owner",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, to="wayinapp.person"
                    ),
                ),
                ("tags", models.ManyToManyField(to="wayinapp.label")),
            ],
        ),
        migrations.CreateModel(
            name="Clicked",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "saved",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, to="wayinapp.saved"
                    ),
                ),
            ],
        ),
    ]
