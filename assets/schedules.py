"""The nightly judging: one run for each embedder, at two in the morning (UTC)."""

from collections.abc import Iterator

import dagster as dg

from assets.partitions import EMBEDDERS, night_key

_NIGHTLY = ("verdicts", "calls", "answer_verdicts", "agreement", "stability", "trends", "report", "published")

nightly_judging = dg.define_asset_job(
    "nightly_judging",
    selection=dg.AssetSelection.assets(*_NIGHTLY),
    description="Judge the answers of a date by every judge of the study, then agreement, trends and the report.",
)


@dg.schedule(
    job=nightly_judging,
    cron_schedule="0 2 * * *",
    execution_timezone="UTC",
    name="nightly_judging_schedule",
    default_status=dg.DefaultScheduleStatus.STOPPED,
    description="Judges today's date (UTC) each night. Off until someone turns it on: judging may cost money.",
)
def nightly_judging_schedule(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest]:
    """Today's partition of each embedder. The run key makes a tick that is evaluated twice request one run."""
    date = context.scheduled_execution_time.date()
    for embedder in EMBEDDERS.get_partition_keys():
        yield dg.RunRequest(run_key=f"{date}|{embedder}", partition_key=night_key(embedder, date))
