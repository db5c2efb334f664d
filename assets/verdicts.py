"""Verdicts: each claim put to each judge of the study, one partition a night."""

import asyncio
import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

import dagster as dg
import polars as pl
from pydantic import Field

from assets.metadata import OWNERS, failing_plainly, markdown_table, result, schema
from assets.partitions import NIGHTS, partition_of
from assets.plots import Point, interval_plot, verdict_plot
from assets.versions import code_version
from faithflow.metrics.faithfulness import judge_summary
from faithflow.metrics.opinions import with_groups
from faithflow.report.numbers import count, money, percent, percent_range
from faithflow.tables.registry import table
from resources.home import Home
from resources.house import House
from resources.night import Night, judge_night

_JUDGING = code_version(
    "faithflow.judging.prompt",
    "faithflow.judging.reply",
    "faithflow.judging.ask",
    "faithflow.judging.rubric",
    "faithflow.judging.windows",
    "faithflow.llm.json_reader",
)


class NightConfig(dg.Config):
    late: bool = Field(
        default=False,
        description="Judge a past date now, by fresh calls. Its rows are marked as late. Without it a past date is "
        "only rebuilt, from the replies that the ledger holds of that date.",
    )


@dg.multi_asset(
    name="judging",
    partitions_def=NIGHTS,
    specs=[
        dg.AssetSpec(
            name,
            deps=["judged_answers", "claims"],
            group_name="verdicts",
            kinds=kinds,
            owners=OWNERS,
            description=table(name).doc,
            metadata=schema(name),
            code_version=_JUDGING,
        )
        for name, kinds in (("verdicts", {"python", "ai", "parquet"}), ("calls", {"python", "sqlite", "parquet"}))
    ],
)
def judging(
    context: dg.AssetExecutionContext, config: NightConfig, house: House
) -> Iterator[dg.MaterializeResult[Any]]:
    """Judge the night's answers. Today's date may call; a past one is rebuilt from the ledger alone."""
    partition = partition_of(context.partition_key)
    date = dt.date.fromisoformat(partition["judging_date"])
    with failing_plainly():
        home, study = house.open_home(), house.load_study()
        night = asyncio.run(
            judge_night(home, study, partition["embedder"], date, late=config.late, say=context.log.info)
        )
        if night.left_out:
            context.log.warning(f"{night.left_out} answers were not asked about on {date} and have no part in it")
        yield result("verdicts", night.verdicts, _seen(home, partition, night))
        yield result("calls", night.calls, {"by_judge": _cost(home, partition)})


@dg.asset(
    partitions_def=NIGHTS,
    deps=["verdicts", "judged_answers"],
    group_name="verdicts",
    kinds={"sql", "duckdb", "parquet"},
    owners=OWNERS,
    description=table("answer_verdicts").doc,
    metadata=schema("answer_verdicts"),
    code_version=code_version(statement="answer_verdicts"),
)
def answer_verdicts(context: dg.AssetExecutionContext, house: House) -> dg.MaterializeResult[Any]:
    """The verdicts of each answer, counted by sql/answer_verdicts.sql."""
    partition = partition_of(context.partition_key)
    with failing_plainly():
        home = house.open_home()
        with home.deriving("answer_verdicts"):
            frame = home.warehouse.query("answer_verdicts", **partition)
            written = home.warehouse.write("answer_verdicts", frame, partition)
    faithful = frame.group_by("judge", "pipeline").agg(
        pl.len().alias("answers"),
        pl.col("faithful").sum().alias("faithful"),
        (~pl.col("faithful")).sum().alias("not faithful"),
        pl.col("faithful").is_null().sum().alias("not known"),
    )
    rows = faithful.sort("judge", "pipeline")
    return result("answer_verdicts", written, {"faithful_answers": markdown_table(rows.columns, rows.iter_rows())})


def _seen(home: Home, partition: Mapping[str, str], night: Night) -> dict[str, Any]:
    """What the night looks like: rates with their intervals, verdicts, what has none and why, and what it took."""
    embedder = {"embedder": partition["embedder"]}
    verdicts = with_groups(home.warehouse.read("verdicts", partition), home.warehouse.read("judged_answers", embedder))
    calls = home.warehouse.read("calls", partition)
    judges = {
        judge: judge_summary(rows, calls)
        for (judge,), rows in verdicts.sort("judge").group_by("judge", maintain_order=True)
    }
    cells = verdicts.sort("judge", "pipeline").group_by("judge", "pipeline", maintain_order=True)
    parts = {f"{judge} · {pipeline}": judge_summary(rows, None) for (judge, pipeline), rows in cells}
    late = int(verdicts["late"].sum())
    return {
        "rates": markdown_table(
            ["judge and pipeline", "supported", "95% interval", "bounds", "rated", "unscored"],
            [_rate_row(name, part) for name, part in ({f"{j} · all": s for j, s in judges.items()} | parts).items()],
        ),
        "rates_plot": interval_plot(list(parts), [_point(part) for part in parts.values()], "Supported statements"),
        "verdicts_plot": verdict_plot(judges, "Verdicts, by judge"),
        "unscored": markdown_table(
            ["judge", "reason", "rows"],
            [(judge, reason, n) for judge, part in judges.items() for reason, n in part["unscored"].items()],
        ),
        "usage": markdown_table(
            ["judge", "calls", "prompt tokens", "completion tokens", "cost"],
            [
                (judge, count(s["calls"]), count(s["prompt_tokens"]), count(s["completion_tokens"]), money(s["cost"]))
                for judge, s in judges.items()
            ],
        ),
        "answers": night.answers,
        "answers_left_out": night.left_out,
        "rows_dropped": night.dropped,
        "late_rows": late,
    }


def _rate_row(name: str, part: Mapping[str, Any]) -> tuple[str, ...]:
    unscored = sum(part["unscored"].values())
    rate, interval, bounds = percent(part["rate"]), percent_range(part["interval"]), percent_range(part["bounds"])
    return name, rate, interval, bounds, count(part["rated"]), count(unscored)


def _point(part: Mapping[str, Any]) -> Point | None:
    return None if part["rate"] is None or part["interval"] is None else (part["rate"], *part["interval"])


def _cost(home: Home, partition: Mapping[str, str]) -> dg.MarkdownMetadataValue:
    rows = home.warehouse.query("cost_by_judge")
    own = rows.filter(
        pl.col("embedder") == partition["embedder"],
        pl.col("judging_date") == dt.date.fromisoformat(partition["judging_date"]),
    )
    shown = own.drop("embedder", "judging_date")
    return markdown_table(shown.columns, ([_rounded(value) for value in row] for row in shown.iter_rows()))


def _rounded(value: object) -> object:
    if value is None:
        return "unknown"
    return f"{value:.3g}" if isinstance(value, float) else value
