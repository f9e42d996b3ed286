"""Pages that are made up of hostile pieces."""

from __future__ import annotations

from random import Random
from typing import Final

_URLS: Final = (
    "x", "a b", "", "/p?q=é&amp;r", "&#x20;y&#13;", "http://o.example/&copy=1&notit;&#128;&#0;",
    "//h/", "#f", "javascript:alert(1)", "https://[", "a,b", ",c,", "data:,x,y", "mailto:a@b",
    "\t z\n", "\r\nq\r", "&lt;&gt;&quot;&#39;&amp;amp;", "\x00n", "😀", "ア", "?&apos", "&ampx=1",
    "&AMP", "&#xD800;&#x110000;&#99999999999;", "/a/", "x/", "&NotEqualTilde;z", "{{ u }}",
)  # fmt: skip
_SRCSETS: Final = (
    "a 1x, b 2x", "a,b 2x,c", "a&#32;1x&comma; b&Tab;2w", ", ,a 1x,,b,", "a 1q, b",
    "p(1,2 3x, q 4x", "a\r\n1x,\r\nb 2x", "http://x/é,1 2x, data:,x 1x", "a 1x 2w, c", "&#x2c;a",
)  # fmt: skip
_REFRESHES: Final = (
    "5; url=x", "0;x", "5", "1; URL = 'a\"b' junk", '2,url="q', "3 url=url=z", "  .5; 'z'",
    "0; url=&apos;w&apos;&#32;", "1;url=javascript:1", "4;\r\nurl=r",
)  # fmt: skip
_RULES: Final = (
    '{"prefetch":[{"urls":["a","b\\u0041"]}]}',
    '{"prerender":[{"source":"list","urls":["https://o/x<y"]}],"prefetch":[{"urls":["z"],"zz":1}]}',
    '{"prefetch":[{"urls":["d"]}],"prefetch":[{"urls":["e","f"]}]}',
    '{"prefetch":\r\n[{"urls":["g"]}]}',
)
_STYLES: Final = (
    "a{b:url(x)}", "b:url( 'c\\64 e' );c:url(é)",
    "@import 'i';@namespace url(n);d:url(&quot;f&quot;)",
    "e:url(g h) url(\\29 i)", "/* url(no) */\r\nf:url(j", "g:xurl(k) url('l", "url(#m) url()",
)  # fmt: skip
_NAMES: Final = (
    "a", "A", "area", "img", "IMG", "image", "link", "script", "base", "base", "iframe", "form",
    "button", "input", "video", "audio", "source", "track", "object", "embed", "body", "td",
    "table", "blockquote", "q", "del", "meta", "svg", "g", "use", "math", "mi", "frame",
    "frameset", "template", "noscript", "select", "option", "p", "div", "b", "i", "font", "title",
    "textarea", "style", "picture", "html", "head", "tr", "plaintext", "xmp", "foreignObject",
    "annotation-xml", "feImage", "linearGradient", "nobr", "li", "h1", "caption", "col", "br",
)  # fmt: skip
_ATTRIBUTES: Final = (
    "href", "HREF", "src", "srcset", "imagesrcset", "action", "formaction", "cite", "data", "ping",
    "background", "poster", "xlink:href", "content", "srcdoc", "longdesc", "style", "data-src",
    "data-srcset",
)  # fmt: skip
_OTHERS: Final = (
    'rel="nofollow"', "rel=stylesheet", 'rel="next stylesheet"', "rel=preload as=image",
    "type=image", "type=submit", "type=module", "type=speculationrules", "http-equiv=refresh",
    "shadowrootmode=open", "id=x", "disabled", "=", "=x", '="y"', "/", "//", '"', "'", "<",
    "a=b/", "title=>", "x = y", "alt='>'", "nomodule", "target=_blank", 'class="é"', "\x00=1",
    "encoding=text/html", "charset=utf-8", "color=red", "property=og:image",
)  # fmt: skip
_TEXTS: Final = (
    "t", " ", "\n", "\r\n", "\r", "é", "😀", "<", "&amp;", "&", "<!-- <a href=c> -->", "<!--",
    "-->", "--!>",
    "<![CDATA[ <a href=d> ]]>", "<?pi <a href=e>?>", "<!x>", "</", "</>", "</a ", "\x00",
    "]]>", "<script>'<a href=x>'</script>", "<script><!--<script></script>", "</script>",
    "<style>a{b:url(<a href=f>)}</style>", "<textarea><a href=g></textarea>",
    "<title><a href=h></title>",
    "<svg><title><a href=i></title><style><a href=j></style><script><a href=k></script></svg>",
    "<template><a href=l></template>", "<noscript><a href=m></noscript>",
    "<table><a href=n><tr><td>", "<select><a href=o></select>", "<a href=1>x<p>y<a href=2>z</a>",
    "<b><p><a href=w></b>q</a>", "<plaintext>",
    "<math><annotation-xml encoding=text/html><a href=r>",
    "<svg><foreignObject><a href=s>", "<svg><desc><a xlink:href=t href>", "<frameset><frame src=u>",
    "<body background=v>", "</body></html><a href=y>",
    "<iframe srcdoc=\"<a href='z'>&quot;\"></iframe>", "<iframe><a href=1></iframe>",
    "<xmp><a href=2></xmp>", "<math><mtext><a href=3>", "<video src=4><source src=5></video>",
    "<picture><source srcset='6, 7 2x'><img></picture>", "<a", "<a href", "<a href=", "<a href='",
    "<a href='x", "<div><template shadowrootmode=open><a href=8></template></div>",
    "<!--[if mso]><tr><td background='é'>\r\n<v:fill src=9 /><![endif]-->", "<!--[if a",
    "<![if !mso]>",
    "<!--[if !mso]><!-->", "<!--[if b]><a href=0>--!>",
    "<style>@import 'é';\r\nb{c:url(d)}</style>",
    "<body style='a:url(b)'>", "<html style='a:url(c)'>",
)  # fmt: skip
_QUOTES: Final = ('"', "'", "")
_BAD_BYTES: Final = (0x80, 0xFF, 0xC3, 0xE2, 0x81, 0xA1, 0xFE, 0xED)


def made_up_page(random: Random) -> str:
    """Return a page out of hostile tags, attributes and texts."""
    count = random.choice((2, 4, 6, 9, 14))
    html = "".join(
        _tag(random) if random.random() < 0.65 else random.choice(_TEXTS) for _ in range(count)
    )
    if random.random() < 0.1:
        html = f"<!doctype html>{html}"
    if random.random() < 0.04:
        html = f"\ufeff{html}"
    if random.random() < 0.05:
        at = random.randrange(len(html) + 1)
        html = html[:at] + random.choice("<>\"'=/&\x00\r\n ") + html[at:]
    if random.random() < 0.05:
        at = random.randrange(len(html))
        html = html[:at] + html[at + 1 :]
    return html


def as_bytes(random: Random, html: str, encoding: str) -> tuple[bytes, str | None]:
    """Return a page in an encoding, maybe with broken bytes, and its label if the page needs it."""
    data = html.encode(encoding, "replace")
    label = None
    chance = random.random()
    if encoding.startswith("utf-16"):
        data = (b"\xff\xfe" if encoding.endswith("le") else b"\xfe\xff") + data
    elif chance < 0.8:
        label = encoding
    if chance > 0.7:
        for _ in range(random.randrange(1, 4)):
            at = random.randrange(len(data) + 1)
            data = data[:at] + bytes([random.choice(_BAD_BYTES)]) + data[at:]
    return data, label


def _attribute(random: Random) -> str:
    if random.random() < 0.3:
        return random.choice(_OTHERS)
    name = random.choice(_ATTRIBUTES)
    if name.endswith("srcset"):
        value = random.choice(_SRCSETS)
    elif name == "content":
        value = random.choice(_REFRESHES)
    elif name == "style":
        value = random.choice(_STYLES)
    else:
        value = random.choice(_URLS)
    if name == "ping":
        value = f"{value} http://p/ {random.choice(_URLS)}"
    if random.random() < 0.06:
        return name
    quote = random.choice(_QUOTES)
    if not quote and random.random() < 0.7:
        value = value.replace(" ", "").replace(">", "")
    if quote and random.random() < 0.97:
        value = value.replace(quote, "&quot;" if quote == '"' else "&#39;")
    equals = random.choice(("=", "=", "=", " = ", "=\n", "\r\n=", "= "))
    return f"{name}{equals}{quote}{value}{quote}"


def _tag(random: Random) -> str:
    name = random.choice(_NAMES)
    chance = random.random()
    if chance < 0.2:
        return f"</{name}" + random.choice((">", " >", " href=x>", "/>"))
    if chance < 0.32:
        urls = [random.choice(_URLS).replace('"', "") for _ in range(2)]
        refresh = random.choice(_REFRESHES).replace('"', "&quot;")
        return random.choice(
            (
                f'<meta http-equiv=refresh content="{refresh}">',
                f"<img srcset='{random.choice(_SRCSETS)}'>",
                f"<script type=speculationrules>{random.choice(_RULES)}</script>",
                f'<a href="{urls[0]}" ping="{urls[1]}">',
                f'<link rel=preload as=image imagesrcset="{random.choice(_SRCSETS)}">',
                f"<style>{random.choice(_STYLES)}</style>",
            )
        )
    pieces = [f"<{name}"]
    for _ in range(random.randrange(5)):
        pieces += random.choice((" ", " ", " ", "\n", "\r\n", "/", "", "\t")), _attribute(random)
    return "".join(pieces) + random.choice((">", ">", ">", " >", "/>", " / >", "\r\n>", ""))
