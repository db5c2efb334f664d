"""A run of the systems under test that is killed goes on where it was: no answered call is made again, neither for
triples nor for answers, and what comes out is what an undisturbed run makes."""

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from resources.house import House
from resources.warehouse import Warehouse
from tests.endpoint import ScriptedEndpoint
from tests.systems import PIPELINES, QUESTIONS, make, model, run, serve, task_of, write_study

ROOT = Path(__file__).parent.parent
FAITHFLOW = "import sys; from faithflow.cli import main; sys.argv[0] = 'faithflow'; main()"
OPEN = 2
"""Calls that are open at once: as many may be made again after a kill."""
GENERATOR = ("answer", "route", "critic")


@dataclass(frozen=True)
class Killed:
    """A home whose run was killed among the triples, then among the answers, and then left to end; and one in peace.

    `at_triples` and `at_answers` count the requests by task up to each kill, `asked` and `peace` those of all.
    """

    warehouse: Warehouse
    undisturbed: Warehouse
    at_triples: Counter[str]
    at_answers: Counter[str]
    asked: Counter[str]
    peace: Counter[str]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killed]:
    folders = [tmp_path_factory.mktemp(name) for name in ("killed", "peace")]
    with ScriptedEndpoint(serve(), latency=0.15) as endpoint:
        place = study(folders[0], endpoint)
        kill(place, endpoint, ("triples",), 3)
        at_triples = tasks(endpoint)
        kill(place, endpoint, GENERATOR, 12)
        at_answers = tasks(endpoint)
        result = run(place)
        assert result.exception is None
        asked = tasks(endpoint)
        undisturbed = study(folders[1], endpoint)
        make(undisturbed, "answers")
        yield Killed(
            place.open_home().warehouse,
            undisturbed.open_home().warehouse,
            at_triples,
            at_answers,
            asked,
            tasks(endpoint) - asked,
        )


def study(folder: Path, endpoint: ScriptedEndpoint) -> House:
    way = model(endpoint.base_url, max_concurrency=OPEN)
    judges = [{"name": "lexical", "provider": "baseline"}]
    return write_study(folder, judges, generator=way, triples={"model": way})


def kill(place: House, endpoint: ScriptedEndpoint, among: tuple[str, ...], calls: int) -> None:
    """Start a run and kill it once it has made so many requests of these tasks."""
    command = [sys.executable, "-c", FAITHFLOW, "run", "--study", place.study, "--home", place.home]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 200
        while process.poll() is None and time.monotonic() < deadline:
            seen = tasks(endpoint)
            if sum(seen[task] for task in among) >= calls:
                break
            time.sleep(0.01)
        process.kill()
    assert process.returncode == -signal.SIGKILL


def tasks(endpoint: ScriptedEndpoint) -> Counter[str]:
    return Counter(task_of(request.json) for request in endpoint.requests)


@pytest.mark.slow
def test_it_was_killed_in_the_midst_of_its_calls(killed: Killed) -> None:
    passages = killed.warehouse.read("passages").height
    assert 3 <= killed.at_triples["triples"] < passages
    assert 12 <= sum(killed.at_answers[task] for task in GENERATOR) < sum(killed.peace[task] for task in GENERATOR)
    assert killed.peace["answer"] <= len(PIPELINES) * len(QUESTIONS)


@pytest.mark.slow
def test_no_answered_call_is_made_again_for_triples(killed: Killed) -> None:
    assert killed.peace["triples"] <= killed.asked["triples"] <= killed.peace["triples"] + OPEN
    assert killed.asked["triples"] == killed.at_answers["triples"]


@pytest.mark.slow
def test_no_answered_call_is_made_again_for_answers(killed: Killed) -> None:
    needed = sum(killed.peace[task] for task in GENERATOR)
    assert needed <= sum(killed.asked[task] for task in GENERATOR) <= needed + OPEN


@pytest.mark.slow
@pytest.mark.parametrize("table", ["triples", "entities", "edges", "answers", "steps", "retrievals"])
def test_the_tables_are_those_of_a_run_in_peace(killed: Killed, table: str) -> None:
    found, expected = (
        each.read(table).drop("latency_s", strict=False) for each in (killed.warehouse, killed.undisturbed)
    )
    assert found.height > 0
    assert found.equals(expected)
