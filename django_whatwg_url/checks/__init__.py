"""System checks: which options of a model's URL fields a database does not support, or not well.

The fields call them. Nothing is registered with Django here. May use `columns` and `functions`.
"""
