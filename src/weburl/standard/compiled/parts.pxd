from weburl.standard.compiled.records cimport PRecord

# The parts of a URL, as the attributes of the class `URL` give them. `parts` has their names, in
# this order.
cdef enum:
    PROTOCOL = 0
    USERNAME_PART = 1
    PASSWORD_PART = 2
    HOST_PART = 3
    HOSTNAME = 4
    PORT_PART = 5
    PATHNAME = 6
    SEARCH = 7
    HASH = 8
    ORIGIN = 9

cdef object part_of(PRecord record, int part)
