"""What the graph in a file promises beyond the common suite: processes, crashes, and files that are no graph."""

import datetime as dt
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from faithflow.corpus.scope import Scope
from faithflow.errors import StoreError
from faithflow.graph.model import Edge, Node
from resources.graph_ladybug import LadybugStore

SCOPE = Scope(dt.date(2025, 6, 1))


def graph(size: int) -> tuple[list[Node], list[Edge]]:
    nodes = [Node(f"p{i}", "passage", f"doc {i}", "", "public") for i in range(size)]
    return nodes, [Edge("p0", "references", node.id, "public") for node in nodes[1:]]


def python(code: str, *arguments: object) -> "subprocess.Popen[str]":
    """Code in another process of this checkout."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.endswith(".lock")}


def test_a_build_leaves_one_file_and_nothing_beside_it(tmp_path: Path) -> None:
    store = LadybugStore(tmp_path / "graph.lbug")
    for version in ("v1", "v2"):
        store.rebuild(*graph(3), version)
        assert files(tmp_path) == {"graph.lbug"}
    store.close()


def test_a_closed_store_opens_again_when_it_is_asked(tmp_path: Path) -> None:
    store = LadybugStore(tmp_path / "graph.lbug")
    store.rebuild(*graph(3), "v1")
    store.close()
    store.close()
    assert store.degrees(["p0"], SCOPE) == {"p0": 2}
    store.close()


@pytest.mark.slow
def test_a_reader_in_another_process_keeps_its_graph_and_its_next_query_sees_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "graph.lbug"
    store = LadybugStore(path)
    store.rebuild(*graph(3), "v1")
    reader = python(
        """
        import sys
        from pathlib import Path
        from resources.graph_ladybug import LadybugStore
        store = LadybugStore(Path(sys.argv[1]))
        for _ in sys.stdin:
            print(store.fingerprint(), store.counts()["passage"], flush=True)
        """,
        path,
    )
    assert reader.stdin is not None
    assert reader.stdout is not None

    def ask() -> str:
        assert reader.stdin is not None
        assert reader.stdout is not None
        print("?", file=reader.stdin, flush=True)
        return reader.stdout.readline().strip()

    assert ask() == "v1 3"
    store.rebuild(*graph(5), "v2")
    assert ask() == "v2 5"
    reader.stdin.close()
    assert reader.wait(30) == 0
    store.close()


@pytest.mark.slow
def test_a_builder_that_is_killed_leaves_the_old_graph_and_the_next_one_completes(tmp_path: Path) -> None:
    path = tmp_path / "graph.lbug"
    store = LadybugStore(path)
    store.rebuild(*graph(3), "v1")
    builder = python(
        """
        import sys
        from pathlib import Path
        from faithflow.graph.model import Edge, Node
        from resources import graph_ladybug
        all_rows = graph_ladybug._all
        def slow(connection, statement, parameters):
            rows = all_rows(connection, statement, parameters)
            if statement == "ladybug_copy_nodes":
                print("nodes are written", flush=True)
                sys.stdin.readline()
            return rows
        graph_ladybug._all = slow
        graph_ladybug.LadybugStore(Path(sys.argv[1])).rebuild([Node("x", "passage", "x", "", "public")], [], "v2")
        """,
        path,
    )
    assert builder.stdout is not None
    assert builder.stdout.readline().strip() == "nodes are written"
    builder.send_signal(signal.SIGKILL)
    builder.wait(30)
    assert store.fingerprint() == "v1"
    assert store.counts()["passage"] == 3
    assert len(files(tmp_path)) > 1
    # what the dead builder left is an hour old by now
    for leftover in tmp_path.glob(".graph.lbug.*.tmp*"):
        os.utime(leftover, (time.time() - 4000,) * 2)
    assert store.rebuild(*graph(4), "v2") == {"passage": 4, "references": 3}
    assert files(tmp_path) == {"graph.lbug"}
    store.close()


def test_a_build_that_fails_leaves_the_old_graph_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from resources import graph_ladybug

    store = LadybugStore(tmp_path / "graph.lbug")
    store.rebuild(*graph(3), "v1")
    load = graph_ladybug.load
    monkeypatch.setattr(
        graph_ladybug, "load", lambda name: "CREATE (:Missing)" if name == "ladybug_point" else load(name)
    )
    with pytest.raises(StoreError, match=r"graph\.lbug: the graph could not be written: .*Missing"):
        store.rebuild(*graph(4), "v2")
    monkeypatch.undo()
    assert store.fingerprint() == "v1"
    assert files(tmp_path) == {"graph.lbug"}
    store.close()


@pytest.mark.slow
def test_builders_of_one_graph_in_many_processes_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "graph.lbug"
    code = """
        import sys
        from pathlib import Path
        from faithflow.graph.model import Node
        from resources.graph_ladybug import LadybugStore
        nodes = [Node(f"p{i}", "passage", "x", "", "public") for i in range(int(sys.argv[2]))]
        print(LadybugStore(Path(sys.argv[1])).rebuild(nodes, [], sys.argv[2])["passage"])
        """
    builders = [python(code, path, size) for size in (2, 3, 3, 4)]
    results = [builder.communicate(timeout=120) for builder in builders]
    assert [out.strip() for out, _ in results] == ["2", "3", "3", "4"], results
    store = LadybugStore(path)
    assert str(store.counts()["passage"]) == store.fingerprint()
    store.close()


@pytest.mark.parametrize("content", [b"", b"rubbish" * 1000])
def test_a_file_that_is_no_graph_is_named_and_made_anew_by_the_next_build(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "graph.lbug"
    path.write_bytes(content)
    store = LadybugStore(path)
    with pytest.raises(StoreError, match=r"graph\.lbug cannot be read .*materialize graph_store again"):
        store.fingerprint()
    with pytest.raises(StoreError, match=r"graph\.lbug cannot be read"):
        store.neighbours(["p0"], SCOPE)
    assert store.rebuild(*graph(3), "v1") == {"passage": 3, "references": 2}
    assert store.fingerprint() == "v1"
    store.close()


def test_another_programs_database_is_no_graph_of_ours(tmp_path: Path) -> None:
    from ladybug import Connection, Database

    path = tmp_path / "graph.lbug"
    with Database(path) as database, Connection(database) as connection:
        connection.execute("CREATE NODE TABLE Person(name STRING PRIMARY KEY)")
    with pytest.raises(StoreError, match="cannot be read"):
        LadybugStore(path).fingerprint()


def test_a_graph_removed_while_it_is_open_is_missed(tmp_path: Path) -> None:
    store = LadybugStore(tmp_path / "graph.lbug")
    store.rebuild(*graph(3), "v1")
    assert store.fingerprint() == "v1"
    (tmp_path / "graph.lbug").unlink()
    assert store.fingerprint() is None
    with pytest.raises(StoreError, match="no graph at"):
        store.counts()
    store.close()
