"""Claims: the statements of each answer, frozen for all nights, and what people said of them."""

from typing import Any

import dagster as dg
import polars as pl

from assets.metadata import OWNERS, counts, failing_plainly, result, schema
from assets.partitions import EMBEDDERS
from assets.versions import code_version
from faithflow.corpus.trace import TRACES_EMBEDDER
from faithflow.tables.registry import table
from resources.home_inputs import extract_claims, extractor_version, write_labels
from resources.house import House

_EXTRACTOR = "faithflow/extractor"


@dg.asset(
    partitions_def=EMBEDDERS,
    deps=["judged_answers"],
    group_name="claims",
    kinds={"python", "polars", "parquet"},
    owners=OWNERS,
    description=table("claims").doc,
    metadata=schema("claims"),
    code_version=code_version(
        "faithflow.claims.extraction", "faithflow.claims.llm", "faithflow.claims.abstention", "faithflow.text.sentences"
    ),
)
def claims(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """The claims of each answer by the study's extractor; a model's claims are made once and kept."""
    embedder = context.partition_key
    with failing_plainly():
        home, study = house.open_home(), house.load_study()
        written = extract_claims(home, study, embedder, _stored_version(context, embedder), context.log.info)
    frame = home.warehouse.read("claims", {"embedder": embedder})
    answers = frame.unique("trace_id")
    extra = {
        "kinds": counts(frame, "kind"),
        "answers": answers.height,
        "covered_share": answers["covered_share"].mean() if answers.height else dg.MetadataValue.null(),
        "unextracted": frame.filter(pl.col("kind") == "unextracted").height,
    }
    return result("claims", written, extra, extractor=extractor_version(study))


@dg.asset(
    # of the claims, those of the answers that users brought: a swapped embedder does not touch them
    deps=["traces", dg.AssetDep("claims", partition_mapping=dg.SpecificPartitionsPartitionMapping([TRACES_EMBEDDER]))],
    group_name="claims",
    kinds={"python", "polars", "parquet"},
    owners=OWNERS,
    description=table("labels").doc,
    metadata=schema("labels"),
    code_version=code_version("faithflow.corpus.labels"),
)
def labels(house: House) -> dg.MaterializeResult[Any]:
    """People's labels, laid from spans of the answer onto its claims."""
    with failing_plainly():
        home = house.open_home()
        written = write_labels(home)
    return result("labels", written, {"verdicts": counts(home.warehouse.read("labels"), "annotator", "verdict")})


def _stored_version(context: dg.AssetExecutionContext, embedder: str) -> str | None:
    """The extractor that made the claims that are stored, as their last materialization says."""
    found = context.instance.fetch_materializations(
        dg.AssetRecordsFilter(asset_key=context.asset_key, asset_partitions=[embedder]), limit=1
    )
    for record in found.records:
        if record.asset_materialization and record.asset_materialization.tags:
            return record.asset_materialization.tags.get(_EXTRACTOR)
    return None
