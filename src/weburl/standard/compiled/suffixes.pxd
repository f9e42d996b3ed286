# A table of the names in the Public Suffix List, for code that runs without Python objects.
#
# It is a hash table with open addresses. The hash of a name is made label by label from the last one
# on, so that a lookup of a longer name goes on where that of the shorter one ended.
from libc.string cimport memcmp

from weburl.standard.compiled.bits cimport word_at

cdef enum:  # what a name is, as in `hosts.public_suffix`
    RULE = 1
    WILDCARD = 2
    EXCEPTION = 4
    UNKNOWN = 8

cdef enum:
    LABELS_KEPT = 4  # of a domain, whose starts are remembered

ctypedef struct Name:
    unsigned int tag  # the bits of the hash that do not choose the place
    unsigned int start  # in the bytes of all names
    unsigned int size  # 0 in an empty place
    int kind

ctypedef struct Table:
    Name *names
    unsigned int mask  # the number of places, a power of two, minus one
    const unsigned char *texts

ctypedef Name *PName
ctypedef const Table *PTable

cdef class SuffixTable:
    cdef bytes texts
    cdef Table table


cdef inline unsigned long long mixed(unsigned long long hash) noexcept nogil:
    hash *= 0x9E3779B97F4A7C15U
    return hash ^ hash >> 29


cdef inline unsigned long long hash_with_label(
    unsigned long long hash, const unsigned char *label, Py_ssize_t size, Py_ssize_t before
) noexcept nogil:
    """Return the hash of some labels with one more before them.

    ``before``: how many bytes before the label can be read.
    """
    cdef unsigned long long word = 0
    cdef Py_ssize_t at
    hash += size + 1
    while size >= 8:
        size -= 8
        hash = mixed(hash ^ word_at(label + size))
    if size and before + size >= 8:
        word = word_at(label + size - 8) >> (64 - 8 * size)
    else:
        for at in range(size):
            word |= <unsigned long long>label[at] << (8 * at)
    return mixed(hash ^ word) if size else hash


cdef inline Name *place_of_name(
    PTable table, unsigned long long hash, const unsigned char *name, Py_ssize_t size
) noexcept nogil:
    """Return the place of a name with this hash, which is empty if the table does not have it."""
    cdef unsigned int place = <unsigned int>hash & table.mask
    cdef unsigned int tag = <unsigned int>(hash >> 32)
    cdef Name *found = table.names + place
    while found.size and not (
        found.tag == tag and <Py_ssize_t>found.size == size
        and memcmp(table.texts + found.start, name, size) == 0
    ):
        place = (place + 1) & table.mask
        found = table.names + place
    return found


cdef inline Py_ssize_t start_of_label(const unsigned char *domain, Py_ssize_t end) noexcept nogil:
    """Return where the label that ends at ``end`` starts."""
    while end > 0 and domain[end - 1] != 0x2E:
        end -= 1
    return end


cdef inline void put_name(
    Table *table, Py_ssize_t start, Py_ssize_t size, int kind
) noexcept nogil:
    """Put a name, which is among the bytes of all names and not in the table yet."""
    cdef const unsigned char *name = table.texts + start
    cdef unsigned long long hash = 0
    cdef Py_ssize_t end = size
    cdef Py_ssize_t at
    cdef Name *place
    while end > 0:
        at = start_of_label(name, end)
        hash = hash_with_label(hash, name + at, end - at, at)
        end = at - 1
    place = place_of_name(table, hash, name, size)
    place.tag = <unsigned int>(hash >> 32)
    place.start = <unsigned int>start
    place.size = <unsigned int>size
    place.kind = kind


cdef inline Py_ssize_t suffix_start(
    PTable table, const unsigned char *domain, Py_ssize_t size, Py_ssize_t fewer, Py_ssize_t before
) noexcept nogil:
    """Return where the public suffix and the label before it start, or ``fewer`` labels; or -1.

    The domain has no empty label, also not at its end. ``before``: how many bytes before it can be
    read.
    """
    cdef Py_ssize_t[LABELS_KEPT] starts
    cdef Py_ssize_t end = size
    cdef Py_ssize_t at, dots
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t labels = 1  # of the public suffix
    cdef Py_ssize_t labels_of_exception = 0
    cdef unsigned long long hash = 0
    cdef int kind = 0
    cdef bint is_after_wildcard
    cdef Name *name
    while end > 0 and kind != UNKNOWN:
        at = start_of_label(domain, end)
        hash = hash_with_label(hash, domain + at, end - at, at + before)
        if count < LABELS_KEPT:
            starts[count] = at
        count += 1
        is_after_wildcard = kind & WILDCARD
        name = place_of_name(table, hash, domain + at, size - at)
        kind = name.kind if name.size else UNKNOWN
        if is_after_wildcard or kind & RULE:
            labels = count
        if kind & EXCEPTION:
            labels_of_exception = count
        end = at - 1
    dots = (labels_of_exception - 1 if labels_of_exception else labels) - fewer
    if dots < count and dots < LABELS_KEPT:
        return starts[dots]
    end = start_of_label(domain, size)
    while dots and end > 0:
        end = start_of_label(domain, end - 1)
        dots -= 1
    return -1 if dots else end


cdef inline bint has_empty_label(const unsigned char *domain, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at
    if size == 0 or domain[0] == 0x2E or domain[size - 1] == 0x2E:
        return True
    for at in range(1, size):
        if domain[at] == 0x2E and domain[at - 1] == 0x2E:
            return True
    return False


cdef inline Py_ssize_t labels_start(
    PTable table, const unsigned char *domain, Py_ssize_t size, Py_ssize_t fewer
) noexcept nogil:
    """Return what `suffix_start` does, for any domain. Its last dot does not count."""
    if size > 0 and domain[size - 1] == 0x2E:
        size -= 1
    return -1 if has_empty_label(domain, size) else suffix_start(table, domain, size, fewer, 0)


cdef inline Py_ssize_t registrable_domain(
    PTable table, const unsigned char *domain, Py_ssize_t size
) noexcept nogil:
    """Return where the registrable domain of a domain starts; -1 if it has none.

    This is `PublicSuffixList.registrable_domain`, with the same names.
    """
    return labels_start(table, domain, size, 0)


cdef inline Py_ssize_t public_suffix(
    PTable table, const unsigned char *domain, Py_ssize_t size
) noexcept nogil:
    """Return where the public suffix of a domain starts; -1 if it has none.

    This is `PublicSuffixList.public_suffix`, with the same names.
    """
    return labels_start(table, domain, size, 1)
