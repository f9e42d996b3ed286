# Classes whose objects the garbage collector does not know.

cdef extern from *:
    """
    #include "structmember.h"

    typedef struct {
        PyObject_HEAD
        PyObject *value;
    } DomainObject;

    static PyMemberDef domain_members[] = {
        {"value", T_OBJECT_EX, offsetof(DomainObject, value), 0, NULL}, {NULL}};

    /* Of a domain of the class made here or of one that inherits from it. The interpreter's own
       function calls this for the latter, and leaves the reference to the class to it. */
    static void free_domain(PyObject *domain) {
        PyTypeObject *type = Py_TYPE(domain);
        Py_XDECREF(((DomainObject *)domain)->value);
        type->tp_free(domain);
        Py_DECREF(type);
    }

    static PyType_Slot domain_slots[] = {
        {Py_tp_members, domain_members}, {Py_tp_dealloc, (void *)free_domain}, {0, NULL}};
    static PyType_Spec domain_class = {
        "weburl.standard.compiled.storage.DomainSlots", sizeof(DomainObject), 0,
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, domain_slots};
    #define new_domain_class() PyType_FromSpec(&domain_class)
    /* A class without slots of its own. Its first base frees its objects. */
    static PyObject *new_class(const char *name, PyObject *bases) {
        PyTypeObject *first = (PyTypeObject *)PyTuple_GET_ITEM(bases, 0);
        PyType_Slot slots[] = {{Py_tp_dealloc, (void *)first->tp_dealloc}, {0, NULL}};
        PyType_Spec spec = {name, 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
        return PyType_FromSpecWithBases(&spec, bases);
    }
    """
    object new_class(const char *name, object bases)
    object new_domain_class()
