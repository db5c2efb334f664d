"""Folders, terminals and dates that are not as they should be: one clear message, and nothing is called."""

import asyncio
import datetime as dt
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from faithflow.corpus.traces import read_traces
from faithflow.errors import LateRunError, UserError
from faithflow.judging.dates import today
from resources.judge_dir import JudgeDir
from resources.judge_run import estimate, judge_into
from tests.endpoint import ScriptedEndpoint
from tests.judging import judge, study, trace, write_traces
from tests.scripted import always, error

TABLES = ("traces", "claims", "labels", "verdicts")


def faithflow(
    folder: Path, *arguments: str | Path, stdout: int = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """The command line in a process of its own."""
    start = "import sys; from faithflow.cli.main import main; sys.argv[0] = 'faithflow'; main()"
    return subprocess.run(
        [sys.executable, "-c", start, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), **environment},
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )


def write_study(folder: Path, endpoint: ScriptedEndpoint) -> Path:
    path = folder / "study.yaml"
    judge = {"name": "j", "provider": "openai", "model": "m", "base_url": endpoint.base_url}
    path.write_text(json.dumps({"judges": [judge]}), encoding="utf-8")
    return path


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("spoil", ["garbage", "cut", "empty", "folder", "another table"])
def test_a_spoiled_table_is_named_before_any_call(tmp_path: Path, table: str, spoil: str) -> None:
    with ScriptedEndpoint() as endpoint:
        first = judge(tmp_path, study(endpoint))
        file = first.folder / f"{table}.parquet"
        whole = file.read_bytes()
        if spoil == "folder":
            file.unlink()
            file.mkdir()
        elif spoil == "another table":
            file.write_bytes((first.folder / "calls.parquet").read_bytes())
        else:
            file.write_bytes({"garbage": b"garbage", "cut": whole[: len(whole) // 2], "empty": b""}[spoil])
        with pytest.raises(UserError, match=rf"{table}\.parquet"):
            judge(tmp_path, study(endpoint), trace("t2"))
        assert endpoint.count == 1


def test_a_spoiled_ledger_is_named_before_any_call(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "ledger.sqlite").write_bytes(b"no database" * 100)
        with pytest.raises(UserError, match=r"ledger\.sqlite"):
            judge(tmp_path, study(endpoint))
        assert endpoint.count == 0


def test_a_folder_that_cannot_be_made_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file", encoding="utf-8")
    with ScriptedEndpoint() as endpoint:
        with pytest.raises(UserError, match="cannot be written"):
            judge(tmp_path, study(endpoint))
        assert endpoint.count == 0


def test_a_dry_run_refuses_a_date_that_the_run_would_refuse(tmp_path: Path) -> None:
    file = read_traces(write_traces(tmp_path / "t.jsonl", [trace()]))
    asks = study("http://127.0.0.1:9/v1")
    folder = JudgeDir(tmp_path / "out", corpus="t")
    for days in (-1, 1):
        with pytest.raises(LateRunError):
            asyncio.run(estimate(folder, file, asks, asks.judges, today() + dt.timedelta(days=days)))


def test_a_dry_run_of_a_late_run_counts_it(tmp_path: Path) -> None:
    file = read_traces(write_traces(tmp_path / "t.jsonl", [trace()]))
    asks = study("http://127.0.0.1:9/v1")
    yesterday = today() - dt.timedelta(days=1)
    found = asyncio.run(estimate(JudgeDir(tmp_path / "out", "t"), file, asks, asks.judges, yesterday, late=True))
    assert found["j"].calls == 1
    assert not (tmp_path / "out").exists()


def test_a_dry_run_counts_the_same_words_once_as_the_run_does(tmp_path: Path) -> None:
    traces = [trace("t1"), *({**trace("t1"), "id": f"t{n}"} for n in range(2, 9))]
    file = read_traces(write_traces(tmp_path / "t.jsonl", traces))
    with ScriptedEndpoint() as endpoint:
        asks = study(endpoint, max_concurrency=1)
        found = asyncio.run(estimate(JudgeDir(tmp_path / "out", corpus="t"), file, asks, asks.judges, today()))
        judge(tmp_path, asks, *traces)
        assert found["j"].calls == endpoint.count == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_terminal_of_another_encoding_shows_what_it_can(tmp_path: Path, encoding: str) -> None:
    write_traces(tmp_path / "t.jsonl", [trace(pipeline="größer ≥ 漢")])
    with ScriptedEndpoint() as endpoint:
        arguments = ("judge", "t.jsonl", "--out", "out", "--study", write_study(tmp_path, endpoint))
        done = faithflow(tmp_path, *arguments, PYTHONIOENCODING=encoding)
        as_json = faithflow(tmp_path, *arguments, "--json", PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    assert list(json.loads(as_json.stdout)["pipelines"]) == ["größer ≥ 漢"]


def test_names_that_look_like_markup_are_shown_as_they_are(tmp_path: Path) -> None:
    write_traces(tmp_path / "t.jsonl", [trace(pipeline="[/red]"), trace("t2", pipeline="[bold]x")])
    with ScriptedEndpoint() as endpoint:
        done = faithflow(tmp_path, "judge", "t.jsonl", "--out", "[/o]", "--study", write_study(tmp_path, endpoint))
    assert done.returncode == 0, done.stderr
    for name in ("[/red]", "[bold]x", "[/o]"):
        assert name in done.stdout.decode()


def test_an_output_without_room_is_said_in_one_line(tmp_path: Path) -> None:
    write_traces(tmp_path / "t.jsonl", [trace()])
    with ScriptedEndpoint() as endpoint, Path("/dev/full").open("wb") as full:
        arguments = ("judge", "t.jsonl", "--out", "out", "--study", write_study(tmp_path, endpoint))
        done = faithflow(tmp_path, *arguments, stdout=full.fileno())
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_a_folder_whose_name_is_no_text_is_bad_input(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        file = read_traces(write_traces(tmp_path / "t.jsonl", [trace()]))
        asks = study(endpoint)
        folder = JudgeDir(tmp_path / "o\udcff", corpus="t")
        with pytest.raises(UserError, match="must be UTF-8"):
            asyncio.run(judge_into(folder, file, asks, asks.judges, today()))
        assert endpoint.count == 0


def test_the_last_failure_is_told_to_the_person_who_runs_it(tmp_path: Path) -> None:
    write_traces(tmp_path / "t.jsonl", [trace()])
    with ScriptedEndpoint(always(error(404, "The model 'm' does not exist"))) as endpoint:
        done = faithflow(tmp_path, "judge", "t.jsonl", "--out", "out", "--study", write_study(tmp_path, endpoint))
    assert done.returncode == 3
    assert b"Last failed call of j: HTTP 404: The model 'm' does not exist" in done.stderr


def test_a_verdict_on_a_claims_former_words_goes_with_them(tmp_path: Path) -> None:
    former, new = ({**trace(), "claims": [{"id": "k1", "text": text}]} for text in ("It was so.", "It is so."))
    with ScriptedEndpoint() as endpoint:
        judge(tmp_path, study(endpoint, name="a"), former)
        judged = judge(tmp_path, study(endpoint, name="b", model="n"), new)
    assert judged.verdicts.select("judge", "claim").rows() == [("b", "It is so.")]
