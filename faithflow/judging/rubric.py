"""Rubrics: the score code of a verdict. The codes are those of seed 000, table A4 (simple)."""

from types import MappingProxyType

from faithflow.judging.verdict import Label

SIMPLE = MappingProxyType(
    {
        Label.SUPPORTED: 1,
        Label.CONDITIONALLY_SUPPORTED: 0,
        Label.CONTRADICTED: 0,
        Label.NOT_IN_EVIDENCE: 0,
        Label.JUSTIFIED_ABSTENTION: -1,
        Label.UNJUSTIFIED_ABSTENTION: -2,
    }
)
