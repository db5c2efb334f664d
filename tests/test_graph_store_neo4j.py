"""What the graph on a server promises beyond the common suite: others' data, builders in each other's way, outages."""

import datetime as dt
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from faithflow.corpus.scope import Scope
from faithflow.errors import StoreError, UserError
from faithflow.graph.model import Edge, Node
from resources import graph_neo4j
from resources.graph_neo4j import Neo4jStore
from resources.graph_store import open_graph_store

pytestmark = pytest.mark.neo4j

SCOPE = Scope(dt.date(2025, 6, 1))
SCRIPT = Path(__file__).parents[1] / "scripts" / "neo4j.sh"


def graph(size: int) -> tuple[list[Node], list[Edge]]:
    nodes = [Node(f"p{i}", "passage", f"doc {i}", "", "public") for i in range(size)]
    return nodes, [Edge("p0", "references", node.id, "public") for node in nodes[1:]]


class Admin:
    """A look at the server from outside."""

    def __init__(self, server: Mapping[str, str]) -> None:
        from neo4j import GraphDatabase

        self._driver = GraphDatabase.driver(server["url"], auth=(server["user"], server["password"]))

    def rows(self, statement: str, **parameters: Any) -> list[list[Any]]:
        return [record.values() for record in self._driver.execute_query(statement, parameters).records]

    def builds(self, name: str) -> list[str]:
        return self.rows("MATCH (g:FaithflowGraph {graph: $name}) RETURN g.builds", name=name)[0][0]

    def nodes(self, builds: Sequence[str]) -> int:
        return self.rows("MATCH (n:FaithflowNode) WHERE n.build IN $builds RETURN count(n)", builds=builds)[0][0]

    def close(self) -> None:
        self._driver.close()


@pytest.fixture
def admin(neo4j_server: dict[str, str]) -> Iterator[Admin]:
    opened = Admin(neo4j_server)
    yield opened
    opened.close()


@pytest.fixture
def store(neo4j_server: dict[str, str], neo4j_graph: str) -> Iterator[Neo4jStore]:
    opened = Neo4jStore(**neo4j_server, graph=neo4j_graph)
    yield opened
    opened.close()


def stopping_before(monkeypatch: pytest.MonkeyPatch, statement: str, act: Any) -> None:
    """Do `act` once, just before the store runs a statement for the first time."""
    load = graph_neo4j.load
    acts = [act]

    def loaded(name: str) -> str:
        if name == statement and acts:
            acts.pop()()
        return load(name)

    monkeypatch.setattr(graph_neo4j, "load", loaded)


def dies() -> None:
    raise KeyboardInterrupt


def test_two_graphs_on_one_server_do_not_meet(
    store: Neo4jStore, neo4j_server: dict[str, str], neo4j_graph: str, admin: Admin
) -> None:
    store.rebuild(*graph(3), "v1")
    other = Neo4jStore(**neo4j_server, graph=f"{neo4j_graph}_other")
    try:
        assert other.fingerprint() is None
        other.rebuild(*graph(5), "v9")
        store.rebuild(*graph(4), "v2")
        assert other.counts() == {"passage": 5, "references": 4}
        assert store.counts() == {"passage": 4, "references": 3}
        assert other.degrees(["p0"], SCOPE) == {"p0": 4}
    finally:
        other.close()
        admin.rows(
            "MATCH (g:FaithflowGraph {graph: $name}) OPTIONAL MATCH (n:FaithflowNode) WHERE n.build IN g.builds "
            "DETACH DELETE n, g",
            name=f"{neo4j_graph}_other",
        )


def test_what_is_not_ours_stays_untouched(store: Neo4jStore, admin: Admin) -> None:
    mark = os.urandom(8).hex()
    admin.rows("CREATE (:Customer {id: 'p0', key: 'p0', mark: $mark})-[:OWNS]->(:Order {mark: $mark})", mark=mark)
    try:
        store.rebuild(*graph(3), "v1")
        store.rebuild(*graph(2), "v2")
        found = admin.rows(
            "MATCH (c:Customer {mark: $mark})-[o]-(n) RETURN properties(c), labels(n), count(o)", mark=mark
        )
        assert found == [[{"id": "p0", "key": "p0", "mark": mark}, ["Order"], 1]]
    finally:
        admin.rows("MATCH (n {mark: $mark}) DETACH DELETE n", mark=mark)


def test_indexes_are_there_and_a_hop_uses_them(store: Neo4jStore, admin: Admin) -> None:
    store.rebuild(*graph(3), "v1")
    names = {row[0] for row in admin.rows("SHOW INDEXES YIELD name RETURN name")}
    assert {"faithflow_node", "faithflow_graph", "faithflow_build", "faithflow_relation"} <= names
    statement = "EXPLAIN " + "\n".join(
        line for line in graph_neo4j.load("neighbours").splitlines() if not line.startswith("//")
    )
    parameters = {"starts": ["x"], "relations": [], "access": ["public"], "day": 1, "limit": 1}
    plan = str(admin._driver.execute_query(statement, parameters).summary.plan)
    assert "NodeUniqueIndexSeek" in plan
    assert "NodeByLabelScan" not in plan


def test_the_old_build_is_gone_after_a_rebuild(store: Neo4jStore, neo4j_graph: str, admin: Admin) -> None:
    store.rebuild(*graph(3), "v1")
    (first,) = admin.builds(neo4j_graph)
    store.rebuild(*graph(4), "v2")
    (second,) = admin.builds(neo4j_graph)
    assert admin.nodes([first]) == 0
    assert admin.nodes([second]) == 4


@pytest.mark.parametrize("statement", ["neo4j_load_nodes", "neo4j_load_edges", "neo4j_switch"])
def test_a_builder_that_dies_leaves_the_old_graph_and_the_next_one_removes_what_it_left(
    store: Neo4jStore, neo4j_graph: str, admin: Admin, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    store.rebuild(*graph(3), "v1")
    with monkeypatch.context() as patch:
        stopping_before(patch, statement, dies)
        with pytest.raises(KeyboardInterrupt):
            store.rebuild(*graph(5), "v2")
    assert store.fingerprint() == "v1"
    assert store.counts() == {"passage": 3, "references": 2}
    assert len(admin.builds(neo4j_graph)) == 2
    before = admin.builds(neo4j_graph)
    assert store.rebuild(*graph(5), "v2") == {"passage": 5, "references": 4}
    (kept,) = admin.builds(neo4j_graph)
    assert kept not in before
    assert admin.nodes(before) == 0


def test_leftovers_of_a_builder_that_died_after_the_switch_go_with_the_next_run_of_the_same_graph(
    store: Neo4jStore, neo4j_graph: str, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.rebuild(*graph(3), "v1")
    (old,) = admin.builds(neo4j_graph)
    with monkeypatch.context() as patch:
        stopping_before(patch, "neo4j_delete_nodes", dies)
        with pytest.raises(KeyboardInterrupt):
            store.rebuild(*graph(5), "v2")
    assert store.fingerprint() == "v2"
    assert admin.nodes([old]) == 3
    assert store.rebuild(*graph(5), "v2") == {"passage": 5, "references": 4}
    assert old not in admin.builds(neo4j_graph)
    assert admin.nodes([old]) == 0


@pytest.mark.parametrize("statement", ["neo4j_load_nodes", "neo4j_load_edges", "neo4j_switch"])
def test_of_two_builders_the_one_that_began_last_wins_and_the_other_says_so(
    store: Neo4jStore,
    neo4j_server: dict[str, str],
    neo4j_graph: str,
    admin: Admin,
    monkeypatch: pytest.MonkeyPatch,
    statement: str,
) -> None:
    other = Neo4jStore(**neo4j_server, graph=neo4j_graph)
    stopping_before(monkeypatch, statement, lambda: other.rebuild(*graph(4), "theirs"))
    with pytest.raises(StoreError, match="another process has begun to build the graph"):
        store.rebuild(*graph(6), "ours")
    monkeypatch.undo()
    other.close()
    assert store.fingerprint() == "theirs"
    assert store.counts() == {"passage": 4, "references": 3}
    (kept,) = admin.builds(neo4j_graph)
    assert admin.nodes([kept]) == 4


def test_batches_meet_at_their_seams(store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_neo4j, "_BATCH", 3)
    for size in (2, 3, 4, 7):
        assert store.rebuild(*graph(size), str(size)) == {"passage": size, "references": size - 1}
        assert store.counts() == {"passage": size, "references": size - 1}


def test_a_wrong_password_is_the_users_and_is_not_shown(neo4j_server: dict[str, str]) -> None:
    with pytest.raises(UserError, match=r"Neo4j at .* failed: .*check that it runs, and its address, user") as caught:
        Neo4jStore(neo4j_server["url"], neo4j_server["user"], "wrong-secret-7")
    assert "wrong-secret-7" not in str(caught.value)


# two starts of a server: 8 s each on two free cores, minutes on busy ones
@pytest.mark.timeout(1200)
@pytest.mark.slow
def test_a_server_that_is_killed_midway_is_named_and_after_its_restart_the_old_graph_answers_and_a_rerun_completes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {**os.environ, "NEO4J_TEST_HOME": str(tmp_path / "neo4j")}

    def script(act: str) -> str:
        done = subprocess.run([SCRIPT, act], env=environment, check=True, capture_output=True, text=True, timeout=500)
        return done.stdout.strip()

    parts = urlsplit(script("start"))
    server = {
        "url": f"bolt://127.0.0.1:{parts.port}",
        "user": str(parts.username),
        "password": str(parts.password),
    }
    try:
        monkeypatch.setattr(graph_neo4j, "_PATIENCE_S", 1.0)
        store = Neo4jStore(**server)
        store.rebuild(*graph(3), "v1")
        monkeypatch.setattr(graph_neo4j, "_BATCH", 100)
        with monkeypatch.context() as patch:
            stopping_before(patch, "neo4j_load_edges", lambda: script("kill"))
            with pytest.raises(StoreError, match=rf"Neo4j at {server['url']} failed: .*the old graph stays .*again"):
                store.rebuild(*graph(250), "v2")
        with pytest.raises(StoreError, match=rf"Neo4j at {server['url']} failed: .*start it"):
            store.neighbours(["p0"], SCOPE)
        with pytest.raises(UserError, match=rf"Neo4j at {server['url']} failed"):
            Neo4jStore(**server)
        script("start")
        assert store.fingerprint() == "v1"
        assert store.counts() == {"passage": 3, "references": 2}
        admin = Admin(server)
        assert admin.rows("MATCH (n:FaithflowNode) RETURN count(n)") == [[253]]
        assert store.rebuild(*graph(250), "v2") == {"passage": 250, "references": 249}
        assert admin.rows("MATCH (n:FaithflowNode) RETURN count(n)") == [[250]]
        assert len(admin.builds("faithflow")) == 1
        admin.close()
        store.close()
    finally:
        script("stop")


def test_an_address_of_another_kind_is_refused() -> None:
    with pytest.raises(UserError, match="no graph store of the kind http://"):
        open_graph_store("http://127.0.0.1:7474")
    with pytest.raises(UserError, match="holds a user or a password") as caught:
        open_graph_store("bolt://neo4j:my-secret@127.0.0.1:7687")
    assert "my-secret" not in str(caught.value)
