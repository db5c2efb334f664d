"""The partitions: embedders, and nights (embedder by judging date)."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import dagster as dg

from faithflow.corpus.trace import TRACES_EMBEDDER

FIRST_DATE = dt.date(2026, 1, 1)
"""No date before this one can be judged: faithflow is not older."""


@dataclass(frozen=True, slots=True)
class Partitions:
    """What a study's assets are partitioned by."""

    embedders: dg.StaticPartitionsDefinition
    nights: dg.MultiPartitionsDefinition


def partitions_of(embedders: Sequence[str]) -> Partitions:
    """The partitions of a study whose embedder keys are these (`Study.partitions`)."""
    static = dg.StaticPartitionsDefinition(list(embedders))
    # end_offset=1, or today would not be a partition until tomorrow
    dates = dg.DailyPartitionsDefinition(start_date=FIRST_DATE.isoformat(), end_offset=1)
    return Partitions(static, dg.MultiPartitionsDefinition({"embedder": static, "date": dates}))


# What the assets are declared with. The study's own take their place when they are bound to it (assets/binding.py).
DECLARED = partitions_of([TRACES_EMBEDDER])
EMBEDDERS, NIGHTS = DECLARED.embedders, DECLARED.nights


def night_key(embedder: str, date: dt.date) -> dg.MultiPartitionKey:
    """The key of a night's partition."""
    return dg.MultiPartitionKey({"embedder": embedder, "date": date.isoformat()})


def partition_of(key: str) -> Mapping[str, str]:
    """The values of a table's partition columns for the key of an embedder or of a night."""
    # an embedder is a slug, which holds no bar
    date, bar, embedder = key.partition("|")
    return {"embedder": embedder, "judging_date": date} if bar else {"embedder": key}
