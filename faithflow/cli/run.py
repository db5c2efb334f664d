"""`faithflow run`: the whole graph for one judging date."""

import datetime as dt
import json
import os
import time
from pathlib import Path
from typing import Any

import click

from faithflow.cli.main import FAILED
from faithflow.cli.options import home_option, study_option
from faithflow.cli.stages import StageLines
from faithflow.cli.tables import say, summary_table
from faithflow.cli.unscored import say_unscored
from faithflow.errors import UserError
from faithflow.judging.dates import fresh_calls_allowed, today
from faithflow.study.load import load_study
from faithflow.study.model import Study
from faithflow.study.variables import variables_of


@click.command("run", short_help="Run the whole graph: answers, claims, verdicts, agreement, report.")
@study_option
@home_option
@click.option(
    "--date",
    "date",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="Judging date (UTC). Default: today.",
)
@click.option("--late", is_flag=True, help="Let a past judging date be judged now; its rows are marked as late.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON in place of tables.")
def command(study_file: Path | None, home: Path, date: dt.datetime | None, late: bool, as_json: bool) -> int:
    """Judge the study's answers into a home and write the report: every asset of the graph, for every embedder.

    Run it again to finish what was interrupted or failed; what was answered is never asked again. A past date is
    rebuilt from the ledger alone. Exit code 0: all scored; 3: some claims unscored; 2: bad input, nothing called;
    1: failed.
    """
    from assets.partitions import FIRST_DATE
    from faithflow.cli.graph import GraphError, run_graph
    from resources.home_report import read_summary
    from resources.house import house

    judging_date = date.date() if date else today()
    _refuse_unset_variables(load_study(study_file))
    fresh_calls_allowed(judging_date, late=late)
    if judging_date < FIRST_DATE:
        raise UserError(f"--date: the first judging date is {FIRST_DATE}, not {judging_date}")
    place = house(home, study_file)
    started = time.monotonic()
    with StageLines() as lines:
        try:
            run_graph(
                place,
                judging_date,
                late=late,
                on_message=lines.message,
                on_made=lines.made,
                on_warning=lines.warning,
            )
        except GraphError as error:
            click.echo(f"Failed: {error}", err=True)
            return FAILED
    opened = place.open_home()
    summary = read_summary(opened)
    if as_json:
        click.echo(json.dumps(summary, indent=2, ensure_ascii=False))
    else:
        say(summary_table(summary))
        say(f"Report: {opened.report / 'index.html'}   (made in {time.monotonic() - started:.0f} s)")
    return _unscored(summary)


def _refuse_unset_variables(study: Study) -> None:
    """Before anything is made: an index of many documents is hours of work to find out that a later key lacks."""
    unset = [(path, name) for path, name in variables_of(study) if not os.environ.get(name, "").strip()]
    if unset:
        raise UserError(
            "\n".join(f"{path}: the environment variable {name} is not set" for path, name in unset),
        )


def _unscored(summary: dict[str, Any]) -> int:
    reasons: dict[str, int] = {}
    for judge in summary["judges"].values():
        for reason, number in judge["unscored"].items():
            reasons[reason] = reasons.get(reason, 0) + number
    return say_unscored(reasons, sum(judge["rows"] for judge in summary["judges"].values()))
