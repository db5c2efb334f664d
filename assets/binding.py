"""The declared assets bound to one study: its partitions, and code versions that move with what it says."""

from collections.abc import Sequence
from hashlib import sha256

import dagster as dg

from assets.partitions import DECLARED, Partitions
from faithflow.study.model import Study
from faithflow.study.swap import answering_fingerprint
from faithflow.study.systems import systems_fingerprint


def bound(
    assets: Sequence[dg.AssetsDefinition | dg.AssetSpec], study: Study, partitions: Partitions
) -> list[dg.AssetsDefinition | dg.AssetSpec]:
    """The assets with this study's partitions in place of the declared ones."""
    own = ((DECLARED.embedders, partitions.embedders), (DECLARED.nights, partitions.nights))

    def of_study(spec: dg.AssetSpec) -> dg.AssetSpec:
        declared = spec.partitions_def
        chosen = next((new for old, new in own if declared == old), declared)
        return spec.replace_attributes(partitions_def=chosen, code_version=_code_version(spec, study))

    return list(dg.map_asset_specs(of_study, assets))


def _code_version(spec: dg.AssetSpec, study: Study) -> str | None:
    settings = _settings(spec.key.to_user_string(), study)
    if settings is None:
        return spec.code_version
    return sha256(f"{spec.code_version} {settings}".encode()).hexdigest()[:16]


def _settings(asset: str, study: Study) -> str | None:
    """What of the study decides what an asset holds, so that an edit of it makes the asset stale.

    Embedders are not here: a swapped one touches its own partition alone, which the data version of `embedder_model`
    says. Judges are not here: a swap must not make past nights stale.
    """
    match asset:
        case "documents" | "passages" | "questions" | "links" | "gold_triples" | "traces":
            return systems_fingerprint(study.chunks, *study.corpora)
        case "triples":
            return systems_fingerprint(study.triples.model)
        case "triple_verdicts":
            return systems_fingerprint(study.triples.judge)
        case "entities" | "edges":
            return systems_fingerprint(study.triples)
        case "answers" | "steps" | "retrievals":
            return answering_fingerprint(study)
        case "claims":
            return systems_fingerprint(study.claims)
        case _:
            return None
