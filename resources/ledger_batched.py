"""The ledger on a server: what many coroutines ask at once goes in one transaction or one query."""

from collections.abc import Awaitable, Mapping
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from faithflow.errors import StoreError
from faithflow.llm.model import Call
from resources.batcher import Batcher
from resources.sql_store import SqlStore

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

_Lookup = tuple[bool, str]
"""Whether failed attempts are asked for (or answered ones), and the key."""


class Batched:
    """Calls in a server's database. One thread writes and one reads, each for all callers that wait."""

    def __init__(self, store: SqlStore, name: str) -> None:
        from resources.ledger_schema import CALL_FIELDS

        self._store = store
        self._row = attrgetter(*CALL_FIELDS)
        self._writer = Batcher[Call, None](name, self._write)
        self._reader = Batcher[_Lookup, Call | None](name, self._look_up)

    async def find(self, failed: bool, key: str) -> Call | None:
        """The first answered attempt under a key, or the newest failed one."""
        return await self._reader.ask((failed, key))

    async def keep(self, call: Call) -> Awaitable[None]:
        """Store a call: it is on the server's disk when this returns, and nothing is left to wait for."""
        await self._writer.ask(call)
        return _nothing()

    def close(self) -> None:
        self._writer.close()
        self._reader.close()

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
                for row in connection.execute(_under(failed), {"keys": keys}):
                    call = Call(*row)
                    found.setdefault((failed, call.key), call)
            return found

        try:
            found = self._store.run(work)
        except StoreError as error:
            return [StoreError(str(error)) for _ in lookups]
        return [found.get(lookup) for lookup in lookups]


async def _nothing() -> None:
    return


@cache
def _under(failed: bool) -> "Select[Any]":
    """The attempts under `keys`."""
    from sqlalchemy import bindparam

    from resources.ledger_schema import CALLS, attempts

    return attempts(failed).where(CALLS.c.key.in_(bindparam("keys", expanding=True)))
