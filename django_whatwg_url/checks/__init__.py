"""System checks: what a model says of its URLs that a database will not do, or not well.

Fields call them; nothing is registered with Django here. May use `columns` and `functions`.
"""
