"""A swapped embedder as a person sees it: out of step on its partition's page, and no longer after one backfill."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from faithflow.cli.graph import STAGES
from resources.house import House
from tests.systems import run, write_study
from tests.ui import ask, browser_page, free_port

ROOT = Path(__file__).parent.parent
FAITHFLOW = "import sys; from faithflow.cli import main; sys.argv[0] = 'faithflow'; main()"
JUDGES = [{"name": "lexical", "provider": "baseline"}]
STUDY: dict[str, Any] = {"pipelines": ["vanilla"]}
LSA, SMALL = {"name": "lsa", "provider": "lsa"}, {"name": "small", "provider": "lsa", "dimensions": 4}
MADE = [name for stage in STAGES if stage.by_embedder and not stage.by_date for name in stage.assets]
"""The assets that have a partition for each embedder, and none for dates."""
PATIENCE_S = 240.0


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The UI of a home whose embedder `small` was swapped since its run."""
    folder = tmp_path_factory.mktemp("ui")
    place = write_study(folder, JUDGES, embedders=[LSA, SMALL], **STUDY)
    assert run(place).return_value == 0
    write_study(folder, JUDGES, embedders=[LSA, {**SMALL, "dimensions": 3}], **STUDY)
    with served(place) as url:
        yield url


@contextmanager
def served(place: House) -> Iterator[str]:
    """`faithflow ui` while the block lasts."""
    port = free_port()
    command = [sys.executable, "-c", FAITHFLOW, "ui", "--study", place.study, "--home", place.home]
    with subprocess.Popen([*command, "--port", str(port)], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            # the first line comes once the pages are there
            assert f":{port}" in process.stdout.readline()
            yield f"http://127.0.0.1:{port}"
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def statuses(address: str, asset: str) -> dict[str, str]:
    """What the UI says of an asset's partitions, by embedder."""
    query = (
        f'{{assetNodes(assetKeys: [{{path: ["{asset}"]}}]) {{staleStatusByPartition(partitions: ["lsa", "small"])}}}}'
    )
    (node,) = ask(address, query)["assetNodes"]
    return dict(zip(("lsa", "small"), node["staleStatusByPartition"], strict=True))


def backfill(address: str) -> str:
    """Materialize the partition `small` of what is answered anew by one backfill; how it ended."""
    keys = ", ".join(f'{{path: ["{name}"]}}' for name in MADE)
    launched = ask(
        address,
        f'mutation {{launchPartitionBackfill(backfillParams: {{assetSelection: [{keys}], partitionNames: ["small"]}}) '
        "{... on LaunchBackfillSuccess {backfillId} ... on PythonError {message}}}",
    )["launchPartitionBackfill"]
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        backfill_id = launched["backfillId"]
        query = f'{{partitionBackfillOrError(backfillId: "{backfill_id}") {{... on PartitionBackfill {{status}}}}}}'
        status = ask(address, query)["partitionBackfillOrError"]["status"]
        if status not in ("REQUESTED", "CANCELING", "FAILING"):
            return str(status)
        time.sleep(0.5)
    return "still under way"


@pytest.mark.slow
@pytest.mark.browser
def test_the_lineage_shows_the_stages_of_the_systems_under_test(address: str) -> None:
    with browser_page() as page:
        page.goto(f"{address}/asset-groups")
        for group in ("ingestion", "knowledge_graph", "vector_index", "answers", "claims", "verdicts"):
            page.get_by_text(group, exact=True).first.wait_for()


@pytest.mark.slow
@pytest.mark.browser
def test_one_backfill_takes_away_what_the_page_of_a_swapped_embedder_shows(address: str) -> None:
    assert statuses(address, "embeddings") == {"lsa": "FRESH", "small": "STALE"}
    with browser_page() as page:
        page.goto(f"{address}/assets/embeddings?view=partitions&partition=small")
        page.get_by_text("Unsynced").first.wait_for()
        page.goto(f"{address}/assets/embeddings?view=partitions&partition=lsa")
        page.get_by_text("Materialized").first.wait_for()
        assert page.get_by_text("Unsynced").count() == 0
        assert backfill(address) == "COMPLETED_SUCCESS"
        for name in MADE:
            assert statuses(address, name) == {"lsa": "FRESH", "small": "FRESH"}
        page.goto(f"{address}/assets/embeddings?view=partitions&partition=small")
        page.get_by_text("Materialized").first.wait_for()
        assert page.get_by_text("Unsynced").count() == 0
