"""A test that lacks its service skips with a reason, and fails where services are required."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEST = "tests/test_ledger_embeddings.py::test_nothing_asked_and_nothing_put_is_nothing[postgres]"


def run_without_postgres(**settings: str) -> subprocess.CompletedProcess[str]:
    cleared = ("FAITHFLOW_TEST_POSTGRES", "FAITHFLOW_REQUIRE_SERVICES")
    environment = {name: value for name, value in os.environ.items() if name not in cleared}
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", TEST]
    return subprocess.run(
        command, cwd=ROOT, env={**environment, **settings}, capture_output=True, text=True, check=False
    )


def test_an_absent_service_is_a_skip_that_says_how_to_have_it() -> None:
    done = run_without_postgres()
    assert done.returncode == 0
    assert "1 skipped" in done.stdout
    assert "scripts/postgres.sh start" in done.stdout


def test_an_absent_service_is_a_failure_where_services_are_required() -> None:
    done = run_without_postgres(FAITHFLOW_REQUIRE_SERVICES="1")
    assert done.returncode == 1
    assert "needs postgres, which must be there in this run: Skipped: no PostgreSQL" in done.stdout


def test_no_test_reaches_beyond_this_machine() -> None:
    import socket

    with (
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as outward,
        pytest.raises(ConnectionRefusedError, match="tried to reach"),
    ):
        outward.connect(("192.0.2.1", 80))
