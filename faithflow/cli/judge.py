"""`faithflow judge`: judge a file of traces into a folder."""

import asyncio
import datetime as dt
import json
from pathlib import Path

import click

from faithflow.cli.progress import JudgingProgress
from faithflow.cli.tables import estimate_table, say, summary_table
from faithflow.cli.unscored import say_unscored
from faithflow.corpus.traces import TraceFile, read_traces
from faithflow.errors import UserError
from faithflow.judging.dates import today
from faithflow.study.load import load_study
from faithflow.study.model import Judge, Study


@click.command("judge", short_help="Judge a file of answers into a folder.")
@click.argument("traces", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write to.")
@click.option("--study", "study_file", type=click.Path(path_type=Path), help="Study file. Default: the bundled one.")
@click.option("--judge", "names", multiple=True, help="A judge of the study, repeatable. Default: all.")
@click.option(
    "--date",
    "date",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="Judging date (UTC). Default: today.",
)
@click.option("--late", is_flag=True, help="Let a past judging date be judged now; its rows are marked as late.")
@click.option("--repeats", type=click.IntRange(1, 100), help="Judge every claim so many times. Default: the study's.")
@click.option("--skip-bad", is_flag=True, help="Report bad lines and keep them out, instead of stopping.")
@click.option("--dry-run", is_flag=True, help="Print calls, tokens and cost, and call nobody.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of tables.")
def command(
    traces: Path,
    out: Path,
    study_file: Path | None,
    names: tuple[str, ...],
    date: dt.datetime | None,
    late: bool,
    repeats: int | None,
    skip_bad: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Judge each claim of each answer in TRACES (JSON Lines) and write tables, a summary and a report to a folder.

    Run the same command again to finish what was interrupted or failed; other judges, more traces or more repeats
    extend the folder. Exit code 0: all scored; 3: some claims unscored; 2: bad input, nothing called; 1: failed.
    """
    study = load_study(study_file)
    if repeats is not None:
        study = study.model_copy(update={"repeats": repeats})
    judges = _panel(study, names)
    file = read_traces(traces, skip_bad=skip_bad)
    judging_date = date.date() if date else today()
    for line in [f"kept out, {bad}" for bad in file.bad] + [f"warning: {warning}" for warning in file.warnings]:
        click.echo(f"{traces}: {line}", err=True)
    if dry_run:
        _dry_run(file, out, study, judges, judging_date, late=late, as_json=as_json)
        return 0
    return _judge(file, out, study, judges, judging_date, late=late, as_json=as_json)


def _panel(study: Study, names: tuple[str, ...]) -> tuple[Judge, ...]:
    try:
        return study.panel(names)
    except KeyError as error:
        known = ", ".join(judge.name for judge in study.judges)
        raise UserError(f"--judge: the study has no judge {error.args[0]!r}; it has {known}") from error


def _judge(
    file: TraceFile,
    out: Path,
    study: Study,
    judges: tuple[Judge, ...],
    judging_date: dt.date,
    *,
    late: bool,
    as_json: bool,
) -> int:
    from resources.judge_dir import JudgeDir
    from resources.judge_run import judge_into

    folder = JudgeDir(out, corpus=file.path.stem)
    with JudgingProgress(file.count) as progress:
        outcome = asyncio.run(
            judge_into(folder, file, study, judges, judging_date, late=late, on_answer=progress.answered)
        )
    if as_json:
        click.echo(json.dumps(outcome.summary, indent=2))
    else:
        say(summary_table(outcome.summary))
        say(f"Report: {out / 'report.html'}")
    if outcome.dropped:
        click.echo(
            f"{outcome.dropped} earlier verdicts were on claims that these answers no longer have, and were dropped; "
            "their calls stay in the ledger.",
            err=True,
        )
    for name, detail in outcome.failures.items() if outcome.unscored else ():
        click.echo(f"Last failed call of {name}: {' '.join(detail.split())[:300]}", err=True)
    return say_unscored(outcome.unscored, outcome.rows)


def _dry_run(
    file: TraceFile,
    out: Path,
    study: Study,
    judges: tuple[Judge, ...],
    judging_date: dt.date,
    *,
    late: bool,
    as_json: bool,
) -> None:
    from resources.judge_dir import JudgeDir
    from resources.judge_run import estimate

    folder = JudgeDir(out, corpus=file.path.stem)
    estimates = asyncio.run(estimate(folder, file, study, judges, judging_date, late=late))
    if as_json:
        click.echo(json.dumps({name: found.as_json() for name, found in estimates.items()}, indent=2))
    else:
        say(f"{file.count} answers; what the ledger of {out} holds is not asked again")
        say(estimate_table(estimates))
