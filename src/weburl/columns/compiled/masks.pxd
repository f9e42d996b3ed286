# Which of 32 bytes belong to a class: a mask with a bit for each byte, the first the lowest. SSE2 and
# NEON are part of every processor for x86-64 and arm64. HAS_VECTORS is false elsewhere.
cdef extern from *:
    """
    #ifndef WEBURL_MASKS
    #define WEBURL_MASKS
    #include <stdint.h>
    #define HAS_VECTORS 1
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    typedef __m128i Vector;
    #define vector_at(p) _mm_loadu_si128((const __m128i *)(p))
    #define vector_of(byte) _mm_set1_epi8((char)(byte))
    #define vector_or(a, b) _mm_or_si128(a, b)
    #define vector_and(a, b) _mm_and_si128(a, b)
    #define vector_minus(a, b) _mm_sub_epi8(a, b)
    #define vector_equal(a, b) _mm_cmpeq_epi8(a, b)
    #define vector_at_most(a, b) _mm_cmpeq_epi8(_mm_min_epu8(a, b), a)
    #define vector_bits(a) (uint32_t)_mm_movemask_epi8(a)
    #define vector_high_bits(a) vector_bits(a)
    #elif defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #include <arm_neon.h>
    typedef uint8x16_t Vector;
    #define vector_at(p) vld1q_u8(p)
    #define vector_of(byte) vdupq_n_u8((uint8_t)(byte))
    #define vector_or(a, b) vorrq_u8(a, b)
    #define vector_and(a, b) vandq_u8(a, b)
    #define vector_minus(a, b) vsubq_u8(a, b)
    #define vector_equal(a, b) vceqq_u8(a, b)
    #define vector_at_most(a, b) vcleq_u8(a, b)
    static CYTHON_INLINE uint32_t vector_bits(uint8x16_t a) {
        const uint8x16_t places = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
        a = vandq_u8(a, places);
        return (uint32_t)vaddv_u8(vget_low_u8(a)) | (uint32_t)vaddv_u8(vget_high_u8(a)) << 8;
    }
    #define vector_high_bits(a) vector_bits(vcgeq_u8(a, vdupq_n_u8(0x80)))
    #else
    #undef HAS_VECTORS
    #define HAS_VECTORS 0
    #endif

    /* The bytes from `first` on, `span` more than one; they may go on from 0xFF to 0. */
    typedef struct { unsigned char first[16], span[16]; } Range;
    /* A byte, and the one that has `bit` too. */
    typedef struct { unsigned char bit[16], byte[16]; } Pair;
    typedef struct { unsigned char byte[16]; } Byte;

    #if HAS_VECTORS
    static CYTHON_INLINE Vector class_at(
        const unsigned char *p, const Range *ranges, int range_count, const Pair *pairs,
        int pair_count, const Byte *bytes, int byte_count
    ) {
        Vector a = vector_at(p), found = vector_of(0);
        for (int i = 0; i < range_count; i++) {
            Vector first = vector_at(ranges[i].first), span = vector_at(ranges[i].span);
            found = vector_or(found, vector_at_most(vector_minus(a, first), span));
        }
        for (int i = 0; i < pair_count; i++) {
            Vector bit = vector_at(pairs[i].bit), byte = vector_at(pairs[i].byte);
            found = vector_or(found, vector_equal(vector_or(a, bit), byte));
        }
        for (int i = 0; i < byte_count; i++)
            found = vector_or(found, vector_equal(a, vector_at(bytes[i].byte)));
        return found;
    }
    static CYTHON_INLINE uint32_t in_class(
        const unsigned char *p, const Range *ranges, int range_count, const Pair *pairs,
        int pair_count, const Byte *bytes, int byte_count
    ) {
        return vector_bits(class_at(p, ranges, range_count, pairs, pair_count, bytes, byte_count))
            | vector_bits(class_at(
                p + 16, ranges, range_count, pairs, pair_count, bytes, byte_count)) << 16;
    }
    static CYTHON_INLINE Vector either_after_at(
        const unsigned char *p, int before, int one, int other
    ) {
        Vector a = vector_at(p), b = vector_at(p - 1);
        Vector found = vector_or(vector_equal(a, vector_of(one)), vector_equal(a, vector_of(other)));
        return vector_and(found, vector_equal(b, vector_of(before)));
    }
    static CYTHON_INLINE uint32_t either_after(
        const unsigned char *p, int before, int one, int other
    ) {
        return vector_bits(either_after_at(p, before, one, other))
            | vector_bits(either_after_at(p + 16, before, one, other)) << 16;
    }
    static CYTHON_INLINE uint32_t either(const unsigned char *p, int one, int other) {
        Vector a = vector_at(p), b = vector_at(p + 16);
        Vector c = vector_of(one), d = vector_of(other);
        return vector_bits(vector_or(vector_equal(a, c), vector_equal(a, d)))
            | vector_bits(vector_or(vector_equal(b, c), vector_equal(b, d))) << 16;
    }
    static CYTHON_INLINE uint32_t beyond_ascii(const unsigned char *p) {
        return vector_high_bits(vector_at(p)) | vector_high_bits(vector_at(p + 16)) << 16;
    }
    #else
    #define beyond_ascii(p) 0u
    #define in_class(p, ranges, range_count, pairs, pair_count, bytes, byte_count) 0u
    #define either(p, one, other) 0u
    #define either_after(p, before, one, other) 0u
    #endif
    #endif
    """
    bint HAS_VECTORS
    ctypedef struct Range:
        unsigned char[16] first
        unsigned char[16] span
    ctypedef struct Pair:
        unsigned char[16] bit
        unsigned char[16] byte
    ctypedef struct Byte:
        unsigned char[16] byte
    # 32 bytes at `p` must be readable. The counts are constants, so that the loops are unrolled.
    unsigned int in_class(
        const unsigned char *p, const Range *ranges, int range_count, const Pair *pairs,
        int pair_count, const Byte *bytes, int byte_count
    ) noexcept nogil
    unsigned int either(const unsigned char *p, int one, int other) noexcept nogil
    # Which of two bytes come after another. The byte before `p` must be readable, too.
    unsigned int either_after(const unsigned char *p, int before, int one, int other) noexcept nogil
    unsigned int beyond_ascii(const unsigned char *p) noexcept nogil
