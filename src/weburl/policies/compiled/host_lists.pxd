# The names in a list of hosts. `weburl.policies.host_table` describes the table.
ctypedef struct Table:
    const unsigned char *texts
    const unsigned int *ends
    const unsigned char *kinds
    const unsigned int *starts
    int shift
    Py_ssize_t longest

ctypedef const Table *PTable

cdef bint open_table(
    Table *table,
    const unsigned char[::1] names,
    const unsigned int[::1] ends,
    const unsigned char[::1] kinds,
    const unsigned int[::1] starts,
    int shift,
    Py_ssize_t longest,
) except? -1
cdef bint is_listed(PTable table, unsigned char *host, Py_ssize_t size) noexcept nogil
