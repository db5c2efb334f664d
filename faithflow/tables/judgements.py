"""The tables of what judges said, and of the calls that brought it."""

import polars as pl

from faithflow.claims.claim import VERDICT_KINDS, ClaimKind
from faithflow.judging.verdict import ABSTENTION_LABELS, Label, Reason, Status
from faithflow.tables.columns import (
    CLAIM_ID,
    EMBEDDER,
    FLAG,
    INT,
    JUDGE,
    JUDGE_REPEAT,
    JUDGING_DATE,
    MOMENT,
    NUMBER,
    PIPELINE,
    RATE,
    RATED,
    SPAN,
    SPAN_RULES,
    STRATUM,
    TEXT,
    TEXTS,
    TRACE_ID,
    rate_is_right,
)
from faithflow.tables.rules import Rule, not_negative, ordered, within
from faithflow.tables.schema import Column, Reference, Table

_IS_SCORED = pl.col("status") == Status.SCORED.value
_IS_ABSTENTION_LABEL = pl.col("verdict").is_in([label.value for label in ABSTENTION_LABELS])

VERDICTS = Table(
    "verdicts",
    "What each judge said of each claim, or why it said nothing: one row a claim, judge, repeat and judging date.",
    (
        TRACE_ID,
        CLAIM_ID,
        Column("claim", TEXT, "The claim's text as it was judged."),
        *SPAN,
        Column(
            "kind",
            TEXT,
            "statement or abstention; unextracted where the claims of the answer could not be had.",
            values=tuple(sorted(VERDICT_KINDS)),
        ),
        JUDGE,
        Column("served_model", TEXT, "The model that the endpoint says it used.", nullable=True),
        JUDGE_REPEAT,
        JUDGING_DATE,
        Column("judged_at", MOMENT, "When the deciding call was sent (UTC); null: no call was needed.", nullable=True),
        Column(
            "status",
            TEXT,
            "Whether the row holds a verdict; only scored rows enter a rate.",
            values=tuple(status.value for status in Status),
        ),
        Column(
            "reason",
            TEXT,
            "Why the row is not scored; on a scored row only empty_evidence (no call was made).",
            nullable=True,
            values=tuple(reason.value for reason in Reason),
        ),
        Column(
            "verdict",
            TEXT,
            "The verdict; null where there is none.",
            nullable=True,
            values=tuple(label.value for label in Label),
        ),
        Column("score", INT, "The rubric's code of the verdict.", nullable=True),
        Column("confidence", NUMBER, "The judge's probability that the claim is supported.", nullable=True),
        Column(
            "attribution", TEXT, "The sources (tools) of the evidence that the judge named, joined by +.", nullable=True
        ),
        Column("justification", TEXT, "The judge's words.", nullable=True),
        Column("evidence_ids", TEXTS, "Ids of the contexts that the judge named."),
        Column("call_id", TEXT, "The call that brought the verdict (table `calls`); null: no call.", nullable=True),
        Column("late", FLAG, "Judged after its judging date, by force."),
        Column("flags", TEXTS, "Marks such as a suspected prompt injection."),
        EMBEDDER,
    ),
    key=("trace_id", "claim_id", "judge", "repeat", "judging_date"),
    partition=("embedder", "judging_date"),
    references=(Reference(("trace_id", "claim_id"), "claims"),),
    own_rules=(
        *SPAN_RULES,
        Rule(
            "verdict_exactly_if_scored",
            "a row has a verdict if and only if its status is scored",
            pl.col("verdict").is_not_null() != _IS_SCORED,
        ),
        Rule(
            "reason_if_not_scored",
            "a row that is not scored says why",
            ~_IS_SCORED & pl.col("reason").is_null(),
        ),
        Rule(
            "scored_without_failure",
            "a scored row has no reason but empty_evidence",
            _IS_SCORED & (pl.col("reason") != Reason.EMPTY_EVIDENCE.value),
        ),
        Rule("score_only_if_scored", "a score only on a scored row", ~_IS_SCORED & pl.col("score").is_not_null()),
        Rule(
            "verdict_fits_kind",
            "abstentions and only they get an abstention verdict",
            (pl.col("kind") == ClaimKind.ABSTENTION.value) != _IS_ABSTENTION_LABEL,
        ),
        within(0, 1, "confidence"),
    ),
    # a failure never replaces what was judged before
    rank=(pl.col("status") != Status.UNSCORED.value).cast(pl.Int8),
)

ANSWER_VERDICTS = Table(
    "answer_verdicts",
    "One judge's verdicts on one answer, counted.",
    (
        EMBEDDER,
        JUDGING_DATE,
        TRACE_ID,
        PIPELINE,
        STRATUM,
        JUDGE,
        JUDGE_REPEAT,
        Column("claims", INT, "Judged claims of the answer (statements and abstentions)."),
        Column("scored", INT, "Rows with status scored, abstention verdicts included."),
        RATED,
        Column("supported", INT, "Rows with the verdict supported."),
        Column("contradicted", INT, "Rows with the verdict contradicted."),
        Column("unscored", INT, "Rows with status unscored."),
        Column("abstentions", INT, "Claims of kind abstention."),
        RATE,
        Column(
            "faithful",
            FLAG,
            "true: every statement is scored and supported; false: one is not supported; null: not known.",
            nullable=True,
        ),
    ),
    key=("trace_id", "judge", "repeat"),
    partition=("embedder", "judging_date"),
    references=(Reference(("trace_id",), "judged_answers"),),
    own_rules=(
        not_negative("repeat", "supported", "contradicted", "unscored", "abstentions"),
        ordered("supported", "rated", "scored", "claims"),
        within(0, 1, "rate"),
        rate_is_right(),
    ),
)

CALLS = Table(
    "calls",
    "Each attempt of each model call, answered or failed, as the ledger keeps it.",
    (
        Column("call_id", TEXT, "The attempt."),
        Column("key", TEXT, "Hash of all that decides the answer; the attempts of one request share it."),
        Column("purpose", TEXT, "What the call was for, such as judge or extract."),
        JUDGE,
        TRACE_ID,
        Column("provider", TEXT, "The kind of endpoint."),
        Column("endpoint", TEXT, "The endpoint's address, without secrets."),
        Column("model", TEXT, "The model asked for."),
        Column("served_model", TEXT, "The model that the endpoint says it used.", nullable=True),
        Column("params", TEXT, "The parameters really sent, as JSON."),
        Column("prompt_version", TEXT, "The version of the prompt."),
        JUDGE_REPEAT,
        Column("ask", INT, "How often the same words were asked before within the repeat."),
        JUDGING_DATE,
        Column("sent_at", MOMENT, "When the request was sent (UTC)."),
        Column("latency_s", NUMBER, "Seconds from sending to the end of the reply."),
        Column("status", TEXT, "answered or failed.", values=("answered", "failed")),
        Column("reason", TEXT, "Why the attempt failed.", nullable=True, values=tuple(r.value for r in Reason)),
        Column("detail", TEXT, "The endpoint's own words on the failure.", nullable=True),
        Column("reply", TEXT, "The raw reply.", nullable=True),
        Column("finish_reason", TEXT, "Why the model stopped, in the endpoint's words.", nullable=True),
        Column("prompt_tokens", INT, "Tokens sent."),
        Column("completion_tokens", INT, "Tokens received."),
        Column("estimated", FLAG, "The endpoint gave no usage: the tokens were counted here."),
        Column("cost", NUMBER, "Cost in the currency of the study's prices; null: no price known.", nullable=True),
        EMBEDDER,
    ),
    key=("call_id",),
    partition=("embedder", "judging_date"),
    own_rules=(
        Rule(
            "reason_exactly_if_failed",
            "a failed attempt and no other has a reason",
            (pl.col("status") == "failed") != pl.col("reason").is_not_null(),
        ),
        not_negative("repeat", "ask", "latency_s", "prompt_tokens", "completion_tokens", "cost"),
    ),
)
