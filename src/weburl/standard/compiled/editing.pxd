cdef object edited(object record, int part, object text, unsigned char mark, bint is_own)
