"""Outcomes as rows of the tables answers, steps and retrievals."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from faithflow.identity import canonical_json
from faithflow.pipelines.model import Outcome, PipelineKey, Retrieved, answer_id
from faithflow.tables.answering import ANSWERS, RETRIEVALS, STEPS
from faithflow.tables.records import frame_of


@dataclass(frozen=True, slots=True)
class Answered:
    """One outcome and where it belongs: question, pipeline, repeat."""

    question_id: str
    pipeline: PipelineKey
    repeat: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class AnswerFrames:
    """The three tables of a partition."""

    answers: pl.DataFrame
    steps: pl.DataFrame
    retrievals: pl.DataFrame


def answer_frames(answered: Sequence[Answered], embedder: str, generator: str, as_of: dt.date) -> AnswerFrames:
    """The rows of some answers, in their order, as `embedder`'s partition holds them."""
    answers: list[dict[str, Any]] = []
    steps: list[dict[str, Any]] = []
    retrievals: list[dict[str, Any]] = []
    for one in answered:
        outcome = one.outcome
        identity = answer_id(one.question_id, one.pipeline, embedder, generator, one.repeat, outcome)
        answers.append(
            {
                "answer_id": identity,
                "question_id": one.question_id,
                "pipeline": one.pipeline,
                "generator": generator,
                "repeat": one.repeat,
                "answer": outcome.answer,
                "status": outcome.status,
                "reason": outcome.reason,
                "request_key": outcome.request.key() if outcome.request else None,
                "calls": outcome.calls,
                "prompt_tokens": outcome.prompt_tokens,
                "completion_tokens": outcome.completion_tokens,
                "cost": outcome.cost,
                "latency_s": outcome.latency_s,
                "as_of": as_of,
            }
        )
        steps += [
            {
                "answer_id": identity,
                "step": step.number,
                "tool": step.tool,
                "query": step.query,
                "detail": canonical_json(step.detail),
                "request_key": step.request_key,
            }
            for step in outcome.steps
        ]
        retrievals += [_retrieval(identity, seen) for seen in outcome.retrieved]
    return AnswerFrames(
        frame_of(ANSWERS, answers, embedder=embedder),
        frame_of(STEPS, steps, embedder=embedder),
        frame_of(RETRIEVALS, retrievals, embedder=embedder),
    )


def _retrieval(identity: str, seen: Retrieved) -> dict[str, Any]:
    passage = seen.passage
    return {
        "answer_id": identity,
        "step": seen.step,
        "tool": seen.tool,
        "query": seen.query,
        "rank": seen.rank,
        "score": seen.score,
        "passage_id": passage.passage_id,
        "path": list(seen.path),
        "via": seen.via,
        "links": list(seen.links),
        "kept": seen.kept,
        "position": seen.position,
        "label": seen.label,
        "cite_as": seen.cite_as,
        "cut": seen.cut,
        "source": seen.source,
        "document_id": passage.document_id,
        "reference": passage.reference,
        "title": passage.title,
        "date": passage.date,
        "source_url": passage.source_url,
        "text": passage.text,
    }
