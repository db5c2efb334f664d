"""The words, signs and colours of verdicts and reasons: one vocabulary for the tables and for the statements."""

from dataclasses import dataclass

from faithflow.judging.verdict import Label, Reason


@dataclass(frozen=True, slots=True)
class Sign:
    """How a verdict is shown: in words, by a sign that needs no colour, and by the class that colours it."""

    words: str
    mark: str
    style: str


VERDICTS: dict[str, Sign] = {
    Label.SUPPORTED: Sign("supported", "✓", "supported"),
    Label.CONDITIONALLY_SUPPORTED: Sign("conditionally supported", "◐", "conditional"),
    Label.CONTRADICTED: Sign("contradicted", "✗", "contradicted"),
    Label.NOT_IN_EVIDENCE: Sign("not in evidence", "∅", "missing"),
    Label.JUSTIFIED_ABSTENTION: Sign("justified abstention", "○", "justified"),
    Label.UNJUSTIFIED_ABSTENTION: Sign("unjustified abstention", "⊘", "unjustified"),
}

UNSCORED = Sign("unscored", "?", "unscored")
NOT_APPLICABLE = Sign("not applicable", "–", "notapplicable")
SPLIT = Sign("judges differ", "≠", "split")

REASONS: dict[str, str] = {
    Reason.MISSING_VERDICT: "the reply left the statement out",
    Reason.DUPLICATE_VERDICT: "the reply judged the statement twice",
    Reason.UNKNOWN_LABEL: "the reply used an unknown verdict",
    Reason.PARSE: "the reply was not JSON",
    Reason.SCHEMA: "the reply broke the schema",
    Reason.REFUSAL: "the judge refused",
    Reason.CONTENT_FILTER: "a content filter stopped the reply",
    Reason.TRUNCATED: "the reply was cut off",
    Reason.TIMEOUT: "no reply in time",
    Reason.RATE_LIMITED: "the endpoint turned calls away",
    Reason.PROVIDER_ERROR: "the endpoint failed",
    Reason.TOO_LONG: "too long for the judge's window",
    Reason.BUDGET: "the budget was spent",
    Reason.UNSURE: "the judge was unsure",
    Reason.ABSTENTION: "the judge does not rate abstentions",
    Reason.EMPTY_EVIDENCE: "the answer had no evidence",
}


def words_of(verdict: str) -> str:
    """A verdict in words; one of another vocabulary by its name."""
    sign = VERDICTS.get(verdict)
    return sign.words if sign else verdict.replace("_", " ")


def reason_words(reason: str) -> str:
    """A reason's name and what it means."""
    meaning = REASONS.get(reason)
    return f"{reason}: {meaning}" if meaning else reason
