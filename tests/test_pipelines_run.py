"""A partition's answers: rows that keep their tables' contracts, failures beside answers, and a run that is killed."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from faithflow.errors import StoreError
from faithflow.llm.model import CallError, Reply
from faithflow.pipelines.frames import AnswerFrames
from faithflow.pipelines.model import PIPELINES, PipelineKey
from faithflow.tables.answering import ANSWERS, RETRIEVALS, STEPS
from faithflow.tables.contract import validate
from resources.answer_run import answer_partition
from tests.endpoint import ScriptedEndpoint
from tests.pipeline_corpus import PAGES, QUESTIONS, opened_tools, reply_to
from tests.pipeline_tools import MemoryVectors, MemoryWeb, ScriptedModel
from tests.scripted import JsonObject, Response, chat, payload

TABLES = {"answers": ANSWERS, "steps": STEPS, "retrievals": RETRIEVALS}


def partition(
    folder: Path,
    pipelines: tuple[PipelineKey, ...] = PIPELINES,
    repeats: int = 1,
    workers: int = 4,
    said: list[str] | None = None,
    **options: Any,
) -> AnswerFrames:
    async def run() -> AnswerFrames:
        async with opened_tools(folder, web=MemoryWeb(PAGES), **options) as tools:
            say = [].append if said is None else said.append
            return await answer_partition(QUESTIONS, pipelines, tools, repeats, say, workers)

    return asyncio.run(run())


def test_every_question_is_answered_by_every_pipeline_in_every_repeat(tmp_path: Path) -> None:
    answers = partition(tmp_path, repeats=2).answers
    assert answers.height == len(QUESTIONS) * len(PIPELINES) * 2
    assert answers.select("question_id", "pipeline", "repeat").is_unique().all()
    assert answers["answer_id"].is_unique().all()


def test_the_rows_keep_their_contracts(tmp_path: Path) -> None:
    frames = partition(tmp_path)
    parents = {"answers": frames.answers.lazy(), "questions": pl.LazyFrame({"question_id": [q.id for q in QUESTIONS]})}
    for name, table in TABLES.items():
        frame = getattr(frames, name)
        assert frame.height > 0
        assert validate(table, frame, parents).collect().equals(frame)


def test_the_number_of_workers_changes_no_byte(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, many = partition(tmp_path / "a", workers=1), partition(tmp_path / "b", workers=16)
    assert one.answers.drop("latency_s").equals(many.answers.drop("latency_s"))
    assert one.steps.equals(many.steps)
    assert one.retrievals.equals(many.retrievals)


def test_no_question_makes_empty_tables(tmp_path: Path) -> None:
    frames = partition(tmp_path, pipelines=())
    assert [getattr(frames, name).height for name in TABLES] == [0, 0, 0]
    assert frames.answers.columns == [column.name for column in ANSWERS.columns]


def test_a_failed_answer_is_a_row_among_the_others(tmp_path: Path) -> None:
    def some(material: Any) -> str | Reply:
        if "Who leads" in material["question"]:
            raise CallError("content_filter", "no")
        return reply_to(material)

    said: list[str] = []
    answers = partition(tmp_path, ("vanilla", "agentic"), provider=ScriptedModel(some), said=said).answers
    failed = answers.filter(status="failed")
    assert failed["question_id"].to_list() == ["q_head", "q_head"]
    assert failed["reason"].to_list() == ["content_filter", "content_filter"]
    assert failed["answer"].to_list() == ["", ""]
    assert answers.filter(status="answered").height == 8
    assert "answered 10 of 10" in said[-1]
    assert "2 failed" in said[-1]


def test_a_second_run_makes_no_call_and_the_same_rows(tmp_path: Path) -> None:
    first_model, second_model = ScriptedModel(reply_to), ScriptedModel(reply_to)
    first = partition(tmp_path, provider=first_model)
    second = partition(tmp_path, provider=second_model)
    assert first_model.requests
    assert second_model.requests == []
    for name in TABLES:
        assert getattr(first, name).equals(getattr(second, name))


def test_a_store_that_fails_ends_the_run_with_its_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> list[object]:
        raise StoreError("the vector store is gone")

    monkeypatch.setattr(MemoryVectors, "dense", broken)
    with pytest.raises(StoreError, match="vector store is gone"):
        partition(tmp_path, ("vanilla",))


# ---- a run that is killed


def script(request: JsonObject, _number: int) -> Response:
    return chat(request, reply_to(payload(request)))


def run_program(folder: Path, base_url: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.pipeline_corpus", str(folder), base_url]
    return subprocess.Popen(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_killed_run_repeats_no_answered_call_and_ends_with_the_same_answers(tmp_path: Path) -> None:
    for name in ("peace", "killed"):
        (tmp_path / name).mkdir()
    with ScriptedEndpoint(script, latency=0.02) as endpoint:
        run_program(tmp_path / "peace", endpoint.base_url).communicate()
        calls = endpoint.count
    with ScriptedEndpoint(script, latency=0.02) as endpoint:
        with run_program(tmp_path / "killed", endpoint.base_url) as process:
            while endpoint.count < calls // 2 and process.poll() is None:
                time.sleep(0.005)
            os.kill(process.pid, signal.SIGKILL)
        at_kill = endpoint.count
        process = run_program(tmp_path / "killed", endpoint.base_url)
        output, _ = process.communicate()
        assert process.returncode == 0, output
        assert calls // 2 <= at_kill < calls
        # a call is lost only if it was open at the kill: eight workers
        assert endpoint.count <= calls + 8
    for name in ("answers", "steps", "retrievals"):
        peace, killed = (pl.read_parquet(tmp_path / way / f"{name}.parquet") for way in ("peace", "killed"))
        unmeasured = [column for column in peace.columns if column != "latency_s"]
        assert killed.select(unmeasured).equals(peace.select(unmeasured))
