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


def report_models(instance: dg.DagsterInstance, study: Study) -> list[str]:
    """Tell the instance which embedders the study names; gives the keys of those that were another model before."""
    swapped: list[str] = []
    now = {embedder.name: embedder.fingerprint[:16] for embedder in study.embedders}
    for key in study.partitions:
        version = now.get(key, TRACES_EMBEDDER)
        known = _last_version(instance, key)
        if known == version:
            continue
        if known is not None:
            swapped.append(key)
        instance.report_runless_asset_event(
            dg.AssetObservation(asset_key=EMBEDDER_MODEL.key, partition=key, tags={"dagster/data_version": version})
        )
    return swapped


def _last_version(instance: dg.DagsterInstance, key: str) -> str | None:
    found = instance.fetch_observations(
        dg.AssetRecordsFilter(asset_key=EMBEDDER_MODEL.key, asset_partitions=[key]), limit=1
    )
    for record in found.records:
        observation = record.asset_observation
        if observation is not None:
            return observation.tags.get("dagster/data_version")
    return None
