"""The report of the newest date, and the file that analysts open."""

import datetime as dt
from typing import Any

import dagster as dg
import polars as pl

from assets.metadata import OWNERS, failing_plainly, markdown_table
from assets.versions import code_version
from faithflow.report.numbers import count, percent, percent_range
from faithflow.tables.registry import TABLES
from resources.home_report import write_report
from resources.house import House

# a day and some hours after the last report: a night was missed
_LATE, _MISSED = dt.timedelta(hours=26), dt.timedelta(hours=50)


@dg.asset(
    deps=[
        "verdicts",
        "calls",
        "judged_answers",
        "claims",
        "labels",
        "agreement",
        "stability",
        "trends",
        "answers",
        "citation_scores",
    ],
    group_name="report",
    kinds={"python", "html"},
    owners=OWNERS,
    description="One page on the newest judging date, with every claim, its evidence and its verdicts; "
    "the same numbers as Markdown and JSON.",
    code_version=code_version("faithflow.report.page", "faithflow.report.rates", "faithflow.metrics.faithfulness"),
    freshness_policy=dg.FreshnessPolicy.time_window(fail_window=_MISSED, warn_window=_LATE),
)
def report(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """`report/index.html`, `report.md` and `summary.json` in the home."""
    with failing_plainly():
        home = house.open_home()
        reported = write_report(home, house.load_study().name)
    if reported.warning:
        context.log.warning(reported.warning)
    page = home.report / "index.html"
    rows = [
        (
            judge,
            percent(part["rate"]),
            percent_range(part["interval"]),
            count(part["rated"]),
            sum(part["unscored"].values()),
        )
        for judge, part in reported.summary["judges"].items()
    ]
    return dg.MaterializeResult(
        metadata={
            "page": dg.MetadataValue.path(page),
            "open": dg.MetadataValue.url(page.as_uri()),
            "judging_date": reported.judging_date.isoformat(),
            "answers": reported.summary["answers"],
            "answers_replaced": reported.replaced,
            "rates": markdown_table(["judge", "supported", "95% interval", "rated", "unscored"], rows),
        },
        data_version=dg.DataVersion(reported.data_hash),
    )


@dg.asset(
    # the last tables of each branch: all others come before them
    deps=[
        "calls",
        "labels",
        "agreement",
        "stability",
        "trends",
        "citation_scores",
        "triple_verdicts",
        "steps",
        "edges",
    ],
    group_name="report",
    kinds={"duckdb"},
    owners=OWNERS,
    description="All tables in one DuckDB file, with the statements that take no parameter as views.",
    code_version=code_version("resources.published"),
)
def published(house: House) -> dg.MaterializeResult[Any]:
    """`faithflow.duckdb` in the home, built beside the old file and moved into its place."""
    with failing_plainly():
        home = house.open_home()
        path = home.warehouse.publish(home.published)
    rows = [(name, home.warehouse.scan(name).select(pl.len()).collect().item()) for name in TABLES]
    return dg.MaterializeResult(
        metadata={
            "file": dg.MetadataValue.path(path),
            "megabytes": path.stat().st_size / 1e6,
            "rows": markdown_table(["table", "rows"], rows),
        }
    )
