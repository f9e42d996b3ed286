"""Which links of a page count: what a browser follows, loads, submits to and pings."""

from __future__ import annotations

import pytest

from weburl.html import LinkKind, PageLink, links, page

PAGE = "https://e.com/d/p"
RULES = '{"prefetch": [{"urls": ["x"]}]}'


def counted(source: str, **options: object) -> list[tuple[str, str]]:
    """Return the kind and the text of each link."""
    found: tuple[PageLink, ...] = links(source, PAGE, **options)  # type: ignore[arg-type]
    return [(str(link.kind), link.input) for link in found]


def inert(source: str) -> list[tuple[str, str]]:
    """Return the same of the links that are there and lead nowhere."""
    found = links(source, PAGE, inert=True)
    active = links(source, PAGE)
    assert tuple(link for link in found if not link.inert) == active
    return [(str(link.kind), link.input) for link in found if link.inert]


# --- policies -----------------------------------------------------------------------------------

META = '<meta http-equiv=Content-Security-Policy content="{}">'
EVIL = "<base href=//evil.example/><a href=y>"


@pytest.mark.parametrize(
    ("source", "href"),
    [
        (META.format("base-uri 'none'") + EVIL, "https://e.com/d/y"),
        (META.format("default-src 'none'") + EVIL, "https://evil.example/y"),
        (META.format("base-uri https://evil.example") + EVIL, "https://evil.example/y"),
        (META.format("sandbox; BASE-URI") + EVIL, "https://e.com/d/y"),
        (META.format("base-uri *; base-uri 'none'") + EVIL, "https://evil.example/y"),
        (META.format("base-uri *") + META.format("base-uri 'self'") + EVIL, "https://e.com/d/y"),
        # A policy below the element comes too late, one in the body is none, nor is another.
        (EVIL + META.format("base-uri 'none'"), "https://evil.example/y"),
        ("<base href=//evil.example/>" + META.format("base-uri 'none'") + "<a href=y>",
         "https://evil.example/y"),
        ("<body>" + META.format("base-uri 'none'") + EVIL, "https://evil.example/y"),
        ("<meta http-equiv=Content-Security-Policy-Report-Only content=\"base-uri 'none'\">" + EVIL,
         "https://evil.example/y"),
        ("<meta name=Content-Security-Policy content=\"base-uri 'none'\">" + EVIL,
         "https://evil.example/y"),
        ("<meta http-equiv=Content-Security-Policy content>" + EVIL, "https://evil.example/y"),
        ("<noscript>" + META.format("base-uri 'none'") + "</noscript>" + EVIL,
         "https://evil.example/y"),
    ],
)  # fmt: skip
def test_a_policy_in_the_page_may_forbid_its_base_url(source: str, href: str) -> None:
    """Such as the issue's: the link is relative to the page, and the base leads nowhere."""
    (link,) = links(source, PAGE, kinds={"hyperlink"})
    assert str(link.record) == href
    is_base = href.startswith("https://evil")
    assert [found.kind for found in links(source, PAGE, kinds={"base"})] == ["base"] * is_base


def test_a_policy_of_the_response_is_passed_in() -> None:
    """One value of the header or more, each with one policy or more."""

    def href(policy: object) -> str:
        found = links(EVIL, PAGE, kinds={"hyperlink"}, content_security_policy=policy)  # type: ignore[arg-type]
        return str(found[0].record)

    assert href("base-uri 'none'") == "https://e.com/d/y"
    assert href("img-src *, base-uri 'self'") == "https://e.com/d/y"
    assert href(["img-src *", "base-uri 'self'"]) == "https://e.com/d/y"
    assert href("base-uri evil.example , ,") == "https://evil.example/y"
    assert href(()) == href("") == "https://evil.example/y"
    document = page(META.format("x") + EVIL, PAGE, content_security_policy="a, b").document
    assert document.content_security_policies == ("a", "b", "x")


# --- windows ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("<form target=F><button formaction=x formtarget=B>", "B"),
        ("<form target=F><button formaction=x>", "F"),
        ("<form target=F><p><input type=submit formaction=x>", "F"),
        ("<form target=F></form><button formaction=x>", "P"),
        ("<form id=f target=F></form><button form=f formaction=x>", "F"),
        ("<form id=f target=F></form><form target=G><button form=f formaction=x>", "F"),
        ("<form target=G><button form=none formaction=x>", "P"),
        ("<p id=f><form id=f target=F></form><button form=f formaction=x>", "P"),
        ("<form><button formaction=x>", "P"),
        ("<form target><button formaction=x>", ""),
        ("<form target=F><button formaction=x formtarget>", ""),
        ("<form target=F><button formaction=x formtarget='<\n'>", "_blank"),
    ],
)
def test_the_window_of_a_formaction_is_the_buttons_or_its_forms_or_the_pages(
    source: str, target: str
) -> None:
    """In that order; the form by `form=`, too."""
    found = links(f"<base target=P>{source}", PAGE)
    assert [link.target for link in found if link.attribute == "formaction"] == [target]


def test_a_drawings_hyperlink_does_not_take_the_window_of_the_base_element() -> None:
    """As a browser showed; its own target counts."""
    (base, plain, own) = links(
        "<base href=/ target=T><svg><a href=x></a><a href=y target=A></a></svg>", PAGE
    )
    assert (base.target, plain.target, own.target) == ("", "", "A")


# --- one after the other ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contents", "counting"),
    [
        (["1;x", "2;y"], ["x"]),
        (["x", "2;y"], ["y"]),
        (["1;javascript:x", "2;y", "3;z"], ["y"]),
        (["1;https://[", "2;y"], ["y"]),
        (["5", "2;y"], []),
        (["5;", "2;y"], []),
        (["", "2;y"], ["y"]),
        (["5x", "2;y"], ["y"]),
        (["5;url=", "2;y"], [""]),
        ([".;x"], ["x"]),
    ],
)
def test_the_first_valid_refresh_counts(contents: list[str], counting: list[str]) -> None:
    """One without a URL has the page loaded again; one to a script does nothing."""
    source = "".join(f"<meta http-equiv=refresh content='{content}'>" for content in contents)
    assert [text for _, text in counted(source)] == counting


@pytest.mark.parametrize(
    ("rel", "kinds"),
    [
        (None, []),
        ("", []),
        ("nofollow noopener", []),
        ("next stylesheet", ["resource", "relation"]),
        ("alternate stylesheet", ["resource"]),
        ("alternate", ["relation"]),
        ("shortcut icon", ["resource"]),
        ("canonical nofollow", ["relation"]),
        ("NEXT", ["relation"]),
        ("shortlink", ["relation"]),
        ("preload", ["resource"]),
    ],
)
def test_a_link_element_is_as_many_links_as_its_keywords_make(
    rel: str | None, kinds: list[str]
) -> None:
    """None without one, or with annotations alone; two with keywords of both kinds."""
    attribute = "itemprop=x" if rel is None else f"rel='{rel}'"
    source = f"<link {attribute} href=x>"
    assert [kind for kind, _ in counted(source)] == kinds
    assert inert(source) == ([] if kinds else [("relation", "x")])


# --- scripts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "attributes",
    ["", "type", "type=module", "type=' Text/JavaScript '", "type=text/jscript",
     "type=text/javascript1.5", "language=javascript", "language=JavaScript1.2",
     "type=module language=x", "type=module nomodule", "type=module for=x event=y",
     "for=window event=onload", "for=' WINDOW ' event='onload() '", "for=x", "event=y"],
)  # fmt: skip
def test_a_script_that_is_fetched_is_a_resource(attributes: str) -> None:
    """By its type, or its language, in any case."""
    source = f"<script {attributes} src=x></script>"
    assert counted(source) == [("resource", "x")]
    assert inert(source) == []


@pytest.mark.parametrize(
    "attributes",
    ["type=importmap", "type=speculationrules", "type=text/template", "type=application/json",
     "type=' '", "type='text/javascript; charset=utf-8'", "language=vbscript", "nomodule",
     "for=x event=y", "for=window event=onclick", "type=text/javascript1.6"],
)  # fmt: skip
def test_a_script_that_is_never_fetched_is_none(attributes: str) -> None:
    """It can be had by asking."""
    source = f"<script {attributes} src=x></script>"
    assert counted(source) == []
    assert inert(source) == [("resource", "x")]


def test_a_drawings_scripts_go_by_their_type_alone() -> None:
    """They know neither `nomodule` nor `for` and `event`."""
    for attributes, count in (("", 1), ("nomodule", 1), ("for=x event=y", 1), ("type=x", 0)):
        for name in ("href", "xlink:href"):
            source = f"<svg><script {attributes} {name}=x></script></svg>"
            assert counted(source) == [("resource", "x")] * count


# --- what stands around -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "counting", "leading_nowhere"),
    [
        ("<picture><source srcset=x><img src=i></picture>", ["x", "i"], []),
        ("<picture><source src=x><img src=i></picture>", ["i"], ["x"]),
        ("<audio><source src=x></audio>", ["x"], []),
        ("<video><source src=x srcset=y></video>", ["x"], ["y"]),
        ("<video src=v><source src=x></video>", ["v"], ["x"]),
        ("<video src><source src=x></video>", [], ["x"]),
        ("<source src=x srcset=y>", [], ["x", "y"]),
        ("<video><p><source src=x></p></video>", [], ["x"]),
        ("<audio src=a><track src=x></audio>", ["a", "x"], []),
        ("<track src=x>", [], ["x"]),
        ("<div><track src=x></div>", [], ["x"]),
        ("<link rel=preload as=image imagesrcset=x>", ["x"], []),
        ("<link rel='preload x' as=IMAGE href=h imagesrcset=x>", ["h", "h", "x"], []),
        ("<link rel=preload as=script imagesrcset=x>", [], ["x"]),
        ("<link rel=preload imagesrcset=x>", [], ["x"]),
        ("<link rel=stylesheet as=image imagesrcset=x>", [], ["x"]),
        ("<input type=text src=x formaction=y>", [], ["x", "y"]),
        ("<input type=image src=x formaction=y>", ["x", "y"], []),
        ("<iframe src=x srcdoc=y></iframe>", [], ["x"]),
        ("<svg><a href=x xlink:href=y></a></svg>", ["x"], ["y"]),
    ],
)
def test_an_attribute_counts_where_something_uses_it(
    source: str, counting: list[str], leading_nowhere: list[str]
) -> None:
    """By its parent, or by the attributes beside it."""
    assert [text for _, text in counted(source)] == counting
    assert [text for _, text in inert(source)] == leading_nowhere


@pytest.mark.parametrize(
    ("attributes", "submits"),
    [
        ("", True),
        ("type=submit", True),
        ("type=Submit command=c commandfor=i", True),
        ("type=bogus", True),
        ("type=button", False),
        ("type=RESET", False),
        ("command=c commandfor=i", False),
        ("type=bogus command=c commandfor=i", False),
        ("commandfor=i", False),
        ("command=c", False),
    ],
)
def test_a_button_that_commands_does_not_submit(attributes: str, submits: bool) -> None:
    """Unless its type says that it does."""
    source = f"<form><button {attributes} formaction=x></button></form>"
    assert counted(source) == [("submission", "x")] * submits
    assert inert(source) == [("submission", "x")] * (not submits)


# --- what the URLs say --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "pings"),
    [
        ("<a href=h ping='x http://y/ HTTPS://z'>", ["x", "http://y/", "HTTPS://z"]),
        ("<a href=h ping='ftp://x mailto:y data:,z https://['>", []),
        ("<a href='https://[' ping=x>", []),
        ("<a ping=x>", []),
        ("<area href='' ping=x>", ["x"]),
        ("<area ping=x>", []),
        ("<a href=mailto:a@b ping=x>", ["x"]),
    ],
)
def test_a_ping_counts_where_the_hyperlink_is_a_url_and_for_http_alone(
    source: str, pings: list[str]
) -> None:
    """Whatever the hyperlink's own scheme."""
    assert [text for kind, text in counted(source) if kind == "ping"] == pings
    everything = [link for link in links(source, PAGE, inert=True) if link.kind == "ping"]
    assert len(everything) == len(source.partition("ping=")[2].strip("'>").split())


def test_speculation_rules_are_for_http_alone() -> None:
    """Others are dropped, and the rest of the rule stays."""
    rules = '{"prefetch": [{"urls": ["ftp://a/", "b", "mailto:c", "https://["]}]}'
    source = f"<script type=speculationrules>{rules}</script>"
    assert counted(source) == [("speculation", "b")]
    assert [text for _, text in inert(source)] == ["ftp://a/", "mailto:c", "https://["]


@pytest.mark.parametrize(
    ("tag", "is_valid"),
    [('"a b~"', True), ('""', True), ('"\\u00e9"', False), ('"\\n"', False), ("1", False),
     ("null", False), ('["a"]', False)],
)  # fmt: skip
def test_a_bad_tag_of_a_rule_set_voids_it(tag: str, is_valid: bool) -> None:
    """At the top, where it stands for all its rules."""
    source = f'<script type=speculationrules>{{"tag": {tag}, {RULES[1:]}</script>'
    assert counted(source) == [("speculation", "x")] * is_valid


# --- base elements ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "counting"),
    [
        ("<base href=1/><base href=2/>", ["1/"]),
        ("<base><base href=2/>", ["2/"]),
        ("<base href=data:,x><base href=2/>", []),
        ("<base href=javascript:x>", []),
        ("<base href='https://['><base href=2/>", []),
        ("<div><template shadowrootmode=open><base href=1/></template></div>", []),
        ("<svg><base href=1/></svg>", []),
    ],
)
def test_a_base_element_is_listed_where_it_sets_the_base_url(
    source: str, counting: list[str]
) -> None:
    """The first with an href, if nothing stands against it."""
    assert [text for _, text in counted(source)] == counting


def test_every_kind_can_lead_nowhere_or_always_leads_somewhere() -> None:
    """Those that always do are told by their attribute alone."""
    source = f"""<base href=javascript:x><link href=x><script type=x src=x></script>
    <iframe src=x srcdoc></iframe><button type=reset formaction=x></button><a ping=x></a>
    <meta http-equiv=refresh content="0;javascript:x"><svg><a href=x xlink:href=y></a></svg>
    <script type=speculationrules>{RULES.replace('"x"', '"ftp://h/"')}</script>"""
    kinds = {kind for kind, _ in inert(source)}
    assert kinds == set(LinkKind) - {"citation"}
