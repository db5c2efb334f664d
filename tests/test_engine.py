"""The engine as a whole, against the benchmark's endpoint: faults cost calls, never rows."""

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from filelock import FileLock, Timeout

from benchmarks.engine.corpus import write_traces
from benchmarks.engine.run import Load, run_bare, run_judged
from benchmarks.engine.server import script
from faithflow.identity import Json
from faithflow.llm.model import Call
from resources.judge_dir import JudgeDir
from resources.ledger import SqlLedger
from resources.sql_store import open_store
from tests.endpoint import ScriptedEndpoint
from tests.judging import judge, study, trace
from tests.scripted import JsonObject, Response, answer_all, chat, claims, sequence


@pytest.fixture
def load(tmp_path: Path) -> Load:
    return Load(write_traces(tmp_path / "traces.jsonl", 40, 6), 40, 6, latency_s=0.0, concurrency=16)


@pytest.mark.slow
def test_faults_lose_no_row_and_change_no_verdict(tmp_path: Path, load: Load) -> None:
    run = run_judged(replace(load, rate_limited=0.1, cut=0.1), tmp_path / "out")
    assert run.served.rate_limited > 0
    assert run.served.answered > load.calls


@pytest.mark.slow
def test_two_calls_an_answer_and_the_tokens_of_the_bare_loop(tmp_path: Path, load: Load) -> None:
    ours, bare = run_judged(load, tmp_path / "out"), run_bare(load)
    assert ours.served.requests == bare.served.requests == load.calls
    assert ours.served.tokens == bare.served.tokens
    assert ours.served.most_at_once <= load.concurrency
    assert ours.served.connections <= load.concurrency, "the judge and the extractor share no client"


def test_the_endpoint_of_the_benchmark_fails_as_often_as_told() -> None:
    ask: JsonObject = {
        "model": "m",
        "messages": [{"role": "user", "content": '{"question": "q", "answer": "A is B. C is D."}'}],
    }
    answer = script(0.2, 0.1, seed=1)
    responses = [answer(ask, number) for number in range(2000)]
    limited = [response for response in responses if response.status == 429]
    cut = [r for r in responses if isinstance(r.body, dict) and '"length"' in str(r.body).replace("'", '"')]
    assert len(limited) / 2000 == pytest.approx(0.2, abs=0.03)
    assert len(cut) / 2000 == pytest.approx(0.1, abs=0.03)
    assert 0 < sum("Retry-After" in response.headers for response in limited) < len(limited)


def cut_claims(request: JsonObject, _number: int) -> Response:
    content = claims(request)
    return chat(request, content[: len(content) // 2], finish_reason="length")


def unclaimed() -> dict[str, Json]:
    return {key: value for key, value in trace().items() if key != "claims"}


def test_claims_that_were_cut_off_are_asked_for_again_in_the_same_run(tmp_path: Path) -> None:
    with ScriptedEndpoint(sequence(cut_claims, then=answer_all())) as endpoint:
        judged = judge(tmp_path, study(endpoint, claims={}), unclaimed())
        assert endpoint.count == 3
    assert judged.verdicts["verdict"].to_list() == ["supported"] * 3


def test_claims_that_are_cut_off_each_time_are_unscored_after_three_asks(tmp_path: Path) -> None:
    with ScriptedEndpoint(cut_claims) as endpoint:
        judged = judge(tmp_path, study(endpoint, claims={}), unclaimed())
        assert endpoint.count == 3
    assert judged.outcome.unscored == {"truncated": 1}


def test_a_call_keeps_its_slot_until_it_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a kill can lose no more calls than may be open."""
    stored = 0
    unstored: list[int] = []
    keep = SqlLedger.keep

    async def counted(self: SqlLedger, call: Call) -> Awaitable[None]:
        nonlocal stored
        await asyncio.sleep(0.01)
        durable = await keep(self, call)
        stored += 1
        return durable

    def watched(request: JsonObject, number: int) -> Response:
        unstored.append(number + 1 - stored)
        return answer_all()(request, number)

    monkeypatch.setattr(SqlLedger, "keep", counted)
    with ScriptedEndpoint(watched) as endpoint:
        judge(tmp_path, study(endpoint, max_concurrency=4), *(trace(f"t{n}") for n in range(40)))
    assert max(unstored) <= 4


def test_of_two_processes_in_one_folder_the_later_one_writes_the_calls_of_both(tmp_path: Path) -> None:
    """What is read from the ledger and what is written lie under one lock: nobody's calls come in between."""
    with ScriptedEndpoint() as endpoint:
        judged = judge(tmp_path, study(endpoint))
    held: list[bool] = []

    class Watched(SqlLedger):
        def calls(self, **filters: Any) -> pl.DataFrame:
            lock = FileLock(judged.folder / ".tables.lock", timeout=0)
            try:
                lock.acquire()
            except Timeout:
                held.append(True)
            else:
                lock.release()
            return super().calls(**filters)

    ledger = Watched(open_store(str(judged.folder / "ledger.sqlite")))
    JudgeDir(judged.folder, corpus="test").write_calls(ledger)
    asyncio.run(ledger.close())
    assert held == [True]
    assert judged.table("calls").height == 1
