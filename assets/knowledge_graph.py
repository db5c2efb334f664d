"""The knowledge graph: triples, what is said of them, entities, edges, and the store that holds them."""

from collections.abc import Iterator, Mapping
from typing import Any

import dagster as dg

from assets.metadata import OWNERS, counts, failing_plainly, markdown_table, result, schema
from assets.versions import code_version
from faithflow.metrics.triples import triple_scores
from faithflow.report.numbers import count, percent
from faithflow.tables.registry import table
from resources.home_graph import (
    build_edges,
    build_graph_store,
    extract,
    judge_extracted,
)
from resources.house import House

_GROUP = "knowledge_graph"
_SHOWN = 20


@dg.asset(
    deps=["passages"],
    group_name=_GROUP,
    kinds={"python", "polars", "parquet"},
    owners=OWNERS,
    description=table("triples").doc,
    metadata=schema("triples"),
    code_version=code_version("faithflow.graph.patterns", "faithflow.graph.triple_llm"),
)
def triples(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """The facts of every passage, by patterns or by the study's model, each call made once."""
    with failing_plainly():
        home, study = house.open_home(), house.load_study()
        extracted = extract(home, study, context.log.info)
    frame = home.warehouse.read("triples")
    sample = frame.sort("triple_id").select("head", "relation", "tail").head(_SHOWN)
    relations = frame["relation"].value_counts().sort(["count", "relation"], descending=[True, False]).head(_SHOWN)
    return result(
        "triples",
        extracted.written,
        {
            "extractor": counts(frame, "extractor"),
            "relations": markdown_table(["relation", "triples"], relations.iter_rows()),
            "sample": markdown_table(["head", "relation", "tail"], sample.iter_rows()),
            "passages_not_read": markdown_table(["reason", "passages"], sorted(extracted.failed.items())),
        },
    )


@dg.asset(
    deps=["triples", "documents", "gold_triples"],
    group_name=_GROUP,
    kinds={"python", "polars", "parquet"},
    owners=OWNERS,
    description=table("triple_verdicts").doc,
    metadata=schema("triple_verdicts"),
    code_version=code_version("faithflow.graph.triple_judge", "faithflow.graph.triple_gold"),
)
def triple_verdicts(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """The triples of each document against its gold, and by the study's judge of triples, if it has one."""
    with failing_plainly():
        home, study = house.open_home(), house.load_study()
        written = judge_extracted(home, study, context.log.info)
    scores = triple_scores(home.warehouse.read("triple_verdicts"))
    headings = ["judge", "documents", "correct", "hallucinated", "missed", "unscored", "precision", "recall", "F1"]
    headings += ["seconds", "prompt tokens", "completion tokens"]
    shown = [_scores(judge, own) for judge, own in scores.items()]
    return result("triple_verdicts", written, {"scores": markdown_table(headings, shown)})


@dg.multi_asset(
    name="graph_tables",
    specs=[
        dg.AssetSpec(
            name,
            deps=["triples", "documents", "passages", "links"],
            group_name=_GROUP,
            kinds={"python", "polars", "parquet"},
            owners=OWNERS,
            description=table(name).doc,
            metadata=schema(name),
            code_version=code_version("faithflow.graph.entities", "faithflow.graph.edges"),
        )
        for name in ("entities", "edges")
    ],
)
def graph_tables(house: House) -> Iterator[dg.MaterializeResult[Any]]:
    """One entity a thing, whatever its names; and the edges between passages and entities."""
    with failing_plainly():
        home, study = house.open_home(), house.load_study()
        entities, edges = build_edges(home, study)
    merges = home.warehouse.read("entities").filter("merged").sort("name", "surface")
    yield result(
        "entities",
        entities,
        {
            "merges": merges.height,
            "merged": markdown_table(
                ["name", "stands for", "rule"], merges.select("surface", "name", "rule").head(50).iter_rows()
            ),
        },
    )
    frame = home.warehouse.read("edges")
    relations = frame["relation"].value_counts().sort(["count", "relation"], descending=[True, False]).head(_SHOWN)
    yield result("edges", edges, {"relations": markdown_table(["relation", "edges"], relations.iter_rows())})


@dg.asset(
    deps=["edges", "entities", "passages", "documents"],
    group_name=_GROUP,
    kinds={"neo4j"},
    owners=OWNERS,
    description="The store that the graph pipelines walk: Ladybug in the home, or the study's Neo4j server.",
    code_version=code_version("faithflow.graph.edges", "faithflow.graph.model"),
)
def graph_store(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """The nodes and edges, loaded beside the old ones and put in their place at once."""
    with failing_plainly():
        home, study = house.open_home(), house.load_study()
        built = build_graph_store(home, study, context.log.info)
    rows = sorted(built.counts.items())
    return dg.MaterializeResult(
        metadata={
            "store": built.store,
            "contents": markdown_table(["nodes and edges", "n"], rows),
        },
        data_version=dg.DataVersion(built.fingerprint),
    )


def _scores(judge: str, own: Mapping[str, Any]) -> tuple[object, ...]:
    counts = (count(own[name]) for name in ("documents", "correct", "hallucinated", "missed"))
    rates = (percent(own[name]) for name in ("precision", "recall", "f1"))
    seconds = "" if own["latency_s"] is None else f"{own['latency_s']:.1f}"
    tokens = (count(own[name]) for name in ("prompt_tokens", "completion_tokens"))
    return judge, *counts, sum(own["unscored"].values()), *rates, seconds, *tokens
