"""A home with a small corpus and scripted judges, and the assets of the graph materialized in it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import dagster as dg
import yaml

from assets.partitions import night_key
from faithflow.corpus.trace import TRACES_EMBEDDER
from faithflow.definitions import definitions
from faithflow.judging.dates import today
from resources.home import Home
from resources.house import House, house
from tests.judging import trace, write_traces

NIGHT = ("verdicts", "calls", "answer_verdicts", "agreement", "stability", "trends")
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def judge(name: str, base_url: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "provider": "openai", "model": f"model-{name}", "base_url": base_url, "timeout_s": 10, **more}


def make_house(folder: Path, judges: Sequence[Mapping[str, Any]], *traces: Mapping[str, Any], **study: Any) -> House:
    """A study of one corpus, written to `folder`, and a home in it; again to change the study or the corpus."""
    write_traces(folder / "traces.jsonl", traces or [trace()])
    data = {"name": "small", "corpora": [{"name": "c", "traces": "traces.jsonl"}], "judges": list(judges), **study}
    (folder / "study.yaml").write_text(yaml.safe_dump(data), encoding="utf-8")
    return house(folder / "home", folder / "study.yaml")


def materialize(
    place: House, assets: Iterable[str], key: str | None = None, *, late: bool = False, raise_on_error: bool = True
) -> dg.ExecuteInProcessResult:
    """Materialize assets, with their checks, in one run; a home has one Dagster instance, in memory."""
    names = list(assets)
    ops = {"ops": {"judging": {"config": {"late": late}}}} if "verdicts" in names else {}
    return (
        definitions(place)
        .resolve_implicit_global_asset_job_def()
        .execute_in_process(
            run_config={**ops, **QUIET},
            instance=instance_of(place),
            partition_key=key,
            asset_selection=[dg.AssetKey(name) for name in names],
            raise_on_error=raise_on_error,
        )
    )


def instance_of(place: House) -> dg.DagsterInstance:
    """The Dagster instance in memory of a home."""
    return _instance(place.home)


@cache
def _instance(_home: str) -> dg.DagsterInstance:
    return dg.DagsterInstance.ephemeral()


def take_in(place: House) -> Home:
    """Traces, claims and labels."""
    materialize(place, ["traces"])
    materialize(place, ["judged_answers", "claims"], TRACES_EMBEDDER)
    materialize(place, ["labels"])
    return place.open_home()


def judge_date(place: House, date: Any = None, **options: Any) -> dg.ExecuteInProcessResult:
    """A night's tables; today's unless a date is given."""
    return materialize(place, NIGHT, night_key(TRACES_EMBEDDER, date or today()), **options)


def made(result: dg.ExecuteInProcessResult, asset: str) -> dg.AssetMaterialization:
    """The one materialization of an asset in a run."""
    (found,) = [
        event.step_materialization_data.materialization
        for event in result.get_asset_materialization_events()
        if event.asset_key == dg.AssetKey(asset)
    ]
    return found


def failures(result: dg.ExecuteInProcessResult) -> str:
    """All that the failed steps of a run said, as text."""
    return json.dumps(
        [str(event.step_failure_data.error) for event in result.all_events if event.is_step_failure], ensure_ascii=False
    )
