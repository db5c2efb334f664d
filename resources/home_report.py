"""The report of a home: its newest judging date as a page, as Markdown and as JSON."""

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

import polars as pl

from faithflow.claims.claim import JUDGED_KINDS
from faithflow.corpus.trace import TRACES_EMBEDDER
from faithflow.errors import UserError
from faithflow.identity import digest
from faithflow.metrics.faithfulness import summarise
from faithflow.report.data import ReportData
from faithflow.report.page import render_html, render_markdown
from resources.files import replacing
from resources.home import Home


@dataclass(frozen=True, slots=True)
class Reported:
    """The report that now stands in the home's folder, and the summary that it shows. `replaced` answers were judged on
    that date, but others stand in their place now, which were not: they are left out."""

    judging_date: dt.date
    summary: dict[str, Any]
    replaced: int

    @property
    def warning(self) -> str | None:
        """What a person should know of what the report leaves out."""
        if not self.replaced:
            return None
        return (
            f"{self.replaced} answers of {self.judging_date} were replaced since and the new ones are not judged: "
            "they are not in the report"
        )

    @property
    def data_hash(self) -> str:
        """The hash of the summary: the page's other parts follow from the tables."""
        return digest(self.summary)


def judging_dates(home: Home) -> list[dt.date]:
    """The dates that were judged, oldest first."""
    names = {path.parent.name.removeprefix("judging_date=") for path in home.warehouse.files("verdicts")}
    return sorted(dt.date.fromisoformat(name) for name in names)


def write_report(home: Home, study: str) -> Reported:
    """Write `index.html`, `report.md` and `summary.json` of the newest date; `study` is the study's name.

    Raises UserError where nothing was judged yet, or no answer of that date is there any more.
    """
    home.report.mkdir(parents=True, exist_ok=True)
    with home.deriving("report"):
        dates = judging_dates(home)
        if not dates:
            raise UserError(f"{home.path}: nothing was judged here yet: `faithflow run --home {home.path}` does")
        data, replaced = _data(home, study, dates[-1])
        texts = {
            "summary.json": json.dumps(data.summary, indent=2, ensure_ascii=False) + "\n",
            "report.md": render_markdown(data),
            "index.html": render_html(data),
        }
        for name, text in texts.items():
            with replacing(home.report / name) as temporary:
                temporary.write_text(text, encoding="utf-8")
    return Reported(dates[-1], data.summary, replaced)


def _data(home: Home, study: str, date: dt.date) -> tuple[ReportData, int]:
    """What the report shows, and how many answers of the date it leaves out because they were replaced since."""
    warehouse = home.warehouse
    traces, claims, labels, trends = (warehouse.read(name) for name in ("judged_answers", "claims", "labels", "trends"))
    # a pipeline under two embedders is two systems, which are never pooled
    traces, trends = (frame.with_columns(_system()) for frame in (traces, trends))
    verdicts, calls = (
        warehouse.scan(name).filter(judging_date=date).collect(engine="streaming") for name in ("verdicts", "calls")
    )
    # after a swap the answers of an embedder are others, and until they are judged the date holds rows on the old ones
    replaced = verdicts.join(traces, on="trace_id", how="anti").select("trace_id").unique()
    verdicts, calls = (frame.join(replaced, on="trace_id", how="anti") for frame in (verdicts, calls))
    if verdicts.is_empty() and replaced.height:
        raise UserError(
            f"{replaced.height} answers that were judged on {date} are in no corpus any more: judge today's answers "
            f"first (`faithflow run --home {home.path}`)"
        )
    # with anchors a night judges a part of the answers: the others are none of its report
    judged_kinds = claims.filter(pl.col("kind").is_in(list(JUDGED_KINDS)))
    unjudged = judged_kinds.join(verdicts, on="trace_id", how="anti").select("trace_id").unique()
    traces, claims = (frame.join(unjudged, on="trace_id", how="anti") for frame in (traces, claims))
    numbers = summarise(verdicts, calls, traces, labels)
    summary = {"study": study, "judging_date": date.isoformat(), "answers": traces.height, **numbers}
    answers, scores = warehouse.read("answers"), warehouse.read("citation_scores")
    data = ReportData(
        title=f"Faithfulness of {study}, {date}",
        made_at=dt.datetime.now(dt.UTC),
        judging_date=date,
        study=study,
        summary=summary,
        traces=traces,
        claims=claims,
        verdicts=verdicts,
        calls=calls,
        trends=trends,
        answers=None if answers.is_empty() else answers,
        citation_scores=None if scores.is_empty() else scores,
    )
    return data, replaced.height


def _system() -> pl.Expr:
    both = pl.concat_str("pipeline", "embedder", separator=" · ")
    return pl.when(embedder=TRACES_EMBEDDER).then("pipeline").otherwise(both).alias("pipeline")


def read_summary(home: Home) -> dict[str, Any]:
    """The content of `summary.json` as it was last written."""
    return json.loads((home.report / "summary.json").read_text(encoding="utf-8"))
