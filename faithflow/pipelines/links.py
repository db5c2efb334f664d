"""The typed edges of the graph in words, with references and names in place of ids."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from faithflow.graph.model import MENTIONS, NEXT, Edge
from faithflow.graph.names import relation_words


def is_corpus_link(edge: Edge) -> bool:
    """Whether the corpus itself states the edge between two documents; no extractor does, nor the order of a text."""
    return not edge.passage_id and edge.relation != NEXT


def link_words(edge: Edge, names: Mapping[str, str]) -> str:
    """`LLR-100 satisfies HLR-010`. `names` holds the reference of a passage and the name of an entity by their ids."""
    return f"{names[edge.source_id]} {relation_words(edge.relation)} {names[edge.target_id]}"


def path_words(edges: Sequence[Edge], names: Mapping[str, str]) -> str:
    """How a walk went along these edges, from the first on: links and facts as they are stated, and for two passages
    on either side of an entity `A and B both name E`. The parts are set apart by semicolons."""
    parts: list[str] = []
    for before, edge in pairwise((None, *edges)):
        assert edge is not None
        if edge.relation == NEXT:
            parts.append(f"neighbouring passages of {names[edge.source_id]}")
        elif edge.relation != MENTIONS:
            parts.append(edge.fact or link_words(edge, names))
        elif before is not None and before.relation == MENTIONS and before.target_id == edge.target_id:
            parts[-1] = f"{names[before.source_id]} and {names[edge.source_id]} both name {names[edge.target_id]}"
        else:
            parts.append(f"{names[edge.source_id]} names {names[edge.target_id]}")
    return "; ".join(parts)
