"""An app without models: the tests in `tests.django.migrating` write its migrations."""
