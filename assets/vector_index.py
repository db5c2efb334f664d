"""The vector index of each embedder: the passages' vectors, and the store that is searched."""

from typing import Any

import dagster as dg

from assets.metadata import OWNERS, failing_plainly, result, schema
from assets.partitions import EMBEDDERS
from assets.versions import code_version
from faithflow.tables.registry import table
from resources.home_index import build_vector_store, embed_passages
from resources.house import House

_GROUP = "vector_index"


@dg.asset(
    partitions_def=EMBEDDERS,
    deps=["passages", "documents", "embedder_model"],
    group_name=_GROUP,
    kinds={"python", "parquet"},
    owners=OWNERS,
    description=table("embeddings").doc,
    metadata=schema("embeddings"),
    code_version=code_version("faithflow.retrieval.model"),
)
def embeddings(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """The vector of every passage; a text that was embedded once is not embedded again."""
    with failing_plainly():
        home, study = house.open_home(), house.load_study()
        embedded = embed_passages(home, study, context.partition_key, context.log.info)
    return result(
        "embeddings",
        embedded.written,
        {"model": embedded.model, "dimensions": embedded.dimensions, "seconds": embedded.seconds},
    )


@dg.asset(
    partitions_def=EMBEDDERS,
    deps=["embeddings", "passages", "documents"],
    group_name=_GROUP,
    kinds={"lancedb"},
    owners=OWNERS,
    description="The store that is searched: dense by cosine, sparse by BM25, within validity and access.",
    code_version=code_version("resources.vector_store"),
)
def vector_store(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """The passages with their vectors, built beside the old index and put in its place at once."""
    with failing_plainly():
        home, study = house.open_home(), house.load_study()
        built = build_vector_store(home, study, context.partition_key)
    return dg.MaterializeResult(
        metadata={"passages": built.passages, "where": dg.MetadataValue.path(built.path)},
        data_version=dg.DataVersion(built.fingerprint),
    )
