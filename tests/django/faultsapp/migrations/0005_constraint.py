from django.db import migrations

from django_whatwg_url.constraints import IsCanonicalURL


class Migration(migrations.Migration):
    dependencies = [("faultsapp", "0004_index")]
    operations = [migrations.AddConstraint("link", IsCanonicalURL("url", name="faults_canonical"))]
