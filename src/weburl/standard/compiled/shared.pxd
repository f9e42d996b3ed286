# Memory that threads share without a lock: it is published whole, and never changed after that.

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    #define load_pointer(place) (*(void *volatile *)(place))
    /* Put a pointer into a place that holds NULL. 0 if another thread was faster. */
    #define publish(place, made) \\
        (_InterlockedCompareExchangePointer((void *volatile *)(place), (made), NULL) == NULL)
    #define load_number(place) (*(volatile unsigned long long *)(place))
    #define store_number(place, number) (*(volatile unsigned long long *)(place) = (number))
    #else
    #define load_pointer(place) __atomic_load_n((void **)(place), __ATOMIC_ACQUIRE)
    CYTHON_UNUSED static int publish(void *place, void *made) {
        void *expected = NULL;
        return __atomic_compare_exchange_n(
            (void **)place, &expected, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    }
    #define load_number(place) __atomic_load_n((unsigned long long *)(place), __ATOMIC_RELAXED)
    #define store_number(place, number) \\
        __atomic_store_n((unsigned long long *)(place), (number), __ATOMIC_RELAXED)
    #endif
    """
    void *load_pointer(void *place) nogil
    bint publish(void *place, void *made) nogil
    unsigned long long load_number(unsigned long long *place) nogil
    void store_number(unsigned long long *place, unsigned long long number) nogil
