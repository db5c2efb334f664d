"""The answer in short: how much is supported, by which judge, how sure, and what is missing."""

from collections.abc import Mapping

import polars as pl

from faithflow.report.data import ReportData, baselines
from faithflow.report.numbers import percent, percent_range, percent_with, plural
from faithflow.report.rates import JudgeSummary, judge_name, unscored_rows

# So many pipelines are named in a sentence; of more, the ends of the order.
_NAMED = 6


def lead(data: ReportData) -> tuple[str, ...]:
    """The answer first, in one sentence; then by pipeline, what is unscored, the date before, and the other judges.

    The first judge that is no baseline leads, if there is one.
    """
    of_baseline = baselines(data)
    judges: Mapping[str, JudgeSummary] = data.summary["judges"]
    if not judges:
        return (f"Nothing was judged on {data.judging_date}.",)
    first = next((judge for judge in judges if judge not in of_baseline), data.judges[0])
    own = judges[first]
    sentences = [_answer(judge_name(first, of_baseline), own), *_by_pipeline(data, first), *_before(data, first)]
    if own["rate"] is not None and unscored_rows(own):
        sentences.append(
            f"{plural(unscored_rows(own), 'is', 'are')} unscored: "
            f"whatever they are, the share lies within {percent_range(own['bounds'])}."
        )
    for judge, other in judges.items():
        if judge != first:
            sentences.append(_answer(judge_name(judge, of_baseline), other))
    return tuple(sentences)


def _answer(name: str, of: JudgeSummary) -> str:
    if of["rate"] is None:
        gap = plural(unscored_rows(of), "is", "are")
        return f"Judge {name} rated no statement, so there is no share to give; {gap} unscored."
    n = f"n = {of['rated']:,}" if of["rows"] == of["claims"] else f"{of['rated']:,} verdicts, repeats counted"
    return (
        f"Judge {name} finds {percent(of['rate'])} of the rated statements supported by their evidence "
        f"({n}; 95% interval {percent_range(of['interval'])})."
    )


def _by_pipeline(data: ReportData, judge: str) -> list[str]:
    by_pipeline: dict[str, JudgeSummary] = {
        pipeline: judges[judge]
        for pipeline, judges in data.summary["pipelines"].items()
        if judge in judges and judges[judge]["rate"] is not None
    }
    if len(by_pipeline) < 2:
        return []
    ordered = sorted(by_pipeline.items(), key=lambda item: (-item[1]["rate"], item[0]))
    rates = [f"{name} {percent_with(of['rate'], of['interval'])}" for name, of in ordered]
    if len(rates) <= _NAMED:
        return [f"By pipeline: {', '.join(rates)}."]
    ends = _NAMED // 2
    highest, lowest = ", ".join(rates[:ends]), ", ".join(rates[-ends:])
    return [f"Of {len(rates)} pipelines, highest: {highest}; lowest: {lowest}."]


def _before(data: ReportData, judge: str) -> list[str]:
    """The same judge on the newest date before this one."""
    if data.trends is None:
        return []
    earlier = data.trends.filter(pl.col("judge") == judge, pl.col("judging_date") < data.judging_date)
    if not earlier.height:
        return []
    newest = earlier.filter(pl.col("judging_date") == pl.col("judging_date").max()).sort("pipeline", "embedder")
    rates = (
        f"{row['pipeline']} {percent_with(row['rate'], (row['low'], row['high']))}"
        for row in newest.iter_rows(named=True)
    )
    return [f"The date before, {newest.item(0, 'judging_date')}: {', '.join(rates)}."]
