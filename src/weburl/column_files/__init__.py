"""``python -m weburl columns``: the functions of `columns` for files, batch by batch.

Reads Parquet, CSV, JSON lines or plain text, adds columns, and writes one of these. Memory stays
the same however long the file is, and a run that was stopped can go on. Nothing here knows what a
URL is. May use `columns` and all rooms below it.
"""
