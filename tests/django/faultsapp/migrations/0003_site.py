from django.db import migrations

from django_whatwg_url.fields import RegistrableDomainField


class Migration(migrations.Migration):
    dependencies = [("faultsapp", "0002_url")]
    operations = [
        migrations.AddField("link", "site", RegistrableDomainField("url", max_length=500))
    ]
