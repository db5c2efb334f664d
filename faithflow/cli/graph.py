"""The whole graph executed in this process, stage by stage, in the home's Dagster instance."""

import datetime as dt
import os
import socket
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from faithflow.errors import StoreError, UserError

if TYPE_CHECKING:
    import dagster as dg

    from faithflow.study.model import Study
    from resources.house import House


@dataclass(frozen=True, slots=True)
class Stage:
    """Assets that are made together, and what they are partitioned by.

    `answering`: they belong to the systems under test, and are made for their embedders alone.
    """

    assets: tuple[str, ...]
    by_embedder: bool = False
    by_date: bool = False
    answering: bool = False


STAGES = (
    Stage(("documents", "passages", "questions", "links", "gold_triples", "traces")),
    Stage(("triples", "triple_verdicts", "entities", "edges", "graph_store"), answering=True),
    Stage(
        ("embeddings", "vector_store", "answers", "steps", "retrievals", "citations", "citation_scores"),
        by_embedder=True,
        answering=True,
    ),
    Stage(("judged_answers", "claims"), by_embedder=True),
    Stage(("labels",)),
    Stage(("verdicts", "calls", "answer_verdicts", "agreement", "stability", "trends"), by_embedder=True, by_date=True),
    Stage(("report", "published")),
)


class GraphError(Exception):
    """A step failed for a reason that is none of the user's making, or a check found a table that is not valid."""


@dataclass(frozen=True, slots=True)
class Made:
    """An asset that was made: its rows, if it is a table, and the seconds since the one before."""

    asset: str
    partition: str | None
    rows: int | None
    seconds: float


def run_graph(
    house: "House",
    date: dt.date,
    *,
    late: bool,
    on_message: Callable[[str, str], None],
    on_made: Callable[[Made], None],
    on_warning: Callable[[str], None],
) -> None:
    """Materialize every asset for one judging date and every embedder, in the order of what depends on what.

    `on_message` hears the words that a step logs, with the step's name; `on_warning` what a check found that a person
    should look at. Raises UserError where a step ended with one,
    and GraphError where a step failed otherwise or a blocking check found a broken table.
    """
    from assets.models import report_models
    from faithflow.definitions import definitions
    from resources.dagster_instance import open_instance

    study = house.load_study()
    job = definitions(house).resolve_implicit_global_asset_job_def()
    instance = open_instance(house.open_home())
    try:
        report_models(instance, study)
        for stage in STAGES:
            for key in _partitions(stage, study, date):
                run_id = str(uuid.uuid4())
                instance.add_event_listener(run_id, _listener(on_message, on_made, on_warning))
                _execute(job, instance, stage, key, late, run_id)
    finally:
        instance.dispose()


def _execute(
    job: "dg.JobDefinition",
    instance: "dg.DagsterInstance",
    stage: Stage,
    key: str | None,
    late: bool,
    run_id: str,
) -> None:
    import dagster as dg
    from dagster._core.errors import DagsterAssetCheckFailedError, DagsterExecutionInterruptedError

    from resources.dagster_instance import HOST_TAG, PID_TAG

    config = {"ops": {"judging": {"config": {"late": late}}}} if stage.by_date else {}
    try:
        job.execute_in_process(
            run_config={**config, "loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            instance=instance,
            partition_key=key,
            asset_selection=[dg.AssetKey(name) for name in stage.assets],
            tags={PID_TAG: str(os.getpid()), HOST_TAG: socket.gethostname()},
            run_id=run_id,
        )
    except dg.Failure as failure:
        if isinstance(failure.__cause__, UserError | StoreError):
            raise failure.__cause__ from None
        raise
    except DagsterExecutionInterruptedError:
        raise KeyboardInterrupt from None
    except DagsterAssetCheckFailedError as error:
        raise GraphError(f"{error}\nThe tables as they stand are checked by `faithflow doctor`.") from None


def _partitions(stage: Stage, study: "Study", date: dt.date) -> Iterator[str | None]:
    from assets.partitions import night_key

    if stage.answering and not study.embedders:
        return
    if not stage.by_embedder:
        yield None
        return
    keys = [embedder.name for embedder in study.embedders] if stage.answering else study.partitions
    for embedder in keys:
        yield night_key(embedder, date) if stage.by_date else embedder


def _listener(
    on_message: Callable[[str, str], None], on_made: Callable[[Made], None], on_warning: Callable[[str], None]
) -> "Callable[[dg.EventLogEntry], None]":
    """Hears a run's log: words that a step logged, what it made, and which checks did not pass."""
    from dagster import DagsterEventType

    last = time.monotonic()

    def hear(entry: "dg.EventLogEntry") -> None:
        nonlocal last
        event = entry.dagster_event
        if event is None:
            on_message(entry.step_key or "", entry.user_message)
        elif event.is_step_materialization:
            made = event.step_materialization_data.materialization
            rows = made.metadata.get("dagster/row_count")
            now = time.monotonic()
            count = rows.value if rows is not None and isinstance(rows.value, int) else None
            on_made(Made(made.asset_key.to_user_string(), made.partition, count, now - last))
            last = now
        elif event.event_type is DagsterEventType.ASSET_CHECK_EVALUATION:
            check = event.asset_check_evaluation_data
            if not check.passed:
                on_warning(f"{check.asset_key.to_user_string()}: check {check.check_name}: {check.description or ''}")

    return hear
