"""The compiled body: the same URLs as `parsing` makes, by loops over bytes, or none.

It gives the value, or declines; it explains nothing, so what it declines goes to the general
parser. Written in Python with the types of C, compiled by Cython, which is not needed at run
time; interpreted, nothing here is imported. May use the rooms up to `records`.
"""
