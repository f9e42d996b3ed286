"""``python -m tests.django.one_more_scheme``: what the package does with one more special scheme.

It inserts the scheme's line into `weburl.standard.infra.schemes` when that is imported. So all
code that reads the table sees the new scheme, and code with a copy of its own gives other results.
Prints JSON. WEBURL_TEST_DATABASE names the database; a table is made in it and dropped again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, Final

MODULE: Final = "weburl.standard.infra.schemes"
BEFORE: Final = '            Scheme(name="file", default_port=None, has_tuple_origin=False),\n'
LINE: Final = '            Scheme(name="zap", default_port=1234),\n'

TEXTS: Final = (
    "zap://EXAMPLE.com:1234/",
    "zap://example.com:1235/a?b#c",
    "ZAP:\\\\u:p@0x7f.1:01234\\..\\x",
    "zap:/example.com",
    "zap://example.com:80",
)
REFUSED: Final = ("zap://", "zap://a b/", "zap://1.2.3.256/")


class _WithOneMoreScheme(SourceFileLoader):
    """Loads the module of the table with one line more."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the module, compiled from the changed source."""
        del fullname  # there is one module that this loads
        source = self.get_data(self.path).decode()
        if source.count(BEFORE) != 1:
            raise ValueError(f"{self.path} does not contain this line once:\n{BEFORE}")
        return compile(source.replace(BEFORE, BEFORE + LINE), self.path, "exec")


class _Finder(MetaPathFinder):
    """Finds the module of the table, and leaves all others to Python."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(name, path, target) if name == MODULE else None
        if found is not None and found.origin is not None:
            found.loader = _WithOneMoreScheme(name, found.origin)
        return found


def of_the_parsers() -> dict[str, Any]:
    """Return what both parsers, the origins, the setters and the reports make of the scheme."""
    import weburl
    from weburl import COMPILED
    from weburl.standard.url import fast_path
    from weburl.standard.url.api import parse_generally as parse_url

    record = weburl.parse(TEXTS[0])
    return {
        "compiled": COMPILED,
        "hrefs": [weburl.parse(text).href for text in TEXTS],
        "by_the_general_parser": [parse_url(text, None, "utf-8").href for text in TEXTS],
        "by_the_fast_path": [
            None if (found := fast_path.parse_quickly(text)) is None else found.href
            for text in TEXTS
        ],
        "refused": [weburl.can_parse(text) for text in REFUSED],
        "origins": [str(weburl.origin_of(weburl.parse(text))) != "null" for text in TEXTS],
        "origin_texts": [weburl.parse(text).origin for text in TEXTS],
        "default_port": weburl.default_port("zap"),
        "with_port": record.with_port(1234).href,
        "with_scheme": weburl.parse("https://h:1234/").with_scheme("zap").href,
        "query": weburl.parse("zap://h/?é'", encoding="windows-1252").href,
        "is_valid": [weburl.is_valid_url_string(text) for text in ("zap://h/", "zap:h")],
        "hint": weburl.check("zap//h").errors[-1].hint,
    }


def of_columns() -> dict[str, Any]:
    """Return what the compiled reader of columns makes of the scheme; needs pyarrow."""
    try:
        import pyarrow as pa
    except ModuleNotFoundError:
        return {}
    from weburl import columns

    rows = pa.array(TEXTS)
    return {
        "origin_column": pa.array(columns.origin(rows)).to_pylist(),
        "host_column": pa.array(columns.host(rows)).to_pylist(),
    }


def of_the_generators() -> dict[str, Any]:
    """Return whether the test generators draw the scheme."""
    from hypothesis import find, settings

    from tests import pieces
    from weburl.testing import tuple_origins, urls

    few = settings(max_examples=2000, database=None)
    return {
        "pieces": find(pieces.schemes, lambda text: text == "zap", settings=few),
        "urls": find(urls(), lambda url: url.scheme == "zap", settings=few).href,
        "tuple_origins": str(
            find(tuple_origins(), lambda origin: origin.scheme == "zap", settings=few)
        ),
    }


def of_the_database() -> dict[str, Any]:
    """Return what SQL and the conditions of policies make of rows with the scheme."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.django.settings"
    django.setup()
    from django.db import connection, models

    import weburl
    from django_whatwg_url.constraints import IsCanonicalURL
    from django_whatwg_url.fields import CanonicalURLField
    from django_whatwg_url.functions import LooksCanonical
    from django_whatwg_url.query.policies import policy_condition

    class Zapped(models.Model):
        url: models.Field[Any, Any] = CanonicalURLField()

        class Meta:
            app_label = "testapp"
            db_table = f"one_more_scheme_{os.getpid()}"
            constraints = (IsCanonicalURL("url", name=f"one_more_{os.getpid()}"),)

    policies = {
        "default port": weburl.URLPolicy(schemes=["zap"], ports=[1234]),
        "another port": weburl.URLPolicy(schemes=["zap"], ports=[80]),
        "any scheme": weburl.URLPolicy(ports=[1234, 1235], credentials=False),
    }
    texts = [*TEXTS, "https://example.com/", "zap://:password@h/"]
    manager: models.Manager[Any] = Zapped._default_manager
    with connection.schema_editor() as editor:
        editor.create_model(Zapped)
    try:
        for text in texts:
            manager.create(url=text)
        rows = manager.order_by("pk")
        parsed = [weburl.parse(text) for text in texts]
        return {
            "vendor": connection.vendor,
            "origins_in_sql": list(rows.values_list("url__origin", flat=True)),
            "origins_in_python": [url.origin for url in parsed],
            "without_an_origin": rows.filter(url__origin__isnull=True).count(),
            "look_canonical": list(
                manager.annotate(looks=LooksCanonical(models.Value("zap://EXAMPLE.com/")))
                .values_list("looks", flat=True)
                .distinct()
            ),
            "allowed_in_sql": {
                name: [row.url.href for row in rows.filter(policy_condition("url", policy))]
                for name, policy in policies.items()
            },
            "allowed_in_python": {
                name: [url.href for url in parsed if policy.allows(url)]
                for name, policy in policies.items()
            },
        }
    finally:
        with connection.schema_editor() as editor:
            editor.delete_model(Zapped)


def main() -> None:
    """Print what was found."""
    sys.meta_path.insert(0, _Finder())
    print(
        json.dumps({**of_the_parsers(), **of_columns(), **of_the_generators(), **of_the_database()})
    )


if __name__ == "__main__":
    main()
