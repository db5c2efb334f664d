"""The records of the graph, and the protocol of the stores that hold it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from faithflow.corpus.scope import FIRST_DAY, LAST_DAY, Scope
from faithflow.identity import content_id

NodeKind = Literal["passage", "entity"]

MENTIONS = "mentions"
"""The relation from a passage to an entity that one of its triples names."""

NEXT = "next"
"""The relation from a passage to the one after it in its document."""


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact of a passage as an extractor gave it; `relation` is UPPER_SNAKE_CASE, types are free words.

    `char_start`, `char_end` index the document's characters: the span that states the fact (None: not known).
    """

    head: str
    head_type: str
    relation: str
    tail: str
    tail_type: str
    document_id: str
    passage_id: str
    extractor: str
    char_start: int | None = None
    char_end: int | None = None

    @property
    def triple_id(self) -> str:
        return content_id(
            "t", [self.head, self.head_type, self.relation, self.tail, self.tail_type, self.passage_id, self.extractor]
        )


@dataclass(frozen=True, slots=True)
class Node:
    """A passage or an entity. For a passage `name` is its document's reference; validity and access are its
    document's. For an entity they are open: what may be seen of it is decided by its edges."""

    id: str
    kind: NodeKind
    name: str
    type: str = ""
    access: str = ""
    valid_from: int = FIRST_DAY
    valid_to: int = LAST_DAY


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed edge, with the access and validity of the document that states it.

    `passage_id` is the passage that states it ("" for links of the corpus itself), `fact` its triple in words
    ("" for other edges). `relation` matches [A-Za-z][A-Za-z0-9_]{0,63}.
    """

    source_id: str
    relation: str
    target_id: str
    access: str
    valid_from: int = FIRST_DAY
    valid_to: int = LAST_DAY
    passage_id: str = ""
    fact: str = ""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A node one hop from another: `edge` as it is stored, `start` the end that the hop came from, `node` the other."""

    start: str
    edge: Edge
    node: Node


@dataclass(frozen=True, slots=True)
class Fact:
    """An entity edge that matches search terms, with the names of its ends and the passage that states it."""

    edge: Edge
    source: str
    target: str
    matched: tuple[str, ...]


class GraphStore(Protocol):
    """A store of nodes and edges. Every statement is parameterised Cypher; both stores return the same rows.

    Methods block; a caller in an event loop uses a thread. Errors of the store are StoreError, with its address and
    what to do. Safe for many threads.
    """

    name: str

    def rebuild(self, nodes: Iterable[Node], edges: Iterable[Edge], fingerprint: str) -> Mapping[str, int]:
        """Replace the whole graph, in batches; counts by kind of node and relation. A reader, or a crash midway, sees
        the old graph or the new one. The same fingerprint as that of the stored graph: nothing is done."""
        ...

    def fingerprint(self) -> str | None:
        """The fingerprint of the graph that is stored, None where there is none."""
        ...

    def neighbours(
        self, frontier: Sequence[str], scope: Scope, relations: Sequence[str] | None = None, limit: int = 10_000
    ) -> list[Neighbour]:
        """The nodes one hop from the frontier, along edges of these relations (None: all) in either direction, that
        the scope allows; sorted by (start, relation, source, target)."""
        ...

    def facts(self, terms: Sequence[str], scope: Scope, limit: int = 1_000) -> list[Fact]:
        """Entity-entity edges of which an end's name or the relation holds one of the terms (lower case, as a
        substring); sorted by (number of matched terms, descending; source name; relation; target name)."""
        ...

    def degrees(self, ids: Sequence[str], scope: Scope) -> Mapping[str, int]:
        """How many edges each node has within the scope."""
        ...

    def counts(self) -> Mapping[str, int]:
        """Nodes by kind and edges by relation."""
        ...

    def close(self) -> None: ...
