"""System checks: options of a model's URL fields that a database does not support, or not well.

The fields call them. This room registers nothing with Django.
"""
