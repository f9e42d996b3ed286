from django.db import migrations

from django_whatwg_url.indexes import URLIndex


class Migration(migrations.Migration):
    dependencies = [("faultsapp", "0003_site")]
    operations = [migrations.AddIndex("link", URLIndex("url", part="host", name="faults_host"))]
