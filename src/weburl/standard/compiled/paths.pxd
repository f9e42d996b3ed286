from weburl.standard.compiled.scan cimport PScan

cdef bint is_drive_letter(unsigned char *text) noexcept nogil
cdef bint starts_with_a_windows_drive_letter(PScan s, Py_ssize_t at) noexcept nogil
cdef Py_ssize_t shortened(unsigned char *path, Py_ssize_t size, int scheme) noexcept nogil
cdef int scan_path(PScan s) except -1 nogil
cdef int scan_path_start(PScan s) except -1 nogil
cdef int scan_opaque_path(PScan s) except -1 nogil
