"""The system checks that the app registers: of models, migrations, rows and settings.

The checks of one field or column are beside it, in `fields.checks` and `storage.checks`.
"""
