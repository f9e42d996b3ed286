"""The system checks that the app registers, for models, migrations, rows and settings.

The checks for a single field or column are in `fields.checks` and `column.checks`.
"""
