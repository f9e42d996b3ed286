"""Places: fixtures, pickle, copies, JSON and templates."""

from __future__ import annotations

import copy
import json
import pickle
from functools import partial
from typing import Any, Final

from django.core import serializers
from django.core.serializers.json import DjangoJSONEncoder
from django.forms.models import model_to_dict
from django.template import Context, Template

from django_whatwg_url.encoders import URLJSONEncoder
from tests.django.crossings.rows import BAD, Side
from tests.django.crossings.steps import Steps, place


def _loaded(side: Side, name: str, rows: list[Any], **options: Any) -> object:
    """Write rows, delete them, and read them again."""
    written = serializers.serialize(name, rows, **options)
    side.child.objects.all().delete()
    side.model.objects.all().delete()
    for read in serializers.deserialize(name, written):
        read.save()
    return side.stored()


def _round_trip(side: Side, name: str) -> Steps:
    if not side.in_own_table or side.is_companion:
        return
    yield "two rows", lambda: _loaded(side, name, [*side.two()])
    side.model.objects.all().delete()
    if side.options.get("null"):
        yield "NULL", lambda: _loaded(side, name, [side.add(None)])
        side.model.objects.all().delete()
    if side.declaration != "check":
        yield "not a URL", lambda: _loaded(side, name, [side.overwritten(BAD)])
        side.model.objects.all().delete()
    yield "rows that refer to it", lambda: _with_kids(side, name)


def _with_kids(side: Side, name: str, **options: Any) -> object:
    one, two = side.two()
    kid = side.child.objects.create(parent=one)
    kid.many.add(two)
    _loaded(side, name, [one, two, kid], **options)
    read = side.child.objects.get()
    return read.parent.url, read.many.get().url


@place("Fixtures: JSON")
def fixtures_json(side: Side) -> Steps:
    yield from _round_trip(side, "json")
    if side.in_own_table and not side.is_companion and not side.options.get("primary_key"):
        side.model.objects.all().delete()
        natural = {"use_natural_foreign_keys": True, "use_natural_primary_keys": True}
        yield "natural keys", lambda: _with_kids(side, "json", **natural)


@place("Fixtures: JSON Lines")
def fixtures_jsonl(side: Side) -> Steps:
    return _round_trip(side, "jsonl")


@place("Fixtures: XML")
def fixtures_xml(side: Side) -> Steps:
    return _round_trip(side, "xml")


@place("Fixtures: YAML", needs="yaml")
def fixtures_yaml(side: Side) -> Steps:
    return _round_trip(side, "yaml")


@place("pickle, copies and JSON")
def copies(side: Side) -> Steps:
    row = side.add()
    objects = side.model.objects
    yield "pickle", lambda: pickle.loads(pickle.dumps(row)).url
    yield "pickle, deferred", lambda: pickle.loads(pickle.dumps(objects.defer("url").get())).url
    yield "pickle, queryset", lambda: [r.url for r in pickle.loads(pickle.dumps(objects.all()))]
    yield (
        "pickle, values",
        lambda: pickle.loads(pickle.dumps(objects.values_list("url", flat=True))),
    )
    yield "copy", lambda: copy.copy(row).url
    yield "deepcopy", lambda: copy.deepcopy(row).url
    yield "equal", lambda: row == objects.get() and len({row, objects.get()}) == 1
    yield "model_to_dict", lambda: model_to_dict(row).get("url", "not editable")
    yield "value_to_string", lambda: side.field.value_to_string(row)
    # Records need our encoder.
    encoder = URLJSONEncoder if side.ours else DjangoJSONEncoder
    yield "JSON", lambda: json.loads(json.dumps(list(objects.values("url")), cls=encoder))[0]


_TEMPLATES: Final = {
    "the URL": "{{ row.url }}",
    "not escaped": "{% autoescape off %}{{ row.url }}{% endautoescape %}",
    "in a condition": "{% if row.url %}y{% else %}n{% endif %}{{ row.url|default:'none' }}",
    "filters": "{{ row.url|urlencode }} {{ row.url|stringformat:'s' }} {{ row.url|upper }}",
    "more filters": "{{ row.url|truncatechars:12 }} {{ row.url|urlize }} {{ row.url|slugify }}",
    "sorted": "{% for row in rows|dictsort:'url' %}{{ row.title }} {% endfor %}",
    "grouped": "{% regroup rows by url as all %}{% for one in all %}{{ one.grouper }} {% endfor %}",
}


@place("Templates")
def templates(side: Side) -> Steps:
    rows = [*side.two()]
    for name, source in _TEMPLATES.items():
        context = Context({"row": rows[1], "rows": rows})
        yield name, partial(Template(source).render, context)
    if side.is_companion or side.declaration == "check":
        return
    side.model.objects.all().delete()
    bad = side.overwritten(BAD)
    yield "not a URL", lambda: Template("{{ row.url }}").render(Context({"row": bad}))
