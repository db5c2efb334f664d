"""The model swap: when the study names another model, what follows from it is made anew and judged."""

from collections.abc import Sequence

import dagster as dg

from assets.jobs import answering, nightly_judging
from assets.models import report_models
from assets.partitions import night_key
from faithflow.errors import UserError
from faithflow.judging.dates import today
from faithflow.study.swap import Models, Watch
from resources.house import House

SWAP_TAG = "faithflow/model_swap"
_OVER = (dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED)


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
        return dg.SensorResult(skip_reason="watching from now on", cursor=Watch(models).to_json())
    watch = Watch.from_json(context.cursor)
    swapped = models.swapped_since(watch.models)
    unknown = sorted(set(swapped) - set(_loaded(context)))
    if unknown:
        return dg.SkipReason(
            f"the study names {', '.join(unknown)} anew: reload the code location, so that it is a partition"
        )
    if models != watch.models:
        rejudged = study.partitions if models.judges != watch.models.judges else swapped
        waiting = tuple(dict.fromkeys((*watch.judging, *rejudged)))
        answers = tuple(dict.fromkeys((*watch.answering, *swapped)))
        watch = Watch(models, models.id, answers, waiting)
        if swapped:
            requests = [
                dg.RunRequest(
                    run_key=f"{models.id}|{embedder}",
                    job_name=answering.name,
                    partition_key=embedder,
                    tags={SWAP_TAG: models.id},
                )
                for embedder in answers
            ]
            return dg.SensorResult(run_requests=requests, cursor=watch.to_json())
    return _judge_when_answered(context, watch)


def _judge_when_answered(context: dg.SensorEvaluationContext, watch: Watch) -> dg.SensorResult | dg.SkipReason:
    if not watch.judging:
        return dg.SensorResult(skip_reason="no model was swapped", cursor=watch.to_json())
    statuses = {embedder: _last_status(context, watch.swap, embedder) for embedder in watch.answering}
    failed = sorted(e for e, status in statuses.items() if status in _OVER[1:])
    if failed:
        return dg.SkipReason(f"the answers of {', '.join(failed)} failed: run them again, judging waits for them")
    if any(status is not dg.DagsterRunStatus.SUCCESS for status in statuses.values()):
        return dg.SkipReason("waiting for the answers of the swapped models")
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
    return dg.SensorResult(run_requests=requests, cursor=Watch(watch.models).to_json())


def _last_status(context: dg.SensorEvaluationContext, swap: str, embedder: str) -> dg.DagsterRunStatus | None:
    """How the newest run that answers anew under an embedder stands; None where it has not begun."""
    tags = {SWAP_TAG: swap, "dagster/partition": embedder}
    runs = context.instance.get_runs(dg.RunsFilter(job_name=answering.name, tags=tags), limit=1)
    return runs[0].status if runs else None


def _loaded(context: dg.SensorEvaluationContext) -> Sequence[str]:
    """The embedder partitions that the running definitions know."""
    repository = context.repository_def
    partitions = repository.get_job(answering.name).partitions_def if repository else None
    return partitions.get_partition_keys() if partitions else []
