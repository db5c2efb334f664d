"""The table `judged_answers` of a home: what users brought, and what the pipelines answered."""

import polars as pl

from faithflow.corpus.trace import TRACES_EMBEDDER, Trace
from faithflow.judging.frames import trace_frame
from faithflow.pipelines.judged import judged_answers
from faithflow.tables.registry import table
from resources.home import Home
from resources.parquet import Written


def gather_answers(home: Home, embedder: str) -> Written:
    """Write one embedder's partition of `judged_answers`; that of the users' answers is the table `traces`."""
    partition = {"embedder": embedder}
    with home.deriving("judged_answers"):
        warehouse = home.warehouse
        if embedder == TRACES_EMBEDDER:
            rows = warehouse.read("traces")
        else:
            answers, retrievals, citations = (
                warehouse.read(name, partition) for name in ("answers", "retrievals", "citations")
            )
            found = judged_answers(answers, retrievals, citations, warehouse.read("questions"))
            by_corpus: dict[str, list[Trace]] = {}
            for answer in found:
                by_corpus.setdefault(answer.corpus, []).append(answer.trace)
            frames = [trace_frame(traces, corpus) for corpus, traces in by_corpus.items()]
            rows = pl.concat([table("traces").empty(), *frames])
        return warehouse.write("judged_answers", rows.with_columns(embedder=pl.lit(embedder)), partition)
