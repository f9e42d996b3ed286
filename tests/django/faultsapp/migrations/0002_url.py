from django.db import migrations

from django_whatwg_url.fields import CanonicalURLField


class Migration(migrations.Migration):
    dependencies = [("faultsapp", "0001_initial")]
    operations = [migrations.AlterField("link", "url", CanonicalURLField(max_length=500))]
