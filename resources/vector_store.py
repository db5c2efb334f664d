"""The vector store on LanceDB: one embedder's passages with their vectors, searched by cosine and by BM25.

An index is built whole in a folder of its own under `builds/`; then `current.json` is put in place at once and names
it. A reader, also one in another process, sees the old index or the new one; a crash leaves the old one.
"""

import json
import shutil
import threading
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from faithflow.corpus.scope import Scope
from faithflow.errors import StoreError
from faithflow.retrieval.model import Hit, IndexedPassage
from faithflow.text.unicode import without_surrogates
from resources.files import locked, replacing
from resources.vector_rows import COLUMNS, DISTANCE, SCORE, checked, passage_of, record_batches, text_index

if TYPE_CHECKING:
    import numpy as np
    from lancedb.expr import Expr
    from lancedb.table import Table

T = TypeVar("T")

_POINTER = "current.json"
_TABLE = "passages"
_IDS_A_QUERY = 500
# Rows asked for beyond the k best, to see whether the last of them stands in a tie.
_BEYOND = 8
# Of a larger k the rows are counted first: LanceDB has no limit of more than 32 bits.
_ROWS_COUNTED_BEYOND = 1_000_000


@dataclass(frozen=True, slots=True)
class _Current:
    build: str
    fingerprint: str
    passages: int


class LanceStore:
    """A `VectorStore` in a folder. Searches are exact: every vector in the scope is compared.

    Safe for many threads and processes; one process at a time rebuilds. Raises StoreError where there is no index, or
    where it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._open: tuple[str, Table] | None = None

    def __repr__(self) -> str:
        return f"LanceStore({str(self._path)!r})"

    def rebuild(self, passages: Iterable[IndexedPassage], vectors: "np.ndarray[Any, Any]", fingerprint: str) -> int:
        """Replace the whole index; the number of passages. The same fingerprint as that of the index: nothing is done.

        `vectors` is (passages, dimensions), rows of length 1 or 0, in the order of the passages. Raises ValueError
        where they do not fit the passages or are no such vectors, or where two passages have one id.
        """
        with locked(self._path / _POINTER):
            current = self._current()
            if current is not None and current.fingerprint == fingerprint:
                return current.passages
            rows = list(passages)
            unit = checked(rows, vectors)
            builds = self._path / "builds"
            build = uuid.uuid4().hex
            try:
                _write(builds / build, rows, unit)
                pointer = _Current(build, fingerprint, len(rows))
                with replacing(self._path / _POINTER) as temporary:
                    temporary.write_text(json.dumps(asdict(pointer)), encoding="utf-8")
            except BaseException:
                shutil.rmtree(builds / build, ignore_errors=True)
                raise
            for other in builds.iterdir():
                if other.name != build:
                    shutil.rmtree(other, ignore_errors=True)
            return len(rows)

    def fingerprint(self) -> str | None:
        """The fingerprint of the index that is there, None where there is none."""
        current = self._current()
        return current.fingerprint if current else None

    def count(self) -> int:
        """The passages of the index, of every scope; 0 where there is none."""
        current = self._current()
        return current.passages if current else 0

    def dense(self, vector: "np.ndarray[Any, Any]", k: int, scope: Scope) -> list[Hit]:
        """The k passages nearest by cosine within the scope, best first; the score is the cosine.

        Raises StoreError where the vector has not the index's dimensions.
        """

        def search(table: "Table", limit: int) -> list[dict[str, Any]]:
            dimensions = table.schema.field("vector").type.list_size
            if vector.shape != (dimensions,):
                raise StoreError(
                    f"{self._path}: a query of {vector.size} dimensions, and the index has {dimensions}: the embedder "
                    "is another than it was; materialize `vector_index`"
                )
            query: Any = table.search(vector, vector_column_name="vector")
            found = query.distance_type("dot").where(_within(scope))
            return found.limit(limit).select([*COLUMNS, DISTANCE]).to_list()

        return self._best(search, k, scope, lambda row: 1.0 - row[DISTANCE])

    def sparse(self, query: str, k: int, scope: Scope) -> list[Hit]:
        """The k best passages by BM25 within the scope that share a word with the query.

        The query is words, never operators. A query without words finds nothing.
        """
        from lancedb import query as queries

        # the class's checker-visible constructor lacks its defaults
        match: Any = queries.MatchQuery
        words = match(without_surrogates(query), "indexed")

        def search(table: "Table", limit: int) -> list[dict[str, Any]]:
            found = table.search(words, query_type="fts").where(_within(scope))
            return found.limit(limit).select([*COLUMNS, SCORE]).to_list()

        return self._best(search, k, scope, lambda row: row[SCORE])

    def passages(self, passage_ids: Sequence[str], scope: Scope) -> Mapping[str, IndexedPassage]:
        """The passages of these ids that the scope allows, in the order of the ids."""
        from lancedb.expr import col

        wanted = list(dict.fromkeys(passage_ids))

        def search(table: "Table") -> dict[str, IndexedPassage]:
            found: dict[str, IndexedPassage] = {}
            for start in range(0, len(wanted), _IDS_A_QUERY):
                part = wanted[start : start + _IDS_A_QUERY]
                query = table.search().where(col("passage_id").isin(part) & _within(scope)).limit(len(part))
                found |= {row["passage_id"]: passage_of(row) for row in query.select(list(COLUMNS)).to_list()}
            return found

        if not wanted or not scope.access:
            return {}
        found = self._read(search, {})
        return {each: found[each] for each in wanted if each in found}

    def close(self) -> None:
        """Let go of the open index; it is opened again if the store is used again."""
        with self._lock:
            self._open = None

    def _best(
        self,
        search: "Callable[[Table, int], list[dict[str, Any]]]",
        k: int,
        scope: Scope,
        score: Callable[[dict[str, Any]], float],
    ) -> list[Hit]:
        """The k best rows, ties by id also where they straddle the k-th place."""

        def find(table: "Table") -> list[Hit]:
            wanted = min(k, table.count_rows()) if k > _ROWS_COUNTED_BEYOND else k
            limit = wanted + _BEYOND
            while True:
                rows = sorted(search(table, limit), key=lambda row: (-score(row), row["passage_id"]))
                if len(rows) < limit or score(rows[-1]) < score(rows[wanted - 1]):
                    return [Hit(passage_of(row), score(row)) for row in rows[:wanted]]
                limit *= 4

        return self._read(find, []) if k > 0 and scope.access else []

    def _read(self, work: "Callable[[Table], T]", nothing: T) -> T:
        """Do work on the current index; once more where a rebuild took the index away meanwhile."""
        while True:
            current = self._current()
            if current is None:
                raise StoreError(f"{self._path}: there is no vector index; materialize `vector_index`")
            if not current.passages:
                return nothing
            try:
                return work(self._table(current.build))
            except StoreError:
                raise
            # whatever the library raises for files that are gone or broken
            except Exception as error:
                self.close()
                if self._current() == current:
                    words = " ".join(str(error).split())[:500]
                    raise StoreError(
                        f"{self._path}: the vector index cannot be read ({words}); if this stays so, delete the folder "
                        "and materialize `vector_index`"
                    ) from error

    def _table(self, build: str) -> "Table":
        with self._lock:
            if self._open is None or self._open[0] != build:
                import lancedb

                folder = self._path / "builds" / build
                self._open = (build, lancedb.connect(str(folder)).open_table(_TABLE))
            return self._open[1]

    def _current(self) -> _Current | None:
        path = self._path / _POINTER
        try:
            return _Current(**json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError) as error:
            raise StoreError(f"{path}: cannot be read ({error}); delete the folder and materialize it anew") from error


def _within(scope: Scope) -> "Expr":
    """The scope as a filter before the search, built of values: a label is never a piece of a statement."""
    from lancedb.expr import col

    holds = (col("valid_from") <= scope.day) & (col("valid_to") > scope.day)
    return col("access").isin(list(scope.access)) & holds


def _write(folder: Path, passages: Sequence[IndexedPassage], vectors: "np.ndarray[Any, Any]") -> None:
    import lancedb
    from lancedb.index import BTree

    folder.mkdir(parents=True)
    if passages:
        table = lancedb.connect(str(folder)).create_table(_TABLE, record_batches(passages, vectors))
        table.create_index("indexed", config=text_index())
        table.create_index("passage_id", config=BTree())
