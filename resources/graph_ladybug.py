"""The graph store on Ladybug, an openCypher database inside the process: one file, the embedded default.

A graph is built in a file of its own beside the old one and then takes its place at once. One process at a time
builds; readers open the file read-only, in any number of processes, and one that has it open keeps the old graph until
its next query.
"""

import contextlib
import threading
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from faithflow.corpus.scope import Scope
from faithflow.errors import StoreError
from faithflow.graph.model import Edge, Fact, Neighbour, Node
from faithflow.text.unicode import without_surrogates
from resources.cypher import load
from resources.files import locked, replacing
from resources.graph_rows import (
    GraphFrames,
    counts_of,
    facts_of,
    graph_frames,
    neighbour_of,
    relations_named,
    scope_parameters,
)

if TYPE_CHECKING:
    from ladybug import Connection, Database

# A file holds one graph and one build of it; the statements that both stores share ask for them by name.
_GRAPH = "faithflow"
_BUILD = "0"
# The address space that a file may grow to: Ladybug's default is 8 TB each, which few open files exhaust.
_MOST_BYTES = 1 << 36
# So many nodes are scanned in the time of one look-up by key.
_NODES_A_LOOK_UP = 1_000
_NODE_ORDER = ("key", "build", "id", "kind", "name", "words", "type", "access", "valid_from", "valid_to")
_EDGE_ORDER = (
    "source", "target",
    "source_id", "relation", "target_id", "words", "access", "valid_from", "valid_to", "passage_id", "fact",
)  # fmt: skip


@dataclass(slots=True)
class _Opened:
    """The file as it was when it was opened, told apart from one that took its place."""

    identity: tuple[int, int, int]
    database: "Database"
    connection: "Connection"
    fingerprint: str
    relations: list[str]
    nodes: int

    def scans_for(self, keys: Sequence[str]) -> bool:
        """Whether one query with the list of keys, for which Ladybug scans all nodes, beats one look-up a key."""
        return len(keys) * _NODES_A_LOOK_UP >= self.nodes

    def rows(self, statement: str, parameters: Mapping[str, Any]) -> list[list[Any]]:
        return _all(self.connection, statement, parameters)

    def close(self) -> None:
        self.connection.close()
        self.database.close()


class LadybugStore:
    """A `GraphStore` in the file `path`. Safe for many threads (one query at a time) and processes."""

    def __init__(self, path: Path) -> None:
        self.name = "ladybug"
        self._path = path
        self._lock = threading.Lock()
        self._opened: _Opened | None = None

    def __repr__(self) -> str:
        return f"LadybugStore({str(self._path)!r})"

    def rebuild(self, nodes: Iterable[Node], edges: Iterable[Edge], fingerprint: str) -> Mapping[str, int]:
        """Replace the whole graph; counts by kind of node and relation. The same fingerprint as that of the stored
        graph: nothing is done. Raises TableError where nodes or edges are no graph, or where another process has been
        building for ten minutes; StoreError where the file cannot be written."""
        with locked(self._path):
            if self._readable_fingerprint() == fingerprint:
                return self.counts()
            frames = graph_frames(nodes, edges)
            with replacing(self._path) as temporary:
                try:
                    _write(temporary, frames, fingerprint)
                except (RuntimeError, OSError) as error:
                    raise StoreError(f"{self._path}: the graph could not be written: {_words(error)}") from None
                finally:
                    for side in ("wal", "shadow"):
                        temporary.with_name(f"{temporary.name}.{side}").unlink(missing_ok=True)
        return frames.counts

    def fingerprint(self) -> str | None:
        """The fingerprint of the graph that is stored, None where there is none."""
        if not self._path.exists():
            return None
        with self._reading() as opened:
            return opened.fingerprint

    def neighbours(
        self, frontier: Sequence[str], scope: Scope, relations: Sequence[str] | None = None, limit: int = 10_000
    ) -> list[Neighbour]:
        if relations is not None and not relations:
            return []
        parameters = {**scope_parameters(scope), "relations": list(relations or ()), "limit": limit}
        keys = [_key(node_id) for node_id in sorted(set(frontier))]
        found: list[Neighbour] = []
        with self._reading() as opened:
            if opened.scans_for(keys):
                return [*map(neighbour_of, opened.rows("neighbours", {**parameters, "frontier": keys}))]
            for start in keys:
                rows = opened.rows("neighbours_of_one", {**parameters, "start": start})
                found += map(neighbour_of, rows)
                if len(found) >= limit:
                    break
        return found[:limit]

    def facts(self, terms: Sequence[str], scope: Scope, limit: int = 1_000) -> list[Fact]:
        terms = [without_surrogates(term) for term in dict.fromkeys(terms) if term]
        if not terms:
            return []
        parameters = {**scope_parameters(scope), "build": _BUILD, "terms": terms, "limit": limit}
        with self._reading() as opened:
            rows = opened.rows("facts_by_name", parameters)
            named = relations_named(terms, opened.relations)
            if named:
                rows += opened.rows("facts_by_relation", {**parameters, "relations": named})
        return facts_of(rows, terms, limit)

    def degrees(self, ids: Sequence[str], scope: Scope) -> Mapping[str, int]:
        parameters = scope_parameters(scope)
        degrees = dict.fromkeys(ids, 0)
        keys = [_key(node_id) for node_id in degrees]
        with self._reading() as opened:
            if opened.scans_for(keys):
                return {**degrees, **counts_of(opened.rows("degrees", {**parameters, "frontier": keys}))}
            for start in keys:
                degrees |= counts_of(opened.rows("degrees_of_one", {**parameters, "start": start}))
        return degrees

    def counts(self) -> Mapping[str, int]:
        parameters = {"build": _BUILD}
        with self._reading() as opened:
            return counts_of([*opened.rows("count_nodes", parameters), *opened.rows("count_edges", parameters)])

    def close(self) -> None:
        with self._lock:
            self._shut()

    @contextlib.contextmanager
    def _reading(self) -> Generator[_Opened]:
        """The file as it is now, for this thread alone; what fails in it is a StoreError."""
        with self._lock:
            opened = self._current()
            try:
                yield opened
            except RuntimeError as error:
                raise StoreError(f"the graph {self._path} cannot be searched: {_words(error)}") from None

    def _current(self) -> _Opened:
        """The open file; opened anew where another has taken its place."""
        try:
            stat = self._path.stat()
        except FileNotFoundError:
            self._shut()
            raise StoreError(f"there is no graph at {self._path}: materialize graph_store first") from None
        identity = (stat.st_dev, stat.st_ino, stat.st_mtime_ns)
        if self._opened is None or self._opened.identity != identity:
            self._shut()
            self._opened = self._open(identity)
        return self._opened

    def _open(self, identity: tuple[int, int, int]) -> _Opened:
        from ladybug import Connection, Database

        try:
            database = Database(self._path, read_only=True, max_db_size=_MOST_BYTES)
            connection = Connection(database)
            _, fingerprint, relations = _all(connection, "pointer", {"graph": _GRAPH})[0]
            nodes = sum(row[1] for row in _all(connection, "count_nodes", {"build": _BUILD}))
        except (RuntimeError, OSError, IndexError) as error:
            raise StoreError(
                f"the graph {self._path} cannot be read ({_words(error)}); materialize graph_store again, "
                "it makes the file anew"
            ) from None
        return _Opened(identity, database, connection, fingerprint, list(relations), nodes)

    def _shut(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _readable_fingerprint(self) -> str | None:
        try:
            return self.fingerprint()
        except StoreError:  # a file that nobody can read is made anew
            return None


def _write(path: Path, frames: GraphFrames, fingerprint: str) -> None:
    """A whole database at `path`. COPY from a frame that is a parameter: nothing of the data is read as Cypher."""
    from ladybug import Connection, Database

    nodes = frames.nodes.with_columns(key=_keys("id"), build=pl.lit(_BUILD)).select(_NODE_ORDER)
    edges = frames.edges.with_columns(source=_keys("source_id"), target=_keys("target_id")).select(_EDGE_ORDER)
    with Database(path, max_db_size=_MOST_BYTES) as database, Connection(database) as connection:
        for statement in ("ladybug_create_nodes", "ladybug_create_edges", "ladybug_create_graph"):
            _all(connection, statement, {})
        for statement, rows in (("ladybug_copy_nodes", nodes), ("ladybug_copy_edges", edges)):
            if rows.height:
                _all(connection, statement, {"rows": rows})
        pointer = {"graph": _GRAPH, "build": _BUILD, "fingerprint": fingerprint, "relations": frames.relations}
        _all(connection, "ladybug_point", pointer)


def _all(connection: "Connection", statement: str, parameters: Mapping[str, Any]) -> list[list[Any]]:
    from ladybug import QueryResult

    result = connection.execute(load(statement), dict(parameters))
    assert isinstance(result, QueryResult)  # a list comes of several statements in one text alone
    with result:
        return [list(row) for row in result.get_all()]


def _key(node_id: str) -> str:
    return f"{_BUILD}/{node_id}"


def _keys(column: str) -> pl.Expr:
    return pl.concat_str(pl.lit(f"{_BUILD}/"), pl.col(column))


def _words(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
