"""SQLAlchemy's column type, on the database and the tables of the Django tests."""

from __future__ import annotations

import pickle
import sqlite3
import traceback
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata, render_python_code
from alembic.migration import MigrationContext
from alembic.operations.ops import CreateTableOp, UpgradeOps
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.dialects import mysql, postgresql, sqlite
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateTable

from tests.django.hrefs import MISLEADING
from tests.integrations.linksapp.models import Link
from weburl import URL, URLRecord, can_parse, canonicalize, parse
from weburl.integrations.sqlalchemy import CanonicalURL, UnparsableURL, URLColumnError
from weburl.testing import hostile_texts, spelling_pairs, urls

SECRET = "s3cret"
WITH_PASSWORD = f"https://user:{SECRET}@example.com/"


class Base(DeclarativeBase):
    """The base class, with the line that makes ``Mapped[URLRecord]`` a URL column."""

    type_annotation_map: ClassVar = {URLRecord: CanonicalURL}


class Page(Base):
    """A mapped class."""

    __tablename__ = "weburl_page"

    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[URLRecord] = mapped_column(unique=True)
    other: Mapped[URLRecord | None]
    short: Mapped[URLRecord | None] = mapped_column(CanonicalURL(30))


class DjangoLink(Base):
    """A mapped class for the table of a Django model."""

    __tablename__ = Link._meta.db_table

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(sa.String(100))
    url: Mapped[URLRecord] = mapped_column(CanonicalURL(500), unique=True)
    homepage: Mapped[URLRecord | None]


def made_engine(**options: Any) -> sa.Engine:
    """Return an engine for the database that Django's tests have created."""
    parameters = connection.settings_dict
    if connection.vendor == "sqlite":
        # One connection, to the database in memory that Django keeps open.
        return sa.create_engine(
            "sqlite://",
            creator=lambda: sqlite3.connect(str(parameters["NAME"]), uri=True),
            poolclass=StaticPool,
            **options,
        )
    driver = {"postgresql": "postgresql+psycopg", "mysql": "mysql+pymysql"}[connection.vendor]
    url = sa.URL.create(
        driver,
        parameters["USER"],
        parameters["PASSWORD"] or None,
        parameters["HOST"],
        int(parameters["PORT"]),
        str(parameters["NAME"]),
        {"charset": "utf8mb4"} if connection.vendor == "mysql" else {},
    )
    return sa.create_engine(url, **options)


@pytest.fixture
def engine(transactional_db: None) -> Iterator[sa.Engine]:
    """Create the table of the mapped class, and drop it after the test."""
    made = made_engine()
    pages = [Base.metadata.tables["weburl_page"]]
    Base.metadata.drop_all(made, tables=pages)
    Base.metadata.create_all(made, tables=pages)
    yield made
    Base.metadata.drop_all(made, tables=pages)
    made.dispose()


def added(engine: sa.Engine, *values: Any) -> None:
    """Add a row for each value."""
    with Session(engine) as session:
        session.add_all([Page(url=value) for value in values])
        session.commit()


def selected(engine: sa.Engine, *where: Any) -> list[str]:
    """Return the hrefs of the rows that match."""
    with Session(engine) as session:
        return [url.href for url in session.scalars(sa.select(Page.url).where(*where))]


def test_every_kind_of_url_comes_back_as_it_was(engine: sa.Engine) -> None:
    """Records, text in any spelling and `URL` objects are stored as hrefs."""
    hrefs = sorted({canonicalize(text) for text in MISLEADING})
    assert len(hrefs) > 20
    added(engine, *map(parse, hrefs), "HTTP://EXAMPLE.com:80/b/../a", URL("https://h"))
    hrefs += ["http://example.com/a", "https://h/"]
    assert sorted(selected(engine)) == sorted(hrefs)
    with engine.connect() as raw:
        stored = raw.execute(sa.text("SELECT url FROM weburl_page")).scalars().all()
    assert sorted(stored) == sorted(hrefs)


def test_comparisons_take_any_spelling(engine: sa.Engine) -> None:
    """Every operator makes the value canonical before comparing it with the column."""
    added(engine, "https://a.example/A", "https://a.example/a", "https://b.example/")
    assert selected(engine, Page.url == "HTTPS://A.example:443/A") == ["https://a.example/A"]
    assert selected(engine, Page.url == parse("https://b.example")) == ["https://b.example/"]
    assert selected(engine, Page.url.in_(["https://B.example", "https://x/"])) == [
        "https://b.example/"
    ]
    assert len(selected(engine, Page.url != "https://b.EXAMPLE")) == 2
    assert len(selected(engine, Page.url.not_in(["https://b.EXAMPLE"]))) == 2
    assert len(selected(engine, Page.url.between("https://A.example", "https://a.example/b"))) == 2
    assert len(selected(engine, Page.url > "https://A.example/a")) == 1
    assert len(selected(engine, Page.other == None)) == 3  # noqa: E711
    assert selected(engine, Page.other.is_not(None)) == []
    named = sa.select(Page.id).where(Page.url == sa.bindparam("wanted"))
    with Session(engine) as session:
        assert session.scalars(named, {"wanted": "https://B.EXAMPLE"}).all()


def test_patterns_and_pieces_are_text(engine: sa.Engine) -> None:
    """They are not URLs, so they are not made canonical."""
    added(engine, "https://a.example/A%C3%A9", "https://b.example/")
    assert len(selected(engine, Page.url.like("https://a.%"))) == 1
    assert len(selected(engine, Page.url.startswith("https://a."))) == 1
    assert len(selected(engine, Page.url.contains("example"))) == 2
    assert len(selected(engine, Page.url.endswith("%C3%A9", autoescape=True))) == 1
    assert len(selected(engine, Page.url.startswith(parse("https://b.example")))) == 1
    with pytest.raises(URLColumnError, match="ASCII"):
        selected(engine, Page.url.contains("é"))
    with Session(engine) as session:
        texts = session.scalars(sa.select(sa.func.lower(Page.url))).all()
        assert sorted(map(str, texts)) == ["https://a.example/a%c3%a9", "https://b.example/"]


def test_case_and_spaces_at_the_end_count(engine: sa.Engine) -> None:
    """The collation is binary, so a unique column distinguishes ``/A`` from ``/a``."""
    added(engine, "https://h/A", "https://h/a")
    with engine.connect() as raw:
        found = raw.execute(
            sa.text("SELECT count(*) FROM weburl_page WHERE url = :url"), {"url": "https://h/a "}
        ).scalar()
    assert found == 0
    with pytest.raises(sa.exc.IntegrityError):
        added(engine, "HTTPS://h/x/../a")


@pytest.mark.parametrize("bad", [f"https://user:{SECRET}@exa mple/", "", "example.com", 5, b"x"])
@pytest.mark.parametrize("hide", [False, True])
def test_what_is_not_a_url_is_an_error_that_shows_no_password(
    engine: sa.Engine, bad: Any, hide: bool
) -> None:
    """The error is ours, because SQLAlchemy's would show the parameters."""
    made = made_engine(hide_parameters=hide)
    attempts: list[Callable[[], object]] = [
        lambda: added(made, bad),
        lambda: selected(made, Page.url == bad),
        lambda: selected(made, Page.url.in_([bad])),
        lambda: str(
            sa.select(Page.url)
            .where(Page.url == bad)
            .compile(made, compile_kwargs={"literal_binds": True})
        ),
    ]
    for attempt in attempts:
        with pytest.raises(URLColumnError) as caught:
            attempt()
        shown = "".join(traceback.format_exception(caught.value))
        assert SECRET not in shown
    made.dispose()


def test_other_errors_and_logs_show_no_password_either(
    engine: sa.Engine, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLAlchemy shows the parameters of a failed statement, and logs those of all statements."""
    made = made_engine()
    with caplog.at_level("INFO", logger="sqlalchemy.engine"):
        added(made, WITH_PASSWORD)
        assert selected(made, Page.url == WITH_PASSWORD) == [WITH_PASSWORD]
        with (
            pytest.raises(
                sa.exc.OperationalError if made.name == "sqlite" else sa.exc.DBAPIError
            ) as caught,
            Session(made) as session,
        ):
            session.execute(
                sa.text("SELECT nothing FROM nowhere WHERE :url = 1").bindparams(
                    sa.bindparam("url", WITH_PASSWORD, CanonicalURL())
                )
            )
    assert "example.com" in caplog.text
    assert SECRET not in caplog.text
    assert "example.com" in str(caught.value)
    assert SECRET not in str(caught.value)
    made.dispose()


def test_the_length_is_checked_on_every_database(engine: sa.Engine) -> None:
    """The limit is for the canonical form that is stored. Compared text may have any length."""
    long = f"https://h/{'é' * 10}"
    with Session(engine) as session:
        session.add(Page(url="https://h/", short=long))
        with pytest.raises(URLColumnError, match=r"70 characters.* 30"):
            session.commit()
    assert selected(engine, Page.short == long) == []
    assert selected(engine, Page.short.in_([long, "https://h/"])) == []
    for wrong in (0, -1, "a", True):
        with pytest.raises(ValueError, match="positive"):
            CanonicalURL(wrong)  # type: ignore[arg-type]


def test_a_broken_row_can_be_read_and_repaired(engine: sa.Engine) -> None:
    """The text is returned unchanged, and its attributes raise an error that explains it."""
    with engine.begin() as raw:
        raw.execute(
            sa.text("INSERT INTO weburl_page (id, url) VALUES (1, :url)"),
            {"url": f"https://user:{SECRET}@a b/"},
        )
    with Session(engine) as session:
        page = session.scalars(sa.select(Page)).one()
        broken: Any = page.url
        assert UnparsableURL in type(broken).__mro__
        assert broken == f"https://user:{SECRET}@a b/"
        assert SECRET not in repr(broken)
        asked: list[Callable[[], object]] = [lambda: broken.host, lambda: broken.join("a")]
        for ask in asked:
            with pytest.raises(AttributeError, match="is not a URL") as caught:
                ask()
            assert SECRET not in str(caught.value)
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            _ = broken.nothing
        again: Any = pickle.loads(pickle.dumps(broken))
        assert (again, str(again.error)) == (broken, str(broken.error))
        page.short = parse("https://h/")
        session.commit()
        page.url = parse("https://mended.example/")
        session.commit()
    assert selected(engine) == ["https://mended.example/"]


def test_an_equal_value_is_no_change(engine: sa.Engine) -> None:
    """Another spelling of the stored URL writes nothing. Another URL does."""
    added(engine, "https://h/a")
    statements: list[str] = []
    sa.event.listen(
        engine, "before_cursor_execute", lambda *arguments: statements.append(arguments[2])
    )
    with Session(engine) as session:
        page = session.scalars(sa.select(Page)).one()
        url: Any = "HTTPS://h:443/b/../a"
        page.url = url
        session.commit()
        assert not [each for each in statements if each.startswith("UPDATE")]
        page.url = parse("https://h/b")
        session.commit()
        assert [each for each in statements if each.startswith("UPDATE")]


def test_literals_are_quoted(engine: sa.Engine) -> None:
    """A literal is written into SQL, as in a migration without a connection."""
    for href in ("https://h/'%25'?a=';--", "https://h/%C3%A9?%41"):
        statement = sa.select(sa.literal(href, CanonicalURL()))
        text = statement.compile(engine, compile_kwargs={"literal_binds": True})
        with engine.connect() as raw:
            assert raw.execute(statement).scalar() == parse(href)
            assert raw.exec_driver_sql(str(text)).scalar() == canonicalize(href)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(pair=spelling_pairs(max_length=400), other=urls(max_length=400))
def test_every_spelling_finds_the_row(
    engine: sa.Engine, pair: tuple[str, str], other: URLRecord
) -> None:
    """Another spelling finds the row, and another URL does not."""
    with Session(engine) as session:
        session.execute(sa.delete(Page))
        one: Any = pair[0]
        session.add(Page(url=one))
        session.flush()
        found = session.scalars(sa.select(Page.url).where(Page.url == pair[1])).all()
        assert found == [parse(one)]
        found = session.scalars(sa.select(Page.url).where(Page.url == other)).all()
        assert bool(found) == (other == parse(one))


@settings(max_examples=200, deadline=None)
@given(st.one_of(hostile_texts(), st.text()))
def test_any_text_is_a_url_or_our_error(text: str) -> None:
    """No other error is raised, for any database."""
    column = CanonicalURL(None)
    dialects: list[Any] = [sqlite, postgresql, mysql]
    for dialect in (each.dialect() for each in dialects):
        bind: Any = column.bind_processor(dialect)
        try:
            bound = bind(text)
        except URLColumnError:
            assert not can_parse(text)
        else:
            assert str(bound) == canonicalize(text)


def test_a_django_table_is_read_and_written(engine: sa.Engine) -> None:
    """Both libraries store the same text, and each finds the other's rows by URL."""
    Link._default_manager.create(title="one", url="https://Bücher.example:443/ä", homepage=None)
    with Session(engine) as session:
        (link,) = session.scalars(sa.select(DjangoLink)).all()
        assert link.url == parse("https://xn--bcher-kva.example/%C3%A4")
        assert link.homepage is None
        session.add(DjangoLink(title="two", url=parse("mailto:a@b"), homepage=parse("http://h")))
        session.commit()
    two = Link._default_manager.get(url="MAILTO:a@b")
    assert two.homepage == parse("http://h/")
    assert [each.title for each in Link._default_manager.order_by("url")] == ["one", "two"]
    two.delete()


def test_alembic_finds_nothing_to_change_in_either_table(engine: sa.Engine) -> None:
    """The column has the type, the length and the collation of Django's field."""
    with engine.connect() as raw:
        context = MigrationContext.configure(
            raw,
            opts={
                "compare_type": True,
                "include_name": lambda name, kind, _parents: (
                    kind != "table" or name in ("weburl_page", Link._meta.db_table)
                ),
            },
        )
        found = [
            change
            for change in compare_metadata(context, Base.metadata)
            # Constraints have other names in Django.
            if "url" in repr(change) and "type" in repr(change[0])
        ]
        assert found == []
        inspector = sa.inspect(raw)
        ours, djangos = (
            {column["name"]: column["type"] for column in inspector.get_columns(table)}
            for table in ("weburl_page", Link._meta.db_table)
        )
        assert repr(ours["other"]) == repr(djangos["homepage"])


def test_alembic_writes_a_migration_that_can_be_read() -> None:
    """It contains the path of the type, and a length that is not the default."""
    table: Any = Page.__table__
    text = render_python_code(UpgradeOps([CreateTableOp.from_table(table)]))
    assert "weburl.integrations.sqlalchemy.CanonicalURL()" in text
    assert "weburl.integrations.sqlalchemy.CanonicalURL(30)" in text


DDL = {
    "postgresql": 'VARCHAR(30) COLLATE "C"',
    "mysql": "VARCHAR(30) CHARACTER SET ascii COLLATE ascii_bin",
    "sqlite": "VARCHAR(30)",
}


@pytest.mark.parametrize("dialect", [postgresql, mysql, sqlite])
def test_the_column_is_ascii_and_compared_by_code_point(dialect: Any) -> None:
    """Each database needs its own collation."""
    table = sa.Table("t", sa.MetaData(), sa.Column("url", CanonicalURL(30)))
    made = dialect.dialect()
    assert DDL[made.name] in str(CreateTable(table).compile(dialect=made))


def test_statements_are_cached_and_types_are_known() -> None:
    """Statements that differ only in values have the same key. Types with two lengths do not."""
    one, other = (sa.select(Page).where(Page.url == text) for text in ("https://a", "https://b"))
    assert one._generate_cache_key() == other._generate_cache_key()
    assert CanonicalURL(5)._static_cache_key != CanonicalURL(6)._static_cache_key
    assert repr(CanonicalURL()) == "CanonicalURL()"
    assert repr(CanonicalURL(None)) == "CanonicalURL(None)"
    assert CanonicalURL().python_type is URLRecord
    assert pickle.loads(pickle.dumps(CanonicalURL(7))).length == 7
