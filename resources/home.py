"""A home: the folder in which a study runs. Everything that a run makes lies under it."""

import contextlib
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from faithflow.errors import UserError
from resources.files import locked
from resources.warehouse import Warehouse

DEFAULT_HOME = Path("home")


@dataclass(frozen=True, slots=True)
class Home:
    """The layout of a home. `path` is absolute; nothing is made before it is needed."""

    path: Path

    @property
    def warehouse(self) -> Warehouse:
        return Warehouse(self.path / "warehouse")

    @property
    def ledger(self) -> Path:
        """The ledger, unless the study names a database of its own."""
        return self.path / "ledger.sqlite"

    @property
    def vectors(self) -> Path:
        """The vector indexes, a folder an embedder."""
        return self.path / "vectors"

    @property
    def graph(self) -> Path:
        """The graph, unless the study names a Neo4j server."""
        return self.path / "graph"

    @property
    def fetched(self) -> Path:
        """What was fetched from the web and the Press Corner: nothing is fetched, or searched for money, twice."""
        return self.path / "fetched"

    @property
    def dagster(self) -> Path:
        """The Dagster instance: its configuration, its runs and their logs."""
        return self.path / "dagster"

    @property
    def published(self) -> Path:
        """All tables in one DuckDB file, for analysts."""
        return self.path / "faithflow.duckdb"

    @property
    def report(self) -> Path:
        """The folder of `index.html`, `report.md` and `summary.json`."""
        return self.path / "report"

    @contextlib.contextmanager
    def deriving(self, table: str) -> Generator[None]:
        """One process at a time reads what a table is made from and writes it, so that the last one saw everything.

        Raises TableError where another process takes longer than ten minutes.
        """
        with locked(self.path / ".locks" / table):
            yield


def open_home(path: Path) -> Home:
    """The home at `path`, made if need be. Raises UserError where that cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{path}: cannot be used as a home ({error.strerror or error}); give another --home") from error
    return Home(path.resolve())
