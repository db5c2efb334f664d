"""Passages and their vectors as rows of a LanceDB table."""

from collections.abc import Generator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from faithflow.retrieval.model import IndexedPassage
from faithflow.text.unicode import without_surrogates

if TYPE_CHECKING:
    import numpy as np
    from lancedb.index import FTS

COLUMNS = tuple(field.name for field in fields(IndexedPassage))
_DAYS = ("valid_from", "valid_to")

DISTANCE = "_distance"
"""LanceDB's column of 1 - the inner product: the cosine's distance for vectors of length 1."""

SCORE = "_score"
"""LanceDB's column of the BM25 score."""

_ROWS_A_BATCH = 4_096
# LanceDB's own choice for vectors serves single rows; a search reads them all, in this form in half the time.
_SCANNED = {"lance-encoding:structural-encoding": "miniblock"}
_UNIT_TOLERANCE = 1e-3


def checked(passages: Sequence[IndexedPassage], vectors: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """The vectors as float32.

    Raises ValueError unless there is one for each passage, of finite numbers and of length 1 or 0, and each passage
    has an id of its own.
    """
    import numpy as np

    if vectors.ndim != 2 or len(vectors) != len(passages):
        raise ValueError(f"vectors of shape {vectors.shape} for {len(passages)} passages")
    if len({passage.passage_id for passage in passages}) < len(passages):
        raise ValueError("two passages to be indexed have the same id")
    rows = np.ascontiguousarray(vectors, dtype="<f4")
    lengths = np.linalg.norm(rows, axis=1)
    wrong = np.flatnonzero(~((np.abs(lengths - 1) < _UNIT_TOLERANCE) | (lengths == 0)))
    if len(wrong):
        raise ValueError(f"vector {wrong[0]} has length {lengths[wrong[0]]:g}; vectors have length 1, or 0")
    return rows


def record_batches(passages: Sequence[IndexedPassage], vectors: "np.ndarray[Any, Any]") -> Any:
    """The rows as a pyarrow.RecordBatchReader, made batch by batch."""
    import pyarrow as pa

    text = {name: pa.string() for name in COLUMNS} | {day: pa.int32() for day in _DAYS}
    vector = pa.field("vector", pa.list_(pa.float32(), vectors.shape[1]), metadata=_SCANNED)
    schema = pa.schema([*text.items(), ("indexed", pa.string()), vector])
    return pa.RecordBatchReader.from_batches(schema, _stream(passages, vectors, schema))


def _stream(passages: Sequence[IndexedPassage], vectors: "np.ndarray[Any, Any]", schema: Any) -> Generator[Any]:
    import pyarrow as pa

    for start in range(0, len(passages), _ROWS_A_BATCH):
        part = passages[start : start + _ROWS_A_BATCH]
        columns: list[list[Any]] = [
            [getattr(passage, name) for passage in part]
            if name in _DAYS
            else [without_surrogates(getattr(passage, name)) for passage in part]
            for name in COLUMNS
        ]
        columns.append([without_surrogates(passage.indexed_text) for passage in part])
        arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=False)]
        flat = pa.array(vectors[start : start + _ROWS_A_BATCH].reshape(-1), pa.float32())
        yield pa.record_batch([*arrays, pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])], schema=schema)


def passage_of(row: dict[str, Any]) -> IndexedPassage:
    """The passage of a row that has all of COLUMNS."""
    return IndexedPassage(**{name: row[name] for name in COLUMNS})


def text_index() -> "FTS":
    """How BM25 sees texts: words parted at spaces and punctuation, lower case, without accents, as they stand.

    No stemming: it would take every text for English, and on MuSiQue it finds less (docs/decisions/0006). One worker:
    the partitions of several could not be the same in every build.
    """
    from lancedb.index import FTS

    return FTS(stem=False, num_workers=1)
