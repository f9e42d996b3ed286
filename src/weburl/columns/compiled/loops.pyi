# Jobs over the rows of a column. Nothing in it is called from Python.
