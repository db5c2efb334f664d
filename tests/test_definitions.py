"""The graph as Dagster sees it: assets, checks, partitions, job and schedule."""

import datetime as dt
import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from assets.partitions import night_key, partition_of, partitions_of
from assets.schedules import nightly_judging_schedule
from assets.versions import code_version
from faithflow.cli.graph import STAGES
from faithflow.definitions import defs
from faithflow.judging.dates import today
from faithflow.study.load import load_study
from faithflow.tables.registry import TABLES
from resources.house import house

ROOT = Path(__file__).parent.parent
GRAPH = defs.resolve_asset_graph()
NAMES = {key.to_user_string() for key in GRAPH.get_all_asset_keys()}
SPECS = {spec.key.to_user_string(): spec for spec in defs.resolve_all_asset_specs()}
MADE = NAMES - {"embedder_model"}
KEYS = load_study().partitions
PARTITIONS = partitions_of(KEYS)
GROUPS = {
    "ingestion",
    "knowledge_graph",
    "vector_index",
    "answers",
    "claims",
    "verdicts",
    "agreement",
    "report",
}


def test_each_table_is_an_asset_and_so_are_the_stores_the_report_and_the_published_file() -> None:
    assert {*TABLES, "graph_store", "vector_store", "report", "published"} == MADE


def test_the_embedders_of_the_study_are_the_partitions() -> None:
    assert KEYS == ("traces", "e5-small", "lsa")
    assert GRAPH.get(dg.AssetKey("answers")).partitions_def == PARTITIONS.embedders


@pytest.mark.parametrize("name", sorted(NAMES))
def test_each_asset_says_what_it_is(name: str) -> None:
    spec = SPECS[name]
    assert spec.description
    assert spec.owners == ["team:faithflow"]
    assert spec.kinds
    assert spec.group_name in GROUPS
    assert spec.code_version or name == "embedder_model"


@pytest.mark.parametrize("name", TABLES)
def test_each_table_asset_shows_the_columns_of_the_registry(name: str) -> None:
    columns = SPECS[name].metadata["dagster/column_schema"].columns
    assert [column.name for column in columns] == TABLES[name].schema.names()
    assert all(column.description for column in columns)


@pytest.mark.parametrize("name", TABLES)
def test_each_table_has_a_blocking_contract_check(name: str) -> None:
    check = GRAPH.get(dg.AssetCheckKey(dg.AssetKey(name), "contract"))
    assert check.blocking
    assert TABLES[name].rules[0].doc in (check.description or "")


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_run_makes_one_partition_of_an_asset(name: str) -> None:
    policy = GRAPH.get(dg.AssetKey(name)).backfill_policy
    assert policy is None or policy.max_partitions_per_run == 1


def test_each_asset_is_in_one_stage_and_after_what_it_is_made_from() -> None:
    order = [name for stage in STAGES for name in stage.assets]
    assert sorted(order) == sorted(MADE)
    place = {name: number for number, stage in enumerate(STAGES) for name in stage.assets}
    for name in MADE:
        for parent in GRAPH.get(dg.AssetKey(name)).parent_keys - {dg.AssetKey("embedder_model")}:
            assert place[parent.to_user_string()] <= place[name]


def test_the_stages_know_how_their_assets_are_partitioned() -> None:
    for stage in STAGES:
        expected = PARTITIONS.nights if stage.by_date else PARTITIONS.embedders if stage.by_embedder else None
        for name in stage.assets:
            assert GRAPH.get(dg.AssetKey(name)).partitions_def == expected, name


def test_today_is_a_partition() -> None:
    assert night_key("traces", today()) in PARTITIONS.nights.get_partition_keys()


def test_keys_and_partition_columns_go_both_ways() -> None:
    key = night_key("traces", dt.date(2026, 3, 1))
    assert str(key) == "2026-03-01|traces"
    assert partition_of(str(key)) == {"embedder": "traces", "judging_date": "2026-03-01"}
    assert partition_of("traces") == {"embedder": "traces"}


def test_the_schedule_asks_for_the_partition_of_its_day_for_each_embedder() -> None:
    moment = dt.datetime(2026, 3, 1, 2, 0, tzinfo=dt.UTC)
    context = dg.build_schedule_context(
        scheduled_execution_time=moment,
        repository_def=defs.get_repository_def(),
        instance=dg.DagsterInstance.ephemeral(),
        resources={"house": house()},
    )
    requests = nightly_judging_schedule.evaluate_tick(context).run_requests
    assert requests is not None
    assert [request.partition_key for request in requests] == [f"2026-03-01|{key}" for key in KEYS]
    assert len({request.run_key for request in requests}) == len(KEYS)
    assert nightly_judging_schedule.cron_schedule == "0 2 * * *"
    assert nightly_judging_schedule.execution_timezone == "UTC"


def test_the_schedule_waits_until_it_is_turned_on() -> None:
    assert nightly_judging_schedule.default_status is dg.DefaultScheduleStatus.STOPPED


def test_the_nightly_job_goes_from_verdicts_to_the_report_with_their_checks() -> None:
    job = defs.resolve_job_def("nightly_judging")
    made = {key.to_user_string() for key in job.asset_layer.executable_asset_keys}
    nightly = {"verdicts", "calls", "answer_verdicts", "agreement", "stability", "trends", "report", "published"}
    assert made == nightly
    assert job.partitions_def == PARTITIONS.nights
    checked = {(key.asset_key.to_user_string(), key.name) for key in job.asset_layer.asset_graph.asset_check_keys}
    assert {("verdicts", "contract"), ("verdicts", "unscored_share"), ("agreement", "contract")} <= checked


def test_a_code_version_moves_with_its_module_and_its_statement() -> None:
    assert code_version("faithflow.judging.prompt") != code_version("faithflow.judging.reply")
    assert code_version("faithflow.judging.prompt", statement="trends") != code_version("faithflow.judging.prompt")
    with pytest.raises(ModuleNotFoundError):
        code_version("faithflow.no_such_module")


@pytest.mark.slow
def test_dg_finds_nothing_wrong_and_nothing_deprecated(tmp_path: Path) -> None:
    environment = {**os.environ, "FAITHFLOW_HOME": str(tmp_path), "DAGSTER_HOME": str(tmp_path)}
    dg_command = Path(sys.executable).with_name("dg")
    checked = subprocess.run(
        [dg_command, "check", "defs"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    words = [line for line in (checked.stdout + checked.stderr).splitlines() if "DeprecationWarning" in line]
    assert not words
    loaded = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import faithflow.definitions"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert loaded.returncode == 0, loaded.stderr
