"""Fixtures of all tests: the databases, the labelled data, and a wall around the network."""

import ipaddress
import os
import socket
import uuid
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest

if TYPE_CHECKING:
    from faithflow.graph.model import GraphStore

pytest_plugins = ["tests.small_llm"]

SERVICES = ("postgres", "neo4j", "browser", "llm")
"""Markers of tests that need a service. Absent, they skip; where FAITHFLOW_REQUIRE_SERVICES=1 they fail."""

NO_DATA = "no labelled data"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    needed = [name for name in SERVICES if item.get_closest_marker(name)]
    required = os.environ.get("FAITHFLOW_REQUIRE_SERVICES") == "1"
    if required and needed and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if NO_DATA not in reason:  # the data sets are no service: they may be absent everywhere
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} needs {' and '.join(needed)}, which must be there in this run: {reason}"
    return report


@pytest.fixture(scope="session", autouse=True)
def only_loopback() -> Iterator[None]:
    """No test reaches beyond this machine, by mistake or by a library's own idea."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            host = address[0]
            if host != "localhost" and not ipaddress.ip_address(host.split("%")[0]).is_loopback:
                raise ConnectionRefusedError(f"a test tried to reach {host}")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield


@pytest.fixture(scope="session", autouse=True)
def plain_environment() -> Iterator[None]:
    """The settings and secrets of whoever runs the tests do not decide their outcome."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if (
                name.lower().endswith("_proxy")
                or name.endswith("_API_KEY")
                or name in ("FAITHFLOW_HOME", "DAGSTER_HOME")
            ):
                patch.delenv(name)
        patch.setenv("DAGSTER_DISABLE_TELEMETRY", "1")
        yield


@pytest.fixture
def data() -> Path:
    """The folder of labelled data sets: FAITHFLOW_DATA, else beside the repository."""
    given = os.environ.get("FAITHFLOW_DATA")
    folder = Path(given) if given else Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"{NO_DATA} at {folder}: set FAITHFLOW_DATA")
    return folder


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The URL of an empty schema on the server of FAITHFLOW_TEST_POSTGRES; dropped afterwards."""
    server = os.environ.get("FAITHFLOW_TEST_POSTGRES")
    if not server:
        pytest.skip("no PostgreSQL: set FAITHFLOW_TEST_POSTGRES to its URL (scripts/postgres.sh start prints one)")
    import psycopg

    schema = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        yield f"{server}{'&' if '?' in server else '?'}options=-csearch_path%3D{schema}"
        connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database: what holds for one store holds for both."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres_url")
    return str(tmp_path / "store" / "ledger.sqlite")


@pytest.fixture
def neo4j_server() -> dict[str, str]:
    """Where the Neo4j server of FAITHFLOW_TEST_NEO4J is: the arguments url, user and password."""
    server = os.environ.get("FAITHFLOW_TEST_NEO4J")
    if not server:
        pytest.skip("no Neo4j: set FAITHFLOW_TEST_NEO4J to bolt://user:password@host:port (scripts/neo4j.sh start)")
    parts = urlsplit(server)
    return {
        "url": f"{parts.scheme}://{parts.hostname}:{parts.port}",
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
    }


@pytest.fixture
def neo4j_graph(neo4j_server: dict[str, str]) -> Iterator[str]:
    """The name of a graph that nobody else has on that server; what is stored under it is removed afterwards."""
    name = f"test_{uuid.uuid4().hex}"
    yield name
    remove_graph(neo4j_server, name)


def remove_graph(server: Mapping[str, str], name: str) -> None:
    """Remove what is stored on a Neo4j server under the name of a graph."""
    from neo4j import GraphDatabase

    with GraphDatabase.driver(server["url"], auth=(server["user"], server["password"])) as driver:
        driver.execute_query(
            "MATCH (g:FaithflowGraph {graph: $graph}) OPTIONAL MATCH (n:FaithflowNode) WHERE n.build IN g.builds "
            "DETACH DELETE n, g",
            graph=name,
        )


@pytest.fixture(params=["ladybug", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def graph_store(request: pytest.FixtureRequest, tmp_path: Path) -> "Iterator[GraphStore]":
    """An empty graph store of each kind: what holds for one holds for both."""
    from resources.graph_store import open_graph_store

    if request.param == "neo4j":
        server = request.getfixturevalue("neo4j_server")
        graph = request.getfixturevalue("neo4j_graph")
        store = open_graph_store(server["url"], server["user"], server["password"], graph=graph)
    else:
        store = open_graph_store(tmp_path / "graph" / "graph.lbug")
    yield store
    store.close()
