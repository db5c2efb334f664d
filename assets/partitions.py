"""The partitions: embedders, and nights (embedder by judging date)."""

import datetime as dt
from collections.abc import Mapping

import dagster as dg

from faithflow.judging.frames import TRACES_EMBEDDER

FIRST_DATE = dt.date(2026, 1, 1)
"""No date before this one can be judged: faithflow is not older."""

EMBEDDERS = dg.StaticPartitionsDefinition([TRACES_EMBEDDER])
# end_offset=1, or today would not be a partition until tomorrow
NIGHTS = dg.MultiPartitionsDefinition(
    {"embedder": EMBEDDERS, "date": dg.DailyPartitionsDefinition(start_date=FIRST_DATE.isoformat(), end_offset=1)}
)


def night_key(embedder: str, date: dt.date) -> dg.MultiPartitionKey:
    """The key of a night's partition."""
    return dg.MultiPartitionKey({"embedder": embedder, "date": date.isoformat()})


def partition_of(key: str) -> Mapping[str, str]:
    """The values of a table's partition columns for the key of an embedder or of a night."""
    if key in EMBEDDERS.get_partition_keys():
        return {"embedder": key}
    dimensions = NIGHTS.get_partition_key_from_str(key).keys_by_dimension
    return {"embedder": dimensions["embedder"], "judging_date": dimensions["date"]}
