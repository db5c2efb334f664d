"""What a report is made of: the frames of one judging date and the summary of them."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

import polars as pl


@dataclass(frozen=True, slots=True)
class ReportData:
    """All that the report shows. The page is a pure function of it: equal data give equal bytes.

    `summary` is the content of `summary.json`. `traces`, `claims`, `verdicts` and `calls` are the tables of those
    names; rows of `verdicts` and `calls` of another date than `judging_date` are counted, and not shown.
    `pipeline` names the system: the same pipeline under two embedders has two names.
    `trends` is the table of that name, or None where there is no history. `answers` and `citation_scores` are the
    tables of those names, or None where no system of the study answered (the answers were brought by the user).
    """

    title: str
    made_at: dt.datetime
    judging_date: dt.date
    study: str
    summary: dict[str, Any]
    traces: pl.DataFrame
    claims: pl.DataFrame
    verdicts: pl.DataFrame
    calls: pl.DataFrame
    trends: pl.DataFrame | None = None
    answers: pl.DataFrame | None = None
    citation_scores: pl.DataFrame | None = None

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges' names in the order of the summary."""
        return tuple(self.summary["judges"])

    @property
    def pipelines(self) -> tuple[str, ...]:
        """The names of the systems whose answers were judged, in the order of the summary."""
        return tuple(self.summary["pipelines"])


def of_date(frame: pl.DataFrame, date: dt.date) -> pl.DataFrame:
    """The rows of one judging date."""
    return frame.filter(pl.col("judging_date") == date)


def baselines(data: ReportData) -> frozenset[str]:
    """The judges that are offline baselines: their calls were answered by the provider `baseline`."""
    return frozenset(data.calls.filter(pl.col("provider") == "baseline").get_column("judge").unique().to_list())


def together(data: ReportData) -> str:
    """What the caption of a table of totals adds where there are several systems: that it is over all of them."""
    return ", all systems together" if len(data.pipelines) > 1 else ""
