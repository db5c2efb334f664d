"""The answer in short: how much is supported, by which judge, how sure, and what is missing."""

from collections.abc import Mapping

import polars as pl

from faithflow.report.data import ReportData, baselines
from faithflow.report.numbers import Interval, percent, percent_range, percent_with, plural
from faithflow.report.rates import JudgeSummary, judge_name, unscored_rows

# So many systems are named in a sentence; of more, the ends of the order.
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
    of = _together(data)
    sentences = [_answer(f"{of}judge {judge_name(first, of_baseline)}", own)]
    sentences += [*_by_pipeline(data, first), *_before(data, first)]
    if own["rate"] is not None and unscored_rows(own):
        sentences.append(
            f"{plural(unscored_rows(own), 'is', 'are')} unscored: "
            f"whatever they are, the share lies within {percent_range(own['bounds'])}."
        )
    for judge, other in judges.items():
        if judge != first:
            sentences.append(_answer(f"{of}judge {judge_name(judge, of_baseline)}", other))
    return tuple(sentences)


def _together(data: ReportData) -> str:
    """Says of a share that it is one over all systems, where there are several."""
    return f"over {len(data.pipelines)} systems together, " if len(data.pipelines) > 1 else ""


def _answer(judge: str, of: JudgeSummary) -> str:
    who = judge[0].upper() + judge[1:]
    if of["rate"] is None:
        gap = plural(unscored_rows(of), "is", "are")
        return f"{who} rated no statement, so there is no share to give; {gap} unscored."
    n = f"n = {of['rated']:,}" if of["rows"] == of["claims"] else f"{of['rated']:,} verdicts, repeats counted"
    return (
        f"{who} finds {percent(of['rate'])} of the rated statements supported by their evidence "
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
    rates = {name: (of["rate"], of["interval"]) for name, of in by_pipeline.items()}
    return [f"By system: {_ranked(rates)}."]


def _ranked(rates: Mapping[str, tuple[float, Interval]]) -> str:
    """Systems with their shares, highest first; of many, both ends."""
    ordered = sorted(rates.items(), key=lambda item: (-item[1][0], item[0]))
    shown = [f"{name} {percent_with(*rate)}" for name, rate in ordered]
    if len(shown) <= _NAMED:
        return ", ".join(shown)
    ends = _NAMED // 2
    return f"highest {', '.join(shown[:ends])}; lowest {', '.join(shown[-ends:])}"


def _before(data: ReportData, judge: str) -> list[str]:
    """The same judge on the newest date before this one."""
    if data.trends is None:
        return []
    earlier = data.trends.filter(pl.col("judge") == judge, pl.col("judging_date") < data.judging_date)
    if not earlier.height:
        return []
    newest = earlier.filter(pl.col("judging_date") == pl.col("judging_date").max())
    rated = newest.drop_nulls("rate").select("pipeline", "rate", "low", "high")
    rates = {pipeline: (rate, (low, high)) for pipeline, rate, low, high in rated.iter_rows()}
    if not rates:
        return []
    return [f"The date before, {newest.item(0, 'judging_date')}: {_ranked(rates)}."]
