"""Integrations with other apps, with one file for each app.

Each file may import the library it is named after. It is loaded when a project imports it, or by
`apps` and `models` if the other app is installed.
"""
