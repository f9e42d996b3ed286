# ruff: noqa: E501  # calls and conditions as the pages have them
"""The conditions under which the calls in the tables of `docs/coming-from/` give the same.

A row is named by its page and both calls. The condition is Python, with the names of the page and
those of `NAMES`.
"""

from __future__ import annotations

from typing import Final

NAMES: Final = {
    "furl": """
plain = url.scheme in ("http", "https") and url.href == text
same = plain and f.url == text
""",
    "httpx": """
plain = url.scheme in ("http", "https") and url.href == text
""",
    "urllib.parse": """
plain = url.scheme in ("http", "https") and url.href == text
""",
    "validators": """
plain = url.scheme in ("http", "https") and url.href == text
""",
    "w3lib": """
plain = url.scheme in ("http", "https") and url.href == text
same = plain and safe_url_string(text) == text
""",
    "yarl": """
plain = url.scheme in ("http", "https") and url.href == text
filled = plain and url.query != "" and url.fragment != ""
same = filled and str(theirs) == text
""",
}
"""What `plain` and the like are on each page: URLs that are canonical already, for example."""

CONDITIONS: Final = {
    ("furl", "f.url", "url.href"): "same",
    ("furl", "f.host", "url.hostname"): 'plain and "xn--" not in text',
    (
        "furl",
        "f.port",
        "weburl.default_port(url.scheme) if url.port is None else url.port",
    ): "plain and url.port != 0",
    ("furl", "f.username", "url.decoded_username or None"): 'plain and "//:" not in text',
    ("furl", "f.netloc", "url.host_port"): 'same and "@" not in text',
    ("furl", "str(f.path)", "url.path_text"): "same",
    ("furl", "str(f.query)", 'url.query or ""'): "same",
    (
        "furl",
        'f.args.get("x")',
        'link.search_params.get("x")',
    ): 'plain and ("x", "") not in url.query_pairs',
    ("furl", "furl(base).join(text).url", "weburl.parse(base).join(text).href"): "same",
    (
        "furl",
        '(f / "c d").url',
        'url.with_path([*url.path, "c d"]).href',
    ): 'same and url.path[-1] and "//" not in url.path_text',
    (
        "furl",
        'f.add({"q": "a b"}).url',
        'url.add_query_param("q", "a b").href',
    ): "same and not url.query",
    ("furl", 'f.set(args={"q": "a b"}).url', 'url.with_query({"q": "a b"}).href'): "same",
    (
        "furl",
        'f.remove(args=["x"]).url',
        'url.without_query_params("x").href',
    ): "same and not url.query",
    ("furl", "f.remove(query=True).url", "url.with_query(None).href"): "same",
    ("furl", 'f.set(host="example.org").url', 'url.with_hostname("example.org").href'): "same",
    ("furl", "f.remove(fragment=True).url", "url.with_fragment(None).href"): "same",
    (
        "furl",
        "f.remove(username=True, password=True).url",
        "url.without_credentials().href",
    ): "same",
    ("furl", "f.path.normalize()", "url.path_text"): 'same and "//" not in url.path_text',
    ("httpx", "str(theirs)", "url.href"): 'plain and "[" not in text',
    ("httpx", "theirs.raw_host.decode()", 'url.hostname.strip("[]")'): "plain",
    ("httpx", "theirs.netloc.decode()", "url.host_port"): "plain",
    ("httpx", "theirs.username", "url.decoded_username"): "plain",
    ("httpx", "theirs.password", "url.decoded_password"): "plain",
    ("httpx", "theirs.userinfo.decode()", "url.userinfo"): "plain",
    (
        "httpx",
        "theirs.host",
        "url.host.to_unicode()",
    ): 'plain and isinstance(url.host, weburl.Domain) and "xn--" not in text',
    (
        "httpx",
        "theirs.raw_path.decode()",
        'url.path_text + ("" if url.query is None else f"?{url.query}")',
    ): "plain",
    ("httpx", "theirs.query.decode()", 'url.query or ""'): "plain",
    ("httpx", "theirs.params.multi_items()", "url.query_pairs"): "True",
    ("httpx", 'theirs.params.get("x")', 'link.search_params.get("x")'): "True",
    ("httpx", 'theirs.params.get_list("x")', 'link.search_params.get_all("x")'): "True",
    (
        "httpx",
        "httpx.URL(base).join(text)",
        "weburl.parse(base).join(text)",
    ): 'plain and url.query != "" and url.fragment != ""',
    ("httpx", 'theirs.copy_with(path="/c d")', 'url.with_path("/c d")'): "plain",
    ("httpx", 'theirs.copy_with(params={"q": "a b"})', 'url.with_query({"q": "a b"})'): "plain",
    (
        "httpx",
        'theirs.copy_set_param("x", "3")',
        'url.with_query_param("x", "3")',
    ): "plain and not url.query",
    (
        "httpx",
        'theirs.copy_add_param("q", "a b")',
        'url.add_query_param("q", "a b")',
    ): "plain and not url.query",
    (
        "httpx",
        'theirs.copy_remove_param("x")',
        'url.without_query_params("x")',
    ): "plain and url.query is None",
    ("httpx", 'theirs.copy_with(host="example.org")', 'url.with_hostname("example.org")'): "plain",
    (
        "httpx",
        'theirs.copy_with(username="", password="")',
        "url.without_credentials()",
    ): "plain",
    (
        "httpx",
        "theirs.is_absolute_url",
        "isinstance(weburl.parse_reference(text), weburl.URLRecord)",
    ): "plain",
    (
        "httpx",
        'httpx.URL(scheme="https", host="example.com", path="/a b")',
        'weburl.parse("https://example.com").with_path("/a b")',
    ): "True",
    ("urllib.parse", "split.hostname", "url.hostname"): 'plain and "[" not in text',
    ("urllib.parse", "split.port", "url.port"): "plain",
    ("urllib.parse", "split.username", "url.username or None"): 'plain and ":" not in split.netloc',
    ("urllib.parse", "split.netloc", "url.host_port"): 'plain and "@" not in text',
    ("urllib.parse", "split.path", "url.path_text"): "plain",
    ("urllib.parse", "split.query", 'url.query or ""'): "plain",
    ("urllib.parse", "split.fragment", 'url.fragment or ""'): "plain",
    (
        "urllib.parse",
        "split.geturl()",
        "url.href",
    ): 'plain and url.query != "" and url.fragment != ""',
    (
        "urllib.parse",
        "urljoin(base, text)",
        "weburl.parse(base).join(text).href",
    ): 'plain and url.query != "" and url.fragment != ""',
    (
        "urllib.parse",
        "urldefrag(text).url",
        "url.with_fragment(None).href",
    ): 'plain and url.query != ""',
    ("urllib.parse", "parse_qsl(split.query, keep_blank_values=True)", "url.query_pairs"): "True",
    (
        "urllib.parse",
        'parse_qs(split.query, keep_blank_values=True).get("x", [])',
        'link.search_params.get_all("x")',
    ): "True",
    (
        "urllib.parse",
        'split._replace(query=urlencode({"q": "a b"})).geturl()',
        'url.with_query({"q": "a b"}).href',
    ): 'plain and url.fragment != ""',
    (
        "urllib.parse",
        'split._replace(query="").geturl()',
        "url.with_query(None).href",
    ): 'plain and url.fragment != ""',
    (
        "urllib.parse",
        'split._replace(scheme="http").geturl()',
        'url.with_scheme("http").href',
    ): 'plain and url.port is None and not text.endswith(("?", "#")) and "?#" not in text',
    (
        "urllib.parse",
        'split._replace(path="/" + quote("a/b é", safe="")).geturl()',
        'url.with_path(["a/b é"]).href',
    ): 'plain and url.query != "" and url.fragment != ""',
    (
        "urllib.parse",
        'split._replace(path=split.path + "/c").geturl()',
        'url.with_path([*url.path, "c"]).href',
    ): 'plain and url.query != "" and url.fragment != ""',
    (
        "validators",
        "bool(validators.url(text, simple_host=True))",
        "weburl.can_parse(text)",
    ): 'plain and isinstance(url.host, weburl.Domain) and not url.query and url.hostname.replace(".", "").isalnum() and url.port != 0 and "./" not in text',
    (
        "validators",
        'bool(validators.url(text, validate_scheme=lambda scheme: scheme == "https"))',
        'weburl.URLPolicy(schemes=["https"]).allows(weburl.parse(text))',
    ): 'plain and isinstance(url.host, weburl.Domain) and not url.query and url.hostname.replace(".", "").isalnum() and "." in url.hostname and "./" not in text',
    (
        "validators",
        'bool(validators.ipv4("127.0.0.1"))',
        'isinstance(weburl.parse("https://127.0.0.1").host, weburl.IPv4Address)',
    ): "True",
    ("w3lib", "safe_url_string(text)", "url.href"): "same",
    (
        "w3lib",
        'safe_url_string("../a b?c#d")',
        'weburl.RelativeReference("../a b?c#d").canonical().text',
    ): "True",
    (
        "w3lib",
        'safe_url_string("https://example.com/?q=é", encoding="iso-8859-1")',
        'weburl.parse("https://example.com/?q=é", encoding="iso-8859-1").href',
    ): "True",
    (
        "w3lib",
        "canonicalize_url(text)",
        "url_key(text, KeyRules(drop_fragment=True, sort_params=True, drop_empty_query=True))",
    ): 'same and not url.query and "~" not in text and "%" not in text and "//" not in url.path_text',
    (
        "w3lib",
        'url_query_parameter(text, "x")',
        'link.search_params.get("x")',
    ): 'plain and link.search_params.get("x") != ""',
    (
        "w3lib",
        'url_query_parameter(text, "x", keep_blank_values=1)',
        'link.search_params.get("x")',
    ): "plain",
    (
        "w3lib",
        'add_or_replace_parameter(text, "x", "3")',
        'url.with_query_param("x", "3").href',
    ): 'same and not url.query and url.fragment != ""',
    (
        "w3lib",
        'url_query_cleaner(text, ["x"])',
        'url.keep_query_params("x").with_fragment(None).href',
    ): "same and not url.query",
    (
        "w3lib",
        'url_query_cleaner(text, ["x"], remove=True)',
        'url.without_query_params("x").with_fragment(None).href',
    ): "same and not url.query",
    ("w3lib", "add_http_if_no_scheme(text)", 'read_typed_text(text, "http").text'): "plain",
    (
        "w3lib",
        'path_to_file_uri("/tmp/a b.txt")',
        'weburl.file_url_from_path("/tmp/a b.txt", windows=False).href',
    ): "True",
    (
        "w3lib",
        'file_uri_to_path("file:///tmp/a%20b.txt")',
        'weburl.path_from_file_url("file:///tmp/a%20b.txt", windows=False)',
    ): "True",
    (
        "w3lib",
        "get_base_url(page, base)",
        "weburl.html.document_base_url(weburl.html.page(page, base).document).href",
    ): 'weburl.parse(base).scheme == "https"',
    ("yarl", "str(theirs)", "url.href"): "same",
    ("yarl", "theirs.raw_host", 'url.hostname.strip("[]")'): "plain",
    ("yarl", "theirs.user", "url.decoded_username or None"): "plain",
    (
        "yarl",
        "theirs.host",
        "url.host.to_unicode()",
    ): 'same and "xn--" not in text and isinstance(url.host, weburl.Domain)',
    ("yarl", "theirs.explicit_port", "url.port"): "plain",
    (
        "yarl",
        "theirs.port",
        "weburl.default_port(url.scheme) if url.port is None else url.port",
    ): "plain",
    ("yarl", "theirs.raw_user", "url.username or None"): "plain",
    ("yarl", "theirs.raw_path", "url.path_text"): "same",
    ("yarl", "theirs.raw_parts[1:]", "url.path"): "same",
    ("yarl", "theirs.raw_name", "url.path[-1]"): "same",
    ("yarl", "theirs.raw_query_string", 'url.query or ""'): "same",
    ("yarl", "list(theirs.query.items())", "url.query_pairs"): "True",
    ("yarl", 'theirs.query.get("x")', 'link.search_params.get("x")'): "True",
    ("yarl", 'theirs.query.getall("x", [])', 'link.search_params.get_all("x")'): "True",
    ("yarl", "theirs.raw_fragment", 'url.fragment or ""'): "same",
    ("yarl", "str(theirs.origin())", "url.origin"): "plain",
    ("yarl", "yarl.URL(base).join(theirs)", "weburl.parse(base).join(text)"): "same",
    (
        "yarl",
        'theirs.with_path("/c d")',
        'url.with_path("/c d").with_query(None).with_fragment(None)',
    ): "plain",
    ("yarl", 'theirs.with_query({"q": "a b"})', 'url.with_query({"q": "a b"})'): "same",
    (
        "yarl",
        'theirs.update_query(x="3")',
        'url.update_query({"x": "3"})',
    ): "same and not url.query",
    ("yarl", 'theirs.with_host("example.org")', 'url.with_hostname("example.org")'): "same",
    ("yarl", "theirs.with_user(None)", "url.without_credentials()"): "same",
    ("yarl", "theirs.parent", "url.parent"): "same and len(url.path) > 1",
    (
        "yarl",
        'yarl.URL.build(scheme="https", host="example.com", path="/a b", query={"q": "é"})',
        'weburl.parse("https://example.com").with_path("/a b").with_query({"q": "é"})',
    ): "True",
}
"""Python that is true of the URLs for which both calls give the same."""
