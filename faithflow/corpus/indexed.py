"""The passages as indexes and graphs hold them, from the tables of the corpus."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from faithflow.corpus.scope import end_day, first_day
from faithflow.graph.model import Node
from faithflow.retrieval.model import IndexedPassage

if TYPE_CHECKING:
    import polars as pl


def indexed_passages(documents: "pl.DataFrame", passages: "pl.DataFrame") -> Iterator[IndexedPassage]:
    """Each row of `passages`, in order, with what is shown of its document (`documents`)."""
    for row, document in _joined(documents, passages):
        yield IndexedPassage(
            passage_id=row["passage_id"],
            document_id=row["document_id"],
            reference=document["reference"],
            title=document["title"],
            date=document["date"].isoformat() if document["date"] else "",
            source_url=document["source_url"] or "",
            text=row["text"],
            access=document["access"],
            valid_from=first_day(document["valid_from"]),
            valid_to=end_day(document["valid_to"]),
        )


def passage_nodes(documents: "pl.DataFrame", passages: "pl.DataFrame") -> Iterator[Node]:
    """Each row of `passages`, in order, as a node of the graph: named by its document's reference, of its kind."""
    for row, document in _joined(documents, passages):
        yield Node(
            id=row["passage_id"],
            kind="passage",
            name=document["reference"],
            type=document["kind"],
            access=document["access"],
            valid_from=first_day(document["valid_from"]),
            valid_to=end_day(document["valid_to"]),
        )


def _joined(documents: "pl.DataFrame", passages: "pl.DataFrame") -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    known = {row["document_id"]: row for row in documents.drop("text").iter_rows(named=True)}
    for row in passages.iter_rows(named=True):
        yield row, known[row["document_id"]]
