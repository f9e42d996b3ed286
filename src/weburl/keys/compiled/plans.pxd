# What a key leaves out of a URL, in a form that needs no Python object.
from weburl.standard.compiled.scan cimport PScan
from weburl.standard.compiled.suffixes cimport PTable

cdef enum:
    MOST_NAMES = 256  # `weburl.keys.params.MOST_PLAIN_NAMES`
    MOST_PAIRS = 64  # of a query that is sorted here

cdef enum:  # what happens to a fragment, by its first byte
    DROPPED = 0
    KEPT = 1
    UNSURE = 2

cdef enum:  # what a name is, as bits
    IS_PREFIX = 1
    IS_EVERYWHERE = 2  # its rule is for all URLs

ctypedef struct Plan:
    bint drops_fragment
    bint keeps_text_directives
    bint drops_credentials
    bint folds_https
    bint drops_trailing_dot
    bint folds_www
    bint folds_percent_encoding
    bint drops_session_ids
    bint lowercases_path
    bint folds_default_document
    bint folds_trailing_slash
    bint changes_query
    bint declines_queries  # all but the empty one
    bint sorts_params
    bint drops_empty_query
    unsigned char[256] fragments
    int[257] buckets  # where the names with this first byte begin
    unsigned char[256] kinds
    Py_ssize_t[257] ends  # of the names in `names`
    const unsigned char *names

ctypedef const Plan *PPlan

cdef class KeyPlan:
    cdef Plan plan
    cdef bytes names
    cdef object suffixes
    cpdef object key_of(self, object text)

cdef Py_ssize_t write_key(
    PPlan plan, PTable table, PScan s, unsigned char *out
) noexcept nogil
