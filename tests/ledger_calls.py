"""Calls as a ledger's tests record them. Run as a program it records without end: `DATABASE NAME COUNT`."""

import asyncio
import datetime as dt
import sys
from dataclasses import replace

from faithflow.llm.model import Call
from resources.ledger import open_ledger

MOMENT = dt.datetime(2026, 3, 1, 23, 59, 59, 999_999, tzinfo=dt.UTC)

CALL = Call(
    call_id="call-0",
    key="0" * 64,
    purpose="judge",
    judge="gpt",
    trace_id="t0",
    provider="openai",
    endpoint="http://127.0.0.1:1/v1",
    model="m",
    served_model="m-2026",
    params='{"temperature":0}',
    prompt_version="p1",
    repeat=0,
    ask=0,
    judging_date=dt.date(2026, 3, 1),
    sent_at=MOMENT,
    latency_s=0.1 + 0.2,
    status="answered",
    reason=None,
    detail=None,
    reply='{"verdicts": []}',
    finish_reason="stop",
    prompt_tokens=812,
    completion_tokens=64,
    estimated=False,
    cost=0.1 + 0.7,
)


def answered_call(number: int, name: str = "call") -> Call:
    return replace(
        CALL, call_id=f"{name}-{number}", key=f"{number:064x}", trace_id=f"t{number}", reply=f"reply {number}"
    )


def failed_call(call_id: str, key: str, seconds: float = 0) -> Call:
    moment = MOMENT + dt.timedelta(seconds=seconds)
    return replace(
        CALL, call_id=call_id, key=key, sent_at=moment, status="failed", reason="timeout", reply=None, cost=None
    )


async def record_many(database: str, name: str, count: int) -> None:
    """Record `count` calls, 16 at a time, and print the id of each once its record has returned."""
    ledger = open_ledger(database)
    numbers = iter(range(count))

    async def worker() -> None:
        for number in numbers:
            call = answered_call(number, name)
            await ledger.record(call)
            print(call.call_id, flush=True)

    await asyncio.gather(*(worker() for _ in range(16)))
    await ledger.close()


if __name__ == "__main__":
    asyncio.run(record_many(sys.argv[1], sys.argv[2], int(sys.argv[3])))
