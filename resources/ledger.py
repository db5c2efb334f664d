"""The ledger: one row a call attempt, insert-only, durable before the next step uses it."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Collection, Iterable
from typing import TYPE_CHECKING, Any

from faithflow.llm.model import Call
from resources.ledger_batched import Batched
from resources.ledger_direct import Direct
from resources.sql_store import SqlStore, open_store

if TYPE_CHECKING:
    import polars as pl
    from sqlalchemy import Connection, Select

_IDS_A_QUERY = 1_000
_ROWS_A_FETCH = 2_000


class SqlLedger:
    """`faithflow.llm.model.Ledger` on SQLite or PostgreSQL.

    Nothing is kept in memory, so a record of another process is seen at once. There is no code here that updates or
    deletes.
    """

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        name = f"the ledger {store.label}"
        self._way = Batched(store, name) if store.sqlite_file is None else Direct(store, name)

    def __repr__(self) -> str:
        return f"SqlLedger({self._store.label!r})"

    async def answered(self, key: str) -> Call | None:
        """The first answered attempt under a key, None if there is none. Raises StoreError if the store fails."""
        return await self._way.find(False, key)

    async def last_failure(self, key: str) -> Call | None:
        """The newest failed attempt under a key, None if there is none. Raises StoreError if the store fails."""
        return await self._way.find(True, key)

    async def keep(self, call: Call) -> Awaitable[None]:
        """Store an attempt; it outlives this process when this returns, and the machine once the result is awaited.

        Raises ValueError if its `call_id` is taken, its `sent_at` has no zone or a number is beyond 64 bits, and
        StoreError if the store fails.
        """
        if call.sent_at.tzinfo is None:
            raise ValueError(f"sent_at of call {call.call_id} has no time zone")
        return await self._way.keep(call)

    async def record(self, call: Call) -> None:
        """Store an attempt; it is on the disk when this returns. Raises as `keep` does."""
        await (await self.keep(call))

    def calls(
        self,
        *,
        trace_ids: Collection[str] | None = None,
        judges: Collection[str] | None = None,
        judging_date: dt.date | None = None,
    ) -> "pl.DataFrame":
        """All attempts, answered and failed, that pass every filter given (None: no filter), oldest first.

        Columns are `resources.ledger_schema.CALLS_FRAME`; a lone surrogate, which a frame cannot hold, is shown as
        U+FFFD. Rows are fetched by the thousand, so that memory holds the frame and no second copy. Raises StoreError
        if the store fails.
        """
        import polars as pl

        from resources.ledger_schema import CALLS_FRAME, showable

        def read(connection: "Connection", _again: bool) -> list[pl.DataFrame]:
            parts: list[pl.DataFrame] = []
            for ids in _slices(trace_ids):
                result = connection.execution_options(yield_per=_ROWS_A_FETCH).execute(
                    _select_calls(ids, judges, judging_date)
                )
                parts.extend(
                    pl.DataFrame([showable(row) for row in rows], schema=CALLS_FRAME, orient="row")
                    for rows in result.partitions()
                )
            return parts

        parts = self._store.run(read)
        return pl.concat([CALLS_FRAME.to_frame(), *parts]).sort("sent_at", "call_id")

    async def close(self) -> None:
        """Finish what was handed in, then let go of the database. May be called again."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._way.close()
        self._store.dispose()


def open_ledger(url: str) -> SqlLedger:
    """Open the ledger at a path (SQLite) or a URL (`sqlite:///…`, `postgresql://…`); it is created if need be.

    Raises UserError if it cannot be opened.
    """
    return SqlLedger(open_store(url))


def _select_calls(
    trace_ids: Collection[str] | None, judges: Collection[str] | None, judging_date: dt.date | None
) -> "Select[Any]":
    from sqlalchemy import select

    from resources.ledger_schema import CALLS

    statement = select(CALLS)
    if trace_ids is not None:
        statement = statement.where(CALLS.c.trace_id.in_(trace_ids))
    if judges is not None:
        statement = statement.where(CALLS.c.judge.in_(judges))
    if judging_date is not None:
        statement = statement.where(CALLS.c.judging_date == judging_date)
    return statement


def _slices(ids: Collection[str] | None) -> Iterable[list[str] | None]:
    """A long filter in pieces: databases bound the number of a statement's parameters."""
    if ids is None:
        return [None]
    distinct = sorted(set(ids))
    return [distinct[start : start + _IDS_A_QUERY] for start in range(0, len(distinct), _IDS_A_QUERY)]
