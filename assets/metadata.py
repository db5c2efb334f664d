"""What people look at on a materialization: counts, Markdown tables, and the table's schema."""

import contextlib
from collections.abc import Generator, Iterable, Sequence
from typing import Any

import dagster as dg
import polars as pl

from faithflow.errors import StoreError, UserError
from faithflow.report.markdown import escape
from faithflow.tables.registry import table
from resources.parquet import Written

Metadata = dict[str, Any]

OWNERS = ["team:faithflow"]


@contextlib.contextmanager
def failing_plainly() -> Generator[None]:
    """Errors with a message for people end the run with it alone. What the user has to mend is not tried again."""
    try:
        yield
    except UserError as error:
        raise dg.Failure(description=str(error), allow_retries=False) from error
    except StoreError as error:
        raise dg.Failure(description=str(error)) from error


def result(name: str, written: Written, extra: Metadata | None = None, **tags: str) -> "dg.MaterializeResult[Any]":
    """The materialization of a written table: its rows, its file, and what else there is to see.

    The data version is the hash of the rows, so that equal rows never make what follows from them stale.
    """
    return dg.MaterializeResult(
        asset_key=name,
        metadata={
            "dagster/row_count": written.rows,
            "file": dg.MetadataValue.path(written.path),
            **(extra or {}),
        },
        data_version=dg.DataVersion(written.data_hash),
        tags={f"faithflow/{key}": value for key, value in tags.items()},
    )


def schema(name: str) -> Metadata:
    """A table's columns with the registry's words, for the definition of its asset."""
    columns = [
        dg.TableColumn(
            column.name,
            str(column.dtype),
            description=column.doc,
            constraints=dg.TableColumnConstraints(nullable=column.nullable),
        )
        for column in table(name).columns
    ]
    return {"dagster/column_schema": dg.TableSchema(columns=columns), "key": ", ".join(table(name).key)}


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> dg.MarkdownMetadataValue:
    """A table as Dagster's UI shows it; numbers stand right."""
    lines = [[escape(str(value)) for value in row] for row in rows]
    if not lines:
        return dg.MetadataValue.md("none")
    right = [all(_is_number(row[index]) for row in lines) for index in range(len(headings))]
    rule = ["---:" if numeric else "---" for numeric in right]
    return dg.MetadataValue.md("\n".join(f"| {' | '.join(line)} |" for line in ([*headings], rule, *lines)))


def counts(frame: pl.DataFrame, *columns: str) -> dg.MarkdownMetadataValue:
    """How many rows there are of each combination of values."""
    rows = frame.group_by(columns).len().sort(columns)
    return markdown_table([*columns, "rows"], rows.iter_rows())


def _is_number(text: str) -> bool:
    return text[:1].isdigit() or text in ("undefined", "unknown")
