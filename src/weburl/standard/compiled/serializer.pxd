cpdef object href_of(object record)
