"""The answers of every pipeline with their trajectories, what they cite, and how well."""

from collections.abc import Iterator, Mapping
from typing import Any

import dagster as dg
import polars as pl

from assets.metadata import OWNERS, counts, failing_plainly, markdown_table, result, schema
from assets.partitions import EMBEDDERS, partition_of
from assets.plots import Point, interval_plot
from assets.versions import code_version
from faithflow.report.numbers import count, money, percent, percent_range
from faithflow.tables.registry import table
from resources.home import Home
from resources.home_answers import answer_questions, cite, score_citations
from resources.home_judged import gather_answers
from resources.house import House

_GROUP = "answers"
_ANSWERING = ("answers", "steps", "retrievals")
_PIPELINES = tuple(
    f"faithflow.{module}"
    for module in (
        "pipelines.prompt",
        "pipelines.evidence",
        "pipelines.links",
        "pipelines.generate",
        "pipelines.registry",
        "pipelines.retrieve",
        "pipelines.trajectory",
        "pipelines.vanilla",
        "pipelines.graph_terms",
        "pipelines.graphrag",
        "pipelines.web",
        "pipelines.multi_tool",
        "pipelines.agentic",
        "pipelines.decide",
        "pipelines.adaptive",
        "graph.walk",
        "graph.terms",
        "retrieval.context",
        "retrieval.lexical_rerank",
    )
)
_ALL = "all"


@dg.multi_asset(
    name="answering",
    partitions_def=EMBEDDERS,
    specs=[
        dg.AssetSpec(
            name,
            deps=["questions", "vector_store", "graph_store"],
            group_name=_GROUP,
            kinds={"python", "ai", "parquet"},
            owners=OWNERS,
            description=table(name).doc,
            metadata=schema(name),
            code_version=code_version(*_PIPELINES),
        )
        for name in _ANSWERING
    ],
)
def answering(context: dg.AssetExecutionContext, house: House) -> Iterator[dg.MaterializeResult[Any]]:
    """Put every question to every pipeline. What the ledger holds is not asked again."""
    partition = partition_of(context.partition_key)
    with failing_plainly():
        home, study = house.open_home(), house.load_study()
        written = answer_questions(home, study, context.partition_key, context.log.info)
    yield result("answers", written["answers"], _answers_seen(home, partition))
    steps = home.warehouse.read("steps", partition)
    yield result("steps", written["steps"], {"tools": counts(steps, "tool")})
    retrievals = home.warehouse.read("retrievals", partition)
    yield result(
        "retrievals",
        written["retrievals"],
        {"seen": counts(retrievals, "tool", "kept"), "cut": counts(retrievals.drop_nulls("cut"), "cut")},
    )


@dg.asset(
    partitions_def=EMBEDDERS,
    deps=["answers", "retrievals", "documents", "passages"],
    group_name=_GROUP,
    kinds={"python", "polars", "parquet"},
    owners=OWNERS,
    description=table("citations").doc,
    metadata=schema("citations"),
    code_version=code_version(
        "faithflow.corpus.citations", "faithflow.corpus.citation_vocabulary", "faithflow.corpus.citation_marks"
    ),
)
def citations(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """What each answer cites, in the corpus' own vocabulary; also what names nothing."""
    with failing_plainly():
        home = house.open_home()
        written = cite(home, context.partition_key)
    frame = home.warehouse.read("citations", partition_of(context.partition_key))
    return result("citations", written, {"forms": counts(frame, "form", "valid")})


@dg.asset(
    partitions_def=EMBEDDERS,
    deps=["answers", "citations", "retrievals", "questions"],
    group_name=_GROUP,
    kinds={"python", "polars", "parquet"},
    owners=OWNERS,
    description=table("citation_scores").doc,
    metadata=schema("citation_scores"),
    code_version=code_version("faithflow.metrics.answer_scores", "faithflow.metrics.citation_scores"),
)
def citation_scores(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """Context and citations against gold: two measurement points, never mixed."""
    with failing_plainly():
        home = house.open_home()
        written = score_citations(home, context.partition_key)
    rows = home.warehouse.read("citation_scores", partition_of(context.partition_key)).sort("pipeline", "stratum")
    total = rows.filter(stratum=_ALL).to_dicts()
    return result(
        "citation_scores",
        written,
        {
            "scores": markdown_table(
                [
                    "pipeline",
                    "stratum",
                    "n",
                    "citation F1",
                    "95% interval",
                    "citation precision",
                    "recall",
                    "context precision",
                    "retrieval recall",
                ],
                [_score(row) for row in rows.iter_rows(named=True)],
            ),
            "f1_plot": interval_plot([row["pipeline"] for row in total], [_point(row) for row in total], "Citation F1"),
        },
    )


@dg.asset(
    partitions_def=EMBEDDERS,
    deps=["traces", "answers", "retrievals", "citations", "questions"],
    group_name=_GROUP,
    kinds={"python", "polars", "parquet"},
    owners=OWNERS,
    description=table("judged_answers").doc,
    metadata=schema("judged_answers"),
    code_version=code_version("faithflow.pipelines.judged"),
)
def judged_answers(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """The answers as they go to claims and judges, whoever gave them."""
    with failing_plainly():
        home = house.open_home()
        written = gather_answers(home, context.partition_key)
    frame = home.warehouse.read("judged_answers", partition_of(context.partition_key))
    return result("judged_answers", written, {"answers": counts(frame, "corpus", "pipeline", "stratum")})


def _answers_seen(home: Home, partition: Mapping[str, str]) -> dict[str, Any]:
    answers = home.warehouse.read("answers", partition)
    rows: list[tuple[object, ...]] = []
    for (pipeline,), own in answers.sort("pipeline").group_by("pipeline", maintain_order=True):
        known = own["cost"].null_count() == 0
        rows.append(
            (
                pipeline,
                own.height,
                *(own.filter(status=status).height for status in ("answered", "inconclusive", "failed")),
                count(int(own["calls"].sum())),
                count(int(own["prompt_tokens"].sum())),
                count(int(own["completion_tokens"].sum())),
                money(float(own["cost"].sum()) if known else None),
            )
        )
    headings = ["pipeline", "answers", "answered", "inconclusive", "failed", "calls", "prompt tokens"]
    headings += ["completion tokens", "cost"]
    failed = answers.filter(pl.col("status") == "failed")
    return {"pipelines": markdown_table(headings, rows), "failures": counts(failed, "pipeline", "reason")}


def _score(row: Mapping[str, Any]) -> tuple[object, ...]:
    interval = (row["citation_f1_low"], row["citation_f1_high"])
    names = ("citation_precision", "citation_recall", "context_precision", "retrieval_recall")
    shares = (percent(row[name]) for name in names)
    bounds = percent_range(None if None in interval else interval)
    return row["pipeline"], row["stratum"], count(row["n"]), percent(row["citation_f1"]), bounds, *shares


def _point(row: Mapping[str, Any]) -> Point | None:
    point = row["citation_f1"], row["citation_f1_low"], row["citation_f1_high"]
    return None if None in point else point
