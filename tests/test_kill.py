"""A run that is killed goes on where it was: the same command makes no answered call again."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from benchmarks.engine.corpus import write_traces
from benchmarks.engine.kill import judge_command, killed_and_resumed
from benchmarks.engine.run import check
from benchmarks.engine.server import served, serving

CONCURRENCY = 16


@pytest.mark.slow
def test_a_killed_run_makes_no_answered_call_again_and_ends_with_the_same_verdicts(tmp_path: Path) -> None:
    answers, claims = 60, 6
    traces = write_traces(tmp_path / "traces.jsonl", answers, claims)
    killed = killed_and_resumed(tmp_path, traces, 2 * answers, 0.05, CONCURRENCY)
    assert answers <= killed.calls_at_kill < 2 * answers, "it was not killed in the middle"
    assert 2 * answers <= killed.calls <= 2 * answers + CONCURRENCY
    assert killed.same_verdicts
    check(tmp_path / "killed", answers * claims)


@pytest.mark.slow
def test_a_run_killed_again_and_again_gets_to_its_end(tmp_path: Path) -> None:
    answers, claims, kills = 30, 3, 3
    traces = write_traces(tmp_path / "traces.jsonl", answers, claims)
    with serving(0.05) as url:
        command = judge_command(tmp_path / "out", traces, url, 4)
        for kill in range(1, kills + 1):
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                while served(url).requests < 15 * kill and process.poll() is None:
                    time.sleep(0.005)
                os.kill(process.pid, signal.SIGKILL)
            assert process.returncode == -signal.SIGKILL
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0
        seen = served(url).requests
    assert 2 * answers <= seen <= 2 * answers + 4 * kills
    check(tmp_path / "out", answers * claims)
