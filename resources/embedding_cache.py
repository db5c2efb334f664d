"""Embeddings by model and content hash, kept beside the ledger: no text is embedded twice."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from resources.sql_store import SqlStore, open_store

if TYPE_CHECKING:
    from sqlalchemy import Connection

_ROWS_A_STATEMENT = 1_000


class SqlEmbeddingCache:
    """The cache on SQLite or PostgreSQL. Safe for many threads and processes; the first vector of a hash stays."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    def __repr__(self) -> str:
        return f"SqlEmbeddingCache({self._store.label!r})"

    def get_many(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]:
        """The vectors that are there, by hash. Raises StoreError if the store fails."""
        from sqlalchemy import select

        from resources.ledger_schema import EMBEDDINGS

        wanted = sorted(set(hashes))

        def work(connection: "Connection", _again: bool) -> dict[str, bytes]:
            found: dict[str, bytes] = {}
            for start in range(0, len(wanted), _ROWS_A_STATEMENT):
                statement = select(EMBEDDINGS.c.hash, EMBEDDINGS.c.vector).where(
                    EMBEDDINGS.c.model == model,
                    EMBEDDINGS.c.hash.in_(wanted[start : start + _ROWS_A_STATEMENT]),
                )
                found.update((key, vector) for key, vector in connection.execute(statement))
            return found

        return self._store.run(work)

    def put_many(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Store vectors by hash; a hash that is there keeps its own. Raises StoreError if the store fails."""
        from resources.ledger_schema import EMBEDDINGS

        # one order for all writers, or two of them could wait for each other's rows
        rows = [{"model": model, "hash": key, "vector": vectors[key]} for key in sorted(vectors)]
        if not rows:
            return

        def work(connection: "Connection", _again: bool) -> None:
            if connection.dialect.name == "postgresql":
                from sqlalchemy.dialects.postgresql import insert
            else:
                from sqlalchemy.dialects.sqlite import insert
            connection.execute(insert(EMBEDDINGS).on_conflict_do_nothing(), rows)

        self._store.run(work)

    def close(self) -> None:
        """Let go of the database. May be called again."""
        self._store.dispose()


def open_embedding_cache(url: str) -> SqlEmbeddingCache:
    """Open the cache in the database of the ledger (`resources.ledger.open_ledger` says which URLs there are).

    Raises UserError if it cannot be opened.
    """
    return SqlEmbeddingCache(open_store(url))
