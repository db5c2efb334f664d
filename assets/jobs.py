"""The jobs: the answers of an embedder anew, and the judging of a night."""

import dagster as dg

_ANSWERING = (
    "embeddings",
    "vector_store",
    "answers",
    "steps",
    "retrievals",
    "citations",
    "citation_scores",
    "judged_answers",
    "claims",
)
_NIGHTLY = ("verdicts", "calls", "answer_verdicts", "agreement", "stability", "trends", "report", "published")

answering = dg.define_asset_job(
    "answer_anew",
    selection=dg.AssetSelection.assets(*_ANSWERING),
    description="Index the passages under an embedder, answer every question by every pipeline, and take the answers "
    "apart into claims.",
)

nightly_judging = dg.define_asset_job(
    "nightly_judging",
    selection=dg.AssetSelection.assets(*_NIGHTLY),
    description="Judge the answers of a date by every judge of the study, then agreement, trends and the report.",
)
