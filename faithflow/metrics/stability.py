"""Test and retest of judges: the rows of a summary and of the table `stability`."""

import datetime as dt
from typing import Any

import polars as pl

from faithflow.metrics.opinions import BINARY, binary, cells, judge_opinions
from faithflow.metrics.pairs import as_list
from faithflow.stats.stability import Stability, flips, retest
from faithflow.tables.statistics import STABILITY


def repeated_judges(verdicts: pl.DataFrame) -> list[str]:
    """The judges that were asked more than once, by name."""
    repeats = verdicts.group_by("judge").agg(pl.col("repeat").n_unique())
    return sorted(repeats.filter(pl.col("repeat") > 1)["judge"])


def stability_summary(verdicts: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """The self-agreement of each judge with repeats, pooled and for each two repeats.

    `n` counts the claims with two scored repeats or more; supported against not. Judges asked once do not appear.
    """
    return {judge: _summary(_retest(verdicts, judge)) for judge in repeated_judges(verdicts)}


def stability_frame(verdicts: pl.DataFrame, embedder: str, judging_date: dt.date) -> pl.DataFrame:
    """The table `stability` of one partition: a row for each judge with repeats, pipeline and stratum.

    `verdicts` as for `agreement_frame`; `*` in `pipeline` or `stratum` marks a total.
    """
    rows: list[dict[str, Any]] = []
    today = verdicts.filter(judging_date=judging_date)
    for judge in repeated_judges(today):
        for pipeline, stratum, cell in cells(today.filter(judge=judge)):
            found = _retest(cell, judge)
            flip_rate, flip_interval = flips(found.pooled)
            low_high = {
                f"{name}_{end}": None if interval is None else interval[place]
                for name, interval in (
                    ("flip", flip_interval),
                    ("kappa", found.pooled.kappa_interval),
                    ("ac1", found.pooled.ac1_interval),
                )
                for place, end in enumerate(("low", "high"))
            }
            rows.append(
                {
                    "embedder": embedder,
                    "judging_date": judging_date,
                    "judge": judge,
                    "pipeline": pipeline,
                    "stratum": stratum,
                    "repeats": found.repeats,
                    "n": found.n,
                    "flip_rate": flip_rate,
                    "kappa": found.pooled.kappa,
                    "ac1": found.pooled.ac1,
                    **low_high,
                }
            )
    return pl.DataFrame(rows, schema=STABILITY.schema)


def _retest(verdicts: pl.DataFrame, judge: str) -> Stability:
    opinions = judge_opinions(verdicts, judge)
    return retest(opinions.with_columns(label=binary("verdict")), BINARY)


def _summary(found: Stability) -> dict[str, Any]:
    flip_rate, interval = flips(found.pooled)
    return {
        "repeats": found.repeats,
        "n": found.n,
        "flip_rate": flip_rate,
        "interval": as_list(interval),
        "kappa": found.pooled.kappa,
        "kappa_interval": as_list(found.pooled.kappa_interval),
        "ac1": found.pooled.ac1,
        "ac1_interval": as_list(found.pooled.ac1_interval),
        "pairs": [
            {
                "repeats": [first, later],
                "n": agreement.n,
                "flip_rate": flips(agreement)[0],
                "interval": as_list(flips(agreement)[1]),
                "kappa": agreement.kappa,
                "ac1": agreement.ac1,
                "table": [list(row) for row in agreement.table],
            }
            for first, later, agreement in found.pairs
        ],
    }
