"""The commands run, report and doctor."""

import datetime as dt
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from faithflow.cli.graph import STAGES
from faithflow.cli.main import cli
from faithflow.errors import LateRunError, StudyError, TraceError, UserError
from faithflow.judging.dates import today
from faithflow.tables.registry import TABLES
from resources.dagster_instance import HOST_TAG, PID_TAG, open_instance
from resources.home import Home
from tests.endpoint import ScriptedEndpoint
from tests.home import judge, make_house
from tests.judging import trace
from tests.scripted import answer_all, error, sequence

ROOT = Path(__file__).parent.parent
FAITHFLOW = "import sys; from faithflow.cli import main; sys.argv[0] = 'faithflow'; main()"


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as found:
        yield found


def command(*arguments: str) -> Result:
    """A command as `main` calls it: errors come out as they are, the exit code as the return value."""
    return CliRunner().invoke(cli, arguments, standalone_mode=False)


def run(place: Any, *more: str) -> Result:
    return command("run", "--study", place.study, "--home", place.home, *more)


def json_of(result: Result) -> Any:
    return json.loads(result.stdout)


def test_run_judges_and_leads_to_the_report(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    result = run(place)
    assert result.exception is None
    assert result.return_value == 0
    page = tmp_path / "home" / "report" / "index.html"
    assert str(page) in result.stdout.replace("\n", "")
    assert page.exists()
    assert "100.0%" in result.stdout
    lines = [line.split()[:3] for line in result.stderr.splitlines()]
    assert ["verdicts", "traces", "3"] in lines
    made = {name for stage in STAGES if not stage.answering for name in stage.assets}
    assert {line[0] for line in lines if line} >= made
    assert "DEBUG" not in result.stderr + result.stdout


def test_a_second_run_asks_nobody(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    first = json_of(run(place, "--json"))
    assert json_of(run(place, "--json")) == first
    assert endpoint.count == 1


def test_unscored_rows_give_exit_code_3_and_another_run_asks_again(tmp_path: Path) -> None:
    with ScriptedEndpoint(sequence(error(500, "down"), then=answer_all())) as endpoint:
        place = make_house(tmp_path, [judge("a", endpoint.base_url, max_attempts=1)])
        result = run(place)
        assert result.return_value == 3
        assert "3 of 3 rows are unscored (provider_error 3); run again" in result.stderr
        assert "! verdicts: check unscored_share: 3 of 3" in result.stderr
        assert run(place).return_value == 0


def test_a_study_that_is_not_valid_stops_the_run_before_anything(tmp_path: Path) -> None:
    place = make_house(tmp_path, [judge("a", "http://127.0.0.1:9/v1")], jugdes=[])
    result = run(place)
    assert isinstance(result.exception, StudyError)
    assert not (tmp_path / "home").exists()


def test_bad_traces_stop_the_run_with_their_line(tmp_path: Path) -> None:
    place = make_house(tmp_path, [judge("a", "http://127.0.0.1:9/v1")])
    (tmp_path / "traces.jsonl").write_text("{}\n", encoding="utf-8")
    result = run(place)
    assert isinstance(result.exception, TraceError)
    assert "line 1" in str(result.exception)


@pytest.mark.parametrize(("days", "words"), [(1, "future"), (-1, "nobody judged on it")])
def test_another_date_than_today_is_refused(tmp_path: Path, endpoint: ScriptedEndpoint, days: int, words: str) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    result = run(place, "--date", (today() + dt.timedelta(days=days)).isoformat())
    assert isinstance(result.exception, LateRunError)
    assert words in str(result.exception)
    assert endpoint.count == 0


def test_a_date_before_the_first_partition_is_refused(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    result = run(place, "--date", "2025-12-31", "--late")
    assert isinstance(result.exception, UserError)
    assert "2026-01-01" in str(result.exception)


def test_a_late_run_is_let(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    date = (today() - dt.timedelta(days=1)).isoformat()
    summary = json_of(run(place, "--date", date, "--late", "--json"))
    assert summary["judging_date"] == date
    assert summary["judges"]["a"]["scored"] == 3


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    place = make_house(tmp_path, [judge("a", "http://127.0.0.1:9/v1", api_key_env="NO_SUCH_KEY")])
    result = run(place)
    assert isinstance(result.exception, UserError)
    assert "NO_SUCH_KEY" in str(result.exception)


def test_report_makes_the_page_and_the_published_file_anew(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    run(place)
    home = Home(tmp_path / "home")
    summary = (home.report / "summary.json").read_bytes()
    for path in (*home.report.iterdir(), home.published):
        path.unlink()
    assert command("report", "--study", place.study, "--home", place.home).return_value == 0
    assert (home.report / "summary.json").read_bytes() == summary
    assert (home.report / "index.html").exists()
    assert home.published.exists()
    assert endpoint.count == 1


def test_report_of_an_empty_home_says_what_to_do(tmp_path: Path) -> None:
    result = command("report", "--home", str(tmp_path / "nothing"))
    assert isinstance(result.exception, UserError)
    assert "faithflow run" in str(result.exception)


def findings(result: Result) -> dict[str, tuple[str, str]]:
    return {finding["what"]: (finding["state"], finding["words"]) for finding in json_of(result)}


def doctor(place: Any) -> Result:
    return command("doctor", "--study", place.study, "--home", place.home, "--json")


def test_doctor_finds_a_judged_home_right(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    run(place)
    result = doctor(place)
    found = findings(result)
    assert {state for state, _ in found.values()} == {"ok"}
    # those of the systems under test are made where a study has some
    made = {name for stage in STAGES if not stage.answering for name in stage.assets} & set(TABLES)
    assert {f"table {name}" for name in made} <= set(found)
    assert result.return_value == 0
    assert endpoint.count == 1


def test_doctor_names_what_is_broken(
    tmp_path: Path, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    run(place)
    home = Home(tmp_path / "home")
    home.warehouse.files("claims")[0].write_bytes(b"not parquet")
    make_house(tmp_path, [judge("a", "http://127.0.0.1:9/v1", api_key_env="SOME_KEY")])
    result = doctor(place)
    found = findings(result)
    assert found["table claims"][0] == "broken"
    assert found["key of a"] == ("broken", "the environment variable SOME_KEY is not set")
    assert found["endpoint of a"][0] == "broken"
    assert result.return_value == 1
    monkeypatch.setenv("SOME_KEY", "hush")
    result = doctor(place)
    assert findings(result)["key of a"] == ("ok", "SOME_KEY is set")
    assert "hush" not in result.stdout


def test_doctor_reports_a_study_that_is_not_valid_and_goes_on(tmp_path: Path) -> None:
    place = make_house(tmp_path, [judge("a", "http://127.0.0.1:9/v1")], budgets={})
    found = findings(doctor(place))
    assert found["study"][0] == "broken"
    assert "budget" in found["study"][1]
    assert found["home"][0] == "ok"


def test_doctor_removes_old_temporary_files_and_leaves_new_ones(tmp_path: Path) -> None:
    place = make_house(tmp_path, [judge("a", "http://127.0.0.1:9/v1")])
    folder = place.open_home().path / "warehouse" / "claims"
    folder.mkdir(parents=True)
    old, new = folder / ".part.parquet.1.tmp", folder / ".part.parquet.2.tmp"
    for path in (old, new):
        path.touch()
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    assert findings(doctor(place))["temporary files"][0] == "mended"
    assert not old.exists()
    assert new.exists()


def start_and_stop(place: Any, endpoint: ScriptedEndpoint, how: signal.Signals) -> tuple[int, str]:
    """Start a run, end it by a signal in the midst of its calls; gives its exit code and what it said."""
    process = subprocess.Popen(
        [sys.executable, "-c", FAITHFLOW, "run", "--study", place.study, "--home", place.home],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 200
    while endpoint.count < 10 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(how)
    said = process.communicate(timeout=60)[1]
    return process.returncode, said


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path, how: signal.Signals) -> None:
    traces = [trace(f"t{n:02}", claims=1) for n in range(60)]
    with ScriptedEndpoint(latency=0.2) as endpoint:
        place = make_house(tmp_path, [judge("a", endpoint.base_url, max_concurrency=2)], *traces)
        code, said = start_and_stop(place, endpoint, how)
        assert 10 <= endpoint.count < 60
        if how is signal.SIGINT:
            assert code == 1
            assert said.splitlines()[-1].startswith("Interrupted. What was answered is kept")
            assert "Traceback" not in said
        expected = "mended" if how is signal.SIGKILL else "ok"
        assert findings(doctor(place))["Dagster runs"][0] == expected
        assert run(place).return_value == 0
        # what was in flight when it was stopped may be asked again
        assert 60 <= endpoint.count <= 62
        assert findings(doctor(place))["Dagster runs"] == ("ok", "0 under way")
    assert Home(tmp_path / "home").warehouse.read("verdicts").height == 60


def test_runs_say_which_process_they_live_in(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    run(place)
    instance = open_instance(Home(tmp_path / "home"))
    try:
        runs = instance.get_runs()
        assert {found.tags[PID_TAG] for found in runs} == {str(os.getpid())}
        assert all(HOST_TAG in found.tags and found.is_success for found in runs)
    finally:
        instance.dispose()
