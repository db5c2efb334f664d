"""`faithflow doctor`: what is wrong with an installation and a home."""

import json
from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from faithflow.cli.main import FAILED
from faithflow.cli.options import home_option, study_option
from faithflow.cli.tables import say

_STYLES = {"ok": "green", "mended": "yellow", "broken": "bold red"}


@click.command("doctor", short_help="Find out what is wrong with an installation or a home, and mend what can be.")
@study_option
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of a table.")
def command(study_file: Path | None, home: Path, as_json: bool) -> int:
    """Look at Python and the packages, the study and its keys, endpoints, the home, its ledger and all its tables.

    Files of killed writers are removed, dead Dagster runs are marked as failed and the slots that they held are freed.
    Nobody is asked to judge. Exit code 1 if something is broken.
    """
    from resources.doctor import examine

    findings = list(examine(home, study_file))
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=2, ensure_ascii=False))
    else:
        table = Table(box=None, show_header=False, pad_edge=False)
        for finding in findings:
            table.add_row(finding.what, f"[{_STYLES[finding.state]}]{finding.state}[/]", finding.words)
        say(table)
    return FAILED if any(finding.state == "broken" for finding in findings) else 0
