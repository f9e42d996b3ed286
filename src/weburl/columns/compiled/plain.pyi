# The reader of plain rows. Nothing in it is called from Python.
