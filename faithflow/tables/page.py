"""The page docs/tables.md, made from the registry: `python -m faithflow.tables.page > docs/tables.md`."""

import sys

import polars as pl

from faithflow.tables.registry import TABLES
from faithflow.tables.schema import Column, Table

_HEAD = """# Tables

Made from the registry (`faithflow/tables`) by `python -m faithflow.tables.page > docs/tables.md`; do not edit.

Each table lies in Parquet files `warehouse/<table>/<partition column>=<value>/…/part.parquet`; partition columns are
columns of the file too. A frame is written only if it keeps the whole contract: these columns and types, no two rows
with one key, every reference found, every check passed. The same checks run in Dagster on what was written.
`faithflow.duckdb` holds every table, with these words as comments, and the statements of `sql/` that take no
parameter as views. Times are UTC. Rows that refer to an answer or a claim keep their own copy of what was judged: they
stay valid when the answers of a later day replace it.
"""


def render() -> str:
    """The page as Markdown."""
    return "\n".join([_HEAD, *(_section(table) for table in TABLES.values())])


def _section(table: Table) -> str:
    lines = [f"## {table.name}", "", table.doc, "", f"- Key: {_names(table.key)}"]
    lines.append(f"- Partitioned by: {_names(table.partition) if table.partition else 'nothing'}")
    lines += [f"- {_names(ref.columns)} → `{ref.table}`" for ref in table.references]
    lines += ["", "| column | type | null | meaning |", "|---|---|---|---|"]
    lines += [_row(column) for column in table.columns]
    lines += ["", "Checks: " + " · ".join(f"`{rule.name}` {_cell(rule.doc)}" for rule in table.own_rules), ""]
    return "\n".join(lines if table.own_rules else lines[:-2])


def _row(column: Column) -> str:
    words = f" One of {', '.join(f'`{value}`' for value in column.values)}." if column.values else ""
    null = "yes" if column.nullable else ""
    return f"| `{column.name}` | {_type(column.dtype)} | {null} | {_cell(column.doc + words)} |"


def _type(dtype: object) -> str:
    if isinstance(dtype, pl.List):
        return f"list of {_type(dtype.inner)}"
    if isinstance(dtype, pl.Struct):
        return "{" + ", ".join(f"{field.name}: {_type(field.dtype)}" for field in dtype.fields) + "}"
    names = {pl.String: "text", pl.Int64: "integer", pl.Float64: "number", pl.Boolean: "true/false", pl.Date: "date"}
    return next((word for kind, word in names.items() if dtype == kind), "time (UTC, µs)")


def _names(columns: tuple[str, ...]) -> str:
    return ", ".join(f"`{column}`" for column in columns)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(render())
