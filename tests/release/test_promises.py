"""`.ci/promises.py`: what a release promised is kept, in files of `tests/promises/`."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Final

import pytest
from django.db import connection
from django.db.models.expressions import RawSQL
from packaging.version import Version

import check_versions
import promises
from django_whatwg_url import functions
from promises import NOT_IN_INDEXES, Promises, broken, complaints, sql_of

HERE: Final = promises.promises()


def changed(path: list[str], value: object) -> Promises:
    """Return the promises of this checkout, with another value in one place; None removes it."""
    other = deepcopy(HERE)
    *above, last = path
    inner: dict[str, object] = other  # type: ignore[assignment]
    for key in above:
        inner = inner[key]  # type: ignore[assignment]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return other


def test_this_checkout_keeps_what_was_promised() -> None:
    """By each release, and by its own file."""
    version = check_versions.version_of_the_source()
    assert complaints(HERE, version, promises.DIRECTORY, for_release=False) == []


def test_there_is_something_to_keep() -> None:
    """Of each kind, and on each kind of database."""
    assert len(HERE["names"]["weburl"]) > 30
    assert "not-canonical" in HERE["codes"]
    assert "django_whatwg_url.W020" in HERE["checks"]
    assert set(HERE["sql"]) == set(functions.__all__) - NOT_IN_INDEXES
    for texts in HERE["sql"].values():
        assert set(texts) == {"mysql", "postgresql", "sqlite"}
        assert len(set(texts.values())) > 1
        assert all(
            '"url"' in text and "{" not in text.replace("{1,5}", "") for text in texts.values()
        )


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(HERE["sql"]))
def test_the_sql_is_what_django_makes(name: str) -> None:
    """In a query that it compiles itself, on the database of the tests."""
    from tests.django.partsapp.models import Plain

    column = RawSQL('"url"', ())
    query = Plain.objects.values_list(getattr(functions, name)(column)).query
    compiled, _ = query.get_compiler(connection=connection).as_sql()
    assert sql_of(name, connection.vendor).replace('"url"', '("url")') in compiled


def test_more_may_be_promised() -> None:
    """Modules, names, codes, ids and expressions."""
    for path, value in [
        (["names", "weburl.more"], ["name"]),
        (["names", "weburl"], [*HERE["names"]["weburl"], "more"]),
        (["codes"], [*HERE["codes"], "more"]),
        (["checks"], [*HERE["checks"], "more"]),
        (["sql", "URLMore"], {"sqlite": "1"}),
    ]:
        assert broken(HERE, changed(path, value)) == []
        assert broken(changed(path, value), HERE) != []


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (["names", "weburl"], ["URL"], "weburl.parse was promised"),
        (["names", "django_whatwg_url.fields"], None, "fields.CanonicalURLField was promised"),
        (["codes"], [], "the error code not-canonical"),
        (["checks"], [], "the id django_whatwg_url.W020"),
        (
            ["options", "django_whatwg_url.fields.CanonicalURLField"],
            ["verbose_name"],
            "the option as_text of django_whatwg_url.fields.CanonicalURLField was promised",
        ),
        (["sql", "URLHost", "sqlite"], "other", "the SQL of URLHost on sqlite was"),
        (["sql", "URLHost", "mysql"], None, "the SQL of URLHost on mysql was"),
        (["sql", "URLPort"], None, "the SQL of URLPort on postgresql was"),
    ],
)
def test_nothing_may_go_or_change(path: list[str], value: object, complaint: str) -> None:
    """Each is said."""
    assert any(complaint in found for found in broken(HERE, changed(path, value)))


def kept(directory: Path, **versions: Promises) -> Path:
    """Write files of releases, named as in ``v1_2_0=...``, into a directory, and return it."""
    for name, value in versions.items():
        file = directory / f"{name[1:].replace('_', '.')}.json"
        file.write_text(json.dumps(value), encoding="utf-8")
    return directory


def test_a_version_is_compared_with_the_release_before_it(tmp_path: Path) -> None:
    """Not with a later one, nor with one before the last, and 0.10 comes after 0.9."""
    more = changed(["codes"], [*HERE["codes"], "more"])
    kept(tmp_path, v0_9_0=more, v0_10_0=HERE, v0_12_0=more)
    assert [*promises.snapshots(tmp_path)] == [Version("0.9"), Version("0.10"), Version("0.12")]
    assert complaints(HERE, "0.11.0", tmp_path, for_release=False) == []
    (found,) = complaints(HERE, "0.9.1", tmp_path, for_release=False)
    assert found == "0.9.0.json: the error code more was promised"


def test_a_release_writes_down_what_it_promises(tmp_path: Path) -> None:
    """All of it: what came after the file was written is missing there."""
    assert "make promises" in complaints(HERE, "1.0.0", tmp_path, for_release=True)[0]
    assert complaints(HERE, "1.0.0", kept(tmp_path, v1_0_0=HERE), for_release=True) == []
    more = changed(["codes"], [*HERE["codes"], "more"])
    assert complaints(more, "1.0.0", tmp_path, for_release=False) == []
    assert len(complaints(more, "1.0.0", tmp_path, for_release=True)) == 1
