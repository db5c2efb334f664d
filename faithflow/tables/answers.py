"""The tables of what is judged: answers, their claims, people's labels."""

import polars as pl

from faithflow.claims.claim import ClaimKind
from faithflow.judging.verdict import Label
from faithflow.tables.columns import (
    CLAIM_ID,
    EMBEDDER,
    INT,
    NUMBER,
    PIPELINE,
    SPAN,
    SPAN_RULES,
    STRATUM,
    TEXT,
    TEXTS,
    TRACE_ID,
)
from faithflow.tables.rules import not_negative, within
from faithflow.tables.schema import Column, Reference, Table

_ANSWER = (
    TRACE_ID,
    Column("question", TEXT, "The question asked."),
    Column("answer", TEXT, "The answer, character for character."),
    Column(
        "contexts",
        pl.List(pl.Struct({"id": pl.String, "text": pl.String, "source": pl.String})),
        "The retrieved passages in their order; `source` says which tool brought one.",
    ),
    PIPELINE,
    STRATUM,
    Column("repeat", INT, "The number of the repeated answer to the same question, from 0."),
    Column("citations", TEXTS, "Ids of the contexts that the answer cites; null: not told.", nullable=True),
    Column("gold", TEXT, "The reference answer and what else is known, as JSON.", nullable=True),
    Column("labels", TEXT, "People's verdicts as given, as JSON; null: nobody labelled it.", nullable=True),
    Column("claims", TEXT, "The claims that the user gave, as JSON; null: they are extracted.", nullable=True),
    Column("content_hash", TEXT, "Hash of what a judge is shown: question, answer, contexts in order."),
    Column("corpus", TEXT, "The study's name for the set that the answer, or its question, came with."),
)

TRACES = Table(
    "traces",
    "The answers that users bring, with the evidence that each was given: one row an answer.",
    _ANSWER,
    key=("trace_id",),
    own_rules=(not_negative("repeat"),),
)

JUDGED_ANSWERS = Table(
    "judged_answers",
    "The answers that are judged, of users (partition `traces`) and of the pipelines (a partition an embedder), each "
    "with the evidence that it was given.",
    (*_ANSWER, EMBEDDER),
    key=("trace_id",),
    partition=("embedder",),
    own_rules=(not_negative("repeat"),),
)

CLAIMS = Table(
    "claims",
    "The pieces of each answer. Only statements and abstentions go to a judge; the others stay here to be seen.",
    (
        TRACE_ID,
        CLAIM_ID,
        Column("claim", TEXT, "The claim's text as a judge reads it."),
        *SPAN,
        Column("kind", TEXT, "What the piece is.", values=tuple(kind.value for kind in ClaimKind)),
        Column("covered_share", NUMBER, "Share of the answer's non-space characters that lie in any of its claims."),
        EMBEDDER,
    ),
    key=("trace_id", "claim_id"),
    partition=("embedder",),
    references=(Reference(("trace_id",), "judged_answers"),),
    own_rules=(*SPAN_RULES, within(0, 1, "covered_share")),
)

LABELS = Table(
    "labels",
    "People's verdicts on claims: what the judges are held to.",
    (
        TRACE_ID,
        CLAIM_ID,
        Column("annotator", TEXT, "Who labelled the claim."),
        Column("verdict", TEXT, "The annotator's verdict.", values=tuple(label.value for label in Label)),
    ),
    key=("trace_id", "claim_id", "annotator"),
    references=(Reference(("trace_id",), "traces"),),
)
