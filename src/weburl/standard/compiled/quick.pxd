# Plain rows of a column, read 32 bytes at a time: most rows are canonical already.
#
# A row is plain if it begins with "https://" or "http://", a host of lowercase letters, digits, "-"
# and "." follows, whose last label does not begin with a digit, and the rest, if it is needed, has
# only bytes that stay as they are and no segment that begins with a dot or with "%2". Such a row is
# its own canonical form. All other rows go to the reader of `references`, one by one.
cdef extern from *:
    """
    #ifndef WEBURL_QUICK
    #define WEBURL_QUICK
    #include <stdint.h>
    #include <string.h>
    #if !defined(WEBURL_PLAIN_C) && (defined(__SSE2__) || defined(_M_X64))
    #include <emmintrin.h>
    #define QUICK_SSE2 1
    #elif !defined(WEBURL_PLAIN_C) && defined(__ARM_NEON) && defined(__aarch64__)
    #include <arm_neon.h>
    #define QUICK_NEON 1
    #endif
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __forceinline int quick_low(uint32_t w) { unsigned long i; _BitScanForward(&i, w); return (int)i; }
    static __forceinline int quick_high(uint32_t w) { unsigned long i; _BitScanReverse(&i, w); return (int)i; }
    #else
    #define quick_low(w) __builtin_ctz(w)
    #define quick_high(w) (31 - __builtin_clz(w))
    #endif

    typedef struct {
        const unsigned char *data;
        Py_ssize_t size;
        const unsigned char *offsets;
        const unsigned char *validity;
        Py_ssize_t start;
        int wide;
    } weburl_Rows;

    typedef struct {
        int what;
        int wide;
        unsigned char *data;
        Py_ssize_t size;
        Py_ssize_t used;
        unsigned char *offsets;
        unsigned char *validity;
        Py_ssize_t nulls;
        void *table;
    } weburl_Sink;

    enum {
        Q_HREF, Q_SCHEME, Q_USERNAME, Q_PASSWORD, Q_HOST, Q_PATH, Q_QUERY, Q_FRAGMENT, Q_ORIGIN,
        Q_SCHEME_AND_HOST, Q_DOMAIN, Q_PORT, Q_HOST_KIND, Q_REGISTRABLE, Q_SITE
    };
    #define Q_NEEDS_REST (1 << Q_HREF | 1 << Q_PATH | 1 << Q_QUERY | 1 << Q_FRAGMENT)
    #define QUICK_SLACK 64  /* bytes that may be read or written beyond a text */

    typedef struct {
        Py_ssize_t scheme_end, host, host_end, path_end, query_end;
        int labels;  /* dots of the host, for the first 32 bytes; -1 if it is longer */
        uint32_t dots;
    } weburl_Quick;

    #if QUICK_SSE2
    static CYTHON_INLINE uint32_t quick_host16(const unsigned char *p, uint32_t *dots) {
        __m128i v = _mm_loadu_si128((const __m128i *)p);
        __m128i a = _mm_sub_epi8(v, _mm_set1_epi8('a'));
        __m128i b = _mm_sub_epi8(v, _mm_set1_epi8('-'));
        __m128i in_a = _mm_cmpeq_epi8(_mm_min_epu8(a, _mm_set1_epi8(25)), a);
        __m128i in_b = _mm_cmpeq_epi8(_mm_min_epu8(b, _mm_set1_epi8(12)), b);
        __m128i slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('/'));
        *dots = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('.')));
        return (uint32_t)_mm_movemask_epi8(_mm_or_si128(in_a, _mm_andnot_si128(slash, in_b)));
    }
    static CYTHON_INLINE void quick_rest16(
        const unsigned char *p, uint32_t *bad, uint32_t *marks, uint32_t *slashes, uint32_t *dots
    ) {
        __m128i v = _mm_loadu_si128((const __m128i *)p);
        __m128i w = _mm_or_si128(v, _mm_set1_epi8(2));
    #define IS(x, c) _mm_cmpeq_epi8(x, _mm_set1_epi8(c))
    #define OR _mm_or_si128
        __m128i b = OR(
            OR(OR(_mm_cmplt_epi8(v, _mm_set1_epi8(0x21)), IS(v, '"')), OR(IS(v, 0x27), IS(w, '>'))),
            OR(OR(IS(w, '^'), IS(v, '`')), OR(IS(w, 0x7F), IS(v, '{'))));
        *bad = (uint32_t)_mm_movemask_epi8(b);
        *marks = (uint32_t)_mm_movemask_epi8(OR(IS(v, '?'), IS(v, '#')));
        *slashes = (uint32_t)_mm_movemask_epi8(IS(v, '/'));
        *dots = (uint32_t)_mm_movemask_epi8(OR(IS(v, '.'), IS(v, '%')));
    #undef IS
    #undef OR
    }
    #elif QUICK_NEON
    static CYTHON_INLINE uint32_t quick_mask(uint8x16_t m) {
        const uint8x16_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
        uint8x16_t b = vandq_u8(m, bit);
        return (uint32_t)vaddv_u8(vget_low_u8(b)) | (uint32_t)vaddv_u8(vget_high_u8(b)) << 8;
    }
    static CYTHON_INLINE uint32_t quick_host16(const unsigned char *p, uint32_t *dots) {
        uint8x16_t v = vld1q_u8(p);
        uint8x16_t in_a = vcleq_u8(vsubq_u8(v, vdupq_n_u8('a')), vdupq_n_u8(25));
        uint8x16_t in_b = vcleq_u8(vsubq_u8(v, vdupq_n_u8('-')), vdupq_n_u8(12));
        *dots = quick_mask(vceqq_u8(v, vdupq_n_u8('.')));
        return quick_mask(vorrq_u8(in_a, vbicq_u8(in_b, vceqq_u8(v, vdupq_n_u8('/')))));
    }
    static CYTHON_INLINE void quick_rest16(
        const unsigned char *p, uint32_t *bad, uint32_t *marks, uint32_t *slashes, uint32_t *dots
    ) {
        uint8x16_t v = vld1q_u8(p);
        uint8x16_t w = vorrq_u8(v, vdupq_n_u8(2));
    #define IS(x, c) vceqq_u8(x, vdupq_n_u8(c))
    #define OR vorrq_u8
        uint8x16_t b = OR(OR(OR(vcltq_u8(v, vdupq_n_u8(0x21)), vcgtq_u8(v, vdupq_n_u8(0x7E))),
            OR(IS(v, '"'), IS(v, 0x27))), OR(OR(IS(w, '>'), IS(w, '^')), OR(IS(v, '`'),
            OR(IS(w, 0x7F), IS(v, '{')))));
        *bad = quick_mask(b);
        *marks = quick_mask(OR(IS(v, '?'), IS(v, '#')));
        *slashes = quick_mask(IS(v, '/'));
        *dots = quick_mask(OR(IS(v, '.'), IS(v, '%')));
    #undef IS
    #undef OR
    }
    #else
    /* One byte at a time, by a table that the preprocessor makes. */
    static CYTHON_INLINE uint32_t quick_host16(const unsigned char *p, uint32_t *dots) {
        uint32_t m = 0, d = 0; int i;
        for (i = 0; i < 16; i++) {
            unsigned char c = p[i];
            m |= (uint32_t)((unsigned char)(c - 'a') <= 25 || ((unsigned char)(c - '-') <= 12 && c != '/')) << i;
            d |= (uint32_t)(c == '.') << i;
        }
        *dots = d;
        return m;
    }
    static CYTHON_INLINE void quick_rest16(
        const unsigned char *p, uint32_t *bad, uint32_t *marks, uint32_t *slashes, uint32_t *dots
    ) {
        uint32_t b = 0, m = 0, s = 0, d = 0; int i;
        for (i = 0; i < 16; i++) {
            unsigned char c = p[i], w = c | 2;
            b |= (uint32_t)(c < 0x21 || c > 0x7E || c == '"' || c == 0x27 || w == '>' || w == '^'
                || c == '`' || w == 0x7F || c == '{') << i;
            m |= (uint32_t)(c == '?' || c == '#') << i;
            s |= (uint32_t)(c == '/') << i;
            d |= (uint32_t)(c == '.' || c == '%') << i;
        }
        *bad = b; *marks = m; *slashes = s; *dots = d;
    }
    #endif

    static CYTHON_INLINE int quick_is_ascii(const unsigned char *p, Py_ssize_t size) {
        uint64_t every = 0, word;
    #if QUICK_SSE2
        __m128i all = _mm_setzero_si128();
        for (; size >= 16; p += 16, size -= 16) all = _mm_or_si128(all, _mm_loadu_si128((const __m128i *)p));
        if (_mm_movemask_epi8(all)) return 0;
    #endif
        for (; size >= 8; p += 8, size -= 8) { memcpy(&word, p, 8); every |= word; }
        for (; size; p++, size--) every |= *p;
        return (every & 0x8080808080808080ull) == 0;
    }

    /* Read "http://" or "https://" and a plain host; 0 if there is none. QUICK_SLACK bytes after the
       text can be read. */
    static CYTHON_INLINE int quick_host(const unsigned char *p, Py_ssize_t n, weburl_Quick *q) {
        uint64_t word;
        int is_https;
        Py_ssize_t at, first_dots = 1, last_label;
        uint32_t low, high, d, e, stop;
        memcpy(&word, p, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        return 0;
    #endif
        is_https = word == 0x2F2F3A7370747468ull;
        if (!is_https && (word & 0x00FFFFFFFFFFFFFFull) != 0x002F2F3A70747468ull) return 0;
        at = 7 + is_https;
        if (at >= n) return 0;
        q->scheme_end = at - 3;
        q->host = last_label = at;
        q->labels = 0;
        for (;;) {
            low = quick_host16(p + at, &d);
            high = quick_host16(p + at + 16, &e);
            stop = ~(low | high << 16);
            d |= e << 16;
            if (n - at < 32) stop |= 0xFFFFFFFFu << (n - at);
            if (stop) d &= (stop & (0u - stop)) - 1;
            if (d) last_label = at + quick_high(d) + 1;
            if (first_dots) q->dots = d, first_dots = 0; else q->labels = -1;
            if (stop) break;
            at += 32;
        }
        at += quick_low(stop);
        q->host_end = at;
        return at > q->host && last_label < at && (unsigned char)(p[last_label] - '0') > 9
            && (at == n || p[at] == '/' || p[at] == '?' || p[at] == '#');
    }

    /* Read what follows a plain host; 0 if it is not plain. */
    static CYTHON_INLINE int quick_rest(const unsigned char *p, Py_ssize_t n, weburl_Quick *q) {
        Py_ssize_t at = q->host_end, hash;
        uint32_t bad, marks, slashes, dots, b, m, s, d, carry = 0, inside;
        if (at == n || p[at] != '/') return 0;
        for (;;) {  /* the path */
            quick_rest16(p + at, &bad, &marks, &slashes, &dots);
            quick_rest16(p + at + 16, &b, &m, &s, &d);
            bad |= b << 16, marks |= m << 16, slashes |= s << 16, dots |= d << 16;
            inside = n - at < 32 ? ~(0xFFFFFFFFu << (n - at)) : 0xFFFFFFFFu;
            bad &= inside, marks &= inside;
            if (bad) return 0;
            if (marks) inside &= (marks & (0u - marks)) - 1;
            if ((slashes << 1 | carry) & dots & inside) return 0;
            if (marks) break;
            carry = slashes >> 31;
            at += 32;
            if (at >= n) {
                q->path_end = q->query_end = n;
                return 1;
            }
        }
        q->path_end = at + quick_low(marks);
        hash = p[q->path_end] == '#' ? q->path_end : -1;
        while (at + 32 < n) {  /* the rest must be plain too */
            at += 32;
            quick_rest16(p + at, &bad, &marks, &slashes, &dots);
            quick_rest16(p + at + 16, &b, &m, &s, &d);
            bad |= b << 16;
            if (n - at < 32) bad &= ~(0xFFFFFFFFu << (n - at));
            if (bad) return 0;
        }
        if (hash < 0) {
            const unsigned char *found = (const unsigned char *)memchr(p + q->path_end, '#', n - q->path_end);
            hash = found == NULL ? n : found - p;
        }
        q->query_end = hash;
        return 1;
    }

    static CYTHON_INLINE Py_ssize_t quick_offset(const weburl_Rows *rows, Py_ssize_t at) {
        if (rows->wide) { long long w; memcpy(&w, rows->offsets + 8 * at, 8); return (Py_ssize_t)w; }
        { int w; memcpy(&w, rows->offsets + 4 * at, 4); return w; }
    }

    static CYTHON_INLINE void quick_copy(unsigned char *to, const unsigned char *from, Py_ssize_t size) {
        memcpy(to, from, 16);
        memcpy(to + 16, from + 16, 16);
        if (size > 32) memcpy(to + 32, from + 32, size - 32);
    }

    static CYTHON_INLINE void quick_end(weburl_Sink *sink, Py_ssize_t row) {
        if (sink->wide) ((long long *)sink->offsets)[row + 1] = sink->used;
        else ((int *)sink->offsets)[row + 1] = (int)sink->used;
    }


    /* --- the names of a public suffix list, by the hash of their labels from the last one on --- */
    typedef struct { uint32_t tag, start; uint16_t size; uint16_t kind; } weburl_Name;
    typedef struct {
        weburl_Name *names;  /* an empty place has the size 0 */
        unsigned int mask;
        unsigned char *texts;
    } weburl_Table;
    enum { SUFFIX_RULE = 1, SUFFIX_WILDCARD = 2, SUFFIX_EXCEPTION = 4, SUFFIX_UNKNOWN = 8 };

    /* The hash of a label put before others. `back` bytes before the label can be read. */
    static CYTHON_INLINE uint64_t suffix_hash(uint64_t h, const unsigned char *label, Py_ssize_t size, Py_ssize_t back) {
        uint64_t w;
        const unsigned char *end = label + size;
        h += (uint64_t)size + 1;
        for (; size >= 8; size -= 8, end -= 8) {
            memcpy(&w, end - 8, 8);
            h = (h ^ w) * 0x9E3779B97F4A7C15ull; h ^= h >> 29;
        }
        if (size) {
            if (back + size >= 8) {
                memcpy(&w, end - 8, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
                w &= ~0ull >> (64 - 8 * size);
    #else
                w >>= 64 - 8 * size;
    #endif
            } else {
                Py_ssize_t i;
                w = 0;
                for (i = 0; i < size; i++) w |= (uint64_t)label[i] << (8 * i);
            }
            h = (h ^ w) * 0x9E3779B97F4A7C15ull; h ^= h >> 29;
        }
        return h;
    }
    static CYTHON_INLINE int suffix_kind(const weburl_Table *t, uint64_t h, const unsigned char *name, Py_ssize_t size) {
        unsigned int place = (unsigned int)h & t->mask;
        uint32_t tag = (uint32_t)(h >> 32);
        for (;; place = (place + 1) & t->mask) {
            const weburl_Name *n = t->names + place;
            if (!n->size) return SUFFIX_UNKNOWN;
            if (n->tag == tag && n->size == size && memcmp(t->texts + n->start, name, size) == 0) return n->kind;
        }
    }
    static CYTHON_UNUSED void suffix_put(weburl_Table *t, Py_ssize_t start, Py_ssize_t size, int kind) {
        unsigned char *name = t->texts + start;
        Py_ssize_t end = size, at;
        uint64_t h = 0;
        unsigned int place;
        while (end > 0) {
            at = end;
            while (at > 0 && name[at - 1] != '.') at--;
            h = suffix_hash(h, name + at, end - at, at);
            end = at - 1;
        }
        place = (unsigned int)h & t->mask;
        while (t->names[place].size) place = (place + 1) & t->mask;
        t->names[place].tag = (uint32_t)(h >> 32);
        t->names[place].start = (uint32_t)start;
        t->names[place].size = (uint16_t)size;
        t->names[place].kind = (uint16_t)kind;
    }
    /* Where the public suffix and the label before it start, or `fewer` labels; -1 if there is no
       such thing. The domain has no empty label, also not the last. `back`: as above. */
    static CYTHON_INLINE Py_ssize_t suffix_start(
        const weburl_Table *t, const unsigned char *domain, Py_ssize_t size, Py_ssize_t fewer, Py_ssize_t back
    ) {
        Py_ssize_t at, end = size, count = 0, labels = 1, of_exception = 0, dots;
        Py_ssize_t starts[4];  /* of the last labels */
        int kind = 0, after_wildcard;
        uint64_t h = 0;
        while (end > 0 && kind != SUFFIX_UNKNOWN) {
            at = end;
            while (at > 0 && domain[at - 1] != '.') at--;
            h = suffix_hash(h, domain + at, end - at, at + back);
            if (count < 4) starts[count] = at;
            count++;
            after_wildcard = kind & SUFFIX_WILDCARD;
            kind = suffix_kind(t, h, domain + at, size - at);
            if (after_wildcard || kind & SUFFIX_RULE) labels = count;
            if (kind & SUFFIX_EXCEPTION) of_exception = count;
            end = at - 1;
        }
        dots = (of_exception ? of_exception - 1 : labels) - fewer;
        if (dots < count && dots < 4) return starts[dots];
        end = size;
        while (end > 0) {
            if (domain[end - 1] == '.') { if (dots == 0) return end; dots--; }
            end--;
        }
        return dots == 0 ? 0 : -1;
    }
    static CYTHON_INLINE int suffix_has_empty_label(const unsigned char *d, Py_ssize_t size) {
        Py_ssize_t at;
        if (size == 0 || d[0] == '.' || d[size - 1] == '.') return 1;
        for (at = 1; at < size; at++) if (d[at] == '.' && d[at - 1] == '.') return 1;
        return 0;
    }
    static CYTHON_UNUSED Py_ssize_t suffix_after_dot(const weburl_Table *t, const unsigned char *d, Py_ssize_t size, Py_ssize_t fewer) {
        if (size > 0 && d[size - 1] == '.') size--;
        if (suffix_has_empty_label(d, size)) return -1;
        return suffix_start(t, d, size, fewer, 0);
    }
    /* Of a plain host: it never ends with a dot, because its last label is not empty. */
    static CYTHON_INLINE Py_ssize_t suffix_of_quick(const weburl_Table *t, const unsigned char *p, const weburl_Quick *q) {
        const unsigned char *d = p + q->host;
        Py_ssize_t size = q->host_end - q->host;
        int empty = q->labels < 0 ? suffix_has_empty_label(d, size)
            : (q->dots & (q->dots << 1 | 1)) != 0;
        return empty ? -1 : suffix_start(t, d, size, 0, q->host);
    }

    static CYTHON_INLINE void quick_put(
        weburl_Sink *sink, int what, Py_ssize_t row, const unsigned char *p, Py_ssize_t n, const weburl_Quick *q
    ) {
        Py_ssize_t first = 0, end = 0;
        switch (what) {
            case Q_SCHEME: end = q->scheme_end; break;
            case Q_HOST: case Q_DOMAIN: first = q->host; end = q->host_end; break;
            case Q_PATH: first = q->host_end; end = q->path_end; break;
            case Q_ORIGIN: case Q_SCHEME_AND_HOST: end = q->host_end; break;
            case Q_QUERY:
                if (q->query_end > q->path_end) { first = q->path_end + 1; end = q->query_end; }
                else { sink->nulls++; quick_end(sink, row); return; }
                sink->validity[row >> 3] |= (unsigned char)(1 << (row & 7));
                break;
            case Q_FRAGMENT:
                if (n > q->query_end) { first = q->query_end + 1; end = n; }
                else { sink->nulls++; quick_end(sink, row); return; }
                sink->validity[row >> 3] |= (unsigned char)(1 << (row & 7));
                break;
            case Q_USERNAME: case Q_PASSWORD: quick_end(sink, row); return;
            case Q_REGISTRABLE:
                first = suffix_of_quick((const weburl_Table *)sink->table, p, q);
                if (first < 0) { sink->nulls++; quick_end(sink, row); return; }
                sink->validity[row >> 3] |= (unsigned char)(1 << (row & 7));
                first += q->host; end = q->host_end;
                break;
            case Q_SITE:
                first = suffix_of_quick((const weburl_Table *)sink->table, p, q);
                if (first <= 0) { first = 0; end = q->host_end; break; }
                memcpy(sink->data + sink->used, p, 8);
                sink->used += q->host;
                first += q->host; end = q->host_end;
                break;
            default: return;  /* a port is null, the kind of the host is 0, an href is copied later */
        }
        quick_copy(sink->data + sink->used, p + first, end - first);
        sink->used += end - first;
        quick_end(sink, row);
    }

    static void quick_set_bits(unsigned char *bits, Py_ssize_t from, Py_ssize_t end) {
        while (from < end && (from & 7)) { bits[from >> 3] |= (unsigned char)(1 << (from & 7)); from++; }
        if (end - from >= 8) { memset(bits + (from >> 3), 0xFF, (end - from) >> 3); from += (end - from) & ~(Py_ssize_t)7; }
        while (from < end) { bits[from >> 3] |= (unsigned char)(1 << (from & 7)); from++; }
    }

    /* Read plain rows from `row` on, up to the first that is not; return it. `needs` becomes the room
       that each sink must have before the row can be read, or 0. */
    static CYTHON_INLINE Py_ssize_t quick_loop(
        const weburl_Rows *rows, Py_ssize_t row, Py_ssize_t length, weburl_Sink *sinks, int count,
        int wants, int what, unsigned char *bits, Py_ssize_t *needs
    ) {
        Py_ssize_t limit = rows->size - QUICK_SLACK, begin = row, first, last, end, checked;
        int i, ascii, going = 1;
        int rest = (wants & Q_NEEDS_REST) != 0;
        weburl_Quick q;
        *needs = 0;
    #if !QUICK_SSE2 && !QUICK_NEON
        return row;  /* One byte at a time, this is slower than the other reader. */
    #endif
        while (going && row < length) {
            end = row + 64 < length ? row + 64 : length;
            first = quick_offset(rows, rows->start + row);
            last = quick_offset(rows, rows->start + end);
            if (first < 0 || last < first || last > limit) {
                end = row + 1;
                last = quick_offset(rows, rows->start + end);
                if (first < 0 || last < first || last > limit) break;
            }
            for (i = 0; i < count; i++)
                if (sinks[i].what != Q_PORT && sinks[i].what != Q_HOST_KIND
                    && last - first + QUICK_SLACK > sinks[i].size - sinks[i].used) {
                    *needs = last - first + QUICK_SLACK;
                    going = 0;
                }
            if (!going) break;
            ascii = rest;
            checked = row > begin ? row - 4 : row;  /* a stretch that goes on is checked at once */
            for (; row < end; row++) {
                const unsigned char *p = rows->data + first;
                Py_ssize_t n, at = rows->start + row;
                if (rows->validity != NULL && !(rows->validity[at >> 3] >> (at & 7) & 1)) { going = 0; break; }
                at = quick_offset(rows, at + 1);
                n = at - first;
                /* The rest of the block at once, but not if rows that are not plain are frequent. */
                if (!rest && row - checked >= 4) { checked = row + 64; ascii = quick_is_ascii(p, last - first); }
                if (n < 0 || at > last || !quick_host(p, n, &q) || (rest && !quick_rest(p, n, &q))
                    || (!ascii && !quick_is_ascii(p, n))) { going = 0; break; }
                if (what == Q_HREF) {
                    if (sinks->wide) ((long long *)sinks->offsets)[row + 1] = sinks->used + n;
                    else ((int *)sinks->offsets)[row + 1] = (int)(sinks->used + n);
                    quick_copy(sinks->data + sinks->used, p, n);
                    sinks->used += n;
                } else if (what >= 0) {
                    quick_put(sinks, what, row, p, n, &q);
                } else {
                    for (i = 0; i < count; i++) {
                        if (sinks[i].what == Q_HREF) {
                            quick_copy(sinks[i].data + sinks[i].used, p, n);
                            sinks[i].used += n;
                            quick_end(sinks + i, row);
                        } else quick_put(sinks + i, sinks[i].what, row, p, n, &q);
                    }
                }
                first = at;
            }
        }
        if (row > begin) {
            quick_set_bits(bits, begin, row);
            for (i = 0; i < count; i++) {
                if (sinks[i].what == Q_PORT) sinks[i].nulls += row - begin;
                else if (sinks[i].what != Q_QUERY && sinks[i].what != Q_FRAGMENT && sinks[i].what != Q_REGISTRABLE)
                    quick_set_bits(sinks[i].validity, begin, row);
            }
        }
        return row;
    }

    static CYTHON_UNUSED Py_ssize_t weburl_quick_rows(
        const weburl_Rows *rows, Py_ssize_t row, Py_ssize_t length, weburl_Sink *sinks, int count,
        int wants, unsigned char *bits, Py_ssize_t *needs
    ) {
    #define GO(what) quick_loop(rows, row, length, sinks, count, 1 << (what), what, bits, needs)
        if (count == 1) switch (sinks->what) {
            case Q_HREF: return GO(Q_HREF);
            case Q_SCHEME: return GO(Q_SCHEME);
            case Q_HOST: case Q_DOMAIN: return GO(Q_HOST);
            case Q_ORIGIN: case Q_SCHEME_AND_HOST: return GO(Q_ORIGIN);
            case Q_PATH: return GO(Q_PATH);
            case Q_QUERY: return GO(Q_QUERY);
            case Q_FRAGMENT: return GO(Q_FRAGMENT);
            case Q_REGISTRABLE: return GO(Q_REGISTRABLE);
            case Q_SITE: return GO(Q_SITE);
            default: break;
        }
    #undef GO
        return quick_loop(rows, row, length, sinks, count, wants, -1, bits, needs);
    }

    /* Set the bits of all plain rows. */
    static CYTHON_UNUSED void weburl_quick_parsable(
        const weburl_Rows *rows, Py_ssize_t length, unsigned char *bits
    ) {
        Py_ssize_t limit = rows->size - QUICK_SLACK, row = 0, first, last, end, at;
        int ascii;
        weburl_Quick q;
    #if !QUICK_SSE2 && !QUICK_NEON
        return;
    #endif
        while (row < length) {
            unsigned long long word = 0;
            Py_ssize_t begin = row;
            end = row + 64 < length ? row + 64 : length;
            first = quick_offset(rows, rows->start + row);
            last = quick_offset(rows, rows->start + end);
            if (first < 0 || last < first || last > limit) { row = end; continue; }
            ascii = quick_is_ascii(rows->data + first, last - first);
            for (; row < end; row++) {
                const unsigned char *p = rows->data + first;
                at = quick_offset(rows, rows->start + row + 1);
                if (at < first || at > last) break;
                word |= (unsigned long long)(
                    quick_host(p, at - first, &q) && (ascii || quick_is_ascii(p, at - first))) << (row & 63);
                first = at;
            }
            row = end;
            for (at = begin; at < end; at += 8, word >>= 8) bits[at >> 3] |= (unsigned char)word;
        }
    }
    /* --- what is made of one text: paths, and hrefs for SURT --- */
    enum { T_EXTENSION, T_NAME, T_DEPTH, T_SURT };
    static CYTHON_INLINE int quick_hex(unsigned char c) {
        if ((unsigned char)(c - '0') <= 9) return c - '0';
        c |= 0x20;
        return (unsigned char)(c - 'a') <= 5 ? c - 'a' + 10 : -1;
    }
    /* Percent-decode ASCII text as UTF-8, with U+FFFD for what is none, as Python's "replace" does.
       The output is never longer. `out` may not overlap. */
    static Py_ssize_t quick_decode(const unsigned char *p, Py_ssize_t n, unsigned char *out) {
        Py_ssize_t i = 0, to = 0, k, more;
        unsigned char low = 0x80, high = 0xBF, c, seq[4];
        k = 0; more = 0;
        while (i < n) {
            Py_ssize_t next = i + 1;
            c = p[i];
            if (c == '%' && n - i >= 3 && quick_hex(p[i + 1]) >= 0 && quick_hex(p[i + 2]) >= 0) {
                c = (unsigned char)(quick_hex(p[i + 1]) << 4 | quick_hex(p[i + 2]));
                next = i + 3;
            }
            if (more) {
                if (c >= low && c <= high) {
                    seq[k++] = c; low = 0x80; high = 0xBF; i = next;
                    if (--more == 0) { memcpy(out + to, seq, k); to += k; }
                    continue;
                }
                memcpy(out + to, "\\xEF\\xBF\\xBD", 3); to += 3; more = 0;  /* and read this byte again */
                continue;
            }
            i = next;
            low = 0x80; high = 0xBF;
            if (c < 0x80) { out[to++] = c; continue; }
            seq[0] = c; k = 1;
            if (c >= 0xC2 && c <= 0xDF) more = 1;
            else if (c >= 0xE0 && c <= 0xEF) { more = 2; if (c == 0xE0) low = 0xA0; if (c == 0xED) high = 0x9F; }
            else if (c >= 0xF0 && c <= 0xF4) { more = 3; if (c == 0xF0) low = 0x90; if (c == 0xF4) high = 0x8F; }
            else { memcpy(out + to, "\\xEF\\xBF\\xBD", 3); to += 3; }
        }
        if (more) { memcpy(out + to, "\\xEF\\xBF\\xBD", 3); to += 3; }
        return to;
    }
    static CYTHON_INLINE Py_ssize_t quick_text(const unsigned char *p, Py_ssize_t n, unsigned char *out) {
        if (n && memchr(p, '%', n) != NULL) return quick_decode(p, n, out);
        memcpy(out, p, n);
        return n;
    }
    static CYTHON_INLINE Py_ssize_t quick_name(const unsigned char *p, Py_ssize_t n, unsigned char *out) {
        Py_ssize_t at = n;
        if (!n || p[0] != '/') return 0;
        while (p[at - 1] != '/') at--;
        return quick_text(p + at, n - at, out);
    }
    static CYTHON_INLINE Py_ssize_t quick_extension(const unsigned char *p, Py_ssize_t n, unsigned char *out) {
        Py_ssize_t at = n, size, dot;
        if (!n || p[0] != '/') return 0;
        while (p[at - 1] != '/' && p[at - 1] != '%') at--;
        if (p[at - 1] == '%') {  /* the whole name must be decoded */
            size = quick_name(p, n, out);
            for (dot = size - 1; dot > 0 && out[dot] != '.'; dot--) {}
            if (dot <= 0 || dot == size - 1) return 0;
            memmove(out, out + dot, size - dot);
            return size - dot;
        }
        for (dot = n - 1; dot > at && p[dot] != '.'; dot--) {}
        if (dot <= at || dot == n - 1) return 0;
        memcpy(out, p + dot, n - dot);
        return n - dot;
    }
    static CYTHON_INLINE int quick_depth(const unsigned char *p, Py_ssize_t n) {
        Py_ssize_t i;
        int count = 0;
        if (!n || p[0] != '/') return 0;
        for (i = 0; i < n; i++) count += p[i] == '/';
        return count - (p[n - 1] == '/');
    }
    /* The SURT by the profile "archive"; -1 if Python must decide. */
    static Py_ssize_t quick_surt(const unsigned char *p, Py_ssize_t n, unsigned char *out) {
        weburl_Quick q;
        Py_ssize_t i, to = 0, first, end, at, labels = 0, size;
        if (!quick_host(p, n, &q) || !quick_rest(p, n, &q)) return -1;
        if (memchr(p + q.host_end, '%', q.query_end - q.host_end) != NULL) return -1;
        first = q.host;
        if (suffix_has_empty_label(p + q.host, q.host_end - q.host)) return -1;
        if (memcmp(p + first, "www", 3) == 0) {
            for (i = first + 3; (unsigned char)(p[i] - '0') <= 9; i++) {}
            if (p[i] == '.') first = i + 1;
        }
        end = q.host_end;
        while (end > first) {
            at = end;
            while (at > first && p[at - 1] != '.') at--;
            if (labels++) out[to++] = ',';
            size = end - at;
            memcpy(out + to, p + at, size);
            to += size;
            end = at - 1;
        }
        out[to++] = ')';
        at = to;
        for (i = q.host_end; i < q.path_end; i++) {
            unsigned char c = p[i];
            if (c == '/' && i + 1 < q.path_end && p[i + 1] == '/') return -1;
            if ((unsigned char)(c - 'A') <= 25) c |= 0x20;
            out[to++] = c;
        }
        for (i = at; i + 5 <= to; i++) if (out[i] == '.' && memcmp(out + i, ".aspx", 5) == 0) return -1;
        while (to - at > 1 && out[to - 1] == '/') to--;
        if (q.query_end - q.path_end > 1) {
            Py_ssize_t starts[64], names[64], ends[64], count = 0, k, query;
            out[to++] = '?';
            query = to;
            for (i = q.path_end + 1; i < q.query_end; i++) {
                unsigned char c = p[i];
                if ((unsigned char)(c - 'A') <= 25) c |= 0x20;
                out[to++] = c;
                if (c == '=' && to - query >= 4 && (memcmp(out + to - 4, "sid=", 4) == 0
                    || (to - query >= 5 && memcmp(out + to - 5, "cfid=", 5) == 0))) return -1;
                if (c == 'd' && to - query >= 9 && memcmp(out + to - 9, "sessionid", 9) == 0) return -1;
            }
            if (memchr(out + query, '&', to - query) != NULL) {
                unsigned char few[1024];
                size = to - query;
                if (size > (Py_ssize_t)sizeof few) return -1;
                for (i = query; i <= to; i++) {
                    if (count == 64) return -1;
                    starts[count] = i; names[count] = -1;
                    while (i < to && out[i] != '&') { if (out[i] == '=' && names[count] < 0) names[count] = i; i++; }
                    ends[count] = i;
                    if (names[count] < 0) names[count] = i;
                    count++;
                }
                for (i = 1; i < count; i++) {  /* by name, then by value */
                    Py_ssize_t s = starts[i], m = names[i], e = ends[i];
                    for (k = i; k > 0; k--) {
                        Py_ssize_t a = names[k - 1] - starts[k - 1], b = m - s, least = a < b ? a : b;
                        int order = memcmp(out + starts[k - 1], out + s, least);
                        if (!order) order = a < b ? -1 : a > b;
                        if (!order) {
                            Py_ssize_t v = names[k - 1] + (names[k - 1] < ends[k - 1]), w = m + (m < e);
                            a = ends[k - 1] - v; b = e - w; least = a < b ? a : b;
                            order = memcmp(out + v, out + w, least);
                            if (!order) order = a < b ? -1 : a > b;
                        }
                        if (order <= 0) break;
                        starts[k] = starts[k - 1]; names[k] = names[k - 1]; ends[k] = ends[k - 1];
                    }
                    starts[k] = s; names[k] = m; ends[k] = e;
                }
                for (i = 0, k = 0; i < count; i++) {
                    if (i) few[k++] = '&';
                    memcpy(few + k, out + starts[i], ends[i] - starts[i]);
                    k += ends[i] - starts[i];
                }
                memcpy(out + query, few, size);
            }
        }
        return to;
    }
    /* Put what is made of the texts from `row` on; return the first that Python must decide. The sink
       has room for as many bytes as the texts have, and QUICK_SLACK. */
    static CYTHON_UNUSED Py_ssize_t weburl_over_texts(
        const weburl_Rows *rows, Py_ssize_t row, Py_ssize_t length, weburl_Sink *sink, int what, int *numbers
    ) {
        Py_ssize_t limit = rows->size - (what == T_SURT ? QUICK_SLACK : 0);
        for (; row < length; row++) {
            Py_ssize_t at = rows->start + row, first, end, size = 0;
            const unsigned char *p;
            if (rows->validity != NULL && !(rows->validity[at >> 3] >> (at & 7) & 1)) {
                sink->nulls++;
                if (what != T_DEPTH) quick_end(sink, row);
                continue;
            }
            first = quick_offset(rows, at);
            end = quick_offset(rows, at + 1);
            if (first < 0 || end < first || end > rows->size) return row;
            p = rows->data + first;
            if (what == T_DEPTH) numbers[row] = quick_depth(p, end - first);
            else {
                unsigned char *out = sink->data + sink->used;
                if (what == T_EXTENSION) size = quick_extension(p, end - first, out);
                else if (what == T_NAME) size = quick_name(p, end - first, out);
                else size = end > limit ? -1 : quick_surt(p, end - first, out);
                if (size < 0) return row;
                sink->used += size;
                quick_end(sink, row);
            }
            sink->validity[row >> 3] |= (unsigned char)(1 << (row & 7));
        }
        return row;
    }
    /* The segments of paths: `lists` and `offsets` have 4 or 8 bytes for each; return the number of
       segments. With `lists` NULL, only count. */
    static CYTHON_UNUSED Py_ssize_t weburl_segments(
        const weburl_Rows *rows, Py_ssize_t length, int *lists, unsigned char *offsets,
        unsigned char *data, unsigned char *validity, Py_ssize_t *used
    ) {
        Py_ssize_t row, count = 0, to = 0;
        for (row = 0; row < length; row++) {
            Py_ssize_t at = rows->start + row, first, end, i, start;
            const unsigned char *p;
            if (lists) lists[row] = (int)count;
            if (rows->validity != NULL && !(rows->validity[at >> 3] >> (at & 7) & 1)) continue;
            first = quick_offset(rows, at);
            end = quick_offset(rows, at + 1);
            if (first < 0 || end < first || end > rows->size) return -1;
            if (validity) validity[row >> 3] |= (unsigned char)(1 << (row & 7));
            if (first == end || rows->data[first] != '/') continue;
            p = rows->data;
            if (!lists) { for (i = first; i < end; i++) count += p[i] == '/'; continue; }
            for (i = start = first + 1; i <= end; i++) if (i == end || p[i] == '/') {
                if (rows->wide) ((long long *)offsets)[count] = to; else ((int *)offsets)[count] = (int)to;
                to += quick_text(p + start, i - start, data + to);
                count++;
                start = i + 1;
            }
        }
        if (lists) {
            lists[length] = (int)count;
            if (rows->wide) ((long long *)offsets)[count] = to; else ((int *)offsets)[count] = (int)to;
            *used = to;
        }
        return count;
    }
    #endif
    """
    ctypedef struct Rows "weburl_Rows":
        const unsigned char *data
        Py_ssize_t size
        const unsigned char *offsets
        const unsigned char *validity  # a bit for each row; NULL if no row is null
        Py_ssize_t start
        bint wide  # offsets of 64 bits

    ctypedef struct Sink "weburl_Sink":
        int what
        bint wide  # whether offsets have 64 bits
        unsigned char *data
        Py_ssize_t size  # of the memory at `data`, for text
        Py_ssize_t used
        unsigned char *offsets
        unsigned char *validity  # a bit for each row
        Py_ssize_t nulls
        void *table

    ctypedef struct Quick "weburl_Quick":
        Py_ssize_t scheme_end
        Py_ssize_t host
        Py_ssize_t host_end
        Py_ssize_t path_end
        Py_ssize_t query_end
        unsigned int dots

    ctypedef struct Name "weburl_Name":
        pass

    ctypedef struct Table "weburl_Table":  # a hash table with open addresses
        Name *names  # an empty place has the size 0
        unsigned int mask  # the number of places, a power of two, minus one
        unsigned char *texts  # all names, one after another

    void suffix_put(Table *table, Py_ssize_t start, Py_ssize_t size, int kind) noexcept nogil
    Py_ssize_t suffix_after_dot(
        const Table *table, const unsigned char *domain, Py_ssize_t size, Py_ssize_t fewer
    ) noexcept nogil
    bint suffix_has_empty_label(const unsigned char *domain, Py_ssize_t size) noexcept nogil
    Py_ssize_t suffix_start(
        const Table *table, const unsigned char *domain, Py_ssize_t size, Py_ssize_t fewer, Py_ssize_t back
    ) noexcept nogil
    Py_ssize_t over_texts "weburl_over_texts"(
        const Rows *rows, Py_ssize_t row, Py_ssize_t length, Sink *sink, int what, int *numbers
    ) noexcept nogil
    Py_ssize_t segments "weburl_segments"(
        const Rows *rows, Py_ssize_t length, int *lists, unsigned char *offsets,
        unsigned char *data, unsigned char *validity, Py_ssize_t *used
    ) noexcept nogil
    Py_ssize_t quick_rows "weburl_quick_rows"(
        const Rows *rows, Py_ssize_t row, Py_ssize_t length, Sink *sinks, int count, int wants,
        unsigned char *bits, Py_ssize_t *needs
    ) noexcept nogil
    void quick_parsable "weburl_quick_parsable"(
        const Rows *rows, Py_ssize_t length, unsigned char *bits
    ) noexcept nogil
    bint quick_host(const unsigned char *text, Py_ssize_t size, Quick *q) noexcept nogil
    bint quick_rest(const unsigned char *text, Py_ssize_t size, Quick *q) noexcept nogil
