"""The records that describe a table."""

from dataclasses import dataclass

import polars as pl

from faithflow.tables.rules import Rule, allowed, finite, present


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its type, what it means (with its unit), whether it may be null, and its allowed values, if few."""

    name: str
    dtype: pl.DataType
    doc: str
    nullable: bool = False
    values: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """Each row's values of `columns` stand in the columns of the same names of the table `table`."""

    columns: tuple[str, ...]
    table: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table's contract.

    `partition` names the columns by which its files are laid out; they are columns of the frame too.
    `rank` orders two rows with the same key when rows are merged: a row gives way only to one that ranks no lower.
    """

    name: str
    doc: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    partition: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    own_rules: tuple[Rule, ...] = ()
    rank: pl.Expr | None = None

    @property
    def schema(self) -> pl.Schema:
        return pl.Schema({column.name: column.dtype for column in self.columns})

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that follow from the columns, then the table's own."""
        filled = present([column.name for column in self.columns if not column.nullable])
        floats = [column.name for column in self.columns if column.dtype == pl.Float64()]
        numbers = (finite(floats),) if floats else ()
        words = tuple(allowed(column.name, column.values) for column in self.columns if column.values is not None)
        return (filled, *numbers, *words, *self.own_rules)

    def empty(self) -> pl.DataFrame:
        return self.schema.to_frame()
