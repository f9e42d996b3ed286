"""Integrations with other apps, with one file for each app.

A file here may import the library it is named after. It is loaded when a project imports it, or by
`apps` if the other app is installed.
"""
