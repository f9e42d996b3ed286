"""Integrations with other libraries: one module for each library.

A module here may import the library of its name, and is imported only when someone needs it. No
other room imports these modules. `weburl` names `pydantic_schemas`, which pydantic asks for.
"""
