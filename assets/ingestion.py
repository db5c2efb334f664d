"""Ingestion: the documents and questions of the study's corpora, and the answers that users bring."""

from collections.abc import Iterator
from typing import Any

import dagster as dg
import polars as pl

from assets.metadata import OWNERS, counts, failing_plainly, markdown_table, result, schema
from assets.versions import code_version
from faithflow.tables.registry import table
from resources.home import Home
from resources.home_corpus import ingest_documents
from resources.home_inputs import ingest
from resources.house import House

_SHOWN = 20
_CORPUS = ("documents", "passages", "questions", "links", "gold_triples")


@dg.multi_asset(
    name="corpus",
    specs=[
        dg.AssetSpec(
            name,
            group_name="ingestion",
            kinds={"python", "polars", "parquet"},
            owners=OWNERS,
            description=table(name).doc,
            metadata=schema(name),
            code_version=code_version(
                "faithflow.corpus.document", "faithflow.corpus.chunking", "faithflow.corpus.versions"
            ),
        )
        for name in _CORPUS
    ],
)
def corpus(context: dg.AssetExecutionContext, house: House) -> Iterator[dg.MaterializeResult[Any]]:
    """The documents of every corpus cut into passages, with their links, questions and gold."""
    with failing_plainly():
        home, study = house.open_home(), house.load_study()
        ingested = ingest_documents(home, study, context.log.info)
        for warning in ingested.warnings:
            context.log.warning(warning)
    for name in _CORPUS:
        yield result(name, ingested.written[name], _seen(home, name))


def _seen(home: Home, name: str) -> dict[str, Any]:
    frame = home.warehouse.read(name)
    if name == "documents":
        shown = frame.sort("date", descending=True, nulls_last=True).head(_SHOWN)
        return {
            "by_corpus": counts(frame, "corpus", "kind", "language", "access"),
            "superseding": int(frame["supersedes"].is_not_null().sum()),
            "duplicates": int(frame["duplicate_of"].is_not_null().sum()),
            "newest": markdown_table(
                ["reference", "date", "title"], shown.select("reference", "date", "title").iter_rows()
            ),
        }
    if name == "passages":
        length = frame.select(pl.col("text").str.len_chars().alias("n"))["n"]
        return {"characters_median": float(length.median() or 0), "characters_longest": int(length.max() or 0)}  # pyright: ignore[reportArgumentType]
    if name == "questions":
        return {
            "by_stratum": counts(frame, "corpus", "stratum"),
            "with_gold_passages": int(frame["gold_passage_ids"].is_not_null().sum()),
        }
    return {"by_relation": counts(frame, "relation")}


@dg.asset(
    group_name="ingestion",
    kinds={"python", "polars", "parquet"},
    owners=OWNERS,
    description=table("traces").doc,
    metadata=schema("traces"),
    code_version=code_version("faithflow.corpus.traces", "faithflow.corpus.record", "faithflow.corpus.labels"),
)
def traces(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """The answers of every corpus that brings some; a bad line stops the run before anything is called."""
    with failing_plainly():
        home, study = house.open_home(), house.load_study()
        written = ingest(home, study, context.log.warning)
    frame = home.warehouse.read("traces")
    texts = pl.col("contexts").list.eval(pl.element().struct.field("text").str.strip_chars() != "").list.any()
    return result(
        "traces",
        written,
        {
            "answers": counts(frame, "corpus", "pipeline", "stratum"),
            "labelled": int(frame["labels"].is_not_null().sum()),
            "without_evidence": frame.filter(~texts.fill_null(False)).height,
        },
    )
