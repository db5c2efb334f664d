"""What both graph stores load and read: nodes and edges as checked frames, and rows as records."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from faithflow.corpus.scope import Scope
from faithflow.errors import TableError
from faithflow.graph.model import Edge, Fact, Neighbour, Node
from faithflow.graph.names import RELATION
from faithflow.graph.terms import compared_relation, matched_terms
from faithflow.identity import Json
from faithflow.text.unicode import without_surrogates

_KINDS = ("entity", "passage")
_NODE_COLUMNS = ("id", "kind", "name", "words", "type", "access", "valid_from", "valid_to")
_EDGE_KEY = ("source_id", "relation", "target_id", "passage_id", "fact")


@dataclass(frozen=True, slots=True)
class GraphFrames:
    """The nodes (`id`, `kind`, `name`, `words`, …), sorted by id, and the edges (`source_id`, `relation`,
    `target_id`, `words`, …), sorted by their key; `words` is what search terms are compared with."""

    nodes: pl.DataFrame
    edges: pl.DataFrame

    @property
    def counts(self) -> dict[str, int]:
        """Nodes by kind and edges by relation."""
        nodes = self.nodes.group_by("kind").len().sort("kind").rows()
        edges = self.edges.group_by("relation").len().sort("relation").rows()
        return dict([*nodes, *edges])

    @property
    def relations(self) -> list[str]:
        return self.edges["relation"].unique().sort().to_list()


def graph_frames(nodes: Iterable[Node], edges: Iterable[Edge]) -> GraphFrames:
    """The graph as frames, each node and each edge once. An edge from a node to itself joins nothing and is left out.

    Raises TableError where a node's kind or an edge's relation is no valid one, two nodes of one id differ, or an
    edge's end is no node.
    """
    frames = GraphFrames(_node_frame(nodes), _edge_frame(edges))
    ids = frames.nodes.select("id")
    for end in ("source_id", "target_id"):
        dangling = frames.edges.join(ids, left_on=end, right_on="id", how="anti")
        if dangling.height:
            edge = dangling.row(0, named=True)
            raise TableError(
                f"the edge {edge['source_id']!r} {edge['relation']} {edge['target_id']!r} ends at no node "
                f"({dangling.height} such edges at their {end}); materialize passages, triples and edges together"
            )
    return frames


def _node_frame(nodes: Iterable[Node]) -> pl.DataFrame:
    text: dict[str, list[str]] = {column: [] for column in _NODE_COLUMNS[:6]}
    days: dict[str, list[int]] = {column: [] for column in _NODE_COLUMNS[6:]}
    for node in nodes:
        if node.kind not in _KINDS:
            raise TableError(f"the node {node.id!r} is of the kind {node.kind!r}; there are {' and '.join(_KINDS)}")
        name = without_surrogates(node.name)
        for column, value in zip(
            text, (node.id, node.kind, name, name.lower(), without_surrogates(node.type), node.access), strict=True
        ):
            text[column].append(value)
        days["valid_from"].append(node.valid_from)
        days["valid_to"].append(node.valid_to)
    frame = pl.DataFrame({**text, **days}, schema={**dict.fromkeys(text, pl.String), **dict.fromkeys(days, pl.Int64)})
    frame = frame.unique(maintain_order=False).sort("id")
    twice = frame.filter(pl.col("id").is_duplicated())
    if twice.height:
        raise TableError(
            f"two nodes that differ have the id {twice['id'][0]!r}; ids are content hashes, make them anew"
        )
    return frame


def _edge_frame(edges: Iterable[Edge]) -> pl.DataFrame:
    text: dict[str, list[str]] = {
        column: [] for column in ("source_id", "relation", "target_id", "words", "access", "passage_id", "fact")
    }
    days: dict[str, list[int]] = {"valid_from": [], "valid_to": []}
    words: dict[str, str] = {}
    for edge in edges:
        if edge.source_id == edge.target_id:  # and the two stores would each count it in their own way
            continue
        if edge.relation not in words:
            words[edge.relation] = _checked_relation(edge.relation)
        for column, value in zip(
            text,
            (
                edge.source_id,
                edge.relation,
                edge.target_id,
                words[edge.relation],
                edge.access,
                edge.passage_id,
                without_surrogates(edge.fact),
            ),
            strict=True,
        ):
            text[column].append(value)
        days["valid_from"].append(edge.valid_from)
        days["valid_to"].append(edge.valid_to)
    frame = pl.DataFrame({**text, **days}, schema={**dict.fromkeys(text, pl.String), **dict.fromkeys(days, pl.Int64)})
    # of edges that differ in access or validity alone, the same one is kept in every run
    return frame.sort(*_EDGE_KEY, "access", "valid_from", "valid_to").unique(
        _EDGE_KEY, keep="first", maintain_order=True
    )


def _checked_relation(relation: str) -> str:
    """A relation's words. Its counts stand beside those of the kinds of node, so it cannot have their names."""
    if not RELATION.fullmatch(relation) or relation in _KINDS:
        raise TableError(
            f"{relation[:80]!r} cannot name a relation: write a letter, then at most 63 letters, digits or "
            f"underscores, and neither of {' and '.join(_KINDS)}"
        )
    return compared_relation(relation)


def scope_parameters(scope: Scope) -> dict[str, Json]:
    return {"access": list(scope.access), "day": scope.day}


def neighbour_of(row: Sequence[Any]) -> Neighbour:
    """The record of a row of the statements `neighbours` and `neighbours_of_one`."""
    return Neighbour(row[0], edge_of(row[1:9]), Node(*row[9:16]))


def edge_of(row: Sequence[Any]) -> Edge:
    """The record of the eight columns that every statement returns of an edge."""
    return Edge(*row)


def facts_of(rows: Iterable[Sequence[Any]], terms: Sequence[str], limit: int) -> list[Fact]:
    """The facts of the rows of `facts_by_name` and `facts_by_relation` together: each once, the best first."""
    facts: dict[Edge, Fact] = {}
    for row in rows:
        edge, source, target = edge_of(row[:8]), row[8], row[9]
        facts[edge] = Fact(edge, source, target, matched_terms(terms, source, edge.relation, target))
    return sorted(facts.values(), key=_fact_order)[:limit]


def _fact_order(fact: Fact) -> tuple[int, str, str, str, str, str, str, str]:
    edge = fact.edge
    return (
        -len(fact.matched),
        fact.source,
        edge.relation,
        fact.target,
        edge.source_id,
        edge.target_id,
        edge.passage_id,
        edge.fact,
    )


def relations_named(terms: Sequence[str], relations: Iterable[str]) -> list[str]:
    """The relations in whose names a term stands."""
    return [relation for relation in relations if matched_terms(terms, "", relation, "")]


def counts_of(rows: Iterable[Sequence[Any]]) -> Mapping[str, int]:
    """The counts of the rows of `count_nodes` and `count_edges` together."""
    return {str(name): int(number) for name, number in rows}
