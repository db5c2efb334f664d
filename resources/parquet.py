"""One table in one Parquet file: written whole or not at all, merged by key, read with the registry's schema."""

import contextlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import polars as pl

from faithflow.errors import TableError
from faithflow.tables.checks import Parents
from faithflow.tables.contract import validate
from faithflow.tables.hashing import data_hash
from faithflow.tables.registry import table as registered
from faithflow.tables.schema import Table
from resources.files import locked, replacing

# rows that are hashed at a time; a row of verdicts takes about a kilobyte
_BATCH = 5_000
# rows that are read or written together: it bounds the memory of a merge
_ROW_GROUP = 10_000
_NO_PARENTS: Parents = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Written:
    """A file that now holds `rows` rows; `data_hash` is their content hash, whatever their order."""

    path: Path
    rows: int
    data_hash: str


def write_parquet(
    path: Path, table: str, frame: pl.DataFrame | pl.LazyFrame, parents: Parents = _NO_PARENTS
) -> Written:
    """Replace the file by the frame. A lazy frame is written in streams.

    Raises TableError, and leaves the file as it was, where the frame breaks the table's contract; references are
    looked up in `parents`.
    """
    contract = registered(table)
    with refusals(path):
        rows = validate(contract, frame, parents)
        with locked(path):
            return _replace(path, contract, rows)


def upsert_parquet(
    path: Path, table: str, frame: pl.DataFrame | pl.LazyFrame, parents: Parents = _NO_PARENTS
) -> Written:
    """Merge the frame into the file: a row takes the place of the stored one with its key, the others stay.

    A stored row that ranks higher by the table's `rank` stays too (a scored verdict before an unscored one). Safe for
    many processes at once; the merge is streamed, so that memory is bounded by the keys and the frame.
    Raises TableError, and leaves the file as it was, where the frame breaks the table's contract.
    """
    contract = registered(table)
    with refusals(path):
        rows = validate(contract, frame, parents)
        with locked(path):
            if path.exists():
                rows = _merged(contract, scan_parquet(contract, [path]), rows)
            return _replace(path, contract, rows)


def scan_parquet(table: Table, paths: Sequence[Path]) -> pl.LazyFrame:
    """The rows of several files of one table; a column that came to the table later is null in an older file."""
    if not paths:
        return table.empty().lazy()
    # the paths may hold any character: they are never patterns
    return pl.scan_parquet(
        list(paths), schema=table.schema, glob=False, hive_partitioning=False, missing_columns="insert"
    )


@contextlib.contextmanager
def refusals(path: Path) -> Generator[None]:
    """Turn what Polars says of an unreadable file into an error that names it."""
    try:
        yield
    except pl.exceptions.PolarsError as error:
        fault = str(error).splitlines()[0]
        raise TableError(f"{path} cannot be read as the table that it should hold: {fault}") from error


def _merged(table: Table, stored: pl.LazyFrame, rows: pl.LazyFrame) -> pl.LazyFrame:
    key = list(table.key)
    if table.rank is not None:
        ranks = rows.select(*key, table.rank.alias("rank"))
        better = (
            stored.select(*key, table.rank.alias("stored_rank"))
            .join(ranks, on=key)
            .filter(pl.col("stored_rank") > pl.col("rank"))
            .select(key)
            .collect(engine="streaming")
        )
        rows = rows.join(better.lazy(), on=key, how="anti", maintain_order="left")
    kept = stored.join(rows.select(key), on=key, how="anti", maintain_order="left")
    return pl.concat([kept, rows])


def _replace(path: Path, table: Table, rows: pl.LazyFrame) -> Written:
    with replacing(path) as temporary:
        rows.sink_parquet(temporary, row_group_size=_ROW_GROUP)
        # hashed as read back: what the hash names is what the file holds
        batches = scan_parquet(table, [temporary]).collect_batches(chunk_size=_BATCH)
        digest = data_hash(table.schema, batches)
        count = scan_parquet(table, [temporary]).select(pl.len()).collect().item()
    return Written(path, count, digest)
