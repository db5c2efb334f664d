"""From triples and links to the graph: the table `edges`, and the nodes and edges that a graph store is given."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from faithflow.corpus.scope import end_day, first_day
from faithflow.graph.entities import Resolution
from faithflow.graph.model import MENTIONS, Edge, Node, Triple
from faithflow.graph.names import relation_name, relation_words
from faithflow.tables.graph import EDGES
from faithflow.tables.records import frame_of


def graph_edges(
    triples: Iterable[Triple], resolution: Resolution, links: pl.DataFrame, documents: pl.DataFrame
) -> pl.DataFrame:
    """The table `edges`: the links that the corpus states as they are, from each passage to each entity that one of
    its triples names (`mentions`), and from head to tail of each triple, its words in `fact`.

    Each edge once, sorted by its key. A triple whose ends are one entity (a name and its abbreviation) makes no edge
    of its own. Triples of documents that `documents` lacks are left out: nobody could say who may see them.
    """
    known = set(documents["document_id"])
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for triple in triples:
        if triple.document_id not in known:
            continue
        head, tail = resolution.entity(triple.head), resolution.entity(triple.tail)
        for entity in (head, tail):
            _add(rows, triple, triple.passage_id, MENTIONS, entity.entity_id, "passage", "")
        if head is not tail:
            relation = relation_name(triple.relation)
            fact = f"{triple.head} {relation_words(relation)} {triple.tail}"
            _add(rows, triple, head.entity_id, relation, tail.entity_id, "entity", fact)
    own = frame_of(EDGES, rows.values())
    return pl.concat([links.select(own.columns), own]).unique(EDGES.key, keep="first").sort(EDGES.key)


def _add(
    rows: dict[tuple[str, ...], dict[str, str]],
    triple: Triple,
    source: str,
    relation: str,
    target: str,
    kind: str,
    fact: str,
) -> None:
    row = {
        "source_id": source,
        "relation": relation,
        "target_id": target,
        "source_kind": kind,
        "target_kind": "entity",
        "document_id": triple.document_id,
        "passage_id": triple.passage_id,
        "fact": fact,
    }
    rows.setdefault((source, relation, target, triple.passage_id, fact), row)


@dataclass(frozen=True, slots=True)
class _Holds:
    """Who may see what a document states, and from when to when it holds."""

    access: str
    valid_from: int
    valid_to: int


def _holds(document: Mapping[str, Any]) -> _Holds:
    return _Holds(document["access"], first_day(document["valid_from"]), end_day(document["valid_to"]))


def graph_nodes(passages: pl.DataFrame, documents: pl.DataFrame, entities: pl.DataFrame) -> Iterator[Node]:
    """The passages, with their document's reference, kind, access and validity, then the entities; each once, by id.

    `passages`, `documents` and `entities` are the tables of those names.
    """
    held = {row["document_id"]: row for row in documents.iter_rows(named=True)}
    for passage_id, document_id in passages.sort("passage_id").select("passage_id", "document_id").iter_rows():
        document = held[document_id]
        holds = _holds(document)
        yield Node(
            passage_id,
            "passage",
            document["reference"],
            document["kind"],
            holds.access,
            holds.valid_from,
            holds.valid_to,
        )
    unique = entities.select("entity_id", "name", "type").unique().sort("entity_id")
    for entity_id, name, kind in unique.iter_rows():
        yield Node(entity_id, "entity", name, kind)


def stored_edges(edges: pl.DataFrame, documents: pl.DataFrame) -> Iterator[Edge]:
    """The rows of `edges` as a store takes them, each with the access and validity of the document that states it."""
    held = {row["document_id"]: _holds(row) for row in documents.iter_rows(named=True)}
    for row in edges.iter_rows(named=True):
        holds = held[row["document_id"]]
        yield Edge(
            row["source_id"],
            row["relation"],
            row["target_id"],
            holds.access,
            holds.valid_from,
            holds.valid_to,
            row["passage_id"],
            row["fact"],
        )
