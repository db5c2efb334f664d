"""The models that a study names, as assets of the outside world: a swap is a new data version."""

import dagster as dg

from assets.metadata import OWNERS
from assets.partitions import EMBEDDERS
from faithflow.corpus.trace import TRACES_EMBEDDER
from faithflow.study.model import Study

EMBEDDER_MODEL = dg.AssetSpec(
    "embedder_model",
    partitions_def=EMBEDDERS,
    group_name="vector_index",
    kinds={"ai"},
    owners=OWNERS,
    description="The model behind each embedder, as the study says it. Its data version is the hash of those words: "
    "where they change, the index, the answers and all that follows from them are stale, in that partition alone.",
)


def report_models(instance: dg.DagsterInstance, study: Study) -> None:
    """Tell the instance which model stands behind each embedder now, where that is not what it knows."""
    now = {embedder.name: embedder.fingerprint[:16] for embedder in study.embedders}
    for key in study.partitions:
        version = now.get(key, TRACES_EMBEDDER)
        if _last_version(instance, key) != version:
            instance.report_runless_asset_event(
                dg.AssetObservation(asset_key=EMBEDDER_MODEL.key, partition=key, tags={"dagster/data_version": version})
            )


def _last_version(instance: dg.DagsterInstance, key: str) -> str | None:
    found = instance.fetch_observations(
        dg.AssetRecordsFilter(asset_key=EMBEDDER_MODEL.key, asset_partitions=[key]), limit=1
    )
    for record in found.records:
        observation = record.asset_observation
        if observation is not None:
            return observation.tags.get("dagster/data_version")
    return None
