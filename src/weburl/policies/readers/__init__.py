"""Readings of a URL by other software: where it would connect to, and whether all agree.

`standards` reads text by standards, `libraries` with installed programs, and `agreement` compares
the results. The room does not decide whether a URL is safe.
"""
