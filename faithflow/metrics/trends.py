"""The table `trends`: support rates date by date, with intervals."""

from typing import Any

import numpy as np
import polars as pl

from faithflow.stats.intervals import clustered_rate
from faithflow.tables.statistics import TRENDS


def trends(counts: pl.DataFrame) -> pl.DataFrame:
    """The table `trends` from the rows of sql/trends.sql: adds the rate and its 95 % interval, clustered by answer.

    A row lists its answers in `answers`, `answer_rated` and `answer_supported`: id, rated claims, supported claims.
    """
    rows = [_row(row) for row in counts.iter_rows(named=True)]
    return pl.DataFrame(rows, schema=TRENDS.schema)


def _row(counted: dict[str, Any]) -> dict[str, Any]:
    row = {name: counted.get(name) for name in TRENDS.schema}
    rated, supported = np.array(counted["answer_rated"]), np.array(counted["answer_supported"])
    answers = np.repeat(np.array(counted["answers"]), rated)
    hits = np.concatenate([np.repeat([1, 0], [hit, n - hit]) for hit, n in zip(supported, rated, strict=True)])
    row["rate"] = counted["supported"] / counted["rated"] if counted["rated"] else None
    row["low"], row["high"] = clustered_rate(hits, answers) or (None, None)
    return row
