"""What an extractor of triples is shown, what it gives back, and the protocol that both extractors share."""

from dataclasses import dataclass
from typing import Protocol

import polars as pl

from faithflow.graph.model import Triple


@dataclass(frozen=True, slots=True)
class Source:
    """A passage with what is known of its document. `char_start` is where it begins in the document's text."""

    document_id: str
    passage_id: str
    char_start: int
    text: str
    title: str = ""
    date: str = ""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class ExtractedTriples:
    """The triples of a passage. `failure` says why there are none to be had: the passage was not read, which is not
    the same as a passage that holds no fact."""

    source: Source
    triples: tuple[Triple, ...] = ()
    failure: str | None = None


class TripleExtractor(Protocol):
    @property
    def name(self) -> str:
        """What the column `extractor` says."""
        ...

    async def extract(self, source: Source) -> ExtractedTriples: ...


def sources_of(passages: pl.DataFrame, documents: pl.DataFrame) -> list[Source]:
    """The passages of the table, with their documents' title, date (ISO) and language, in the order of both tables'
    ids and positions."""
    known = documents.select(
        "document_id", "title", "language", pl.col("date").dt.to_string("%Y-%m-%d").fill_null("").alias("date")
    )
    joined = passages.join(known, on="document_id", how="inner", validate="m:1").sort("document_id", "position")
    return [
        Source(
            row["document_id"],
            row["passage_id"],
            row["char_start"],
            row["text"],
            row["title"],
            row["date"],
            row["language"],
        )
        for row in joined.iter_rows(named=True)
    ]
