"""Columns of text in Arrow's layout: reads buffers of UTF-8 and makes buffers.

Nothing here imports pyarrow, because a column is just its buffers. The interpreted build imports
nothing from here.
"""
