"""The nightly judging: one run for each embedder, at two in the morning (UTC)."""

from collections.abc import Iterator

import dagster as dg

from assets.jobs import nightly_judging
from assets.partitions import night_key
from resources.house import House


@dg.schedule(
    job=nightly_judging,
    cron_schedule="0 2 * * *",
    execution_timezone="UTC",
    name="nightly_judging_schedule",
    default_status=dg.DefaultScheduleStatus.STOPPED,
    description="Judges today's date (UTC) each night. Off until someone turns it on: judging may cost money.",
)
def nightly_judging_schedule(context: dg.ScheduleEvaluationContext, house: House) -> Iterator[dg.RunRequest]:
    """Today's partition of each embedder. The run key makes a tick that is evaluated twice request one run."""
    date = context.scheduled_execution_time.date()
    for embedder in house.load_study().partitions:
        yield dg.RunRequest(run_key=f"{date}|{embedder}", partition_key=night_key(embedder, date))
