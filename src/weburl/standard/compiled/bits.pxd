# How many bits of a 64-bit word are set.
cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __forceinline int weburl_ones(unsigned long long word) {
        return (int)(__popcnt((unsigned int)word) + __popcnt((unsigned int)(word >> 32)));
    }
    #else
    static inline int weburl_ones(unsigned long long word) { return __builtin_popcountll(word); }
    #endif
    """
    int ones "weburl_ones"(unsigned long long word) nogil
