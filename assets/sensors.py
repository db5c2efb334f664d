"""The model swap: when the study names another model, what follows from it is made anew and judged."""

import datetime as dt
from collections.abc import Sequence
from typing import Literal

import dagster as dg

from assets.jobs import answering, nightly_judging
from assets.models import report_models
from assets.partitions import night_key
from faithflow.errors import UserError
from faithflow.judging.dates import today
from faithflow.study.swap import Models, Watch
from resources.house import House

SWAP_TAG = "faithflow/model_swap"


@dg.sensor(
    jobs=[answering, nightly_judging],
    name="model_swap",
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.STOPPED,
    description="Watches the study's models. A swapped embedder, generator or judge: the answers that follow from it "
    "are made anew, then today is judged. Off until someone turns it on: models may cost money.",
)
def model_swap(context: dg.SensorEvaluationContext, house: House) -> dg.SensorResult | dg.SkipReason:
    """The first tick only remembers what the study says."""
    try:
        study = house.load_study()
    except UserError as error:
        return dg.SkipReason(f"the study cannot be read: {error}")
    report_models(context.instance, study)
    models = Models.of(study)
    if not context.cursor:
        # the moment keeps its swaps apart from those of a sensor that was reset
        watch = Watch(models, dt.datetime.now(dt.UTC).isoformat())
        return dg.SensorResult(skip_reason="watching from now on", cursor=watch.to_json())
    watch = Watch.from_json(context.cursor)
    unknown = sorted(set(study.partitions) - set(_loaded(context)))
    if unknown:
        return dg.SkipReason(
            f"the study names {', '.join(unknown)} anew: reload the code location, so that it is a partition"
        )
    if models == watch.models:
        return _judge_when_answered(context, watch)
    swapped = models.swapped_since(watch.models)
    watch = watch.after(models, study.partitions)
    if not swapped:
        return _judge_when_answered(context, watch)
    requests = [
        dg.RunRequest(
            run_key=f"{watch.swap}|{embedder}",
            job_name=answering.name,
            partition_key=embedder,
            tags={SWAP_TAG: watch.swap},
        )
        for embedder in watch.answering
    ]
    return dg.SensorResult(run_requests=requests, cursor=watch.to_json())


def _judge_when_answered(context: dg.SensorEvaluationContext, watch: Watch) -> dg.SensorResult:
    """Requests today's judging once no answers are waited for; else says what is. The cursor is kept either way."""
    waits = _waits(context, watch)
    if waits is not None:
        return dg.SensorResult(skip_reason=waits, cursor=watch.to_json())
    date = today()
    requests = [
        dg.RunRequest(
            run_key=f"{watch.swap}|{date}|{embedder}",
            job_name=nightly_judging.name,
            partition_key=night_key(embedder, date),
            tags={SWAP_TAG: watch.swap},
        )
        for embedder in watch.judging
    ]
    return dg.SensorResult(run_requests=requests, cursor=Watch(watch.models, watch.swap).to_json())


def _waits(context: dg.SensorEvaluationContext, watch: Watch) -> str | None:
    """Why nothing is to be judged yet; None where it is."""
    if not watch.judging:
        return "no model was swapped"
    states = {embedder: _state(context, watch.swap, embedder) for embedder in watch.answering}
    failed = sorted(embedder for embedder, state in states.items() if state == "failed")
    if failed:
        return f"the answers of {', '.join(failed)} failed: run them again, judging waits for them"
    if "open" in states.values():
        return "waiting for the answers of the swapped models"
    return None


def _state(context: dg.SensorEvaluationContext, swap: str, embedder: str) -> Literal["open", "failed", "done"]:
    """How it stands with the answers that a swap asked for under an embedder: its newest run says, or, where that one
    failed, whether the claims of its answers were made since by a run of the user's."""
    tags = {SWAP_TAG: swap, "dagster/partition": embedder}
    records = context.instance.get_run_records(dg.RunsFilter(job_name=answering.name, tags=tags), limit=1)
    if not records:
        return "open"
    status = records[0].dagster_run.status
    if status is dg.DagsterRunStatus.SUCCESS:
        return "done"
    if status not in (dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED):
        return "open"
    made_since = dg.AssetRecordsFilter(
        asset_key=dg.AssetKey("claims"),
        asset_partitions=[embedder],
        after_timestamp=records[0].update_timestamp.timestamp(),
    )
    return "done" if context.instance.fetch_materializations(made_since, limit=1).records else "failed"


def _loaded(context: dg.SensorEvaluationContext) -> Sequence[str]:
    """The embedder partitions that the running definitions know."""
    repository = context.repository_def
    partitions = repository.get_job(answering.name).partitions_def if repository else None
    return partitions.get_partition_keys() if partitions else []
