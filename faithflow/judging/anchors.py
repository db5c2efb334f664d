"""Which answers a night judges: the pinned anchors again, and those that have no verdict yet."""

import datetime as dt
from collections.abc import Collection

import polars as pl

from faithflow.identity import digest
from faithflow.judging.verdict import Status
from faithflow.study.model import Anchors


def anchor_ids(traces: pl.DataFrame, anchors: Anchors) -> set[str]:
    """The ids of the anchors: of each pipeline and stratum `per_cell` answers, all of them where there are fewer.

    `traces` has `trace_id, content_hash, pipeline, stratum`. An answer's place in its cell is the hash of its content
    under the seed: it depends on no other answer, so new answers move an anchor only by taking its place.
    """
    places = [digest([anchors.seed, content]) for content in traces["content_hash"]]
    cells = traces.select("trace_id", "pipeline", "stratum", place=pl.Series(places, dtype=pl.String))
    chosen = cells.sort("place", "trace_id").group_by("pipeline", "stratum").head(anchors.per_cell)
    return set(chosen["trace_id"])


def judged_before(verdicts: pl.DataFrame, judges: Collection[str], date: dt.date) -> set[str]:
    """The ids of the answers on which each of these judges has a verdict, or cannot have one, from before `date`.

    `verdicts` has `trace_id, judge, judging_date, status`. A row that is unscored counts for nothing: such an answer
    is asked about again.
    """
    settled = verdicts.filter(
        pl.col("judging_date") < date,
        pl.col("status") != Status.UNSCORED.value,
        pl.col("judge").is_in(list(judges)),
    )
    counts = settled.group_by("trace_id").agg(pl.col("judge").n_unique())
    return set(counts.filter(pl.col("judge") == len(judges))["trace_id"])


def answers_of_night(
    traces: pl.DataFrame, verdicts: pl.DataFrame, judges: Collection[str], date: dt.date, anchors: Anchors | None
) -> set[str]:
    """The ids of the answers to judge under a date: all of them, or with anchors those and the ones not judged before.

    The choice is the same for each run of one date.
    """
    everything = set(traces["trace_id"])
    if anchors is None:
        return everything
    return anchor_ids(traces, anchors) | (everything - judged_before(verdicts, judges, date))
