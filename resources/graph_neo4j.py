"""The graph store on Neo4j, a server of the user's: nothing is touched but nodes of our own labels in our own graph.

A graph is loaded in batches beside the one that is read, under the id of a new build; one small transaction then moves
the pointer (the node FaithflowGraph) to it, and the old build is deleted in batches. A builder that dies leaves the old
graph as it was; the next one takes over, and what the dead one left is deleted.
"""

import contextlib
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, LiteralString, TypeVar, cast

from faithflow.corpus.scope import Scope
from faithflow.errors import StoreError, UserError
from faithflow.graph.model import Edge, Fact, Neighbour, Node
from faithflow.text.unicode import without_surrogates
from resources.cypher import load
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
    from neo4j import Driver, Session, Transaction

T = TypeVar("T")

_BATCH = 10_000
_PATIENCE_S = 15.0
"""How long a read waits for a server that is away, for instance because it restarts."""

_SCHEMA = ("neo4j_unique_nodes", "neo4j_unique_graphs", "neo4j_index_builds", "neo4j_index_relations")


@dataclass(frozen=True, slots=True)
class _Pointer:
    """The build to read, with what is known of it."""

    build: str
    fingerprint: str
    relations: list[str]


class Neo4jStore:
    """A `GraphStore` on a Neo4j server (5.26 or later, community edition suffices), in the graph of the name `graph`.

    Two graphs of different names on one server do not meet. Raises UserError where the driver is not installed, or
    the server cannot be reached or refuses the user. Safe for many threads and processes.
    """

    def __init__(
        self, url: str, user: str | None, password: str | None, database: str | None = None, graph: str = "faithflow"
    ) -> None:
        self.name = "neo4j"
        self._url = url
        self._database = database
        self._graph = graph
        self._driver = _driver(url, user, password)
        try:
            with self._failing("check that it runs, and its address, user and password"):
                self._run("pointer", {"graph": graph})
        except StoreError as error:
            self._driver.close()
            raise UserError(str(error)) from None

    def __repr__(self) -> str:
        return f"Neo4jStore({self._url!r}, graph={self._graph!r})"

    def rebuild(self, nodes: Iterable[Node], edges: Iterable[Edge], fingerprint: str) -> Mapping[str, int]:
        """Replace the whole graph; counts by kind of node and relation. The same fingerprint as that of the stored
        graph: nothing is done but that leftovers of builds that died are removed.

        Raises TableError where nodes or edges are no graph, StoreError where the server fails midway or another
        process begins to build the same graph: the old graph stays.
        """
        with self._failing("the old graph stays as it was; run the same command again once the server is back"):
            stored = self._read(self._pointer)
            if stored is not None and stored.fingerprint == fingerprint:
                self._sweep(self._run("neo4j_leftovers", {"graph": self._graph}))
                return self.counts()
        frames = graph_frames(nodes, edges)
        with self._failing("the old graph stays as it was; run the same command again once the server is back"):
            for statement in _SCHEMA:
                self._run(statement, {})
            self._run("neo4j_await_indexes", {})
            build = uuid.uuid4().hex
            build_parameters = {"graph": self._graph, "build": build}
            self._sweep(self._run("neo4j_begin", build_parameters))
            for statement, rows in _batches(frames, build):
                loaded = self._run(statement, {**build_parameters, "rows": rows})[0][0]
                if loaded != len(rows):
                    raise self._overtaken()
            relations = frames.relations
            leftovers = self._run(
                "neo4j_switch", {**build_parameters, "fingerprint": fingerprint, "relations": relations}
            )
            if not leftovers:
                raise self._overtaken()
        with self._failing("the new graph is in place; leftovers of the old one go with the next run"):
            self._sweep(leftovers)
        return frames.counts

    def fingerprint(self) -> str | None:
        """The fingerprint of the graph that is stored, None where there is none."""
        with self._failing("start it, or mend its address"):
            pointer = self._read(self._pointer)
        return pointer.fingerprint if pointer else None

    def neighbours(
        self, frontier: Sequence[str], scope: Scope, relations: Sequence[str] | None = None, limit: int = 10_000
    ) -> list[Neighbour]:
        if relations is not None and not relations:
            return []
        parameters = {**scope_parameters(scope), "relations": list(relations or ()), "limit": limit}

        def work(transaction: "Transaction", pointer: _Pointer) -> list[list[Any]]:
            starts = [_key(pointer.build, start) for start in dict.fromkeys(frontier)]
            return _rows(transaction, "neighbours", {**parameters, "frontier": starts})

        return [neighbour_of(row) for row in self._on_one_build(work)]

    def facts(self, terms: Sequence[str], scope: Scope, limit: int = 1_000) -> list[Fact]:
        terms = [without_surrogates(term) for term in dict.fromkeys(terms) if term]
        if not terms:
            return []
        parameters = {**scope_parameters(scope), "terms": terms, "limit": limit}

        def work(transaction: "Transaction", pointer: _Pointer) -> list[list[Any]]:
            build = {**parameters, "build": pointer.build}
            rows = _rows(transaction, "facts_by_name", build)
            named = relations_named(terms, pointer.relations)
            if named:
                rows += _rows(transaction, "facts_by_relation", {**build, "relations": named})
            return rows

        return facts_of(self._on_one_build(work), terms, limit)

    def degrees(self, ids: Sequence[str], scope: Scope) -> Mapping[str, int]:
        def work(transaction: "Transaction", pointer: _Pointer) -> list[list[Any]]:
            starts = [_key(pointer.build, each) for each in dict.fromkeys(ids)]
            return _rows(transaction, "degrees", {**scope_parameters(scope), "frontier": starts})

        return {**dict.fromkeys(ids, 0), **counts_of(self._on_one_build(work))}

    def counts(self) -> Mapping[str, int]:
        def work(transaction: "Transaction", pointer: _Pointer) -> list[list[Any]]:
            build = {"build": pointer.build}
            return [*_rows(transaction, "count_nodes", build), *_rows(transaction, "count_edges", build)]

        return counts_of(self._on_one_build(work))

    def close(self) -> None:
        self._driver.close()

    def _on_one_build(self, work: "Callable[[Transaction, _Pointer], T]") -> T:
        """What `work` reads of the current build. Read again where the pointer moved meanwhile: the old build may
        have been half deleted under it."""

        def attempt(transaction: "Transaction") -> T:
            pointer = self._pointer(transaction)
            while pointer is not None:
                result = work(transaction, pointer)
                after = self._pointer(transaction)
                if after == pointer:
                    return result
                pointer = after
            raise StoreError(
                f"there is no graph {self._graph!r} on Neo4j at {self._url}: materialize graph_store first"
            )

        with self._failing("start it and run the same command again"):
            return self._read(attempt)

    def _pointer(self, transaction: "Transaction") -> _Pointer | None:
        rows = _rows(transaction, "pointer", {"graph": self._graph})
        return _Pointer(*rows[0]) if rows else None

    def _read(self, work: "Callable[[Transaction], T]") -> T:
        with self._session() as session:
            return session.execute_read(cast("Any", work))

    def _session(self) -> "Session":
        # sessions that share bookmarks see each other's writes, also on a cluster
        return self._driver.session(
            database=self._database, bookmark_manager=self._driver.execute_query_bookmark_manager
        )

    def _run(self, statement: str, parameters: Mapping[str, Any]) -> list[list[Any]]:
        """One statement in a transaction of its own, never tried again: a batch whose confirmation got lost may be
        there already."""
        with self._session() as session:
            return [record.values() for record in session.run(_text(statement), dict(parameters))]

    def _sweep(self, rows: Sequence[Sequence[Any]]) -> None:
        """Delete builds, the rows' first column, in batches on the server; then forget them."""
        for build in (build for row in rows for build in row[0]):
            for statement in ("neo4j_delete_edges", "neo4j_delete_nodes"):
                self._run(statement, {"build": build})
            self._run("neo4j_forget", {"graph": self._graph, "build": build})

    def _overtaken(self) -> StoreError:
        return StoreError(
            f"another process has begun to build the graph {self._graph!r} on Neo4j at {self._url}: "
            "this build was given up; let the other one finish"
        )

    @contextlib.contextmanager
    def _failing(self, what_to_do: str) -> Generator[None]:
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            yield
        except (DriverError, Neo4jError, OSError) as error:
            raise StoreError(f"Neo4j at {self._url} failed: {_words(error)}; {what_to_do}") from None


def _driver(url: str, user: str | None, password: str | None) -> "Driver":
    try:
        from neo4j import GraphDatabase, NotificationMinimumSeverity
    except ImportError:
        raise UserError("a graph on Neo4j needs its driver: pip install 'faithflow[neo4j]'") from None
    try:
        return GraphDatabase.driver(
            url,
            auth=None if user is None else (user, password or ""),
            connection_timeout=10,
            connection_acquisition_timeout=20,
            max_transaction_retry_time=_PATIENCE_S,
            # hints for people who write queries by hand, such as that a label is not there yet
            notifications_min_severity=NotificationMinimumSeverity.OFF,
            telemetry_disabled=True,
            user_agent="faithflow",
        )
    except Exception as error:
        raise UserError(
            f"the address of Neo4j cannot be used ({type(error).__name__}): write bolt://host:7687 or "
            "neo4j+s://host:7687, without user and password"
        ) from None


def _batches(frames: GraphFrames, build: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for nodes in frames.nodes.iter_slices(_BATCH):
        rows = [{**row, "build": build, "key": _key(build, row["id"])} for row in nodes.iter_rows(named=True)]
        yield "neo4j_load_nodes", rows
    for edges in frames.edges.iter_slices(_BATCH):
        rows = [
            {"source": _key(build, row["source_id"]), "target": _key(build, row["target_id"]), "edge": row}
            for row in edges.iter_rows(named=True)
        ]
        yield "neo4j_load_edges", rows


def _rows(transaction: "Transaction", statement: str, parameters: Mapping[str, Any]) -> list[list[Any]]:
    return [record.values() for record in transaction.run(_text(statement), dict(parameters))]


def _text(statement: str) -> LiteralString:
    # the driver takes literal text alone, so that no data is written into it; these files are that
    return cast("LiteralString", load(statement))


def _key(build: str, node_id: str) -> str:
    return f"{build}/{node_id}"


def _words(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
