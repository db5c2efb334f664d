"""`faithflow report`: the report and the published file, made anew from what is stored."""

import json
from pathlib import Path

import click

from faithflow.cli.options import home_option, study_option
from faithflow.cli.tables import say, summary_table
from faithflow.study.load import load_study


@click.command("report", short_help="Make the report and faithflow.duckdb anew from the warehouse.")
@study_option
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON in place of tables.")
def command(study_file: Path | None, home: Path, as_json: bool) -> int:
    """Write the report of the newest judging date, and publish all tables as one DuckDB file. Nobody is called."""
    from resources.home_report import write_report
    from resources.house import house

    place = house(home, study_file).open_home()
    reported = write_report(place, load_study(study_file).name)
    place.warehouse.publish(place.published)
    if reported.warning:
        click.echo(f"Warning: {reported.warning}", err=True)
    if as_json:
        click.echo(json.dumps(reported.summary, indent=2, ensure_ascii=False))
        return 0
    say(f"Judging date {reported.judging_date}")
    say(summary_table(reported.summary))
    say(f"Report: {place.report / 'index.html'}")
    say(f"Tables: {place.published}")
    return 0
