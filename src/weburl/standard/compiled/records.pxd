# A record in one piece: an object whose text comes after its numbers. Its parts are made when read.
#
#   https://ana:secret@example.com:8080/path?query#fragment
#        |     |       |          |    |    |     |        |
#        |     |       host       |    |    |     query_end size
#        |     username_end       |    |    path_end
#        scheme_end               |    path
#                                 host_end
#
# Without a username and password, `username_end` is `host`. A username without a password has only
# the "@" after it. Without a host, `username_end`, `host` and `host_end` are after the colon, and "/."
# may come before the path. `path_end` is at the "?", and `query_end` at the "#", if there is one.
from cpython.object cimport PyObject

cdef extern from *:
    """
    #include <stdint.h>
    #include "structmember.h"

    typedef struct {
        uint32_t scheme_end, username_end, host, host_end, path, path_end, query_end, size;
    } Ruler;

    /* What a record has after its numbers. A record whose size was fixed before its text was known,
       such as one that `pickle` makes, refers to another one. */
    enum { EMPTY, NARROW, WIDE, REFERENCE };

    typedef struct {
        PyObject_HEAD
        PyObject *weak_references, *scheme_text;
        uint8_t slack, form, scheme, host_kind;  /* what follows `slack` is compared as bytes */
        uint16_t rest[];  /* the ruler, of 16 bits each if it is NARROW, and then the text */
    } RecordObject;
    typedef struct {
        PyObject_HEAD
        PyObject *weak_references, *scheme_text;
        uint8_t slack, form;
        PyObject *held;
    } Reference;

    #define FIRST_WIDE 0x10000
    #define record_form(value) (((RecordObject *)(value))->form)

    /* The record that has the text: the value itself, or the one that it refers to. */
    static CYTHON_INLINE RecordObject *piece_of(PyObject *value) {
        return (RecordObject *)(
            record_form(value) == REFERENCE ? ((Reference *)value)->held : value);
    }
    static CYTHON_INLINE uint32_t get_offset(RecordObject *record, int which) {
        return record->form == NARROW ? record->rest[which] : ((uint32_t *)record->rest)[which];
    }
    static CYTHON_INLINE Ruler ruler_of(RecordObject *record) {
        const uint16_t *at = record->rest;
        Ruler ruler;
        if (record->form != NARROW) return *(Ruler *)at;
        ruler.scheme_end = at[0];
        ruler.username_end = at[1];
        ruler.host = at[2];
        ruler.host_end = at[3];
        ruler.path = at[4];
        ruler.path_end = at[5];
        ruler.query_end = at[6];
        ruler.size = at[7];
        return ruler;
    }
    static CYTHON_INLINE void set_offset(RecordObject *record, int which, uint32_t offset) {
        if (record->form == NARROW) record->rest[which] = (uint16_t)offset;
        else ((uint32_t *)record->rest)[which] = offset;
    }
    static CYTHON_INLINE void set_ruler(RecordObject *record, Ruler ruler) {
        uint16_t *at = record->rest;
        if (record->form != NARROW) {
            *(Ruler *)at = ruler;
            return;
        }
        at[0] = (uint16_t)ruler.scheme_end;
        at[1] = (uint16_t)ruler.username_end;
        at[2] = (uint16_t)ruler.host;
        at[3] = (uint16_t)ruler.host_end;
        at[4] = (uint16_t)ruler.path;
        at[5] = (uint16_t)ruler.path_end;
        at[6] = (uint16_t)ruler.query_end;
        at[7] = (uint16_t)ruler.size;
    }
    static CYTHON_INLINE Py_ssize_t before_text(int form) {
        return offsetof(RecordObject, rest) + (form == NARROW ? 16 : sizeof(Ruler));
    }
    static CYTHON_INLINE unsigned char *text_of(RecordObject *record) {
        return (unsigned char *)record + before_text(record->form);
    }
    static CYTHON_INLINE int form_of_size(size_t size) {
        return size < FIRST_WIDE ? NARROW : WIDE;
    }
    /* The bytes that a record takes. An allocator would round them up in any case. */
    static CYTHON_INLINE size_t allocated(size_t size) {
        return (before_text(form_of_size(size)) + size + 15) & ~(size_t)15;
    }
    /* A new record of a class of `new_record_class`, whose text the caller fills in. */
    static CYTHON_INLINE PyObject *new_piece(
        PyObject *type, Ruler ruler, PyObject *scheme_text, int scheme, int host_kind, int slack
    ) {
        RecordObject *made = (RecordObject *)PyObject_Malloc(allocated(ruler.size) + slack);
        if (made == NULL) return PyErr_NoMemory();
        PyObject_Init((PyObject *)made, (PyTypeObject *)type);
        made->weak_references = NULL;
        Py_INCREF(scheme_text);
        made->scheme_text = scheme_text;
        made->slack = (uint8_t)slack;
        made->form = (uint8_t)form_of_size(ruler.size);
        made->scheme = (uint8_t)scheme;
        made->host_kind = (uint8_t)host_kind;
        set_ruler(made, ruler);
        return (PyObject *)made;
    }
    /* Move the offsets of a ruler, from the one with a number on, with the text after `end`. Those
       before it were inside of what is replaced, and are at its end now. */
    static CYTHON_INLINE void move_offsets(Ruler *ruler, int first, uint32_t end, Py_ssize_t delta) {
        uint32_t *at = &ruler->scheme_end;
        int i;
        for (i = 0; i < 8; i++)
            at[i] = i < first ? at[i] : (at[i] < end ? end : at[i]) + (uint32_t)delta;
    }
    /* A byte before and a byte after what is put into a text; 0 for none. */
    typedef struct {
        unsigned char before, after;
    } Marks;
    CYTHON_UNUSED static const Marks NO_MARKS = {0, 0};

    /* Give a record, if it has room, a text of another size. Its slack is what is left. */
    static CYTHON_INLINE int fits(PyObject *value, size_t size) {
        RecordObject *record = (RecordObject *)value;
        Py_ssize_t left;
        if (form_of_size(size) != record->form) return 0;
        left = record->slack + (Py_ssize_t)allocated(ruler_of(record).size) - (Py_ssize_t)allocated(size);
        if (left < 0 || left > 255) return 0;
        record->slack = (uint8_t)left;
        return 1;
    }
    static CYTHON_INLINE void set_scheme(RecordObject *record, PyObject *text, int scheme) {
        Py_INCREF(text);
        Py_SETREF(record->scheme_text, text);
        record->scheme = (uint8_t)scheme;
    }
    /* Let an empty record refer to another one. */
    static CYTHON_INLINE void refer(PyObject *value, PyObject *held) {
        Py_INCREF(held);
        Py_INCREF(((RecordObject *)held)->scheme_text);
        ((Reference *)value)->scheme_text = ((RecordObject *)held)->scheme_text;
        ((Reference *)value)->held = held;
        ((Reference *)value)->form = REFERENCE;
    }
    /* Whether two records have the same scheme, kind of host, ruler and text. */
    CYTHON_UNUSED static int are_same(RecordObject *one, RecordObject *other) {
        uint32_t size = ruler_of(one).size;
        return one->form == other->form && size == ruler_of(other).size && memcmp(
            &one->form, &other->form,
            before_text(one->form) - offsetof(RecordObject, form) + size) == 0;
    }
    CYTHON_UNUSED static Py_hash_t hash_of_bytes(const unsigned char *data, Py_ssize_t size) {
        Py_hash_t made = PyHash_GetFuncDef()->hash(data, size);
        return made == -1 ? -2 : made;
    }

    CYTHON_UNUSED static void free_record(PyObject *value) {
        PyTypeObject *type = Py_TYPE(value);
        if (((RecordObject *)value)->weak_references != NULL) PyObject_ClearWeakRefs(value);
        Py_XDECREF(((RecordObject *)value)->scheme_text);
        if (record_form(value) == REFERENCE) Py_DECREF(((Reference *)value)->held);
        /* The interpreter's own function calls this for a class that inherits from this one, and
           leaves the reference to the class to it. */
        type->tp_free(value);
        Py_DECREF(type);
    }
    CYTHON_UNUSED static PyObject *bytes_of_record(PyObject *value, PyObject *Py_UNUSED(none)) {
        Py_ssize_t size = Py_TYPE(value)->tp_basicsize;
        if (record_form(value) == NARROW || record_form(value) == WIDE)
            size = (Py_ssize_t)allocated(ruler_of((RecordObject *)value).size)
                + ((RecordObject *)value)->slack;
        return PyLong_FromSsize_t(size);
    }
    /* As a class statement gives it: other code looks for it to know whether a subclass needs it. */
    CYTHON_UNUSED static PyObject *weak_reference(PyObject *value, void *Py_UNUSED(closure)) {
        if (((RecordObject *)value)->weak_references == NULL) Py_RETURN_NONE;
        return PyWeakref_NewRef(value, NULL);
    }
    /* The class of records that the garbage collector does not know. `read` reads a part, by its
       number in the order of the names. */
    CYTHON_UNUSED static PyObject *new_record_class(
        richcmpfunc compare, hashfunc hash, getter read
    ) {
        static PyMemberDef members[] = {
            {"__weaklistoffset__", T_PYSSIZET, offsetof(RecordObject, weak_references), READONLY,
             NULL},
            /* The interpreter reads what is kept as an object twice as fast. */
            {"scheme", T_OBJECT_EX, offsetof(RecordObject, scheme_text), READONLY, NULL},
            {NULL}};
        static PyGetSetDef attributes[] = {
            {"username", NULL, NULL, NULL, (void *)1},
            {"password", NULL, NULL, NULL, (void *)2},
            {"host", NULL, NULL, NULL, (void *)3},
            {"port", NULL, NULL, NULL, (void *)4},
            {"path_text", NULL, NULL, NULL, (void *)5},
            {"query", NULL, NULL, NULL, (void *)6},
            {"fragment", NULL, NULL, NULL, (void *)7},
            {"__weakref__", weak_reference, NULL, NULL, NULL},
            {NULL}};
        static PyMethodDef methods[] = {
            {"__sizeof__", bytes_of_record, METH_NOARGS, NULL}, {NULL}};
        PyType_Slot slots[] = {
            {Py_tp_members, members},
            {Py_tp_getset, attributes},
            {Py_tp_methods, methods},
            {Py_tp_dealloc, (void *)free_record},
            {Py_tp_richcompare, (void *)compare},
            {Py_tp_hash, (void *)hash},
            {0, NULL},
        };
        PyType_Spec spec = {
            "weburl.standard.compiled.storage.RecordSlots", sizeof(Reference), 0,
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
        int i;
        for (i = 0; i < 7; i++) attributes[i].get = read;
        return PyType_FromSpec(&spec);
    }
    """
    ctypedef struct Ruler:
        unsigned int scheme_end, username_end, host, host_end, path, path_end, query_end, size
    ctypedef struct RecordObject:
        PyObject *scheme_text
        unsigned char form, scheme, host_kind
    ctypedef enum:
        EMPTY, NARROW, WIDE, REFERENCE
    int record_form(PyObject *value)
    RecordObject *piece_of(PyObject *value)
    Ruler ruler_of(RecordObject *record)
    void set_ruler(RecordObject *record, Ruler ruler)
    unsigned int get_offset(RecordObject *record, int which)
    void set_offset(RecordObject *record, int which, unsigned int offset)
    unsigned char *text_of(RecordObject *record)
    PyObject *new_piece(
        object type, Ruler ruler, PyObject *scheme_text, int scheme, int host_kind, int slack
    ) except NULL
    void set_scheme(RecordObject *record, PyObject *text, int scheme)
    void move_offsets(Ruler *ruler, int first, unsigned int end, Py_ssize_t delta)
    ctypedef struct Marks:
        unsigned char before, after
    Marks NO_MARKS
    bint fits(PyObject *value, size_t size)
    void refer(object value, object held)
    bint are_same(RecordObject *one, RecordObject *other)
    Py_hash_t hash_of_bytes(const unsigned char *data, Py_ssize_t size)
    ctypedef object (*Compare "richcmpfunc")(object one, object other, int operation)
    ctypedef Py_hash_t (*Hash "hashfunc")(object value) except -1
    ctypedef object (*Read "getter")(object value, void *number)
    object new_record_class(Compare compare, Hash hash, Read read)

ctypedef RecordObject *PRecord

cdef enum:  # the offsets of a ruler
    SCHEME_END = 0
    USERNAME_END = 1
    HOST_OFFSET = 2
    HOST_END = 3
    PATH_OFFSET = 4
    PATH_END = 5
    QUERY_END = 6
    SIZE = 7

cdef enum:  # the parts, in the order of the state of a pickle
    SCHEME = 0
    USERNAME = 1
    PASSWORD = 2
    HOST = 3
    PORT = 4
    PATH = 5
    QUERY = 6
    FRAGMENT = 7
