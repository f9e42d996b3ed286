"""``python -m weburl columns``: the functions of `columns` for files, batch by batch.

Reads Parquet, CSV, JSON lines or plain text, adds columns, and writes one of these formats. Memory
use does not depend on the length of the file, and a run that was stopped can be resumed. Nothing
here depends on what a URL is.
"""
