"""Agreement: how far the verdicts of a night can be trusted, and how they move from night to night."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

import dagster as dg
import polars as pl

from assets.metadata import OWNERS, failing_plainly, markdown_table, result, schema
from assets.partitions import NIGHTS, partition_of
from assets.plots import Point, interval_plot, trend_plot
from assets.versions import code_version
from faithflow.metrics.opinions import TOTAL, with_groups
from faithflow.metrics.pairs import agreement_frame
from faithflow.metrics.stability import stability_frame
from faithflow.metrics.trends import trends as trend_frame
from faithflow.report.numbers import coefficient, count, p_value, percent, percent_range
from faithflow.tables.registry import table
from resources.home import Home
from resources.house import House

_STATISTICS = ("faithflow.metrics.opinions", "faithflow.stats.agreement", "faithflow.stats.intervals")
_SHOWN_ROWS = 40


@dg.asset(
    partitions_def=NIGHTS,
    deps=["verdicts", "answer_verdicts", "labels"],
    group_name="agreement",
    kinds={"python", "polars", "parquet"},
    owners=OWNERS,
    description=table("agreement").doc,
    metadata=schema("agreement"),
    code_version=code_version("faithflow.metrics.pairs", *_STATISTICS),
)
def agreement(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """Judges with each other and with people: kappa, AC1, raw agreement, tables and intervals."""
    partition = partition_of(context.partition_key)
    embedder, date = partition["embedder"], dt.date.fromisoformat(partition["judging_date"])
    with failing_plainly():
        home = house.open_home()
        with home.deriving("agreement"):
            rows = agreement_frame(_grouped(home, partition), home.warehouse.read("labels"), embedder, date)
            written = home.warehouse.write("agreement", rows, partition)
    totals = rows.filter(pipeline=TOTAL, stratum=TOTAL).to_dicts()
    names = [f"{row['a']} · {row['b']}" for row in totals]
    return result(
        "agreement",
        written,
        {
            "pairs": markdown_table(
                ["raters", "n", "raw", "kappa", "AC1", "both, a, b, none", "McNemar p"],
                [(name, *_pair(row)) for name, row in zip(names, totals, strict=True)],
            ),
            "kappa_plot": interval_plot(names, [_point(row, "kappa") for row in totals], "Cohen's kappa", low=-1.0),
            "ac1_plot": interval_plot(names, [_point(row, "ac1") for row in totals], "Gwet's AC1", low=-1.0),
        },
    )


@dg.asset(
    partitions_def=NIGHTS,
    deps=["verdicts", "answer_verdicts"],
    group_name="agreement",
    kinds={"python", "polars", "parquet"},
    owners=OWNERS,
    description=table("stability").doc,
    metadata=schema("stability"),
    code_version=code_version("faithflow.metrics.stability", "faithflow.stats.stability", *_STATISTICS),
)
def stability(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """Each judge with itself over repeats; empty where no judge was asked twice."""
    partition = partition_of(context.partition_key)
    embedder, date = partition["embedder"], dt.date.fromisoformat(partition["judging_date"])
    with failing_plainly():
        home = house.open_home()
        with home.deriving("stability"):
            rows = stability_frame(_grouped(home, partition), embedder, date)
            written = home.warehouse.write("stability", rows, partition)
    totals = rows.filter(pipeline=TOTAL, stratum=TOTAL)
    shown = [
        (
            row["judge"],
            row["repeats"],
            row["n"],
            percent(row["flip_rate"]),
            percent_range((row["flip_low"], row["flip_high"])),
            coefficient(row["kappa"], (row["kappa_low"], row["kappa_high"])),
        )
        for row in totals.iter_rows(named=True)
    ]
    headings = ["judge", "repeats", "n", "flip rate", "95% interval", "kappa with itself"]
    return result("stability", written, {"repeats": markdown_table(headings, shown)})


@dg.asset(
    partitions_def=NIGHTS,
    deps=["answer_verdicts"],
    group_name="agreement",
    kinds={"sql", "duckdb", "parquet"},
    owners=OWNERS,
    description=table("trends").doc,
    metadata=schema("trends"),
    code_version=code_version("faithflow.metrics.trends", "faithflow.stats.intervals", statement="trends"),
)
def trends(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """The history of one embedder over all dates that are there, written anew when a date joins or changes."""
    embedder = partition_of(context.partition_key)["embedder"]
    with failing_plainly():
        home = house.open_home()
        with home.deriving("trends"):
            rows = trend_frame(home.warehouse.query("trends", embedder=embedder))
            written = home.warehouse.write("trends", rows, {"embedder": embedder})
    newest = rows.sort("judging_date", "judge", "pipeline", descending=[True, False, False]).head(_SHOWN_ROWS)
    return result(
        "trends",
        written,
        {
            "dates": rows["judging_date"].n_unique(),
            "newest": markdown_table(
                ["date", "judge", "pipeline", "supported", "95% interval", "rated", "unscored"],
                [_trend(row) for row in newest.iter_rows(named=True)],
            ),
            "plot": trend_plot(rows, "Supported statements, date by date"),
        },
    )


def _grouped(home: Home, partition: Mapping[str, str]) -> pl.DataFrame:
    """The night's verdicts with pipeline and stratum, also of answers that were replaced since."""
    answers = home.warehouse.read("answer_verdicts", partition)
    groups = answers.select("trace_id", "pipeline", "stratum").unique()
    return with_groups(home.warehouse.read("verdicts", partition), groups)


def _pair(row: Mapping[str, Any]) -> tuple[str, ...]:
    cells = ", ".join(str(row[name]) for name in ("n11", "n10", "n01", "n00"))
    kappa, ac1 = (coefficient(row[name], (row[f"{name}_low"], row[f"{name}_high"])) for name in ("kappa", "ac1"))
    return count(row["n"]), percent(row["raw"]), kappa, ac1, cells, p_value(row["mcnemar_p"])


def _point(row: Mapping[str, Any], name: str) -> Point | None:
    point = row[name], row[f"{name}_low"], row[f"{name}_high"]
    return None if None in point else point


def _trend(row: Mapping[str, Any]) -> tuple[str, ...]:
    interval = percent_range((row["low"], row["high"]))
    date, rate = str(row["judging_date"]), percent(row["rate"])
    return date, row["judge"], row["pipeline"], rate, interval, count(row["rated"]), count(row["unscored"])
