"""The records of an answer and of the trajectory that led to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from faithflow.corpus.citation_vocabulary import Vocabulary
from faithflow.corpus.scope import Scope
from faithflow.graph.model import GraphStore
from faithflow.identity import Json, content_id
from faithflow.llm.caller import Caller
from faithflow.llm.model import Request
from faithflow.pipelines.memo import Memo
from faithflow.retrieval.model import Embedder, IndexedPassage, Reranker, Source, VectorStore, Web

PipelineKey = Literal[
    "vanilla", "graph_terms", "graphrag", "web", "multi_tool", "agentic", "agentic_graph", "adaptive_v1"
]
PIPELINES: tuple[PipelineKey, ...] = (
    "vanilla",
    "graph_terms",
    "graphrag",
    "web",
    "multi_tool",
    "agentic",
    "agentic_graph",
    "adaptive_v1",
)

INCONCLUSIVE = "Final Answer: inconclusive"
"""The whole answer of a pipeline whose evidence lacks the answer."""


@dataclass(frozen=True, slots=True)
class Caps:
    """How much each architecture retrieves and keeps (seed 004, sections 3.1 and 4; seed 000, section 3.2)."""

    dense: int = 10
    context: int = 5
    seeds: int = 8
    hops: int = 2
    walk: int = 30
    walk_context: int = 15
    facts: int = 50
    graph_context: int = 5
    web_results: int = 5
    web_context: int = 5
    iterations: int = 3


@dataclass(frozen=True, slots=True)
class Step:
    """One act of a pipeline: a retrieval, a decision of the router or the critic, or the generation.

    `number` counts from 0 within the answer. `detail` holds what the act saw and decided: search terms, seeds, edges
    walked, nodes visited in their order, a decision's words. `request_key` is the ledger key of its model call.
    """

    number: int
    tool: str
    query: str
    detail: Mapping[str, Json] = field(default_factory=dict[str, Json])
    request_key: str | None = None


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A passage that a step saw: `rank` from 1 within the step.

    `kept` says that it reached a generator; then `position` is its place (from 0) in the evidence given to the last
    one, `label` the id that it had there (E1, or the reference of a requirement), `cite_as` the citation that the
    generator was told to write. `cut` says why it was not kept ("cap", "duplicate", "rerank", "scope", "walk").
    `path` is how a walk came to it: node, relation, node, …, from a seed on; `via` says the same, or the fact that led
    to it, in words. `links` are the links of a kept passage to others that the corpus itself states, in words, as the
    generator was shown them: those among the passages that a walk began with and came to.
    """

    step: int
    tool: str
    query: str
    rank: int
    score: float | None
    source: Source
    passage: IndexedPassage
    path: tuple[str, ...] = ()
    via: str = ""
    links: tuple[str, ...] = ()
    kept: bool = False
    position: int | None = None
    label: str | None = None
    cite_as: str | None = None
    cut: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a pipeline made of a question.

    `status` is "answered", "inconclusive" or "failed" (then `reason` is the unscored reason of the call that failed
    and `answer` is ""). `request` is the generator's last request, from which `request.key()` follows: replaying the
    steps and the evidence gives it byte for byte.
    """

    answer: str
    status: Literal["answered", "inconclusive", "failed"]
    reason: str | None
    steps: tuple[Step, ...]
    retrieved: tuple[Retrieved, ...]
    request: Request | None
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    latency_s: float


@dataclass(frozen=True, slots=True)
class Generator:
    """The way to the generator's model: `caller` keeps each reply in the ledger, so that none is paid for twice."""

    name: str
    caller: Caller
    provider: str
    endpoint: str
    model: str
    params: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Tools:
    """What pipelines share: they differ only in how they use it.

    `vocabulary` holds the references of the documents within `scope`. `web` is None where the study has no web search.
    `memo` keeps what the others said.
    """

    embedder: Embedder
    vectors: VectorStore
    graph: GraphStore
    vocabulary: Vocabulary
    reranker: Reranker | None
    web: Web | None
    generator: Generator
    scope: Scope
    caps: Caps
    memo: Memo = field(default_factory=Memo)


def answer_id(question_id: str, pipeline: str, embedder: str, generator: str, repeat: int, outcome: Outcome) -> str:
    """The content id of an answer: who answered what, from which request, and in which words."""
    request = outcome.request.key() if outcome.request else None
    return content_id("a", [question_id, pipeline, embedder, generator, repeat, request, outcome.answer])
