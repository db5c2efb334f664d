"""Holds a frame to its table's contract before anything is written."""

from collections.abc import Iterable

import polars as pl

from faithflow.errors import TableError
from faithflow.tables.checks import Parents, checks
from faithflow.tables.schema import Table

_NARROW = (pl.Int8, pl.Int16, pl.Int32, pl.UInt8, pl.UInt16, pl.UInt32)


def validate(table: Table, frame: pl.DataFrame | pl.LazyFrame, parents: Parents) -> pl.LazyFrame:
    """The frame with the table's columns in their order and types, if it keeps the whole contract.

    Only casts that can lose nothing are made: narrower integers, and columns that hold nothing but nulls.
    Raises TableError naming the table, each broken demand, how many rows break it and an example.
    """
    rows = conform(table, frame)
    failed = [check for check in checks(table, rows, parents) if not check.passed]
    if failed:
        demands = (f"{c.doc}: broken by {c.failures} row(s), for example {c.example} [{c.name}]" for c in failed)
        raise _refusal(table, demands)
    return rows


def conform(table: Table, frame: pl.DataFrame | pl.LazyFrame) -> pl.LazyFrame:
    """The frame with the table's columns in their order and types. Raises TableError on any other shape."""
    found = frame.lazy().collect_schema()
    faults = [f"column {name!r} is missing" for name in table.schema if name not in found]
    faults += [f"column {name!r} is not one of the table's" for name in found if name not in table.schema]
    faults += [
        f"column {name!r} is {found[name]}, not {dtype}"
        for name, dtype in table.schema.items()
        if name in found and not _fits(found[name], dtype)
    ]
    if faults:
        raise _refusal(table, faults)
    return frame.lazy().select(pl.col(name).cast(dtype) for name, dtype in table.schema.items())


def _fits(found: object, wanted: object) -> bool:
    if found in (wanted, pl.Null):
        return True
    if isinstance(found, pl.List) and isinstance(wanted, pl.List):
        return _fits(found.inner, wanted.inner)
    if isinstance(found, pl.Struct) and isinstance(wanted, pl.Struct):
        pairs = zip(found.fields, wanted.fields, strict=False)
        same_names = [field.name for field in found.fields] == [field.name for field in wanted.fields]
        return same_names and all(_fits(a.dtype, b.dtype) for a, b in pairs)
    return wanted == pl.Int64 and isinstance(found, _NARROW)


def _refusal(table: Table, faults: Iterable[str]) -> TableError:
    return TableError("\n  ".join([f"table {table.name!r} was not written:", *faults]))
