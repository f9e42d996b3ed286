"""`weburl.integrations.pydantic`, with our classes as types of fields, and rules."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Generic, Literal, TypeVar, cast

import pydantic
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Strict,
    Tag,
    TypeAdapter,
)

import weburl
from django_whatwg_url.integrations.pydantic import URLRules as NamedRules
from tests.integrations.values import SECRET, VALUES, each_value
from weburl import Domain, Host, IPv4Address, IPv6Address, Origin, Site, URLPolicy, URLRecord
from weburl.integrations.pydantic import AnyHost, URLRules
from weburl.integrations.texts import KINDS

RECORD: Final = weburl.parse(f"https://user:{SECRET}@example.com/a")
Case = tuple[str, str]


class Link(BaseModel):
    """A model with a field of each kind."""

    url: URLRecord
    home: URLRecord | None = None
    host: Host = weburl.EmptyHost()
    any_host: AnyHost = weburl.EmptyHost()
    origin: Origin | None = None
    site: Site | None = None
    counts: dict[URLRecord, int] = {}
    others: list[URLRecord] = []


FULL: Final = Link(
    url=RECORD,
    home=weburl.parse("https://h"),
    host=IPv4Address(5),
    any_host=IPv6Address(1),
    origin=weburl.origin_of(RECORD),
    site=weburl.obtain_a_site(RECORD),
    counts={RECORD: 1},
    others=[RECORD],
)


def ruled(**rules: Any) -> TypeAdapter[URLRecord]:
    """Return an adapter that validates a URL by rules."""
    return TypeAdapter(Annotated[URLRecord, URLRules(**rules)])


def refused(validate: Callable[[], object]) -> list[Case]:
    """Return the place and the code of each error. No error shows the password."""
    with pytest.raises(pydantic.ValidationError) as caught:
        validate()
    error = caught.value
    assert SECRET not in f"{error} {error!r} {error.errors()!r} {error.json()}"
    assert all(each["msg"] for each in error.errors())
    return [(".".join(map(str, each["loc"])), each["type"]) for each in error.errors()]


def codes(validate: Callable[[], object]) -> list[str]:
    """Return the codes of the errors that are raised."""
    return [code for _, code in refused(validate)]


@each_value
def test_each_class_is_a_type_of_a_field(value: Any) -> None:
    """It takes text and its own values, in JSON and Python, in lax and strict mode."""
    adapter: TypeAdapter[Any] = TypeAdapter(type(value))
    text = str(value)
    for made in (adapter.validate_python(text), adapter.validate_json(json.dumps(text))):
        assert type(made) is type(value)
        assert made == value or isinstance(value, weburl.OpaqueOrigin)
    assert type(adapter.validate_json(json.dumps(text), strict=True)) is type(value)
    assert adapter.validate_python(value) is value
    assert adapter.validate_python(value, strict=True) is value
    assert refused(lambda: adapter.validate_python(text, strict=True)) == [("", "wrong-type")]
    assert adapter.dump_python(value) is value
    assert adapter.dump_python(value, mode="json") == text
    assert adapter.dump_json(value) == json.dumps(text).encode()
    schema = adapter.json_schema()
    assert schema["type"] == "string"
    assert schema == adapter.json_schema(mode="serialization")
    assert re.search(schema.get("pattern", ""), text)
    for wrong in (5, None, b"x", [text], {"a": text}, pydantic.AnyUrl("https://h"), object()):
        assert refused(partial(adapter.validate_python, wrong)) == [("", "wrong-type")]
    assert codes(lambda: adapter.validate_python(f"https://\ud800 \0:{SECRET}@ @"))


def test_a_model_round_trips() -> None:
    """It survives JSON, Python values, pickling and copying. Its repr shows no password."""
    assert Link.model_validate_json(FULL.model_dump_json()) == FULL
    assert Link.model_validate_json(FULL.model_dump_json(), strict=True) == FULL
    assert Link.model_validate(FULL.model_dump(), strict=True) == FULL
    assert Link.model_validate(FULL.model_dump(mode="json")) == FULL
    assert FULL.model_dump()["url"] is RECORD
    assert FULL.model_dump(mode="json")["counts"] == {RECORD.href: 1}
    assert pickle.loads(pickle.dumps(FULL)) == FULL == FULL.model_copy(deep=True)
    assert SECRET not in f"{FULL!r} {FULL}"
    assert Link.model_validate_strings({"url": "https://h/", "host": "h"}).host == Domain("h")


def test_a_url_object_is_taken_for_its_record() -> None:
    """A later change of the `URL` does not change the record."""
    url = weburl.URL("https://h/a")
    link = Link.model_validate({"url": url})
    url.pathname = "/b"
    assert link.url == weburl.parse("https://h/a")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"https://user:{SECRET}@h:99999/", "port-out-of-range"),
        (f"https://user:{SECRET}@", "host-missing"),
        (f"//user:{SECRET}@h/", "missing-scheme-non-relative-URL"),
        (f"https://user:{SECRET}@a b/", "domain-to-ASCII"),
        (f"https://user:{SECRET}@h\ud800\0:{SECRET}@:/", "host-missing"),
        (f"https:user:{SECRET}@h:x", "port-invalid"),
        ("", "missing-scheme-non-relative-URL"),
        ("https://[", "IPv6-unclosed"),
    ],
)
def test_an_error_has_the_standards_name_and_no_password(text: str, code: str) -> None:
    """The password is not in the input, the message or the JSON."""
    assert refused(lambda: Link.model_validate({"url": text})) == [("url", code)]
    assert refused(lambda: Link(url=RECORD, others=[text])) == [("others.0", code)]  # type: ignore[list-item]
    assert codes(lambda: TypeAdapter(URLRecord).validate_python(text)) == [code]


def test_what_pydantic_shows_of_the_other_input_can_be_hidden() -> None:
    """An error in another field shows the whole input, as the documentation says."""
    data = {"url": 5, "secret": SECRET}

    class Shown(BaseModel):
        url: URLRecord
        other: int

    class Hidden(Shown):
        model_config = ConfigDict(hide_input_in_errors=True)

    with pytest.raises(pydantic.ValidationError) as caught:
        Shown.model_validate(data)
    assert SECRET in str(caught.value)
    with pytest.raises(pydantic.ValidationError) as caught:
        Hidden.model_validate(data)
    assert SECRET not in str(caught.value)
    assert SECRET not in caught.value.json(include_input=False)


def test_what_a_validator_of_ones_own_shows_can_be_hidden() -> None:
    """If the validator fails, pydantic shows the original text, as the documentation says."""

    def refuse(_url: URLRecord) -> URLRecord:
        raise ValueError("no")

    class Hidden(BaseModel):
        model_config = ConfigDict(hide_input_in_errors=True)
        url: Annotated[URLRecord, AfterValidator(refuse)]

    with pytest.raises(pydantic.ValidationError) as caught:
        Hidden.model_validate({"url": RECORD.href})
    assert SECRET not in f"{caught.value} {caught.value.json(include_input=False)}"
    with pytest.raises(pydantic.ValidationError) as caught:
        Hidden.model_validate({"url": RECORD})
    assert SECRET not in f"{caught.value.errors()!r}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bücher.example", Domain("xn--bcher-kva.example")),
        ("0x7f.1", IPv4Address(0x7F000001)),
        ("[::1]", IPv6Address(1)),
        ("::1", IPv6Address(1)),
        ("a%20b", weburl.OpaqueHost("a%20b")),
        ("", weburl.EmptyHost()),
        ("exa\tmple.com", Domain("example.com")),
    ],
)
def test_a_host_of_any_kind_is_read(text: str, expected: Host) -> None:
    """The union and `AnyHost`, which gives a single error, read the same."""
    adapter: TypeAdapter[Any]
    for adapter in (TypeAdapter(Host), TypeAdapter(AnyHost)):
        assert adapter.validate_python(text) == expected
        assert adapter.validate_json(json.dumps(text), strict=True) == expected
        assert adapter.validate_python(expected) is expected
        assert adapter.dump_json(expected) == json.dumps(str(expected)).encode()


@pytest.mark.parametrize("text", ["a b", "a/b", "[::", "::1::", f"user:{SECRET}@h", "a\ud800 b"])
def test_a_bad_host_is_one_error_or_one_for_each_type_of_the_union(text: str) -> None:
    """Each error of the union names its type."""
    kinds = ("Domain", "IPv4Address", "IPv6Address", "OpaqueHost", "EmptyHost")
    places = [place for place, _ in refused(lambda: TypeAdapter(Host).validate_python(text))]
    assert places == list(kinds)
    assert len(refused(lambda: TypeAdapter(AnyHost).validate_python(text))) == 1
    with pytest.raises(pydantic.ValidationError, match="host"):
        TypeAdapter(AnyHost).validate_python(5)
    assert TypeAdapter(AnyHost).json_schema() == {"type": "string"}


@pytest.mark.parametrize(
    ("kind", "text", "code"),
    [
        (Domain, "1.2.3.4", "not-a-domain"),
        (Domain, "", "not-a-domain"),
        (IPv4Address, "example.com", "not-an-ipv4-address"),
        (IPv6Address, "1.2.3.4", "not-an-ipv6-address"),
        (weburl.OpaqueHost, "[::1]", "not-an-opaque-host"),
        (weburl.EmptyHost, "h", "not-an-empty-host"),
        (weburl.OpaqueOrigin, "https://h", "not-an-opaque-origin"),
        (weburl.TupleOrigin, f"https://user:{SECRET}@h", "not-an-origin"),
        (weburl.TupleOrigin, "https://h/a", "not-an-origin"),
        (weburl.TupleOrigin, "https://h?", "not-an-origin"),
        (weburl.TupleOrigin, "https://h#", "not-an-origin"),
        (weburl.TupleOrigin, "data:x", "not-an-origin"),
        (weburl.TupleOrigin, "file:///", "not-an-origin"),
        (weburl.TupleOrigin, "null", "missing-scheme-non-relative-URL"),
        (weburl.SchemeAndHost, "https://h:8080", "not-a-site"),
        (weburl.SchemeAndHost, "https://h/a", "not-a-site"),
        (weburl.RelativeReference, "https:a", "not-a-relative-reference"),
    ],
)
def test_text_of_another_kind_is_an_error(kind: type, text: str, code: str) -> None:
    """No part of the text is dropped."""
    assert codes(lambda: TypeAdapter(kind).validate_python(text)) == [code]


def test_the_promised_types_of_errors_are_those_there_are() -> None:
    """Other types of errors are names of the standard or of policies."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "stability.md").read_text("utf-8")
    _, _, promised = page.partition("- **The types of pydantic's errors**")
    names = set(re.findall(r"`([\w-]+)`", promised.partition("\n- **")[0]))
    own = {code for kind, (_, code, _) in KINDS.items() if kind is not URLRecord}
    assert names == own | {"wrong-type"}


def test_an_origin_may_be_spelled_in_any_way() -> None:
    """It may have a slash at the end, because people copy it so."""
    adapter: TypeAdapter[Any] = TypeAdapter(Origin)
    expected = weburl.TupleOrigin("https", Domain("example.com"), 8080)
    for text in ("https://example.com:8080", "HTTPS://Example.com:8080/"):
        assert adapter.validate_python(text) == expected
    assert isinstance(adapter.validate_python("null"), weburl.OpaqueOrigin)


def test_unions_optionals_and_generics() -> None:
    """They work with our types as with others."""
    number_or_url: TypeAdapter[Any] = TypeAdapter(int | URLRecord)
    assert number_or_url.validate_python("https://h") == weburl.parse("https://h")
    assert number_or_url.validate_python(5) == 5
    assert number_or_url.dump_json(5) == b"5"
    assert TypeAdapter(URLRecord | str).validate_python("https://h") == "https://h"  # exact first
    value = TypeVar("value")

    class Box(BaseModel, Generic[value]):
        content: value

    assert Box[URLRecord].model_validate({"content": "https://h"}).content.scheme == "https"

    @pydantic.dataclasses.dataclass
    class Data:
        url: URLRecord

    assert Data(url="https://h").url == weburl.parse("https://h")  # type: ignore[arg-type]

    def kind_of(value: Any) -> str:
        return "address" if isinstance(value, IPv4Address) or str(value)[:1].isdigit() else "name"

    tagged: TypeAdapter[Any] = TypeAdapter(
        Annotated[
            Annotated[IPv4Address, Tag("address")] | Annotated[Domain, Tag("name")],
            Discriminator(kind_of),
        ]
    )
    assert tagged.validate_python("1.2.3.4") == IPv4Address(0x01020304)
    assert tagged.validate_python("example.com") == Domain("example.com")
    assert refused(lambda: tagged.validate_python("1.2.3.4.5")) == [
        ("address", "IPv4-too-many-parts")
    ]


def test_a_discriminated_model_and_settings_of_a_model() -> None:
    """Assigned values and default values are validated."""

    class Web(BaseModel):
        kind: Literal["web"]
        url: URLRecord

    class Mail(BaseModel):
        kind: Literal["mail"]

    class Either(BaseModel):
        model_config = ConfigDict(validate_assignment=True, validate_default=True)
        either: Web | Mail = Field(discriminator="kind")
        home: URLRecord = "https://h"  # type: ignore[assignment]

    made = Either.model_validate({"either": {"kind": "web", "url": "https://a"}})
    assert made.home == weburl.parse("https://h")
    made.home = "HTTPS://B"  # type: ignore[assignment]
    assert made.home == weburl.parse("https://b")


def test_what_was_constructed_without_validation_is_written_with_a_warning() -> None:
    """The same happens with pydantic's own types. The warning does not show the value."""
    made = Link.model_construct(url=f"https://user:{SECRET}@h")
    with pytest.warns(UserWarning, match="URLRecord") as caught:
        made.model_dump_json()
    assert SECRET not in str(caught[0].message)


def test_the_json_schema_of_a_model() -> None:
    """It has the formats of OpenAPI."""
    properties = Link.model_json_schema()["properties"]
    assert properties["url"] == {"type": "string", "format": "uri", "title": "Url"}
    assert properties["home"]["anyOf"] == [{"type": "string", "format": "uri"}, {"type": "null"}]
    assert [each.get("format") for each in properties["host"]["anyOf"]] == [
        "hostname",
        "ipv4",
        None,
        None,
        None,
    ]
    assert properties["counts"]["propertyNames"]["format"] == "uri"
    schema = ruled(max_length=99, base="https://h").json_schema()
    assert schema == {"type": "string", "format": "uri-reference", "maxLength": 99}
    schema = ruled(assume_scheme="https").json_schema(mode="serialization")
    assert schema == {"type": "string", "format": "uri"}
    assert ruled(policy=URLPolicy(max_length=9)).json_schema()["maxLength"] == 9


@pytest.mark.parametrize(
    ("rules", "value", "expected"),
    [
        ({"schemes": ["https"]}, "javascript:alert(1)", ["scheme-not-allowed"]),
        ({"max_length": 20}, "https://h/" + "a" * 20, ["too-long"]),
        ({"max_length": 20}, "https://h/\u00e9\u00e9\u00e9\u00e9", ["too-long"]),
        (
            {"policy": URLPolicy.public_link()},
            f"https://user:{SECRET}@10.0.0.1:22/",
            ["credentials-not-allowed", "address-not-allowed", "port-not-allowed"],
        ),
        ({"policy": URLPolicy.public_link()}, "mailto:a", ["scheme-not-allowed"]),
        (
            {"strictness": "valid"},
            f"https:\\\\user:{SECRET}@h/ a",
            ["special-scheme-missing-following-solidus", "invalid-credentials"],
        ),
        ({"strictness": ["invalid-credentials"]}, RECORD.href, ["invalid-credentials"]),
        ({"strictness": ["invalid-credentials"]}, RECORD, ["invalid-credentials"]),
        ({"policy": URLPolicy(credentials=False)}, RECORD, ["credentials-not-allowed"]),
        ({"assume_scheme": "https"}, "/a", ["missing-scheme-non-relative-URL"]),
        ({"assume_scheme": "https"}, "https//h", ["missing-scheme-non-relative-URL"]),
        ({"assume_scheme": "https"}, "localhost:99999", ["port-out-of-range"]),
        ({"base": "https://h/"}, "https://[", ["IPv6-unclosed"]),
    ],
)
def test_what_rules_refuse(rules: dict[str, Any], value: Any, expected: list[str]) -> None:
    """Each problem gives one error."""
    found = codes(lambda: ruled(**rules).validate_python(value))
    assert set(expected) <= set(found)
    if rules.get("strictness") != "valid":
        assert found == expected


@pytest.mark.parametrize(
    ("rules", "value", "expected"),
    [
        ({}, "javascript:alert(1)", "javascript:alert(1)"),
        ({"schemes": ["HTTPS"]}, "https://h", "https://h/"),
        ({"assume_scheme": "HTTPS"}, " h.example/a", "https://h.example/a"),
        ({"assume_scheme": "https"}, "//h/a", "https://h/a"),
        ({"assume_scheme": "https"}, "localhost:8000/a", "https://localhost:8000/a"),
        ({"assume_scheme": "https"}, "mailto:a", "mailto:a"),
        ({"base": "https://h/a/b"}, "../c", "https://h/c"),
        ({"base": weburl.parse("https://h/a/b")}, "//i", "https://i/"),
        ({"strictness": "valid"}, "https://h/%20", "https://h/%20"),
        ({"strictness": "valid", "base": "https://h"}, "a", "https://h/a"),
        ({"strictness": []}, "https:h", "https://h/"),
    ],
)
def test_what_rules_allow(rules: dict[str, Any], value: Any, expected: str) -> None:
    """Text may lack a scheme or be relative."""
    assert ruled(**rules).validate_python(value).href == expected


@pytest.mark.parametrize(
    ("rules", "error"),
    [
        ({"schemes": "https"}, TypeError),
        ({"schemes": ["https:"]}, ValueError),
        ({"strictness": "strict"}, ValueError),
        ({"strictness": ["nothing"]}, ValueError),
        ({"policy": "public"}, TypeError),
        ({"max_length": 0}, ValueError),
        ({"assume_scheme": "https:"}, ValueError),
        ({"base": "a"}, weburl.URLParseError),
        ({"base": 5}, TypeError),
        ({"base": "https://h", "assume_scheme": "https"}, ValueError),
    ],
)
def test_rules_that_mean_nothing_are_errors_at_once(
    rules: dict[str, Any], error: type[Exception]
) -> None:
    """They are not errors of the first value."""
    with pytest.raises(error):
        URLRules(**rules)


def test_a_policy_may_be_a_function_that_is_called_for_each_url() -> None:
    """Its rules may change. What it returns must be a policy."""
    hosts: list[str] = []
    rules = URLRules(policy=lambda: URLPolicy(refused_hosts=hosts), max_length=40)
    adapter: TypeAdapter[Any] = TypeAdapter(Annotated[URLRecord, rules])
    assert adapter.validate_python("https://evil.example/")
    hosts.append("evil.example")
    assert codes(lambda: adapter.validate_python("https://evil.example/")) == ["host-refused"]
    assert codes(lambda: adapter.validate_python("https://h/" + "a" * 40)) == ["too-long"]
    wrong: Any = Annotated[URLRecord, URLRules(policy=lambda: cast("Any", "webhook"))]
    with pytest.raises(TypeError, match=r"must be a weburl\.URLPolicy, not str"):
        TypeAdapter(wrong).validate_python("https://h/")


@override_settings(URL_POLICIES={"webhook": URLPolicy.webhook(), "wrong": 5})
def test_a_policy_may_be_a_name_in_the_settings_of_django() -> None:
    """As for a field, whose message lists what may be given."""
    internal = "https://169.254.169.254/"
    for option in ("webhook", URLPolicy.webhook, URLPolicy.webhook()):
        named: Any = Annotated[URLRecord, NamedRules(policy=option, schemes=["http", "https"])]
        adapter: TypeAdapter[Any] = TypeAdapter(named)
        assert adapter.validate_python("https://example.com/")
        assert "ip-host" in codes(partial(adapter.validate_python, internal))
        assert codes(partial(adapter.validate_python, "javascript:alert(1)"))
    wrong: tuple[Any, ...] = (5, "no name", URLPolicy)
    for option in wrong:
        with pytest.raises(TypeError, match=r"a name in settings\.URL_POLICIES, the import path"):
            NamedRules(policy=option)
    for option in ("missing", "wrong"):
        adapter = TypeAdapter(Annotated[URLRecord, NamedRules(policy=option)])
        with pytest.raises(ImproperlyConfigured, match=option):
            adapter.validate_python("https://example.com/")


def test_a_message_about_rules_does_not_need_the_repr_of_a_value() -> None:
    """The repr of a deeply nested list raises an error."""
    nested: list[Any] = []
    for _ in range(5_000):
        nested = [nested]
    for rules in ({"strictness": nested}, {"policy": nested}):
        with pytest.raises(TypeError, match="list"):
            URLRules(**rules)  # type: ignore[arg-type]


def test_rules_can_be_combined_with_other_rules() -> None:
    """A type with rules can have more of them, and pydantic's own."""
    secure = Annotated[URLRecord, URLRules(schemes=["https"])]
    both: TypeAdapter[Any] = TypeAdapter(Annotated[secure, URLRules(max_length=30)])
    assert codes(lambda: both.validate_python("http://h")) == ["scheme-not-allowed"]
    assert codes(lambda: both.validate_python("https://h/" + "a" * 30)) == ["too-long"]
    strict: TypeAdapter[Any] = TypeAdapter(Annotated[URLRecord, Strict(), URLRules(max_length=30)])
    assert codes(lambda: strict.validate_python("https://h")) == ["wrong-type"]
    assert strict.validate_json('"https://h"') == weburl.parse("https://h")
    joined: TypeAdapter[Any] = TypeAdapter(
        Annotated[URLRecord, URLRules(strictness="valid"), URLRules(base="https://h/a/")]
    )
    assert joined.validate_python("b") == weburl.parse("https://h/a/b")
    assert codes(lambda: joined.validate_python("a b")) == ["invalid-URL-unit"]
    hashed = {URLRules(max_length=3), URLRules(max_length=3)}
    assert len(hashed) == 1
    after: Any = Annotated[URLRecord, AfterValidator(str)]
    kinds: tuple[Any, ...] = (URLRecord | None, Domain, after)
    for kind in kinds:
        with pytest.raises(TypeError, match="directly after URLRecord"):
            TypeAdapter(cast("Any", Annotated[kind, URLRules()]))


@pytest.mark.parametrize("field", [Field(max_length=99), Field(pattern="h")])
def test_constraints_of_text_fail_for_every_value(field: Any) -> None:
    """So they are not used by mistake. The documentation says what to use instead."""
    adapter: TypeAdapter[Any] = TypeAdapter(Annotated[URLRecord, field])
    with pytest.raises(TypeError, match="Unable to apply constraint"):
        adapter.validate_python("https://h/")


def test_hostile_text_is_refused_with_a_short_message() -> None:
    """The texts have a megabyte in the host or before the at sign, or of braces."""
    much = 1_000_000
    assert ruled().validate_python("https://h/" + "a" * much).path_text == "/" + "a" * much
    for text in (
        "https://" + "a" * much + " b",
        f"https://user:{SECRET}" + "@" * much + ":x",
        "{code}" * (much // 6),
        "\ud800" * (much // 10),
    ):
        with pytest.raises(pydantic.ValidationError) as caught:
            ruled().validate_python(text)
        assert len(str(caught.value)) < 2000
        assert SECRET not in caught.value.json()
    assert codes(lambda: ruled(max_length=99).validate_python("\0" * much)) == ["too-long"]
    for kind in (Domain, IPv4Address, IPv6Address, weburl.OpaqueHost, weburl.TupleOrigin):
        adapter: TypeAdapter[Any] = TypeAdapter(kind)
        with pytest.raises(pydantic.ValidationError) as caught:
            adapter.validate_python(":" * much + "@")
        assert len(str(caught.value)) < 2000


def test_context_and_modes_of_dumping() -> None:
    """Python mode keeps values, except for django-ninja, whose encoder does not know them."""
    assert FULL.model_dump(context={"a": 1})["url"] is RECORD
    assert FULL.model_dump(context={"response_status": 200})["url"] == RECORD.href
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert FULL.model_dump(mode="xml")["url"] == RECORD.href
    assert len(VALUES) == 10


def test_pydantic_1_is_an_import_error_that_says_what_to_install() -> None:
    """It runs in another process, because pydantic 2 is imported here."""
    code = "import sys; sys.modules['pydantic_core'] = None; import weburl.integrations.pydantic"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: weburl needs pydantic 2.11 or newer: pip install 'pydantic>=2.11'"
    )
