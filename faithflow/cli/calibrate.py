"""`faithflow calibrate`: a judge's threshold from a user's own labels."""

import asyncio
import json
import tempfile
from pathlib import Path

import click
import polars as pl

from faithflow.cli.progress import JudgingProgress
from faithflow.cli.tables import say
from faithflow.corpus.traces import read_traces
from faithflow.errors import UserError
from faithflow.judging.baseline.calibrate import Calibration, choose_threshold
from faithflow.judging.dates import today
from faithflow.judging.verdict import STATEMENT_LABELS, Label
from faithflow.study.load import load_study
from faithflow.study.model import Judge


@click.command("calibrate", short_help="Set a baseline's threshold from your own labels.")
@click.argument("traces", type=click.Path(path_type=Path))
@click.option("--judge", "name", default="lexical", show_default=True, help="A baseline of the study.")
@click.option("--study", "study_file", type=click.Path(path_type=Path), help="Study file. Default: the bundled one.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of text.")
def command(traces: Path, name: str, study_file: Path | None, as_json: bool) -> None:
    """Judge the labelled answers in TRACES by a baseline and find the threshold that best tells people's verdicts.

    The accuracy that is printed is cross-validated over answers: each answer is judged with a threshold that was set
    without it. Put the threshold into the study's `params` of the judge.
    """
    study = load_study(study_file)
    try:
        (judge,) = study.panel((name,))
    except KeyError as error:
        raise UserError(f"--judge: the study has no judge {name!r}") from error
    if judge.provider != "baseline":
        raise UserError(f"--judge: {name!r} is no baseline: only a baseline has a threshold")
    found = _calibrate(traces, judge)
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=2))
        return
    low, high = found.interval
    say(
        f"{found.n:,} labelled statements of {found.clusters:,} answers, {100 * found.prevalence:.1f}% supported\n"
        f"threshold {found.threshold:.3f}: balanced accuracy {100 * found.balanced_accuracy:.1f}% "
        f"(cross-validated over answers; 95% interval {100 * low:.1f}–{100 * high:.1f}%); "
        f"at the shipped threshold {found.default_threshold:.3f}: {100 * found.default_balanced_accuracy:.1f}%\n"
        f"in the study: {{name: {name}, provider: baseline, params: {{threshold: {found.threshold:.3f}}}}}"
    )


def _calibrate(traces: Path, judge: Judge) -> Calibration:
    from resources.judge_dir import JudgeDir
    from resources.judge_run import judge_into

    file = read_traces(traces)
    plain = load_study().model_copy(update={"judges": (judge,)})
    with tempfile.TemporaryDirectory(prefix="faithflow-calibrate-") as folder, JudgingProgress(file.count) as progress:
        out = JudgeDir(Path(folder), corpus=traces.stem)
        asyncio.run(judge_into(out, file, plain, plain.judges, today(), on_answer=progress.answered))
        rows = out.table("verdicts").join(out.table("labels"), on=["trace_id", "claim_id"], suffix="_human").collect()
    statements = [label.value for label in STATEMENT_LABELS]
    # several people on one claim: the majority, a tie left out
    people = (
        rows.filter(pl.col("verdict_human").is_in(statements) & pl.col("confidence").is_not_null())
        .group_by("trace_id", "claim_id")
        .agg(pl.col("confidence").first(), (pl.col("verdict_human") == Label.SUPPORTED.value).mean().alias("supported"))
        .filter(pl.col("supported") != 0.5)
        .sort("trace_id", "claim_id")
    )
    if people["supported"].round().n_unique() < 2:
        raise UserError(
            f"{traces}: needs labels of both kinds, supported and not; it has {people.height} that can be used"
        )
    return choose_threshold(
        people["confidence"].to_list(), [share > 0.5 for share in people["supported"]], people["trace_id"].to_list()
    )
