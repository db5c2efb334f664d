"""The ledger: one row a call attempt, insert-only, durable before the next step uses it."""

import asyncio
import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from faithflow.errors import StoreError
from faithflow.llm.model import Call
from resources.batcher import Batcher
from resources.sql_store import SqlStore, open_store

if TYPE_CHECKING:
    import polars as pl
    from sqlalchemy import Connection, Select

_Lookup = tuple[bool, str]
"""Whether failed attempts are asked for (or answered ones), and the key."""

_IDS_A_QUERY = 1_000
_ROWS_A_FETCH = 2_000


class SqlLedger:
    """`faithflow.llm.model.Ledger` on SQLite or PostgreSQL.

    One thread writes and one reads; each serves all callers that wait with one transaction or one query. Nothing is
    kept in memory, so a record of another process is seen at once. There is no code here that updates or deletes.
    """

    def __init__(self, store: SqlStore) -> None:
        from resources.ledger_schema import CALL_FIELDS

        self._store = store
        self._row = attrgetter(*CALL_FIELDS)
        self._writer = Batcher[Call, None](f"the ledger {store.label}", self._write)
        self._reader = Batcher[_Lookup, Call | None](f"the ledger {store.label}", self._look_up)

    def __repr__(self) -> str:
        return f"SqlLedger({self._store.label!r})"

    async def answered(self, key: str) -> Call | None:
        """The first answered attempt under a key, None if there is none. Raises StoreError if the store fails."""
        return await self._reader.ask((False, key))

    async def last_failure(self, key: str) -> Call | None:
        """The newest failed attempt under a key, None if there is none. Raises StoreError if the store fails."""
        return await self._reader.ask((True, key))

    async def record(self, call: Call) -> None:
        """Store an attempt; it is on the disk when this returns.

        Raises ValueError if its `call_id` is taken, its `sent_at` has no zone or a number is beyond 64 bits, and
        StoreError if the store fails.
        """
        if call.sent_at.tzinfo is None:
            raise ValueError(f"sent_at of call {call.call_id} has no time zone")
        await self._writer.ask(call)

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
        self._writer.close()
        self._reader.close()
        self._store.dispose()

    def _write(self, calls: list[Call]) -> list[Exception | None]:
        """One transaction for all; if one of them breaks it, one for each, so that only that one fails."""
        from sqlalchemy.exc import DataError, IntegrityError

        try:
            self._insert(calls)
        except (IntegrityError, DataError, OverflowError) as error:
            if len(calls) == 1:
                return [ValueError(f"call {calls[0].call_id} cannot be stored: {self._store.explain(error)}")]
            return [outcome for call in calls for outcome in self._write([call])]
        except StoreError as error:
            return [StoreError(str(error)) for _ in calls]
        return [None] * len(calls)

    def _insert(self, calls: list[Call]) -> None:
        from sqlalchemy import insert, select

        from resources.ledger_schema import CALL_FIELDS, CALLS

        rows = [dict(zip(CALL_FIELDS, self._row(call), strict=True)) for call in calls]

        def work(connection: "Connection", again: bool) -> None:
            left = rows
            if again:
                ids = [call.call_id for call in calls]
                there = set(connection.execute(select(CALLS.c.call_id).where(CALLS.c.call_id.in_(ids))).scalars())
                left = [row for row in rows if row["call_id"] not in there]
            if left:
                connection.execute(insert(CALLS), left)

        self._store.run(work)

    def _look_up(self, lookups: list[_Lookup]) -> list[Call | Exception | None]:
        def work(connection: "Connection", _again: bool) -> Mapping[_Lookup, Call]:
            found: dict[_Lookup, Call] = {}
            for failed in {which for which, _ in lookups}:
                keys = sorted({key for which, key in lookups if which is failed})
                for row in connection.execute(_attempts(failed), {"keys": keys}):
                    call = Call(*row)
                    found.setdefault((failed, call.key), call)
            return found

        try:
            found = self._store.run(work)
        except StoreError as error:
            return [StoreError(str(error)) for _ in lookups]
        return [found.get(lookup) for lookup in lookups]


def open_ledger(url: str) -> SqlLedger:
    """Open the ledger at a path (SQLite) or a URL (`sqlite:///…`, `postgresql://…`); it is created if need be.

    Raises UserError if it cannot be opened.
    """
    return SqlLedger(open_store(url))


@cache
def _attempts(failed: bool) -> "Select[Any]":
    """The attempts under `keys`: the answered ones oldest first, or the failed ones newest first."""
    from sqlalchemy import bindparam, select

    from resources.ledger_schema import CALLS

    statement = select(CALLS).where(CALLS.c.key.in_(bindparam("keys", expanding=True)))
    if failed:
        return statement.where(CALLS.c.reason.is_not(None)).order_by(CALLS.c.sent_at.desc(), CALLS.c.call_id)
    return statement.where(CALLS.c.reason.is_(None)).order_by(CALLS.c.sent_at, CALLS.c.call_id)


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
