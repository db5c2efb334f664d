"""A judged set of answers for the report's tests: every kind of outcome, several scripts, two or three judges."""

import datetime as dt
import json
import random
from typing import Any

import polars as pl

from faithflow.claims.claim import Claim, ClaimKind, claim_id
from faithflow.corpus.labels import label_rows
from faithflow.corpus.trace import Label, Trace
from faithflow.judging.verdict import STATEMENT_LABELS
from faithflow.metrics.faithfulness import summarise
from faithflow.report.data import ReportData
from faithflow.tables.registry import table

DAY = dt.date(2026, 3, 1)
MOMENT = dt.datetime(2026, 3, 1, 6, 30, tzinfo=dt.UTC)

# (text, kind, truth); 🚲 lies outside the basic plane, so that offsets in UTF-16 and in characters differ
PIECES = (
    ("Cycling grants 🚲", "heading", None),
    ("The scheme opens on 3 May 2027 for towns below 50 000 people.", "statement", "supported"),
    ("It pays up to 40% of the cost of a lane.", "statement", "contradicted"),
    ("Rural districts may add a bonus if they adopt a safety plan.", "statement", "conditionally_supported"),
    ("Το πρόγραμμα λήγει το 2030.", "statement", "supported"),
    ("यह योजना सभी नगरों के लिए है।", "statement", "not_in_evidence"),
    ("The passages do not say who audits the grants.", "abstention", "justified_abstention"),
    ("Hope this helps!", "not_checkworthy", None),
)
EVIDENCE = (
    {"id": "p1", "text": "Towns below 50 000 people may apply from 3 May 2027.", "source": "embedding"},
    {"id": "https://example.org/lanes", "text": "The grant covers 60% of the cost of a lane.", "source": "web"},
    {"id": "p3", "text": "The programme ends in 2030.", "source": "graph"},
)


def report_data(answers: int = 12, judges: tuple[str, ...] = ("gpt", "lexical"), repeats: int = 2) -> ReportData:
    """`answers` answers by two pipelines, judged by `judges`; `lexical` is a baseline, the others are models."""
    random_state = random.Random(7)
    traces: list[dict[str, Any]] = []
    claims: list[dict[str, Any]] = []
    verdicts: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    for number in range(answers):
        trace, own = _answer(number)
        traces.append(trace)
        claims += [_claim(trace, claim) for claim in own]
        whole = Trace(trace["trace_id"], trace["question"], trace["answer"], (), labels=_labels(trace))
        labels += [row._asdict() for row in label_rows(whole, own)]
        for judge in judges:
            for repeat in range(1 if judge == "lexical" else repeats):
                calls.append(_call(trace, judge, repeat, number))
                verdicts += [
                    _verdict(trace, claim, truth, judge, repeat, random_state)
                    for claim, (_, _, truth) in zip(own, PIECES, strict=True)
                    if claim.is_judged
                ]
    frames = {
        name: frame(name, rows)
        for name, rows in (("traces", traces), ("claims", claims), ("verdicts", verdicts), ("calls", calls))
    }
    people = pl.DataFrame(labels, schema=dict.fromkeys(("trace_id", "claim_id", "annotator", "verdict"), pl.String))
    return ReportData(
        title="Cycling grants, winter panel",
        made_at=MOMENT,
        judging_date=DAY,
        study="bundled",
        summary=summarise(frames["verdicts"], frames["calls"], frames["traces"], people),
        trends=None,
        **frames,
    )


def frame(name: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Rows as a frame of a registered table."""
    return pl.DataFrame(rows, schema=table(name).schema)


def trend_rows(days: int) -> pl.DataFrame:
    """The table `trends` of some days, one judge and two pipelines."""
    rows = [
        {
            "judging_date": DAY - dt.timedelta(days=day),
            "judge": "lexical",
            "pipeline": pipeline,
            "claims": 100,
            "scored": 98,
            "rated": 96,
            "supported": 60 + (day * 7) % 20,
            "rate": (60 + (day * 7) % 20) / 96,
            "low": (52 + (day * 7) % 20) / 96,
            "high": (68 + (day * 7) % 20) / 96,
            "unscored": 2,
            "embedder": "traces",
        }
        for day in range(days)
        for pipeline in ("graph", "vanilla")
    ]
    return frame("trends", rows)


def _answer(number: int) -> tuple[dict[str, Any], list[Claim]]:
    text, own = "", list[Claim]()
    for piece, kind, _ in PIECES:
        start = len(text)
        text += piece + ("\n" if kind == "heading" else " ")
        end = start + len(piece)
        own.append(Claim(claim_id(f"{number}", start, end, piece), piece, start, end, ClaimKind(kind)))
    trace = {
        "trace_id": f"q{number}",
        "question": f"What does cycling scheme {number} pay for?",
        "answer": text,
        "contexts": list(EVIDENCE),
        "pipeline": "graph" if number % 2 else "vanilla",
        "stratum": "1-hop" if number % 3 else "2-hop",
        "repeat": 0,
        "citations": None,
        "gold": None,
        "labels": None,
        "content_hash": f"s_{number}",
        "corpus": "test",
    }
    if number % 4 == 0:
        given = [
            {"start": claim.char_start, "end": claim.char_end, "verdict": truth, "annotator": "ann", "claim_id": None}
            for claim, (_, _, truth) in zip(own, PIECES, strict=True)
            if truth
        ]
        trace["labels"] = json.dumps(given)
    return trace, own


def _labels(trace: dict[str, Any]) -> tuple[Label, ...] | None:
    return None if trace["labels"] is None else tuple(Label(**label) for label in json.loads(trace["labels"]))


def _claim(trace: dict[str, Any], claim: Claim) -> dict[str, Any]:
    return {
        "trace_id": trace["trace_id"],
        "claim_id": claim.claim_id,
        "claim": claim.text,
        "char_start": claim.char_start,
        "char_end": claim.char_end,
        "kind": claim.kind.value,
        "covered_share": 1.0,
        "embedder": "traces",
    }


def _verdict(
    trace: dict[str, Any], claim: Claim, truth: str | None, judge: str, repeat: int, random_state: random.Random
) -> dict[str, Any]:
    status, reason, verdict = "scored", None, truth
    if claim.kind is ClaimKind.ABSTENTION and judge == "lexical":
        status, reason, verdict = "not_applicable", "abstention", None
    elif claim.kind is ClaimKind.STATEMENT and random_state.random() < 0.3:
        verdict = random_state.choice(STATEMENT_LABELS).value
    elif random_state.random() < 0.08:
        status, reason, verdict = "unscored", "timeout", None
    return {
        "trace_id": trace["trace_id"],
        "claim_id": claim.claim_id,
        "claim": claim.text,
        "char_start": claim.char_start,
        "char_end": claim.char_end,
        "kind": claim.kind.value,
        "judge": judge,
        "served_model": f"{judge}-2026",
        "repeat": repeat,
        "judging_date": DAY,
        "judged_at": MOMENT,
        "status": status,
        "reason": reason,
        "verdict": verdict,
        "score": None if verdict is None else int(verdict == "supported"),
        "confidence": 0.75 if judge == "lexical" and verdict else None,
        "attribution": None,
        "justification": None if verdict is None else f"{judge} compared it with the passages.",
        "evidence_ids": ["p1"] if verdict == "supported" else [],
        "call_id": f"{judge}-{trace['trace_id']}-{repeat}",
        "late": False,
        "flags": ["injection_in_claim"] if trace["trace_id"] == "q3" and claim.char_start == 0 else [],
        "embedder": "traces",
    }


def _call(trace: dict[str, Any], judge: str, repeat: int, number: int) -> dict[str, Any]:
    offline = judge == "lexical"
    return {
        "call_id": f"{judge}-{trace['trace_id']}-{repeat}",
        "key": f"{number:064x}",
        "purpose": "judge",
        "judge": judge,
        "trace_id": trace["trace_id"],
        "provider": "baseline" if offline else "openai",
        "endpoint": "",
        "model": judge,
        "served_model": f"{judge}-2026",
        "params": "{}",
        "prompt_version": "v1",
        "repeat": repeat,
        "ask": 0,
        "judging_date": DAY,
        "sent_at": MOMENT,
        "latency_s": 0.01 if offline else 0.5 + number / 100,
        "status": "answered",
        "reason": None,
        "detail": None,
        "reply": "{}",
        "finish_reason": "stop",
        "prompt_tokens": 0 if offline else 900,
        "completion_tokens": 0 if offline else 120,
        "estimated": judge == "local",
        "cost": None if judge == "local" else 0.0 if offline else 0.0028,
        "embedder": "traces",
    }
