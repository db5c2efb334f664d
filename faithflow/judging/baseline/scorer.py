"""What a baseline takes and gives: the claims of one answer against its evidence, one judgement a claim."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from faithflow.judging.baseline.model import Model


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of evidence or a claim, under its id."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a scorer found on one claim.

    `probability` that it is supported; `evidence_ids` the pieces that the finding rests on; `contradicted` whether
    stated evidence speaks against it; `undecidable` whether it holds nothing that a baseline can look for; `reason`
    one plain sentence for a person.
    """

    claim_id: str
    probability: float
    evidence_ids: tuple[str, ...]
    contradicted: bool
    undecidable: bool
    reason: str


class Scorer(Protocol):
    """A baseline's way from texts to judgements: pure, deterministic, safe for many threads."""

    @property
    def model(self) -> Model: ...

    def score(self, question: str, evidence: Sequence[Piece], claims: Sequence[Piece]) -> list[Judgement]:
        """One judgement a claim, in order; each depends on its own claim, the question and the evidence alone."""
        ...
