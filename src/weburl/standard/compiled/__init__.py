"""The compiled parser: returns the same records as `url`, but reads bytes.

Returns None when unsure; the general parser then decides and reports errors. The modules are
Python with C types, compiled by Cython. Cython is not needed at run time, and the interpreted build
imports nothing from here.
"""
