# Words of 32 and 64 bits.
cdef extern from *:
    """
    #include <string.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __forceinline int weburl_ones(unsigned long long word) {
        return (int)(__popcnt((unsigned int)word) + __popcnt((unsigned int)(word >> 32)));
    }
    static __forceinline int weburl_lowest(unsigned int word) {
        unsigned long place;
        _BitScanForward(&place, word);
        return (int)place;
    }
    static __forceinline int weburl_highest(unsigned int word) {
        unsigned long place;
        _BitScanReverse(&place, word);
        return (int)place;
    }
    #else
    static inline int weburl_ones(unsigned long long word) { return __builtin_popcountll(word); }
    #define weburl_lowest(word) __builtin_ctz(word)
    #define weburl_highest(word) (31 - __builtin_clz(word))
    #endif
    static CYTHON_INLINE unsigned long long weburl_word_at(const unsigned char *p) {
        unsigned long long word;
        memcpy(&word, p, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
    #endif
        return word;
    }
    """
    # How many bits are set.
    int ones "weburl_ones"(unsigned long long word) nogil
    # Which bit is the lowest that is set, or the highest. The word is not 0.
    int lowest "weburl_lowest"(unsigned int word) noexcept nogil
    int highest "weburl_highest"(unsigned int word) noexcept nogil
    # Eight bytes as a number, the lowest first.
    unsigned long long word_at "weburl_word_at"(const unsigned char *p) noexcept nogil
