"""The Dagster UI on a judged home, in a real browser."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from faithflow.errors import UserError
from faithflow.judging.dates import today
from resources.dagster_processes import UiError, dagster_ui
from tests.endpoint import ScriptedEndpoint
from tests.home import judge, make_house
from tests.judging import trace
from tests.ui import ask, browser_page, free_port

ROOT = Path(__file__).parent.parent
RUN = "import sys; from faithflow.cli import main; sys.argv[0] = 'faithflow'; main()"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The UI of a home that was judged by two judges."""
    folder = tmp_path_factory.mktemp("ui")
    with ScriptedEndpoint() as endpoint:
        place = make_house(folder, [judge("a", endpoint.base_url), judge("b", endpoint.base_url)], trace("t1"))
        command = [sys.executable, "-c", RUN, "run", "--study", place.study, "--home", place.home]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        with dagster_ui(place, free_port()) as ui:
            ui.wait_until_up(200)
            yield ui.url


@pytest.fixture
def page(address: str) -> Iterator[Any]:
    with browser_page() as found:
        yield found


@pytest.mark.slow
@pytest.mark.browser
def test_the_lineage_shows_every_stage(page: Any, address: str) -> None:
    page.goto(f"{address}/asset-groups")
    for group in ("ingestion", "claims", "verdicts", "agreement", "report"):
        page.get_by_text(group, exact=True).first.wait_for()


@pytest.mark.slow
@pytest.mark.browser
def test_a_materialization_of_verdicts_shows_rates_and_a_drawing(page: Any, address: str) -> None:
    page.goto(f"{address}/assets/verdicts?view=events")
    page.get_by_text(f"{today()}|traces").first.wait_for()
    page.get_by_text("a · all").wait_for()
    assert page.get_by_text("100.0%").count() > 0
    page.get_by_text("[Show Markdown]").first.click()
    drawing = page.locator("img[src^='data:image/png']")
    drawing.wait_for()
    assert drawing.evaluate("image => image.naturalWidth") > 100


@pytest.mark.slow
def test_the_daemon_is_there_and_the_schedule_is_off(address: str) -> None:
    data = ask(
        address,
        '{schedulesOrError(repositorySelector: {repositoryName: "__repository__", repositoryLocationName: '
        '"faithflow.definitions"}) {... on Schedules {results {name scheduleState {status}}}} '
        'instance {daemonHealth {daemonStatus(daemonType: "SCHEDULER") {healthy}}}}',
    )
    schedules = {item["name"]: item["scheduleState"]["status"] for item in data["schedulesOrError"]["results"]}
    assert schedules == {"nightly_judging_schedule": "STOPPED"}
    assert data["instance"]["daemonHealth"]["daemonStatus"]["healthy"] is True


def test_a_taken_port_is_refused(tmp_path: Path) -> None:
    place = make_house(tmp_path, [judge("a", "http://127.0.0.1:9/v1")])
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(UserError, match=f"port {port} cannot be used"), dagster_ui(place, port):
            pass


@pytest.mark.slow
def test_a_server_that_ends_shows_its_log(tmp_path: Path) -> None:
    place = make_house(tmp_path, [judge("a", "http://127.0.0.1:9/v1")])
    home = place.open_home()
    home.dagster.mkdir(parents=True)
    (home.dagster / "dagster.yaml").write_text("telemetry: {enabled: false}\n", encoding="utf-8")
    with dagster_ui(place, free_port()) as ui:
        (home.dagster / "dagster.yaml").write_text("no_such_setting: 1\n", encoding="utf-8")
        with pytest.raises(UiError, match="no_such_setting"):
            ui.wait_until_up(200)
