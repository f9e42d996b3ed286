"""What other apps need to know of the fields here: one file for each of them.

A file here may import the library of its name. It is loaded when somebody asks for it, or by `apps`
where the other app is installed. May use `fields` and what is below it.
"""
