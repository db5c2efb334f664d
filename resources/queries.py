"""The statements of sql/ over the warehouse's files, in a DuckDB that lives in memory for one query."""

import datetime as dt
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

import sql
from faithflow.errors import TableError
from faithflow.tables.registry import TABLES
from faithflow.tables.schema import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

Parameter = str | int | float | bool | dt.date | None
Files = Callable[[str], list[Path]]
"""The files of a table, by its name."""

_GLOB = re.compile(r"([*?\[])")


def run(files: Files, statement: str, parameters: Mapping[str, Parameter]) -> pl.DataFrame:
    """The rows of one statement, with its parameters bound by name.

    Raises LookupError for a statement that is not there, TableError where its parameters and the given ones differ.
    """
    import duckdb

    text = sql.load(statement)
    wanted = sorted(duckdb.extract_statements(text)[0].named_parameters)
    if wanted != sorted(parameters):
        names, given = ", ".join(wanted) or "none", ", ".join(sorted(parameters)) or "none"
        raise TableError(f"statement {statement!r} takes the parameters {names}; given: {given}")
    with connected() as connection:
        for table in tables_in(text):
            rows_of(connection, table, files(table.name)).create_view(table.name)
        return connection.sql(text, params=dict(parameters)).pl()


def tables_in(text: str) -> list[Table]:
    """The tables whose names stand in a statement, be it as tables or not."""
    words = set(re.findall(r"\w+", text))
    return [table for table in TABLES.values() if table.name in words]


@contextmanager
def connected(database: str = ":memory:") -> Generator["DuckDBPyConnection"]:
    """A DuckDB connection whose times are shown in UTC, as they are stored."""
    import duckdb

    with duckdb.connect(database) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        # a name in a statement is a table, never a Python variable of ours
        connection.execute("SET python_enable_replacements = false")
        yield connection


def rows_of(connection: "DuckDBPyConnection", table: Table, paths: list[Path]) -> "DuckDBPyRelation":
    """A table's rows in these files, with the registry's columns in their order.

    A column that came to the table later is null in an older file. Raises TableError for a file that is no Parquet.
    """
    from duckdb import ColumnExpression, ConstantExpression, Error

    connection.register(f"{table.name}_columns", table.empty())
    empty = connection.table(f"{table.name}_columns")
    if not paths:
        return empty
    # a path may hold any character: it is never a pattern
    names = [_GLOB.sub(r"[\1]", str(path)) for path in paths]
    try:
        stored = connection.read_parquet(names, hive_partitioning=False, union_by_name=True)
    except Error as error:
        fault = str(error).splitlines()[0]
        raise TableError(f"the files of table {table.name!r} cannot be read: {fault}") from error
    return stored.select(
        *(
            ColumnExpression(name) if name in stored.columns else ConstantExpression(None).cast(dtype).alias(name)
            for name, dtype in zip(empty.columns, empty.types, strict=True)
        )
    )
