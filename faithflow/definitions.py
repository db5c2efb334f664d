"""The whole graph for Dagster: `dg` and `faithflow ui` load `defs` from here.

The home is FAITHFLOW_HOME (default `./home`) and the study FAITHFLOW_STUDY (default: the bundled one).
"""

import dagster as dg

from assets import (
    agreement,
    answers,
    checks,
    claims,
    ingestion,
    knowledge_graph,
    models,
    report,
    vector_index,
    verdicts,
)
from assets.binding import bound
from assets.jobs import answering, nightly_judging
from assets.partitions import partitions_of
from assets.schedules import nightly_judging_schedule
from assets.sensors import model_swap
from resources.house import House, house

ASSETS = (
    ingestion.corpus,
    ingestion.traces,
    knowledge_graph.triples,
    knowledge_graph.triple_verdicts,
    knowledge_graph.graph_tables,
    knowledge_graph.graph_store,
    models.EMBEDDER_MODEL,
    vector_index.embeddings,
    vector_index.vector_store,
    answers.answering,
    answers.citations,
    answers.citation_scores,
    answers.judged_answers,
    claims.claims,
    claims.labels,
    verdicts.judging,
    verdicts.answer_verdicts,
    agreement.agreement,
    agreement.stability,
    agreement.trends,
    report.report,
    report.published,
)


def definitions(place: House) -> dg.Definitions:
    """The graph in one home, on one study. Raises StudyError where the study is not valid."""
    study = place.load_study()
    return dg.Definitions(
        assets=bound(ASSETS, study, partitions_of(study.partitions)),
        asset_checks=checks.CHECKS,
        jobs=[answering, nightly_judging],
        schedules=[nightly_judging_schedule],
        sensors=[model_swap],
        resources={"house": place},
        # a step takes less than a new process takes to start
        executor=dg.in_process_executor,
    )


defs = definitions(house())
