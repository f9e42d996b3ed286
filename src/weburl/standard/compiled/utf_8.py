"""UTF-8: whether bytes are, and the bytes of text."""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_utf_8(text: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
    """Return whether bytes are UTF-8: no overlong form, no surrogate, none above U+10FFFF."""
    i: cython.Py_ssize_t = 0
    more: cython.int
    least: cython.uint
    while i < size:
        c: cython.uint = text[i]
        i += 1
        if c < 0x80:
            continue
        if 0xC2 <= c < 0xE0:
            more, least, c = 1, 0x80, c & 0x1F
        elif 0xE0 <= c < 0xF0:
            more, least, c = 2, 0x800, c & 0x0F
        elif 0xF0 <= c < 0xF5:
            more, least, c = 3, 0x10000, c & 0x07
        else:
            return False
        while more:
            if i == size or text[i] & 0xC0 != 0x80:
                return False
            c = c << 6 | (text[i] & 0x3F)
            i += 1
            more -= 1
        if c < least or 0xD800 <= c < 0xE000 or c > 0x10FFFF:
            return False
    return True


@cython.cfunc
def utf_8_of(text: object) -> object:
    """Return the UTF-8 of text; False if it has surrogates."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return False
