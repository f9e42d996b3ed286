"""Integrations with other libraries: one module for each library.

A module here may import the library of its name, and is imported only when someone needs it. No
other room imports these modules. May use `testing`, `fields` and `__init__`, which are public.
"""
