"""The store of record: one Parquet file a partition, under one root."""

import datetime as dt
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import polars as pl

from faithflow.errors import TableError
from faithflow.tables.checks import CheckResult, checks
from faithflow.tables.registry import table as registered
from faithflow.tables.schema import Table
from resources import parquet, published, queries
from resources.parquet import Written

Partition = Mapping[str, str]
"""Values of partition columns by column: `{"embedder": "traces", "judging_date": "2026-01-31"}`."""

_EVERYTHING: Partition = MappingProxyType({})
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Warehouse:
    """Tables by name, each in files `<root>/<table>/<column>=<value>/…/part.parquet`.

    Any number of processes may read and write at once: a file is replaced in one step, writers of one partition take
    turns, and readers see the old rows or the new ones.
    """

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)

    def write(self, table: str, frame: pl.DataFrame | pl.LazyFrame, partition: Partition = _EVERYTHING) -> Written:
        """Replace one partition by the frame.

        Raises TableError, and leaves the partition as it was, where the frame breaks the table's contract, refers to
        rows that are not there or holds rows of another partition.
        """
        contract = registered(table)
        path = self._file(contract, partition)
        return parquet.write_parquet(
            path, table, _inside(contract, frame, partition), self._parents(contract, partition)
        )

    def upsert(self, table: str, frame: pl.DataFrame | pl.LazyFrame, partition: Partition = _EVERYTHING) -> Written:
        """Merge the frame into one partition by key (see `upsert_parquet`). Raises TableError as `write` does."""
        contract = registered(table)
        path = self._file(contract, partition)
        return parquet.upsert_parquet(
            path, table, _inside(contract, frame, partition), self._parents(contract, partition)
        )

    def read(self, table: str, partition: Partition = _EVERYTHING) -> pl.DataFrame:
        """The rows of the partitions that have these values; an empty frame of the schema where there are none."""
        with parquet.refusals(self.root / table):
            return self.scan(table, partition).collect()

    def scan(self, table: str, partition: Partition = _EVERYTHING) -> pl.LazyFrame:
        """As `read`, lazily: the files are those that are there now, and are read when the frame is collected."""
        contract = registered(table)
        return parquet.scan_parquet(contract, self.files(table, partition))

    def files(self, table: str, partition: Partition = _EVERYTHING) -> list[Path]:
        """The files of the partitions that have these values, in the order of their names."""
        contract = registered(table)
        values = {column: _value(contract, column, value) for column, value in partition.items()}
        folders = [f"{column}={values.get(column, '*')}" for column in contract.partition]
        return sorted((self.root / table).glob("/".join([*folders, "part.parquet"])))

    def check(self, table: str, partition: Partition) -> list[CheckResult]:
        """Every check of the table over one stored partition, its references looked up in the store as it is now."""
        contract = registered(table)
        with parquet.refusals(self.root / table):
            return checks(contract, self.scan(table, partition), self._parents(contract, partition))

    def query(self, statement: str, **parameters: queries.Parameter) -> pl.DataFrame:
        """The rows of the statement `sql/<statement>.sql` over all tables; its parameters are bound by name.

        Raises TableError where a parameter is missing or unknown.
        """
        return queries.run(self.files, statement, parameters)

    def publish(self, target: Path) -> Path:
        """Build a DuckDB file of all tables and views beside `target` and move it into place; gives `target`."""
        return published.publish(self.files, target)

    def _file(self, table: Table, partition: Partition) -> Path:
        lacking = [column for column in table.partition if column not in partition]
        if lacking:
            raise TableError(f"table {table.name!r} is written by partition: give {', '.join(lacking)}")
        values = {column: _value(table, column, value) for column, value in partition.items()}
        folders = [f"{column}={values[column]}" for column in table.partition]
        return self.root.joinpath(table.name, *folders, "part.parquet")

    def _parents(self, table: Table, partition: Partition) -> dict[str, pl.LazyFrame]:
        parents: dict[str, pl.LazyFrame] = {}
        for reference in table.references:
            shared = {column: partition[column] for column in registered(reference.table).partition}
            parents[reference.table] = self.scan(reference.table, shared)
        return parents


def _value(table: Table, column: str, value: str) -> str:
    """A partition value that can be trusted in a path."""
    if column not in table.partition:
        columns = ", ".join(table.partition) or "none"
        raise TableError(f"table {table.name!r}: {column!r} is no partition column (it has {columns})")
    if table.schema[column] == pl.Date:
        try:
            if dt.date.fromisoformat(value).isoformat() == value:
                return value
        except ValueError:
            pass
        raise TableError(f"table {table.name!r}: partition {column}={value!r} is no date such as 2026-01-31")
    if not _SLUG.fullmatch(value):
        raise TableError(
            f"table {table.name!r}: partition {column}={value!r} is no slug: up to 100 letters, digits, '.', '_', '-'"
        )
    return value


def _inside(table: Table, frame: pl.DataFrame | pl.LazyFrame, partition: Partition) -> pl.LazyFrame:
    """The frame, if all its rows lie in the partition. Missing columns are left to the contract to name."""
    rows = frame.lazy()
    names = rows.collect_schema().names()
    for column in table.partition:
        if column in names:
            value = pl.col(column).cast(pl.String)
            others = rows.filter(value.ne_missing(partition[column])).select(value).collect(engine="streaming")
            if others.height:
                raise TableError(
                    f"table {table.name!r} was not written: {others.height} row(s) have {column}={others.item(0, 0)!r} "
                    f"in the partition {column}={partition[column]!r}"
                )
    return rows
