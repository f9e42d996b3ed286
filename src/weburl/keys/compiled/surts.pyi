# The writer of SURTs. Nothing in it is called from Python.
