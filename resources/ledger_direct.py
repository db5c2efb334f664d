"""The ledger's hot path on SQLite: a lookup or an insert takes microseconds, so it runs where it is called.

A thread of its own would cost each call two changes of thread and their wait, at many times the processor time. What
may take long goes to one: writing to the disk (fsync) and moving pages from the log into the file (checkpoint).
"""

import os
import sqlite3
import threading
from collections.abc import Awaitable
from contextlib import suppress
from functools import cache
from operator import attrgetter
from typing import Any

from faithflow.errors import StoreError
from faithflow.llm.model import Call
from resources.batcher import Batcher
from resources.sql_store import SqlStore

# A row takes some four pages, and SQLite's own rule is a checkpoint every 1,000 pages.
_ROWS_A_CHECKPOINT = 250


class Direct:
    """Calls in one SQLite file. Safe for many event loops, threads and processes."""

    def __init__(self, store: SqlStore, name: str) -> None:
        self._store = store
        self._name = name
        self._statements = _statements()
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = store.connect_sqlite()
        # a commit goes to the log, where it outlives this process; `_sync` makes it outlive the machine
        self._connection.execute("PRAGMA synchronous=NORMAL").close()
        self._connection.execute("PRAGMA wal_autocheckpoint=0").close()
        self._syncer = Batcher[int, None](name, self._sync)
        self._log: int | None = None
        self._unmoved = 0

    async def find(self, failed: bool, key: str) -> Call | None:
        """The first answered attempt under a key, or the newest failed one."""
        rows = self._execute(self._statements.find[failed], (key,))
        return self._statements.call(rows[0]) if rows else None

    async def keep(self, call: Call) -> Awaitable[None]:
        """Store a call: it is in the log when this returns, and on the disk when what it returns is awaited."""
        try:
            self._execute(self._statements.insert, self._statements.values(call))
        except (sqlite3.IntegrityError, sqlite3.DataError, OverflowError) as error:
            raise ValueError(f"call {call.call_id} cannot be stored: {self._store.explain(error)}") from None
        return self._syncer.ask(1)

    def close(self) -> None:
        self._syncer.close()
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            if self._log is not None:
                os.close(self._log)
                self._log = None

    def _execute(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        with self._lock:
            if self._connection is None:
                raise RuntimeError(f"{self._name} is closed")
            try:
                # all rows, so that no reader stays open and holds up a checkpoint
                return self._connection.execute(statement, values).fetchall()
            except (sqlite3.IntegrityError, sqlite3.DataError):
                raise
            except sqlite3.Error as error:
                raise StoreError(f"the database {self._store.label} failed: {self._store.explain(error)}") from None

    def _sync(self, rows: list[int]) -> list[None]:
        """One fsync for all that wait, and now and then a checkpoint, which holds up neither reader nor writer."""
        if self._log is None:
            # the locks of SQLite are on the other two files: to open and close this one touches none of them
            self._log = os.open(f"{self._store.sqlite_file}-wal", os.O_RDONLY)
        os.fdatasync(self._log)
        self._unmoved += len(rows)
        if self._unmoved >= _ROWS_A_CHECKPOINT:
            self._unmoved = 0
            with suppress(StoreError):  # what could not be moved now is moved later
                self._store.run(lambda connection, _again: connection.exec_driver_sql(_CHECKPOINT))
        return [None] * len(rows)


_CHECKPOINT = "PRAGMA wal_checkpoint(PASSIVE)"


class _Statements:
    """The statements as text, with the types of `resources.ledger_schema` on the way in and out."""

    def __init__(self) -> None:
        from sqlalchemy import bindparam, insert
        from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect

        from resources.ledger_schema import CALL_FIELDS, CALLS, attempts

        dialect = sqlite_dialect(paramstyle="qmark")
        types = [CALLS.c[name].type.dialect_impl(dialect) for name in CALL_FIELDS]
        self._to_row = [type_.bind_processor(dialect) for type_ in types]
        self._from_row = [type_.result_processor(dialect, None) for type_ in types]
        self._fields = attrgetter(*CALL_FIELDS)
        self.insert = str(insert(CALLS).compile(dialect=dialect))
        under_key = CALLS.c.key == bindparam("key")
        self.find = {
            failed: str(attempts(failed).where(under_key).compile(dialect=dialect)) for failed in (False, True)
        }

    def values(self, call: Call) -> tuple[Any, ...]:
        values = zip(self._fields(call), self._to_row, strict=True)
        return tuple(value if process is None else process(value) for value, process in values)

    def call(self, row: tuple[Any, ...]) -> Call:
        values = zip(row, self._from_row, strict=True)
        fields: list[Any] = [value if process is None else process(value) for value, process in values]
        return Call(*fields)


@cache
def _statements() -> _Statements:
    return _Statements()
