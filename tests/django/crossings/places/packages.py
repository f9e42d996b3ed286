"""Places of other packages. They are imported when a place runs."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from django.test import RequestFactory

from tests.django.crossings.places.queries import ODD_TEXT, operands
from tests.django.crossings.rows import BAD, SPELLED, A, B, C, Side
from tests.django.crossings.steps import Steps, place


def _serializer(side: Side, *fields: str) -> Any:
    from rest_framework import serializers

    meta = type("Meta", (), {"model": side.model, "fields": [*(fields or ("url", "title"))]})
    return type(f"{side.model.__name__}Serializer", (serializers.ModelSerializer,), {"Meta": meta})


def _checked(side: Side, sent: object, **options: Any) -> str:
    """Return what a serializer stores, or the codes of its errors."""
    made = _serializer(side)(data=sent, **options)
    if made.is_valid():
        row = made.save()
        row.refresh_from_db()
        return row.url  # type: ignore[no-any-return]
    known = ("required", "null", "blank", "unique", "invalid_choice")
    codes = [
        error.code if error.code in known else "invalid" for error in made.errors.get("url", [])
    ]
    return f"refused: {' '.join(codes)}"


@place("REST framework: in", needs="rest_framework")
def serializer_in(side: Side) -> Steps:
    if side.is_companion:
        return
    for name, sent in {
        "a URL": {"url": A},
        "another spelling": {"url": SPELLED},
        "nothing": {},
        "null": {"url": None},
        "empty": {"url": ""},
        "not a URL": {"url": BAD},
        "no scheme": {"url": "nope"},
        "a number": {"url": 5},
        "a list": {"url": []},
        "an object": {"url": {}},
        "a truth value": {"url": True},
    }.items():
        yield name, partial(_checked, side, sent)
        side.model.objects.all().delete()


@place("REST framework: empty twice, where the URL is unique", needs="rest_framework")
def serializer_unique(side: Side) -> Steps:
    if side.is_companion or not (side.options.get("unique") or side.options.get("primary_key")):
        return
    yield "a URL", lambda: _checked(side, {"url": A})
    yield "the same URL", lambda: _checked(side, {"url": A})
    yield "another spelling", lambda: _checked(side, {"url": "HTTPS://EXAMPLE.com:443/x/../a"})
    yield "empty", lambda: _checked(side, {"url": ""})
    yield "empty again", lambda: _checked(side, {"url": ""})


@place("REST framework: out", needs="rest_framework")
def serializer_out(side: Side) -> Steps:
    from rest_framework.renderers import JSONRenderer

    def written(row: Any) -> str:
        return JSONRenderer().render(_serializer(side)(row).data).decode()

    yield "a URL", lambda: written(side.add(A))
    yield "several", lambda: _serializer(side)(side.model.objects.all(), many=True).data
    if side.is_companion:
        return
    if side.options.get("null"):
        yield "NULL", lambda: written(side.add(None))
    if side.declaration != "check":
        side.model.objects.all().delete()
        yield "not a URL", lambda: written(side.overwritten(BAD))


@place("REST framework: partial updates", needs="rest_framework")
def serializer_partial(side: Side) -> Steps:
    if side.is_companion:
        return
    row = side.add()
    yield "title", lambda: _checked(side, {"title": "p"}, instance=row, partial=True)
    yield "the same URL", lambda: _checked(side, {"url": A}, instance=row, partial=True)
    if side.options.get("primary_key"):
        return
    yield "another URL", lambda: _checked(side, {"url": C}, instance=row, partial=True)
    if side.declaration == "check":
        return
    bad = side.overwritten(BAD, of=row)
    yield (
        "title of a row that is not a URL",
        partial(_checked, side, {"title": "p"}, instance=bad, partial=True),
    )
    yield (
        "a row that is not a URL, sent again",
        partial(_checked, side, {"url": BAD}, instance=bad, partial=True),
    )


def _view(side: Side, **members: Any) -> Any:
    from rest_framework import viewsets

    members = {
        "serializer_class": _serializer(side),
        "queryset": side.model.objects.order_by("title"),
        "permission_classes": [],
        "authentication_classes": [],
        **members,
    }
    made: Any = type(f"{side.model.__name__}View", (viewsets.ModelViewSet,), members)
    return made.as_view({"post": "create", "get": "list"})


@place("REST framework: views and OPTIONS", needs="rest_framework")
def views(side: Side) -> Steps:
    requests = RequestFactory()
    view = _view(side)

    def status(request: Any) -> int:
        return view(request).render().status_code  # type: ignore[no-any-return]

    described = view(requests.options("/")).data["actions"]["POST"]["url"]
    for key in ("type", "required", "read_only", "max_length"):
        yield f"OPTIONS, {key}", partial(described.get, key)
    side.add(B)
    yield "GET, JSON", lambda: status(requests.get("/", HTTP_ACCEPT="application/json"))
    yield "GET, HTML", lambda: status(requests.get("/", HTTP_ACCEPT="text/html"))
    if side.is_companion:
        return
    for name, sent in {"a URL": A, "not a URL": BAD, "empty": ""}.items():
        yield f"POST, {name}", partial(status, requests.post("/", {"url": sent, "title": "q"}))


@place("REST framework: SearchFilter", needs="rest_framework")
def search(side: Side) -> Steps:
    from rest_framework.filters import SearchFilter

    side.two()
    a, _ = operands(side)
    for prefix in ("", "=", "^"):
        view = _view(side, filter_backends=[SearchFilter], search_fields=[f"{prefix}url"])
        for name, text in {"a URL": a, **ODD_TEXT}.items():
            if "," not in text and " " not in text:
                yield (
                    f"{prefix}{name}",
                    lambda view=view, text=text: len(  # type: ignore[misc]
                        view(RequestFactory().get("/", {"search": text})).data
                    ),
                )


@place("REST framework: relations by URL", needs="rest_framework")
def related(side: Side) -> Steps:
    from rest_framework import serializers

    if side.is_companion or not (side.options.get("unique") or side.options.get("primary_key")):
        return
    one = side.add()
    rows = side.model.objects.all()
    slug: Any
    if side.ours:
        from django_whatwg_url.integrations.rest_framework import URLSlugRelatedField

        slug = URLSlugRelatedField(slug_field="url", queryset=rows)
    else:
        slug = serializers.SlugRelatedField(slug_field="url", queryset=rows)
    kid = side.child(parent=one)
    made = type(
        "ChildSerializer",
        (serializers.ModelSerializer,),
        {"Meta": type("Meta", (), {"model": side.child, "fields": ["parent", "name"]})},
    )
    yield "primary key", lambda: str(made(kid).data["parent"]) == str(A if side.by_url else one.pk)
    for name, sent in {
        "slug": A,
        "slug, another": B,
        "slug, not a URL": BAD,
        "slug, a number": 5,
    }.items():
        yield name, partial(_slug, slug, sent)


def _slug(field: Any, sent: object) -> object:
    from rest_framework.exceptions import ValidationError

    try:
        return field.run_validation(sent)
    except ValidationError:
        return "refused"


@place("drf-spectacular: the schema", needs="drf_spectacular")
def schema(side: Side) -> Steps:
    if side.is_companion:
        return
    from django.urls import path
    from drf_spectacular.generators import SchemaGenerator

    generator: Any = SchemaGenerator
    found: Any = generator(patterns=[path("rows/", _view(side))]).get_schema(public=True)
    schemas = found["components"]["schemas"]
    described = schemas[_component(schemas)]
    url = described["properties"]["url"]
    for key in ("type", "format", "nullable", "maxLength", "readOnly"):
        yield key, partial(url.get, key)
    yield "required", lambda: "url" in described.get("required", [])


def _component(schemas: Any) -> str:
    (name,) = [name for name, one in schemas.items() if one.get("type") == "object"]
    return str(name)


@place("django-filter", needs="django_filters")
def filters(side: Side) -> Steps:
    from django_filters.filterset import FilterSet

    side.two()
    a, b = operands(side)
    lookups = ["exact", "in", "isnull", "contains", "startswith", "gt"]
    meta = type("Meta", (), {"model": side.model, "fields": {"url": lookups}})
    made: Any = type("RowFilter", (FilterSet,), {"Meta": meta})

    def counted(query: dict[str, str]) -> object:
        found = made(query, queryset=side.model.objects.all())
        return found.qs.count() if found.is_valid() else "refused"

    yield "nothing", partial(counted, {})
    yield "exact", partial(counted, {"url": a})
    yield "in", partial(counted, {"url__in": f"{a},{b}"})
    yield "isnull", partial(counted, {"url__isnull": "true"})
    yield "contains", partial(counted, {"url__contains": "exam"})
    for name, text in ODD_TEXT.items():
        for lookup in ("url", "url__in", "url__startswith", "url__gt"):
            yield f"{lookup} {name}", partial(counted, {lookup: text})


def _resource(side: Side) -> Any:
    from import_export.resources import ModelResource

    from django_whatwg_url.integrations.import_export import URLResourceMixin

    meta = type("Meta", (), {"model": side.model, "fields": ("id", "url", "title")})
    if side.options.get("primary_key"):
        meta.import_id_fields = ("url",)  # type: ignore[attr-defined]
        meta.fields = ("url", "title")  # type: ignore[attr-defined]
    bases = (URLResourceMixin, ModelResource) if side.ours else (ModelResource,)
    return type("RowResource", bases, {"Meta": meta})()


@place("django-import-export", needs="import_export")
def imported(side: Side) -> Steps:
    from tablib import Dataset

    if side.is_companion or not side.in_own_table or side.declaration == "abstract":
        return

    def read(*texts: str) -> object:
        rows = Dataset(*((text, "t") for text in texts), headers=["url", "title"])
        result = _resource(side).import_data(rows, use_transactions=True)
        return [row.import_type for row in result.rows] if not result.has_errors() else "error"

    for name, text in {"a URL": A, "the same": A, "empty": "", "not a URL": BAD}.items():
        yield f"import, {name}", partial(read, text)
    side.model.objects.all().delete()
    side.two()
    yield "export", lambda: _resource(side).export()["url"]
    if side.options.get("null"):
        side.model.objects.all().delete()
        side.add(None)
        yield "export NULL", lambda: _resource(side).export()["url"]


@place("django-ninja", needs="ninja")
def ninja(side: Side) -> Steps:
    from ninja import ModelSchema
    from pydantic import ValidationError

    from django_whatwg_url.integrations.ninja import ModelFieldRules
    from weburl import URLRecord

    if side.is_companion:
        return
    name = f"{side.model.__name__}Schema"
    # pydantic takes a class for a field, unless its name says that it is in the schema.
    nested = {"__qualname__": f"{name}.Meta", "__module__": __name__}
    meta = type("Meta", (), {**nested, "model": side.model, "fields": ["url", "title"]})
    members: dict[str, Any] = {"Meta": meta, "__module__": __name__, "__qualname__": name}
    if side.ours:
        value: Any = URLRecord if side.kind == "records" else str
        value = Annotated[value, ModelFieldRules(side.model, "url")]
        members["__annotations__"] = {"url": value | None if side.options.get("null") else value}
    metaclass: Any = type(ModelSchema)
    made: Any = metaclass(name, (ModelSchema,), members)

    def sent(url: object) -> object:
        try:
            return made(url=url, title="t").url
        except ValidationError:
            return "refused"

    for case, url in {
        "a URL": A,
        "empty": "",
        "null": None,
        "not a URL": BAD,
        "a number": 5,
    }.items():
        yield f"in, {case}", partial(sent, url)
    yield "in, too long", lambda: sent("https://example.com/" + "x" * 4000) == "refused"
    yield "in, JavaScript", lambda: sent("javascript:alert(1)")
    row = side.add()
    yield "out", lambda: made.from_orm(row).model_dump(mode="json")["url"]
    if side.declaration != "check":
        bad = side.overwritten(BAD, of=row)
        yield (
            "out, not a URL",
            lambda: made.model_validate(bad, context={"response_status": 200}).model_dump(
                mode="json"
            )["url"],
        )
    yield "schema", lambda: made.json_schema()["properties"]["url"].get("maxLength")


@place("Wagtail", needs="wagtail")
def wagtail(side: Side) -> Steps:
    from wagtail.admin.compare import FieldComparison, comparison_class_registry
    from wagtail.admin.forms import WagtailAdminModelForm
    from wagtail.admin.panels import FieldPanel

    if side.is_companion or not side.field.editable:
        return
    meta = type("Meta", (), {"model": side.model, "fields": ["url", "title"]})
    made: Any = type("RowForm", (WagtailAdminModelForm,), {"Meta": meta})
    for name, sent in {"a URL": A, "not a URL": BAD, "empty": ""}.items():
        yield f"form, {name}", partial(made({"url": sent, "title": "t"}).is_valid)
    panel = FieldPanel("url").bind_to_model(side.model)
    yield "panel, label", lambda: panel.heading or panel.field_name
    compare: Any = comparison_class_registry.get(side.field) or FieldComparison
    one, same, other = side.new(A), side.new(A), side.new(B)
    yield "compared, same", lambda: compare(side.field, one, same).has_changed()
    yield "compared, changed", lambda: compare(side.field, one, other).has_changed()


@place("django-oauth-toolkit: redirect URIs in a column", needs="oauth2_provider")
def oauth(side: Side) -> Steps:
    from oauth2_provider.models import redirect_to_uri_allowed

    if side.is_companion:
        return
    side.two()
    stored = side.model.objects.values_list("url", flat=True)

    def allowed(uri: str) -> object:
        return redirect_to_uri_allowed(uri, [str(url) for url in stored])

    for name, uri in {
        "registered": A,
        "another": C,
        "longer": f"{A}/b",
        "not a URL": "nope",
    }.items():
        yield name, partial(allowed, uri)
