"""The SQL database behind the ledger and the embedding cache: SQLite by path or URL, PostgreSQL by URL."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from faithflow.errors import StoreError, UserError

if TYPE_CHECKING:
    import sqlite3

    from sqlalchemy import URL, Connection, Engine

T = TypeVar("T")

PATIENCE_S = 15.0
"""How long a lost connection is retried before the work fails."""

_SQLITE_BUSY_MS = 120_000
_CREATE_LOCK = 0x6661697468  # any number, the same in all processes: it orders those that create the tables at once
_HIDDEN = "***"


class SqlStore:
    """An open database. Safe for many threads and many processes; each `run` is one transaction."""

    def __init__(self, engine: "Engine", label: str, secrets: tuple[str, ...]) -> None:
        self._engine = engine
        self._secrets = secrets
        self.label = label

    def __repr__(self) -> str:
        return f"SqlStore({self.label!r})"

    def run(self, work: "Callable[[Connection, bool], T]") -> T:
        """Do `work(connection, again)` in one transaction; durable once this returns.

        A lost connection is retried for `PATIENCE_S`. `again` tells the work that an earlier try may have been
        committed although its confirmation got lost. Raises StoreError if the database stays away or fails;
        sqlalchemy's IntegrityError and DataError (a row that the table refuses) pass through.
        """
        from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

        deadline = time.monotonic() + PATIENCE_S
        pause = 0.05
        again = False
        while True:
            try:
                with self._engine.begin() as connection:
                    return work(connection, again)
            except (IntegrityError, DataError):
                raise
            except SQLAlchemyError as error:
                lost = isinstance(error, DBAPIError) and (error.connection_invalidated or self._is_outage(error))
                if not lost or time.monotonic() + pause > deadline:
                    message = f"the database {self.label} failed: {self.explain(error)}"
                    raise StoreError(message) from None
            time.sleep(pause)
            pause = min(2 * pause, 1.0)
            again = True

    def explain(self, error: Exception) -> str:
        """The driver's own words on one line, without a password."""
        words = " ".join(str(getattr(error, "orig", None) or error).split())
        for secret in self._secrets:
            words = words.replace(secret, _HIDDEN)
        return words

    @property
    def sqlite_file(self) -> str | None:
        """The file of an SQLite database; None for a server's."""
        return self._engine.url.database if self._engine.dialect.name == "sqlite" else None

    def connect_sqlite(self) -> "sqlite3.Connection":
        """A connection of one's own to the SQLite file, for any thread; each statement is a transaction."""
        import sqlite3

        assert self.sqlite_file is not None
        connection = sqlite3.connect(
            self.sqlite_file, timeout=_SQLITE_BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        _prepare_sqlite(connection, None)
        return connection

    def dispose(self) -> None:
        """Close all connections. They reopen if the store is used again."""
        self._engine.dispose()

    def _is_outage(self, error: Exception) -> bool:
        """PostgreSQL refuses connections, starts up or shuts down (SQLSTATE classes 08 and 57P); never SQLite."""
        if self._engine.dialect.name != "postgresql":
            return False
        state = getattr(getattr(error, "orig", None), "sqlstate", None)
        if state is None:  # no server answered at all
            return type(getattr(error, "orig", None)).__name__ in ("OperationalError", "ConnectionTimeout")
        return state.startswith(("08", "57P"))


def open_store(url: str) -> SqlStore:
    """Open a database and create the tables that it lacks.

    `url` is a file's path, `sqlite:///<path>` or `postgresql://user:password@host:port/database`.
    Raises UserError if it is none of these, or if the database cannot be opened.
    """
    from sqlalchemy import create_engine, event
    from sqlalchemy.exc import SQLAlchemyError

    parsed = _parse(url)
    secrets = _secrets(parsed)
    label = _label(parsed)
    # what is sent is a person's data: statements in errors go without their parameters
    if parsed.get_backend_name() == "sqlite":
        _make_folder(str(parsed.database))
        engine = create_engine(parsed, hide_parameters=True, connect_args={"timeout": _SQLITE_BUSY_MS / 1000})
        event.listen(engine, "connect", _prepare_sqlite)
    else:
        timeout = {} if "connect_timeout" in parsed.query else {"connect_timeout": 10}
        try:
            engine = create_engine(parsed, hide_parameters=True, connect_args=timeout)
        except ImportError:
            raise UserError(f"{label} needs the PostgreSQL driver: pip install 'faithflow[postgres]'") from None
    store = SqlStore(engine, label, secrets)
    try:
        with engine.begin() as connection:
            _create_tables(connection)
    except SQLAlchemyError as error:
        engine.dispose()
        raise UserError(f"cannot open the database {label}: {store.explain(error)}") from None
    return store


def _parse(url: str) -> "URL":
    from sqlalchemy import URL, make_url
    from sqlalchemy.exc import ArgumentError

    if "://" not in url:
        return URL.create("sqlite", database=url)
    scheme = url.split("://", 1)[0]
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # the URL itself stays out of the message: it may hold a password that could not be told apart
        raise UserError(
            f"the database URL {scheme}://… cannot be read: write {scheme}://user:password@host:port/database, "
            "with special characters of the password percent-encoded"
        ) from None
    if parsed.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername != "sqlite":
        raise UserError(f"no database of the kind {scheme}://: use a file's path, sqlite:///… or postgresql://…")
    if not parsed.database or parsed.database == ":memory:":
        raise UserError("an SQLite database needs a file: write sqlite:///path/to/ledger.sqlite")
    return parsed


def _secrets(parsed: "URL") -> tuple[str, ...]:
    """The passwords of a URL, as they are and percent-encoded."""
    from urllib.parse import quote, quote_plus

    found = [parsed.password or ""]
    for name, value in parsed.query.items():
        if "password" in name.lower():
            found += [value] if isinstance(value, str) else list(value)
    spellings = {spelling for secret in found if secret for spelling in (secret, quote(secret), quote_plus(secret))}
    return tuple(sorted(spellings, key=len, reverse=True))


def _label(parsed: "URL") -> str:
    """A URL as it may be shown: a file's path, or a server's address without passwords."""
    if parsed.get_backend_name() == "sqlite":
        return str(parsed.database)
    kept = {name: value for name, value in parsed.query.items() if "password" not in name.lower()}
    return parsed.set(drivername="postgresql", query=kept).render_as_string(hide_password=True)


def _make_folder(database: str) -> None:
    try:
        Path(database).absolute().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder of the database {database}: {error}") from None


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """WAL, so that readers never wait for writers; FULL, so that a commit is on the disk when it returns.

    Only the switch to WAL ignores the busy timeout, so two processes that create one file together try again here.
    """
    import sqlite3

    deadline = time.monotonic() + _SQLITE_BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
            break
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
    connection.execute("PRAGMA synchronous=FULL").close()


def _create_tables(connection: "Connection") -> None:
    """Create what is missing. Many processes may do so at once: the first one makes them wait."""
    from sqlalchemy import text
    from sqlalchemy.schema import CreateIndex, CreateTable

    from resources.ledger_schema import METADATA

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _CREATE_LOCK})
    for table in METADATA.sorted_tables:
        connection.execute(CreateTable(table, if_not_exists=True))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            connection.execute(CreateIndex(index, if_not_exists=True))
