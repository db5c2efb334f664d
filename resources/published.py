"""The file `faithflow.duckdb` for analysts: every table as a table, and the statements without parameters as views."""

from pathlib import Path

import sql
from faithflow.tables.registry import TABLES
from resources.files import locked, replacing
from resources.queries import Files, connected, rows_of


def publish(files: Files, target: Path) -> Path:
    """Build the file anew and move it into place; gives `target`. A reader that has the old one open goes on with it.

    Tables and columns carry the registry's words as comments.
    """
    views = [name for name in sql.names() if name not in TABLES]
    with locked(target), replacing(target) as temporary:
        _build(files, temporary, views)
        # what a crashed writer left beside the old file must not be replayed into the new one
        target.with_name(f"{target.name}.wal").unlink(missing_ok=True)
    return target


def _build(files: Files, database: Path, views: list[str]) -> None:
    with connected(str(database)) as connection:
        for table in TABLES.values():
            rows_of(connection, table, files(table.name)).create(table.name)
            connection.execute(f"COMMENT ON TABLE {table.name} IS {_quoted(table.doc)}")
            for column in table.columns:
                connection.execute(f"COMMENT ON COLUMN {table.name}.{column.name} IS {_quoted(column.doc)}")
        for view in views:
            connection.execute(f"CREATE VIEW {view} AS {sql.load(view)}")


def _quoted(text: str) -> str:
    """A string literal: comments and views are the only statements of DuckDB here that take no bound parameter."""
    return "'" + text.replace("'", "''") + "'"
