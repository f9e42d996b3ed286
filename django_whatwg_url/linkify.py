"""Turns text with links into HTML, for Python code and for the template filter ``url_linkify``.

`weburl.text` finds the links. This module writes them as HTML, and checks them for forms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, Final

import attrs
from django.core.exceptions import ValidationError
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext_lazy

import weburl
from django_whatwg_url.links import linked_href
from django_whatwg_url.policies import PolicyOption, policy_of
from django_whatwg_url.rules.validators import URLPolicyValidator, _Deconstructible, check_policy
from weburl import URLPolicy
from weburl.text import Link, find_readings, split

if TYPE_CHECKING:
    import turbohtml
    from django.utils.functional import _StrOrPromise

__all__ = [
    "NOT_LINKIFIED",
    "LinksValidator",
    "linkify",
    "linkify_html",
]

DEFAULT_REL: Final = "nofollow noopener"

NOT_LINKIFIED: Final = frozenset({"a", "code", "pre"})
"""The elements in which `linkify_html` does not change text by default."""

# Elements whose text is not part of the page, or which cannot contain a link.
_NEVER_LINKIFIED: Final = frozenset(
    ("button", "iframe", "noembed", "noframes", "noscript", "option", "plaintext", "script",
     "select", "style", "template", "textarea", "title", "xmp")
)  # fmt: skip
_HTML: Final = "html"


def linkify(
    text: object,
    *,
    max_length: int | None = None,
    rel: str = DEFAULT_REL,
    target: str = "",
    policy: PolicyOption | None = None,
    bare: bool = True,
    emails: bool = True,
    assume_scheme: str = "https",
    any_host: bool = False,
    ascii_hosts: bool = False,
) -> SafeString:
    """Return plain text as HTML in which web and mail addresses are links.

    Everything else is escaped, even if ``text`` is a `SafeString`. Use `linkify_html` for HTML. A
    web address is shown as by the filter ``url_display``, and its ``href`` is the canonical URL
    without username and password. A mail address is shown unchanged.

    Args:
        text: plain text, from anyone.
        max_length: how many characters of an address are shown. The registrable domain is always
            shown.
        rel: the attribute ``rel`` of each link, or "" for none.
        target: the attribute ``target`` of each link, or "" for none.
        policy: links that it does not allow remain text. It may be a reference, as in a field.
        bare: whether web addresses without a scheme become links.
        emails: whether mail addresses without ``mailto:`` become links.
        assume_scheme: the scheme for web addresses without one, https or http.
        any_host: whether web addresses with a scheme become links for every host, including
            "localhost" and "intranet".
        ascii_hosts: whether the host follows in ASCII after a link that shows it in Unicode.

    Raises:
        ValueError: ``assume_scheme`` or ``max_length`` is not possible.
    """
    look = _Look(max_length, rel, target, policy, ascii_hosts)
    pieces = split(
        str(text), bare=bare, emails=emails, assume_scheme=assume_scheme, any_host=any_host
    )
    return mark_safe("".join(map(look.html, pieces)))  # noqa: S308 (each piece is escaped)


def linkify_html(
    html: object,
    *,
    max_length: int | None = None,
    rel: str = DEFAULT_REL,
    target: str = "",
    policy: PolicyOption | None = None,
    bare: bool = True,
    emails: bool = True,
    assume_scheme: str = "https",
    any_host: bool = False,
    ascii_hosts: bool = False,
    not_in: Collection[str] = NOT_LINKIFIED,
) -> SafeString:
    """Return a fragment of HTML with links in its text. Attributes and comments are not changed.

    This does not make HTML safe. Scripts in ``html`` remain, so sanitize the result if a stranger
    wrote it. Broken markup is repaired as a browser repairs it. Elements whose text is not part of
    the page, such as script, style and textarea, are never changed. Needs turbohtml:
    ``pip install 'weburl[html]'``.

    Args:
        html: the fragment.
        not_in: the names of other elements whose text is not changed. By default, these are
            `NOT_LINKIFIED`: a, code and pre. "a" is always included, because a link cannot contain
            a link.
        max_length, rel, target, policy, bare, emails, assume_scheme, any_host, ascii_hosts: as for
            `linkify`.

    Raises:
        ImportError: turbohtml is not installed.
        ValueError: ``assume_scheme`` or ``max_length`` is not possible.
    """
    import turbohtml

    look = _Look(max_length, rel, target, policy, ascii_hosts)
    left_alone = _NEVER_LINKIFIED | {"a", *not_in}
    fragment = turbohtml.parse_fragment(str(html))
    replaced: list[turbohtml.Text] = []
    written: list[str] = []
    for node in _texts(fragment, left_alone):
        pieces = split(
            node.data, bare=bare, emails=emails, assume_scheme=assume_scheme, any_host=any_host
        )
        html_of_text = "".join(map(look.html, pieces))
        if html_of_text != escape(node.data):
            replaced.append(node)
            # Write a character reference, because the parser turns a carriage return into a line
            # feed.
            written.append(html_of_text.replace("\r", "&#13;"))
    # Make all new nodes in one tree, because an element in its own tree takes 12 kB.
    made = turbohtml.parse_fragment("".join(f"<div>{each}</div>" for each in written))
    for node, division in zip(replaced, list(made.children), strict=True):
        node.replace_with(*division.children)
    return mark_safe(fragment.inner_html)  # noqa: S308 (the parser writes what it read)


def _texts(fragment: turbohtml.Element, left_alone: Collection[str]) -> Iterator[turbohtml.Text]:
    """Yield the text nodes that may contain links. It does not recurse: markup can be deep."""
    import turbohtml

    waiting: list[turbohtml.Node] = [*reversed(fragment.children)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, turbohtml.Text):
            yield node
        elif (
            isinstance(node, turbohtml.Element)
            and node.tag not in left_alone
            and node.namespace.value == _HTML
        ):
            waiting += reversed(node.children)


@attrs.frozen
class _Look:
    """The options for writing links as HTML."""

    max_length: int | None
    rel: str
    target: str
    policy: URLPolicy | None = attrs.field(converter=attrs.converters.optional(policy_of))
    ascii_hosts: bool

    def html(self, piece: str | Link) -> str:
        """Return text or a link as HTML."""
        if isinstance(piece, str):
            return escape(piece)
        named = self.attributes(piece)
        if named is None:
            return escape(piece.text)
        listed = format_html_join("", ' {}="{}"', named.items())
        text = self.text(piece)
        host = piece.url.hostname
        if self.ascii_hosts and "xn--" in host and not text.isascii() and host not in text:
            return format_html('<a{}>{}</a> <span dir="ltr">({})</span>', listed, text, host)
        return format_html("<a{}>{}</a>", listed, text)

    def attributes(self, link: Link) -> dict[str, str] | None:
        """Return the attributes of the element, or None if the link must remain text."""
        is_mail = link.url.scheme == "mailto"
        href = link.url.href if is_mail else linked_href(link.url)
        if not href or (self.policy is not None and not self.policy.allows(link.url)):
            return None
        others = {"rel": self.rel, "target": self.target}
        # The direction keeps text before the link from changing the order of its characters.
        return {"href": href, "dir": "auto" if is_mail else "ltr"} | {
            name: value for name, value in others.items() if value
        }

    def text(self, link: Link) -> str:
        """Return the text of a link on the page."""
        if link.url.scheme == "mailto":
            return link.text
        omitted = None if link.has_scheme else link.url.scheme
        shown = weburl.render(link.url, max_length=self.max_length, omit_scheme=omitted)
        # The parser adds the slash to "example.com".
        return shown if link.text.endswith("/") else shown.removesuffix("/")


def _places(links: Iterable[Link]) -> int:
    """Return in how many places of a text there are links, which may overlap."""
    count = end = 0
    for link in sorted(links, key=lambda link: link.start):
        count += link.start >= end
        end = max(end, link.end)
    return count


@attrs.frozen
class LinksValidator(_Deconstructible):
    """Refuses text with too many links, or with a link that a policy does not allow.

    It is for the text fields of forms and models: ``validators=[LinksValidator(max_links=0)]``. The
    policy checks everything that a browser or a mail program may open, such as "//example.com",
    even if no page shows it as a link: see `weburl.text.find_readings`. It raises ValidationError
    with the code "too-many-links", or with the codes of the policy.

    Args:
        max_links: how many links the text may contain, or None for any number. Readings that
            overlap count once, mail addresses do not count, and links to your own site do.
        policy: the policy for web addresses, or a reference to one as in a field, or None.

    Raises:
        ValueError: ``max_links`` is negative.
        TypeError: ``policy`` is neither a policy nor a reference to one.
    """

    code = "too-many-links"
    message: ClassVar[_StrOrPromise] = ngettext_lazy(
        "This text may contain at most %(limit_value)d link, but it contains %(show_value)d.",
        "This text may contain at most %(limit_value)d links, but it contains %(show_value)d.",
        "limit_value",
    )

    max_links: int | None = attrs.field(
        default=None, validator=attrs.validators.optional(attrs.validators.ge(0))
    )
    policy: PolicyOption | None = attrs.field(
        default=None, validator=attrs.validators.optional(check_policy)
    )

    def __call__(self, value: str) -> None:
        links = [link for link in find_readings(str(value)) if link.url.scheme != "mailto"]
        if self.max_links is not None:
            count = _places(links)
            if count > self.max_links:
                params = {"limit_value": self.max_links, "show_value": count}
                raise ValidationError(self.message, code=self.code, params=params)
        if self.policy is not None:
            check = URLPolicyValidator(self.policy)
            for link in links:
                check(link.url)
