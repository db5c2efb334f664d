"""A verdict: what one judge said of one claim, or why it said nothing."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum


class Label(StrEnum):
    """The four-way verdict on a statement, and the two on an abstention."""

    SUPPORTED = "supported"
    CONDITIONALLY_SUPPORTED = "conditionally_supported"
    CONTRADICTED = "contradicted"
    NOT_IN_EVIDENCE = "not_in_evidence"
    JUSTIFIED_ABSTENTION = "justified_abstention"
    UNJUSTIFIED_ABSTENTION = "unjustified_abstention"


STATEMENT_LABELS = (
    Label.SUPPORTED,
    Label.CONDITIONALLY_SUPPORTED,
    Label.CONTRADICTED,
    Label.NOT_IN_EVIDENCE,
)
ABSTENTION_LABELS = (Label.JUSTIFIED_ABSTENTION, Label.UNJUSTIFIED_ABSTENTION)


class Status(StrEnum):
    """Whether a verdict row holds a verdict. Only `scored` rows enter a rate."""

    SCORED = "scored"
    UNSCORED = "unscored"
    NOT_APPLICABLE = "not_applicable"


class Reason(StrEnum):
    """Why a row is unscored; the two last ones explain rows that are not (an abstention, an empty evidence)."""

    MISSING_VERDICT = "missing_verdict"
    DUPLICATE_VERDICT = "duplicate_verdict"
    UNKNOWN_LABEL = "unknown_label"
    PARSE = "parse"
    SCHEMA = "schema"
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"
    TRUNCATED = "truncated"
    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"
    PROVIDER_ERROR = "provider_error"
    TOO_LONG = "too_long"
    BUDGET = "budget"
    UNSURE = "unsure"
    ABSTENTION = "abstention"
    EMPTY_EVIDENCE = "empty_evidence"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judge's row on one claim, in one repeat, under one judging date: the columns of the table `verdicts`.

    `score` is the rubric's code; `confidence` the judge's probability that the claim is supported (None: not given);
    `evidence_ids` the contexts that the judge named; `judged_at` when the deciding call was sent (None: no call was
    needed); `late` marks a row judged after its judging date.
    """

    trace_id: str
    claim_id: str
    claim: str
    char_start: int | None
    char_end: int | None
    kind: str
    judge: str
    served_model: str | None
    repeat: int
    judging_date: dt.date
    judged_at: dt.datetime | None
    status: str
    reason: str | None
    verdict: str | None
    score: int | None
    confidence: float | None
    attribution: str | None
    justification: str | None
    evidence_ids: tuple[str, ...]
    call_id: str | None
    late: bool
    flags: tuple[str, ...] = ()
