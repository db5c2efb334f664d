"""Small frames that keep every table's contract, for the tests of tables and stores."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

import polars as pl

from faithflow.tables.records import frame_of
from faithflow.tables.registry import table

DAY = dt.date(2026, 3, 1)
PARTITION = {"embedder": "traces", "judging_date": DAY.isoformat()}
CLAIMS_PARTITION = {"embedder": "traces"}


def trace_row(trace_id: str = "t1", **changes: Any) -> dict[str, Any]:
    row = {
        "trace_id": trace_id,
        "question": "When does the regulation apply?",
        "answer": "It applies from 2027.",
        "contexts": [{"id": "p1", "text": "It applies from 2027.", "source": "embedding"}],
        "pipeline": "vanilla",
        "stratum": "1-hop",
        "repeat": 0,
        "citations": None,
        "gold": None,
        "labels": None,
        "claims": None,
        "content_hash": f"s_{trace_id}",
        "corpus": "sample",
    }
    return row | changes


def answer_row(trace_id: str = "t1", **changes: Any) -> dict[str, Any]:
    return trace_row(trace_id, **{"embedder": "traces", **changes})


def claim_row(trace_id: str = "t1", claim_id: str = "c1", **changes: Any) -> dict[str, Any]:
    row = {
        "trace_id": trace_id,
        "claim_id": claim_id,
        "claim": "It applies from 2027.",
        "char_start": 0,
        "char_end": 21,
        "kind": "statement",
        "covered_share": 1.0,
        "embedder": "traces",
    }
    return row | changes


def verdict_row(trace_id: str = "t1", claim_id: str = "c1", judge: str = "lexical", **changes: Any) -> dict[str, Any]:
    row = {
        "trace_id": trace_id,
        "claim_id": claim_id,
        "claim": "It applies from 2027.",
        "char_start": 0,
        "char_end": 21,
        "kind": "statement",
        "judge": judge,
        "served_model": None,
        "repeat": 0,
        "judging_date": DAY,
        "judged_at": dt.datetime(2026, 3, 1, 4, 30, tzinfo=dt.UTC),
        "status": "scored",
        "reason": None,
        "verdict": "supported",
        "score": 1,
        "confidence": 0.9,
        "attribution": None,
        "justification": "The passage says so.",
        "evidence_ids": ["p1"],
        "call_id": None,
        "late": False,
        "flags": [],
        "embedder": "traces",
    }
    return row | changes


def unscored(reason: str = "timeout") -> dict[str, Any]:
    """The changes that make a row of `verdict_row` unscored."""
    return {"status": "unscored", "reason": reason, "verdict": None, "score": None, "confidence": None}


def call_row(call_id: str = "k1", **changes: Any) -> dict[str, Any]:
    row = {
        "call_id": call_id,
        "key": "0" * 64,
        "purpose": "judge",
        "judge": "lexical",
        "trace_id": "t1",
        "provider": "openai",
        "endpoint": "http://127.0.0.1:9/v1",
        "model": "small",
        "served_model": "small-1",
        "params": "{}",
        "prompt_version": "v1",
        "repeat": 0,
        "ask": 0,
        "judging_date": DAY,
        "sent_at": dt.datetime(2026, 3, 1, 4, 30, tzinfo=dt.UTC),
        "latency_s": 0.25,
        "status": "answered",
        "reason": None,
        "detail": None,
        "reply": "{}",
        "finish_reason": "stop",
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "estimated": False,
        "cost": 0.001,
        "embedder": "traces",
    }
    return row | changes


def frame(name: str, rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    return frame_of(table(name), rows)
