"""What other libraries need to know of the values here: one file for each library.

A file here may import the library of its name, and is loaded when somebody asks for it. No other
room imports them. May use `testing`, `fields` and `__init__`, all of which are public.
"""
