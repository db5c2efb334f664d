"""Stored tables held to their contracts, partition by partition."""

from dataclasses import replace
from pathlib import Path

from faithflow.tables.checks import CheckResult
from faithflow.tables.registry import table
from resources.warehouse import Partition, Warehouse


def check_table(warehouse: Warehouse, name: str, partition: Partition) -> list[CheckResult]:
    """Every check of the table over its stored partitions that have these values; failures are summed over them.

    References are looked up for the newest judging date alone: what was judged before stays when a corpus is replaced.
    Raises TableError for a file that cannot be read.
    """
    references = {f"in_{reference.table}" for reference in table(name).references}
    newest = max(map(_date, warehouse.files(name)), default="")
    found: dict[str, CheckResult] = {}
    for path in warehouse.files(name, partition):
        for check in warehouse.check(name, _values(path, name)):
            if check.name in references and _date(path) < newest:
                continue
            known = found.get(check.name)
            found[check.name] = check if known is None else _joined(known, check)
    return list(found.values())


def _joined(a: CheckResult, b: CheckResult) -> CheckResult:
    failures = a.failures + b.failures
    return replace(a, passed=failures == 0, failures=failures, example=a.example or b.example)


def _values(path: Path, name: str) -> Partition:
    """The partition values in a file's path."""
    folders = path.parts[-1 - len(table(name).partition) : -1]
    return dict(folder.split("=", 1) for folder in folders)


def _date(path: Path) -> str:
    """The judging date in a file's path; empty for a table without dates."""
    folder = path.parent.name
    return folder.removeprefix("judging_date=") if folder.startswith("judging_date=") else ""
