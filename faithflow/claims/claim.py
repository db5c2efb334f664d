"""A claim: one statement of an answer, the unit that is judged."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from faithflow.identity import content_id, digest


class ClaimKind(StrEnum):
    """What a piece of an answer is. Only statements and abstentions go to a judge; the others stay in the table.

    `unextracted` stands for a whole answer whose claims an extractor failed to give: it is unscored, not forgotten.
    """

    STATEMENT = "statement"
    ABSTENTION = "abstention"
    NOT_CHECKWORTHY = "not_checkworthy"
    HEADING = "heading"
    UNANCHORED = "unanchored"
    UNEXTRACTED = "unextracted"


JUDGED_KINDS = frozenset({ClaimKind.STATEMENT, ClaimKind.ABSTENTION})

# An answer that could not be taken apart has rows too: unscored ones.
VERDICT_KINDS = JUDGED_KINDS | {ClaimKind.UNEXTRACTED}


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of one answer; `char_start`, `char_end` index the answer's characters (None: no span is known)."""

    claim_id: str
    text: str
    char_start: int | None
    char_end: int | None
    kind: ClaimKind

    @property
    def is_judged(self) -> bool:
        return self.kind in JUDGED_KINDS


def claim_id(answer: str, char_start: int | None, char_end: int | None, text: str) -> str:
    """The content id of a claim: the same answer, span and text give the same id, and two spans never share one."""
    return content_id("c", [_answer_digest(answer), char_start, char_end, text])


@lru_cache(maxsize=16)
def _answer_digest(answer: str) -> str:
    # An answer is hashed once, not once for each of its claims: a long one would take time square in its length.
    return digest(answer)
