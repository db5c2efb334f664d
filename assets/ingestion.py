"""Ingestion: the answers that the study's corpora bring."""

from typing import Any

import dagster as dg
import polars as pl

from assets.metadata import OWNERS, counts, failing_plainly, result, schema
from assets.versions import code_version
from faithflow.tables.registry import table
from resources.home_inputs import ingest
from resources.house import House


@dg.asset(
    group_name="ingestion",
    kinds={"python", "polars", "parquet"},
    owners=OWNERS,
    description=table("traces").doc,
    metadata=schema("traces"),
    code_version=code_version("faithflow.corpus.traces", "faithflow.corpus.record", "faithflow.corpus.labels"),
)
def traces(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """The answers of every corpus of the study; a bad line stops the run before anything is called."""
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
