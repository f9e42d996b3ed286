"""Places: model forms, their widgets, and forms of rows that refer to the field."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django import forms
from django.forms import modelform_factory

from tests.django.crossings.rows import BAD, SPELLED, A, B, C, Side
from tests.django.crossings.steps import Steps, place

# The form fields of URLField and CharField refuse each of these, or take it as it is.
_REFUSED: Final = {
    "not a URL": BAD,
    "no host": "https://",
    "only slashes": "://",
    "an IPv6 address": "http://[",
    "too long": "https://example.com/" + "x" * 4000,
    "a port": "https://example.com:x/",
    "JavaScript": "javascript:alert(1)",
    "NUL": "https://example.com/\x00",
}


def has_form(side: Side) -> bool:
    """Return whether model forms have the field."""
    return bool(side.field.editable)


def _form(side: Side, url: object = None, instance: Any = None, **options: Any) -> Any:
    made = modelform_factory(side.model, fields=["url", "title"])
    data = {"title": "t"} if url is None else {"title": "t", "url": url}
    return made(data, instance=instance, **options)


def _saved(form: Any) -> object:
    if not form.is_valid():
        return f"invalid: {', '.join(form.errors)}"
    row = form.save()
    row.refresh_from_db()
    return row.url


def _codes(form: Any) -> list[str]:
    return [error.code for error in form.errors.as_data().get("url", [])]


@place("Form: a URL")
def valid(side: Side) -> Steps:
    if not has_form(side):
        return
    yield "saved", lambda: _saved(_form(side, A))
    yield "white space around it", lambda: _saved(_form(side, f" {B} "))
    yield "cleaned", lambda: (form := _form(side, C)).is_valid() and form.cleaned_data["url"]
    yield "another spelling", lambda: _saved(_form(side, SPELLED))
    # Its code is Django's or that of the constraint, by the version of Django.
    yield "again", lambda: bool(_codes(_form(side, A)))


@place("Form: empty")
def empty(side: Side) -> Steps:
    if not has_form(side):
        return
    for name, sent in {"not sent": None, "empty": "", "white space": "  "}.items():
        yield name, lambda sent=sent: _saved(_form(side, sent))  # type: ignore[misc]
        side.model.objects.all().delete()
        yield f"{name}, code", partial(_codes, _form(side, sent))


@place("Form: refused")
def refused(side: Side) -> Steps:
    if not has_form(side):
        return
    for name, sent in _REFUSED.items():
        yield name, partial(_valid, side, sent)
    yield "shown again", lambda: "exa mple" in str(_form(side, BAD)["url"])


def _valid(side: Side, sent: str) -> bool:
    return bool(_form(side, sent).is_valid())


@place("Form: a row that is not a URL stays as it is")
def kept(side: Side) -> Steps:
    if not has_form(side) or side.options.get("primary_key") or side.declaration == "check":
        return
    row = side.overwritten(BAD)
    yield "shown", lambda: BAD in str(_form(side, instance=row)["url"])
    yield "changed", lambda: _form(side, BAD, row).changed_data
    if not side.options.get("choices"):
        yield "saved", lambda: _saved(_form(side, BAD, row))
        yield "changed to a URL", lambda: _saved(_form(side, C, row))
    only = modelform_factory(side.model, fields=["title"])
    yield "a form of another field", lambda: only({"title": "new"}, instance=row).save().title


@place("Form: what has changed")
def changed(side: Side) -> Steps:
    if not has_form(side):
        return
    row = side.add()
    for name, sent in {
        "same": A,
        "another": B,
        "empty": "",
        "not sent": None,
        "space": f" {A} ",
        "another spelling": "HTTPS://EXAMPLE.com:443/x/../a",
    }.items():
        yield name, partial(_changed, side, sent, row)
    if side.options.get("null"):
        null = side.add(None)
        yield "NULL, empty", partial(_changed, side, "", null)
        yield "NULL, not sent", partial(_changed, side, None, null)
        yield "NULL, a URL", partial(_changed, side, A, null)


def _changed(side: Side, sent: str | None, row: Any) -> object:
    return "url" in _form(side, sent, row).changed_data


@place("Form: initial values, hidden and disabled fields")
def initial(side: Side) -> Steps:
    if not has_form(side):
        return
    row = side.add()
    yield "of the row", lambda: A in str(_form(side, instance=row)["url"])
    yield (
        "given",
        lambda: modelform_factory(side.model, fields=["url"])(initial={"url": B})["url"].value(),
    )
    yield "default", lambda: modelform_factory(side.model, fields=["url"])()["url"].value()
    yield "required", lambda: modelform_factory(side.model, fields=["url"])().fields["url"].required
    yield (
        "prefix",
        lambda: modelform_factory(side.model, fields=["url"])({"p-url": B}, prefix="p").is_valid(),
    )
    for name, sent in {"hidden, same": A, "hidden, another": C, "hidden, not a URL": BAD}.items():
        form = modelform_factory(side.model, fields=["url"])({"url": A, "initial-url": sent})
        form.fields["url"].show_hidden_initial = True
        yield name, partial(form.has_changed)
    disabled = _form(side, B, row)
    disabled.fields["url"].disabled = True
    yield "disabled", partial(_saved, disabled)
    yield "disabled, changed", lambda: "url" in disabled.changed_data


@place("Form: choices")
def choices(side: Side) -> Steps:
    if not side.options.get("choices"):
        return
    row = side.add()
    yield "label", row.get_url_display
    yield "label of another spelling", side.model(url=SPELLED).get_url_display
    yield "label of another", lambda: side.model(url="https://example.com/zz").get_url_display()
    yield (
        "selected",
        lambda: (
            f'value="{A}" selected'
            in str(modelform_factory(side.model, fields=["url"])(instance=row)["url"])
        ),
    )
    yield "another choice", lambda: _saved(_form(side, B, row))
    yield "no choice", lambda: _codes(_form(side, "https://example.com/zz"))


@place("Form: foreign keys")
def foreign_keys(side: Side) -> Steps:
    if side.is_companion:
        return
    one, _ = side.two()
    key = A if side.by_url else str(one.pk)
    made = modelform_factory(side.child, fields=["parent", "name"])
    kid = side.child.objects.create(parent=one)
    yield "valid", lambda: made({"parent": key, "name": "k"}).save().parent.url
    yield "selected", lambda: str(made(instance=kid)["parent"]).count("selected")
    yield "same", lambda: made({"parent": key, "name": "kid"}, instance=kid).changed_data
    for name, sent in {"other text": "nope", "not a URL": BAD, "empty": ""}.items():
        yield name, partial(made({"parent": sent, "name": "k"}).is_valid)
    rows = side.model.objects.all()
    by_url = forms.ModelChoiceField(rows, to_field_name="url")
    several = forms.ModelMultipleChoiceField(rows, to_field_name="url")
    yield "to_field_name", lambda: by_url.clean(A)
    yield "to_field_name, not a URL", lambda: by_url.clean(BAD)
    yield "to_field_name, several", lambda: several.clean([A, B])
    yield "to_field_name, several, not a URL", lambda: several.clean([A, BAD])
