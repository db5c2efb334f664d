"""Replay: the generator's last request stands in the tables, byte for byte."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from faithflow.pipelines.frames import AnswerFrames
from faithflow.pipelines.model import PIPELINES, Generator
from faithflow.pipelines.replay import ReplayError, request_of
from resources.answer_run import answer_partition
from tests.pipeline_corpus import PAGES, QUESTIONS, opened_tools, reply_to
from tests.pipeline_tools import MemoryWeb, OverlapReranker, ScriptedModel

TEXTS = {question.question_id: question.question for question in QUESTIONS}


def answered(folder: Path, **options: Any) -> tuple[AnswerFrames, Generator]:
    async def run() -> tuple[AnswerFrames, Generator]:
        options.setdefault("web", MemoryWeb(PAGES))
        async with opened_tools(folder, **options) as tools:
            return await answer_partition(QUESTIONS, PIPELINES, tools, 1, lambda _line: None, 4), tools.generator

    return asyncio.run(run())


def through_parquet(frame: pl.DataFrame, path: Path) -> list[dict[str, Any]]:
    frame.write_parquet(path)
    return list(pl.read_parquet(path).iter_rows(named=True))


def rows_of(frames: AnswerFrames, folder: Path) -> tuple[list[dict[str, Any]], ...]:
    names = ("answers", "steps", "retrievals")
    return tuple(through_parquet(getattr(frames, name), folder / f"{name}.parquet") for name in names)


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("reranked", [True, False])
def test_the_request_of_every_answer_is_built_again_from_the_rows_alone(
    tmp_path: Path, pipeline: str, reranked: bool
) -> None:
    frames, generator = answered(
        tmp_path, provider=ScriptedModel(reply_to), reranker=OverlapReranker() if reranked else None
    )
    answers, steps, retrievals = rows_of(frames, tmp_path)
    asked = [row for row in answers if row["pipeline"] == pipeline and row["request_key"]]
    assert len(asked) >= 3
    for row in asked:
        request = request_of(TEXTS[row["question_id"]], row, steps, retrievals, generator)
        assert request.key() == row["request_key"]


def test_the_rebuilt_messages_are_those_that_the_model_was_sent(tmp_path: Path) -> None:
    model = ScriptedModel(reply_to)
    frames, generator = answered(tmp_path, provider=model)
    answers, steps, retrievals = rows_of(frames, tmp_path)
    sent = {request.key(): request for request in model.requests}
    for row in answers:
        if row["request_key"]:
            rebuilt = request_of(TEXTS[row["question_id"]], row, steps, retrievals, generator)
            assert rebuilt.messages == sent[row["request_key"]].messages


def test_an_answer_without_a_call_says_that_there_is_nothing_to_replay(tmp_path: Path) -> None:
    frames, generator = answered(tmp_path, web=None)
    answers, steps, retrievals = rows_of(frames, tmp_path)
    row = next(row for row in answers if row["pipeline"] == "web")
    assert row["status"] == "inconclusive"
    with pytest.raises(ReplayError, match="no model was asked"):
        request_of(TEXTS[row["question_id"]], row, steps, retrievals, generator)


def test_changed_evidence_is_noticed(tmp_path: Path) -> None:
    frames, generator = answered(tmp_path)
    answers, steps, retrievals = rows_of(frames, tmp_path)
    row = next(row for row in answers if row["pipeline"] == "vanilla")
    for seen in retrievals:
        if seen["answer_id"] == row["answer_id"] and seen["position"] == 0:
            seen["text"] += " "
    with pytest.raises(ReplayError, match="another request"):
        request_of(TEXTS[row["question_id"]], row, steps, retrievals, generator)


def test_another_model_is_noticed(tmp_path: Path) -> None:
    frames, generator = answered(tmp_path)
    answers, steps, retrievals = rows_of(frames, tmp_path)
    with pytest.raises(ReplayError, match="newer-model"):
        request_of(
            TEXTS[answers[0]["question_id"]],
            next(row for row in answers if row["question_id"] == answers[0]["question_id"] and row["request_key"]),
            steps,
            retrievals,
            replace(generator, model="newer-model"),
        )


def test_an_answer_under_a_prompt_that_is_no_more_is_refused(tmp_path: Path) -> None:
    frames, generator = answered(tmp_path)
    answers, steps, retrievals = rows_of(frames, tmp_path)
    row = next(row for row in answers if row["pipeline"] == "vanilla")
    for step in steps:
        step["detail"] = json.dumps({**json.loads(step["detail"]), "prompt_version": "prompt_0"})
    with pytest.raises(ReplayError, match="prompt_0"):
        request_of(TEXTS[row["question_id"]], row, steps, retrievals, generator)
