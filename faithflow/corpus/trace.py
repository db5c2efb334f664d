"""A trace: one answer of a RAG system, with the evidence that it was given."""

from collections.abc import Mapping
from dataclasses import dataclass

from faithflow.identity import Json, content_id
from faithflow.text.unicode import is_blank

TRACES_EMBEDDER = "traces"
"""The embedder partition of the answers that users bring: they have no embedder."""


@dataclass(frozen=True, slots=True)
class Context:
    """One retrieved passage. `source` says which tool brought it (embedding, graph, web, or a free word)."""

    id: str
    text: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class GivenClaim:
    """A claim that the user extracted; its id is kept."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """A person's verdict on a claim (`claim_id`) or on a span of the answer (`start`, `end`: characters)."""

    verdict: str
    annotator: str = "human"
    claim_id: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """An answer to judge.

    `labels` is None where nobody labelled the answer; an empty tuple says that people looked and found no fault:
    where labels are spans, a claim that no span touches was found supported.
    `claims` is None where faithflow extracts the claims itself.
    """

    id: str
    question: str
    answer: str
    contexts: tuple[Context, ...]
    pipeline: str = "default"
    stratum: str = "all"
    repeat: int = 0
    citations: tuple[str, ...] | None = None
    claims: tuple[GivenClaim, ...] | None = None
    gold: Mapping[str, Json] | None = None
    labels: tuple[Label, ...] | None = None

    @property
    def evidence(self) -> tuple[Context, ...]:
        """The contexts that show any text at all; an answer without one is judged without a call."""
        return tuple(context for context in self.contexts if not is_blank(context.text))

    @property
    def content_hash(self) -> str:
        """The hash of what a judge is shown: question, answer, contexts in order. A changed byte changes it."""
        shown: Json = [self.question, self.answer, [[c.id, c.source, c.text] for c in self.contexts]]
        return content_id("s", shown)
