import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.errors import StoreError, UserError
from faithflow.llm.model import Call
from resources.ledger import SqlLedger, open_ledger
from resources.ledger_schema import CALLS, CALLS_FRAME, escape_text, unescape_text
from tests.ledger_calls import CALL, MOMENT, answered_call, failed_call

CONTROL_AND_SURROGATES = st.text(st.characters() | st.characters(categories=["Cs", "Cc"]))


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[SqlLedger]:
    ledger = open_ledger(database)
    try:
        yield ledger
    finally:
        await ledger.close()


def with_ledger(database: str, work: Callable[[SqlLedger], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with opened(database) as ledger:
            return await work(ledger)

    return asyncio.run(run())


def test_the_table_has_the_fields_of_a_call_in_their_order() -> None:
    assert [column.name for column in CALLS.columns] == [field.name for field in fields(Call)] == CALLS_FRAME.names()


def test_a_recorded_answer_is_found_again_field_by_field_after_reopening(database: str) -> None:
    with_ledger(database, lambda ledger: ledger.record(CALL))
    assert with_ledger(database, lambda ledger: ledger.answered(CALL.key)) == CALL


def test_a_key_that_was_never_asked_has_no_answer_and_no_failure(database: str) -> None:
    async def work(ledger: SqlLedger) -> None:
        await ledger.record(CALL)
        assert await ledger.answered("1" * 64) is None
        assert await ledger.last_failure("1" * 64) is None

    with_ledger(database, work)


def test_a_failure_is_never_an_answer(database: str) -> None:
    async def work(ledger: SqlLedger) -> None:
        failure = failed_call("f", CALL.key)
        await ledger.record(failure)
        assert await ledger.answered(CALL.key) is None
        assert await ledger.last_failure(CALL.key) == failure

    with_ledger(database, work)


def test_the_first_answer_and_the_newest_failure_of_a_key_count(database: str) -> None:
    async def work(ledger: SqlLedger) -> None:
        later = replace(CALL, call_id="later", sent_at=MOMENT + dt.timedelta(hours=1))
        for call in (later, failed_call("new", CALL.key, 20), failed_call("old", CALL.key, 10), CALL):
            await ledger.record(call)
        assert await ledger.answered(CALL.key) == CALL
        assert await ledger.last_failure(CALL.key) == failed_call("new", CALL.key, 20)

    with_ledger(database, work)


def test_answers_and_failures_asked_at_once_go_to_who_asked(database: str) -> None:
    async def work(ledger: SqlLedger) -> None:
        failure = failed_call("f", f"{3:064x}")
        await asyncio.gather(*(ledger.record(answered_call(number)) for number in range(40)), ledger.record(failure))
        found = await asyncio.gather(
            *(ledger.answered(f"{number:064x}") for number in range(50)),
            *(ledger.last_failure(f"{number:064x}") for number in range(5)),
        )
        assert found[:50] == [answered_call(number) for number in range(40)] + [None] * 10
        assert found[50:] == [None, None, None, failure, None]

    with_ledger(database, work)


def test_a_call_id_is_stored_once_and_its_neighbours_are_stored_all_the_same(database: str) -> None:
    async def work(ledger: SqlLedger) -> None:
        await ledger.record(answered_call(5))
        changed = replace(answered_call(5), reply="another")
        others = [answered_call(number) for number in range(10) if number != 5]
        outcomes = await asyncio.gather(
            *map(ledger.record, [*others[:4], changed, *others[4:]]), return_exceptions=True
        )
        assert [type(outcome) for outcome in outcomes].count(ValueError) == 1
        assert "call-5" in str(outcomes[4])
        assert ledger.calls().height == 10
        assert await ledger.answered(f"{5:064x}") == answered_call(5)

    with_ledger(database, work)


def test_a_number_beyond_64_bits_is_refused_and_named(database: str) -> None:
    async def work(ledger: SqlLedger) -> None:
        with pytest.raises(ValueError, match="call-0 cannot be stored"):
            await ledger.record(replace(CALL, prompt_tokens=10**30))
        await ledger.record(CALL)

    with_ledger(database, work)


def test_a_time_without_a_zone_is_refused(database: str) -> None:
    async def work(ledger: SqlLedger) -> None:
        with pytest.raises(ValueError, match="call-0 has no time zone"):
            await ledger.record(replace(CALL, sent_at=MOMENT.replace(tzinfo=None)))

    with_ledger(database, work)


def test_a_time_of_another_zone_comes_back_as_the_same_moment_in_utc(database: str) -> None:
    athens = MOMENT.astimezone(dt.timezone(dt.timedelta(hours=2)))
    with_ledger(database, lambda ledger: ledger.record(replace(CALL, sent_at=athens)))
    assert with_ledger(database, lambda ledger: ledger.answered(CALL.key)).sent_at.isoformat() == MOMENT.isoformat()


@pytest.mark.parametrize(
    "reply", ["", "\x00", "a\x00b\x1a0000\ud800\udfff\U0001f600", "x" * 2_000_000, "Ελλάδα हिन्दी 中文"]
)
def test_a_reply_of_any_characters_survives(database: str, reply: str) -> None:
    call = replace(CALL, reply=reply, detail=reply, trace_id=f"t{reply[:20]}")

    async def work(ledger: SqlLedger) -> None:
        await ledger.record(call)
        assert await ledger.answered(call.key) == call
        shown = ledger.calls(trace_ids=[call.trace_id])["reply"].to_list()
        assert shown == [reply.replace("\ud800", "\ufffd").replace("\udfff", "\ufffd")]

    with_ledger(database, work)


@given(CONTROL_AND_SURROGATES)
def test_escaping_is_lossless_and_leaves_nothing_that_a_store_refuses(text: str) -> None:
    stored = escape_text(text)
    assert unescape_text(stored) == text
    assert "\x00" not in stored
    stored.encode("utf-8")


def test_ordinary_text_is_stored_as_it_is() -> None:
    assert escape_text("Ελλάδα\n\t\\u0000 {}") == "Ελλάδα\n\t\\u0000 {}"


def test_calls_gives_every_attempt_oldest_first_with_the_types_of_its_columns(database: str) -> None:
    async def work(ledger: SqlLedger) -> pl.DataFrame:
        await ledger.record(failed_call("b", CALL.key, 5))
        await ledger.record(CALL)
        return ledger.calls()

    frame = with_ledger(database, work)
    assert frame.schema == CALLS_FRAME
    assert [Call(**row) for row in frame.rows(named=True)] == [CALL, failed_call("b", CALL.key, 5)]


def test_calls_of_an_empty_ledger_has_the_columns_and_no_row(database: str) -> None:
    async def work(ledger: SqlLedger) -> pl.DataFrame:
        return ledger.calls()

    frame = with_ledger(database, work)
    assert (frame.height, frame.schema) == (0, CALLS_FRAME)


def test_calls_are_filtered_by_trace_judge_and_date_together(database: str) -> None:
    async def work(ledger: SqlLedger) -> None:
        await ledger.record(CALL)
        await ledger.record(replace(CALL, call_id="other judge", judge="sonnet"))
        await ledger.record(replace(CALL, call_id="other trace", trace_id="t1"))
        await ledger.record(replace(CALL, call_id="other day", judging_date=dt.date(2026, 3, 2)))

        def ids(**filters: Any) -> list[str]:
            return sorted(ledger.calls(**filters)["call_id"])

        assert ids(judges=["sonnet"]) == ["other judge"]
        assert ids(trace_ids=["t1", "t9"]) == ["other trace"]
        assert ids(judging_date=dt.date(2026, 3, 2)) == ["other day"]
        assert ids(trace_ids=["t0"], judges=["gpt"], judging_date=dt.date(2026, 3, 1)) == ["call-0"]
        assert ids(trace_ids=[]) == []

    with_ledger(database, work)


def test_a_filter_of_more_traces_than_a_statement_takes_parameters_gives_each_call_once(database: str) -> None:
    async def work(ledger: SqlLedger) -> pl.DataFrame:
        await asyncio.gather(*(ledger.record(answered_call(number)) for number in range(3_000)))
        return ledger.calls(trace_ids=[f"t{number}" for number in range(70_000)] * 2)

    assert with_ledger(database, work)["call_id"].n_unique() == 3_000


def test_another_ledger_on_the_same_database_sees_an_answer_at_once(database: str) -> None:
    async def work(ledger: SqlLedger) -> None:
        async with opened(database) as other:
            assert await other.answered(CALL.key) is None
            await ledger.record(CALL)
            assert await other.answered(CALL.key) == CALL

    with_ledger(database, work)


def test_one_ledger_serves_two_event_loops_one_after_the_other(database: str) -> None:
    ledger = open_ledger(database)
    asyncio.run(ledger.record(CALL))
    assert asyncio.run(ledger.answered(CALL.key)) == CALL
    asyncio.run(ledger.close())


def test_one_ledger_serves_two_event_loops_at_the_same_time(database: str) -> None:
    async def work(ledger: SqlLedger) -> None:
        async def from_here() -> None:
            for number in range(50):
                await ledger.record(answered_call(number, "here"))

        async def from_there() -> None:
            for number in range(50):
                await ledger.record(answered_call(number, "there"))

        await asyncio.gather(from_here(), asyncio.to_thread(asyncio.run, from_there()))
        assert ledger.calls().height == 100

    with_ledger(database, work)


def test_a_record_whose_caller_was_cancelled_is_stored_all_the_same(database: str) -> None:
    async def work(ledger: SqlLedger) -> None:
        task = asyncio.create_task(ledger.record(CALL))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await ledger.record(answered_call(1))
        assert await ledger.answered(CALL.key) == CALL

    with_ledger(database, work)


def test_closing_twice_does_no_harm_and_a_closed_ledger_says_so(database: str) -> None:
    async def work() -> None:
        ledger = open_ledger(database)
        await ledger.close()
        await ledger.close()
        with pytest.raises(RuntimeError, match="closed"):
            await ledger.record(CALL)

    asyncio.run(work())


def test_closing_finishes_what_was_handed_in(database: str) -> None:
    async def work() -> None:
        ledger = open_ledger(database)
        tasks = [asyncio.create_task(ledger.record(answered_call(number))) for number in range(100)]
        await asyncio.sleep(0)
        await ledger.close()
        await asyncio.gather(*tasks)

    asyncio.run(work())

    async def count(ledger: SqlLedger) -> int:
        return ledger.calls().height

    assert with_ledger(database, count) == 100


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be taken for the header of one: " * 20)
    with pytest.raises(UserError, match=r"cannot open the database .*notes\.txt: file is not a database"):
        open_ledger(str(path))


def test_a_path_and_its_url_open_the_same_database(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "ledger.sqlite"
    with_ledger(str(path), lambda ledger: ledger.record(CALL))
    assert with_ledger(f"sqlite:///{path}", lambda ledger: ledger.answered(CALL.key)) == CALL


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://user:hush@host/db", "no database of the kind mysql://"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("postgresql://user:hush@host:port/db", "cannot be read"),
    ],
)
def test_a_url_that_cannot_be_used_is_explained_without_its_password(url: str, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        open_ledger(url)
    assert "hush" not in str(caught.value)


def test_a_store_that_fails_is_named_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"

    async def work(ledger: SqlLedger) -> None:
        await ledger.record(CALL)
        with ledger._store._engine.begin() as connection:  # pyright: ignore[reportPrivateUsage]
            connection.exec_driver_sql("DROP TABLE calls")
        with pytest.raises(StoreError, match=r"the database .*ledger\.sqlite failed: no such table: calls"):
            await ledger.record(answered_call(1))
        with pytest.raises(StoreError, match="no such table"):
            await ledger.answered(CALL.key)

    with_ledger(str(path), work)
