"""The vector index of one embedder in a home: the table `embeddings`, and the store that is searched."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from faithflow.corpus.indexed import indexed_passages
from faithflow.corpus.trace import TRACES_EMBEDDER
from faithflow.identity import digest
from faithflow.retrieval.model import IndexedPassage
from faithflow.study.model import Study
from faithflow.tables.registry import table
from resources.embedder_lsa import Lsa
from resources.home import Home
from resources.pace import Pace
from resources.parquet import Written
from resources.systems import opened_embedder
from resources.vector_store import LanceStore

if TYPE_CHECKING:
    import numpy as np

Say = Callable[[str], None]

_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Embedded:
    """The table `embeddings` of an embedder; `seconds` is what it took, `model` its version."""

    written: Written
    model: str
    dimensions: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Built:
    """The index that is searched now."""

    passages: int
    path: Path
    fingerprint: str


def embed_passages(home: Home, study: Study, embedder: str, say: Say) -> Embedded:
    """Write one embedder's partition of `embeddings`. The partition of the users' answers has none."""
    partition = {"embedder": embedder}
    started = time.monotonic()
    with home.deriving(f"embeddings-{embedder}"):
        if embedder == TRACES_EMBEDDER:
            written = home.warehouse.write("embeddings", table("embeddings").empty(), partition)
            return Embedded(written, "none", 0, 0.0)
        passages = _passages(home)
        texts = [passage.indexed_text for passage in passages]
        with opened_embedder(home, study, embedder) as model:
            if isinstance(model, Lsa):
                model.fit(texts)
            rows: list[list[float]] = []
            pace = Pace()
            for start in range(0, len(texts), _AT_ONCE):
                rows += model.passages(texts[start : start + _AT_ONCE]).tolist()
                if pace.is_due():
                    say(f"{embedder}: {len(rows):,} of {len(texts):,} passages embedded")
            version = model.version
        frame = pl.DataFrame(
            {"passage_id": [passage.passage_id for passage in passages], "vector": rows, "embedder": embedder},
            schema=table("embeddings").schema,
        )
        written = home.warehouse.write("embeddings", frame, partition)
    return Embedded(written, version, len(rows[0]) if rows else 0, time.monotonic() - started)


def build_vector_store(home: Home, study: Study, embedder: str) -> Built:
    """Build an embedder's index from `embeddings`, beside the old one; an index of the same rows is left as it is."""
    path = home.vectors / embedder / "index"
    if embedder == TRACES_EMBEDDER:
        return Built(0, path, "none")
    with home.deriving(f"vector_store-{embedder}"):
        known = {passage.passage_id: passage for passage in _passages(home)}
        rows = home.warehouse.read("embeddings", {"embedder": embedder}).filter(pl.col("passage_id").is_in(list(known)))
        passages = [known[passage_id] for passage_id in rows["passage_id"]]
        with opened_embedder(home, study, embedder) as model:
            version = model.version
        fingerprint = digest([version, [_shown(passage) for passage in passages]])
        store = LanceStore(path)
        try:
            count = store.rebuild(passages, _matrix(rows["vector"]), fingerprint)
        finally:
            store.close()
    return Built(count, path, fingerprint)


def _passages(home: Home) -> list[IndexedPassage]:
    return list(indexed_passages(home.warehouse.read("documents"), home.warehouse.read("passages")))


def _shown(passage: IndexedPassage) -> list[str | int]:
    # its id follows from the text, the title and the date
    return [passage.passage_id, passage.source_url, passage.access, passage.valid_from, passage.valid_to]


def _matrix(vectors: pl.Series) -> "np.ndarray":  # pyright: ignore[reportMissingTypeArgument]
    import numpy as np

    width = len(vectors[0]) if len(vectors) else 0
    return np.asarray(vectors.explode().to_numpy(), dtype=np.float32).reshape(len(vectors), width)
