# Classes whose objects the garbage collector does not know.

cdef extern from *:
    """
    #include "structmember.h"

    typedef struct {
        PyObject_HEAD
        PyObject *value;
    } DomainObject;

    typedef struct {
        PyObject_HEAD
        PyObject *weak_references;
        PyObject *scheme, *username, *password, *host, *port, *path_text, *query, *fragment;
    } RecordObject;

    #define SLOT_OF(type, name) {#name, T_OBJECT_EX, offsetof(type, name), 0, NULL}

    static PyMemberDef domain_members[] = {SLOT_OF(DomainObject, value), {NULL}};
    static PyMemberDef record_members[] = {
        {"__weaklistoffset__", T_PYSSIZET, offsetof(RecordObject, weak_references), READONLY, NULL},
        SLOT_OF(RecordObject, scheme),
        SLOT_OF(RecordObject, username),
        SLOT_OF(RecordObject, password),
        SLOT_OF(RecordObject, host),
        SLOT_OF(RecordObject, port),
        SLOT_OF(RecordObject, path_text),
        SLOT_OF(RecordObject, query),
        SLOT_OF(RecordObject, fragment),
        {NULL},
    };

    /* As a class statement gives it: other code looks for it to know whether a subclass needs it. */
    static PyObject *weak_reference(PyObject *record, void *Py_UNUSED(closure)) {
        if (((RecordObject *)record)->weak_references == NULL) Py_RETURN_NONE;
        return PyWeakref_NewRef(record, NULL);
    }
    static PyGetSetDef record_attributes[] = {
        {"__weakref__", weak_reference, NULL, NULL, NULL}, {NULL}};

    /* An object of a class made here or of one that inherits from it. The interpreter's own function
       calls this for the latter, and leaves the reference to the class to it. */
    static void free_value(PyObject *value) {
        PyTypeObject *type = Py_TYPE(value);
        type->tp_free(value);
        Py_DECREF(type);
    }
    static void free_domain(PyObject *domain) {
        Py_XDECREF(((DomainObject *)domain)->value);
        free_value(domain);
    }
    static void free_record(PyObject *value) {
        RecordObject *record = (RecordObject *)value;
        if (record->weak_references != NULL) PyObject_ClearWeakRefs(value);
        Py_XDECREF(record->scheme);
        Py_XDECREF(record->username);
        Py_XDECREF(record->password);
        Py_XDECREF(record->host);
        Py_XDECREF(record->port);
        Py_XDECREF(record->path_text);
        Py_XDECREF(record->query);
        Py_XDECREF(record->fragment);
        free_value(value);
    }

    static PyType_Slot domain_slots[] = {
        {Py_tp_members, domain_members}, {Py_tp_dealloc, (void *)free_domain}, {0, NULL}};
    static PyType_Spec domain_class = {
        "weburl.standard.compiled.storage.DomainSlots", sizeof(DomainObject), 0,
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, domain_slots};
    #define new_domain_class() PyType_FromSpec(&domain_class)
    static PyObject *new_record_class(richcmpfunc compare, hashfunc hash) {
        PyType_Slot slots[] = {
            {Py_tp_members, record_members},
            {Py_tp_getset, record_attributes},
            {Py_tp_dealloc, (void *)free_record},
            {Py_tp_richcompare, (void *)compare},
            {Py_tp_hash, (void *)hash},
            {0, NULL},
        };
        PyType_Spec spec = {
            "weburl.standard.compiled.storage.RecordSlots", sizeof(RecordObject), 0,
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
        return PyType_FromSpec(&spec);
    }
    /* A class without slots of its own. Its base frees its objects. */
    static PyObject *new_class(const char *name, PyObject *bases) {
        PyType_Slot none[] = {{0, NULL}};
        PyType_Spec spec = {name, 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, none};
        return PyType_FromSpecWithBases(&spec, bases);
    }
    """
    object new_class(const char *name, object bases)
    object new_domain_class()
    ctypedef object (*Compare "richcmpfunc")(object one, object other, int operation)
    ctypedef Py_hash_t (*Hash "hashfunc")(object value) except -1
    object new_record_class(Compare compare, Hash hash)
