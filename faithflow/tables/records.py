"""Frames made from records, typed by the registry."""

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, cast

import polars as pl

from faithflow.errors import TableError
from faithflow.tables.schema import Column, Table

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def frame_of(table: Table, records: Iterable[object], **fixed: str | dt.date) -> pl.DataFrame:
    """A frame of the table from mappings or dataclasses, one a row; `fixed` gives columns that are equal in all rows.

    Nothing is cast: a value of another type is refused. A lone surrogate, which UTF-8 files cannot hold, becomes
    U+FFFD, one character for one, so that spans still hold.
    Raises TableError where a record lacks a column or has a foreign one, or a value has the wrong type.
    """
    columns: dict[str, list[Any]] = {column.name: [] for column in table.columns}
    own = [name for name in columns if name not in fixed]
    for number, record in enumerate(records):
        values = _values(record)
        differ = ", ".join(sorted(set(values) ^ set(own)))
        if differ:
            raise TableError(f"table {table.name!r}: record {number} lacks or adds columns: {differ}")
        for name in own:
            columns[name].append(values[name])
    height = len(columns[own[0]])
    columns |= {name: [value] * height for name, value in fixed.items()}
    return pl.DataFrame([_series(table, column, columns[column.name]) for column in table.columns])


def _values(record: object) -> Mapping[str, Any]:
    if isinstance(record, Mapping):
        return cast(Mapping[str, Any], record)
    if is_dataclass(record):
        return {field.name: getattr(record, field.name) for field in fields(record)}
    raise TypeError(f"a record is a mapping or a dataclass, not {type(record).__name__}")


def _series(table: Table, column: Column, values: list[Any]) -> pl.Series:
    if column.dtype == pl.Datetime and any(value is not None and value.tzinfo is None for value in values):
        raise TableError(f"table {table.name!r}: column {column.name!r} holds a time without a zone")
    try:
        try:
            series = pl.Series(column.name, values, dtype=column.dtype, strict=True)
        except UnicodeEncodeError:
            series = pl.Series(column.name, [storable(value) for value in values], dtype=column.dtype, strict=True)
    except (TypeError, pl.exceptions.PolarsError) as error:
        fault = str(error).splitlines()[0]
        raise TableError(f"table {table.name!r}: column {column.name!r} is {column.dtype}: {fault}") from error
    if series.dtype != column.dtype:
        raise TableError(f"table {table.name!r}: column {column.name!r} is {column.dtype}, not {series.dtype}")
    return series


def storable(value: Any) -> Any:
    """The value with U+FFFD for each lone surrogate, in lists and mappings too."""
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("�", value)
    if isinstance(value, Mapping):
        return {key: storable(item) for key, item in cast(Mapping[str, Any], value).items()}
    if isinstance(value, Sequence):
        return [storable(item) for item in cast(Sequence[Any], value)]
    return value
