"""Between records and frames: traces, claims and verdicts as rows of their tables, and back."""

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import polars as pl

from faithflow.claims.claim import Claim, ClaimKind
from faithflow.claims.extraction import Extraction
from faithflow.corpus.labels import label_rows
from faithflow.corpus.trace import TRACES_EMBEDDER, Context, GivenClaim, Label, Trace
from faithflow.identity import canonical_json
from faithflow.judging.verdict import Verdict
from faithflow.tables.records import frame_of
from faithflow.tables.registry import table


def trace_frame(traces: Iterable[Trace], corpus: str) -> pl.DataFrame:
    """Rows of the table `traces`."""
    rows = [
        {
            "trace_id": trace.id,
            "question": trace.question,
            "answer": trace.answer,
            "contexts": [{"id": c.id, "text": c.text, "source": c.source} for c in trace.contexts],
            "pipeline": trace.pipeline,
            "stratum": trace.stratum,
            "repeat": trace.repeat,
            "citations": None if trace.citations is None else list(trace.citations),
            "gold": None if trace.gold is None else canonical_json(trace.gold),
            "labels": None if trace.labels is None else json.dumps([dataclasses.asdict(x) for x in trace.labels]),
            "claims": None if trace.claims is None else json.dumps([dataclasses.asdict(x) for x in trace.claims]),
            "content_hash": trace.content_hash,
        }
        for trace in traces
    ]
    return frame_of(table("traces"), rows, corpus=corpus)


def traces_of(frame: pl.DataFrame) -> Iterable[Trace]:
    """The traces that the rows of the table `traces` hold, one by one."""
    for row in frame.iter_rows(named=True):
        yield Trace(
            id=row["trace_id"],
            question=row["question"],
            answer=row["answer"],
            contexts=tuple(Context(c["id"], c["text"], c["source"]) for c in row["contexts"]),
            pipeline=row["pipeline"],
            stratum=row["stratum"],
            repeat=row["repeat"],
            citations=None if row["citations"] is None else tuple(row["citations"]),
            claims=_records(GivenClaim, row["claims"]),
            gold=None if row["gold"] is None else cast("Mapping[str, Any]", json.loads(row["gold"])),
            labels=_records(Label, row["labels"]),
        )


def claim_frame(extractions: Iterable[tuple[Trace, Extraction]], embedder: str = TRACES_EMBEDDER) -> pl.DataFrame:
    """Rows of the table `claims`."""
    rows = [
        {
            "trace_id": trace.id,
            "claim_id": claim.claim_id,
            "claim": claim.text,
            "char_start": claim.char_start,
            "char_end": claim.char_end,
            "kind": claim.kind.value,
            "covered_share": extraction.covered_share,
        }
        for trace, extraction in extractions
        for claim in extraction.claims
    ]
    return frame_of(table("claims"), rows, embedder=embedder)


def extractions_of(frame: pl.DataFrame) -> dict[str, Extraction]:
    """The claims of each answer, by trace id, in the order of the rows of the table `claims`."""
    grouped: dict[str, tuple[list[Claim], float]] = {}
    for row in frame.iter_rows(named=True):
        claims, _ = grouped.setdefault(row["trace_id"], ([], row["covered_share"]))
        kind = ClaimKind(row["kind"])
        claims.append(Claim(row["claim_id"], row["claim"], row["char_start"], row["char_end"], kind))
    return {trace_id: Extraction(tuple(claims), share) for trace_id, (claims, share) in grouped.items()}


def label_frame(extractions: Iterable[tuple[Trace, Extraction]]) -> pl.DataFrame:
    """Rows of the table `labels`: what people said of the judged claims of labelled answers."""
    rows = [
        row._asdict()
        for trace, extraction in extractions
        for row in label_rows(trace, (claim for claim in extraction.claims if claim.is_judged))
    ]
    return frame_of(table("labels"), rows)


def verdict_frame(verdicts: Sequence[Verdict], embedder: str = TRACES_EMBEDDER) -> pl.DataFrame:
    """Rows of the table `verdicts`."""
    return frame_of(table("verdicts"), verdicts, embedder=embedder)


def _records(kind: Any, text: str | None) -> Any:
    return None if text is None else tuple(kind(**item) for item in json.loads(text))
