"""How the judging went: calls, tokens and cost, the run of days, and what a reader must be told first."""

import polars as pl

from faithflow.report.data import ReportData, baselines, of_date, together
from faithflow.report.numbers import count, money, percent, percent_range, plural, share
from faithflow.report.rates import judge_name
from faithflow.report.tables import Cell, Column, Detail, Panel, Section, Table, cells
from faithflow.report.words import reason_words

# a table of years is no table: the drawing and the table `trends` hold them all
TREND_ROWS = 200


def notes(data: ReportData) -> tuple[str, ...]:
    """What bears on all numbers: late verdicts, suspected injections, rows of other dates."""
    found: list[str] = []
    own = of_date(data.verdicts, data.judging_date)
    late = int(own.get_column("late").sum()) if own.height else 0
    if late:
        found.append(f"{plural(late, 'verdict was', 'verdicts were')} made after the judging date and marked late.")
    if own.height:
        flags = own.select("trace_id", pl.col("flags").alias("flag")).explode("flag").drop_nulls("flag")
        by_flag = flags.group_by("flag").agg(pl.len().alias("n"), pl.col("trace_id").n_unique().alias("answers"))
        for flag, n, answers in by_flag.sort("flag").iter_rows():
            name = str(flag).replace("_", " ")
            found.append(f"{plural(n, 'verdict')} on {plural(answers, 'answer')} flagged: {name}.")
    others = data.verdicts.height - own.height
    if others:
        dates = sorted(set(map(str, data.verdicts.get_column("judging_date").unique())) - {str(data.judging_date)})
        shown = ", ".join(dates[-5:])
        found.append(
            f"{plural(others, 'verdict')} of other judging dates ({plural(len(dates), 'date')}, the last: {shown}) "
            f"are kept and enter no number here."
        )
    return tuple(found)


def cost(data: ReportData) -> Section:
    """Calls, tokens, cost and latency by judge and purpose."""
    # a call without a date is no judgement: claims are extracted once for all dates
    calls = data.calls.filter(pl.col("judging_date").is_null() | (pl.col("judging_date") == data.judging_date))
    if not calls.height:
        return Section("cost", "Cost and calls", ("No call was recorded.",))
    of_baseline = baselines(data)
    by = (
        calls.with_columns(
            pl.when(pl.col("reason").is_null()).then(pl.col("latency_s")).alias("answered_s"),
            (pl.col("prompt_tokens") + pl.col("completion_tokens")).alias("tokens"),
        )
        .group_by("judge", "purpose")
        .agg(
            pl.len().alias("attempts"),
            pl.col("reason").is_not_null().sum().alias("failed"),
            pl.col("prompt_tokens").sum(),
            pl.col("completion_tokens").sum(),
            pl.col("tokens").filter(pl.col("estimated")).sum().alias("estimated"),
            pl.col("tokens").sum(),
            (pl.col("cost").is_null() & (pl.col("tokens") > 0)).any().alias("unpriced"),
            pl.col("cost").sum(),
            pl.col("answered_s").median().alias("median"),
            pl.col("answered_s").quantile(0.95).alias("p95"),
        )
        .sort("judge", "purpose")
    )
    columns = (
        Column("Asked of"),
        Column("Purpose"),
        *(Column(title, number=True) for title in ("Attempts", "Failed", "Prompt tokens", "Completion tokens")),
        Column("Cost", number=True),
        Column("Latency, median / 95th percentile", number=True),
    )
    rows: list[tuple[Cell, ...]] = []
    for row in by.iter_rows(named=True):
        mark = "≈ " if row["estimated"] else ""
        latency = "none" if row["median"] is None else f"{row['median']:.2f} s / {row['p95']:.2f} s"
        values = (
            judge_name(row["judge"], of_baseline),
            row["purpose"],
            count(row["attempts"]),
            count(row["failed"]),
            mark + count(row["prompt_tokens"]),
            mark + count(row["completion_tokens"]),
            money(None if row["unpriced"] else row["cost"]),
            latency,
        )
        rows.append(cells(values))
    prose = ["Cost is in the currency of the study's prices. Unknown is a model without a price, not a free one."]
    estimated, tokens = (int(by.get_column(name).sum()) for name in ("estimated", "tokens"))
    if estimated:
        prose.append(
            f"≈ marks tokens that no endpoint reported and that were counted here: {share(estimated, tokens)}."
        )
    tables = [Table(f"Calls, by judge and purpose{together(data)}", columns, tuple(rows), headers=2)]
    failures = calls.filter(pl.col("reason").is_not_null()).group_by("judge", "reason").len().sort("judge", "reason")
    if failures.height:
        failed = tuple(
            cells((judge_name(judge, of_baseline), reason_words(reason), count(n)))
            for judge, reason, n in failures.iter_rows()
        )
        columns = (Column("Asked of"), Column("Reason"), Column("Attempts", number=True))
        tables.append(Table(f"Failed attempts, by reason{together(data)}", columns, failed, headers=2))
    return Section("cost", "Cost and calls", tuple(prose), tuple(tables))


def trends(data: ReportData) -> Section | None:
    """The support rate over the judging dates; None where there is no history of two dates or more."""
    frame = data.trends
    if frame is None or frame.get_column("judging_date").n_unique() < 2:
        return None
    of_baseline = baselines(data)
    first, last = frame.get_column("judging_date").min(), frame.get_column("judging_date").max()
    days = frame.select((pl.lit(last) - pl.lit(first)).dt.total_days()).item()
    placed = frame.with_columns(((pl.col("judging_date") - first).dt.total_days() / days).alias("position"))
    panels: list[Panel] = []
    keys = ["judge", "pipeline"]
    for (judge, pipeline), own in placed.sort(*keys, "judging_date").group_by(keys, maintain_order=True):
        points = own.drop_nulls(["rate", "low", "high"]).select("judging_date", "position", "rate", "low", "high")
        line = tuple((str(date), x, rate, low, high) for date, x, rate, low, high in points.iter_rows())
        panels.append(Panel(f"{judge_name(str(judge), of_baseline)}: {pipeline}", line))
    newest = frame.sort("judging_date", *keys, descending=[True, False, False])
    columns = (
        Column("Date"),
        Column("Judge"),
        Column("System"),
        *(Column(title, number=True) for title in ("Supported", "95% interval", "Rated", "Unscored")),
    )
    rows = tuple(
        cells(
            (
                str(row["judging_date"]),
                judge_name(row["judge"], of_baseline),
                row["pipeline"],
                percent(row["rate"]),
                percent_range((row["low"], row["high"])),
                count(row["rated"]),
                count(row["unscored"]),
            )
        )
        for row in newest.head(TREND_ROWS).iter_rows(named=True)
    )
    span = f"From {first} to {last}, each date judged on its day. A dot is a share, a line its 95% interval."
    extent = "The newest come first."
    if newest.height > TREND_ROWS:
        extent += f" These are the newest {TREND_ROWS} rows; the table trends holds all {newest.height:,}."
    table = Table("Share of supported statements, by date", columns, rows, headers=2)
    detail = Detail("The figures by date", extent, (table,))
    return Section("trends", "From night to night", (span,), panels=tuple(panels), details=(detail,))
