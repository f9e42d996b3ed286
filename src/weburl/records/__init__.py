"""§4.1, 4.2, 4.5 and 4.6: the URL record, the checks of its components, its path and its text.

Nothing is parsed here. May use `infra` and `hosts`.
"""
