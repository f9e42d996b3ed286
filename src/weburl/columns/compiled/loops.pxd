# What every loop over the rows of a column uses.
from weburl.columns.compiled.rows cimport (
    PRows, Rows, find_row, is_null, offset_at, open_rows, require_row, told
)
from weburl.standard.compiled.scan cimport STACK, PScan, Scan, begin, free_buffers, output
from weburl.columns.compiled.sinks cimport (
    HREF, PSink, Sink, closed, has_room, insert, leave_out, make_room, open_sinks, put_null, put_told
)
from weburl.standard.compiled.utf_8 cimport is_text
