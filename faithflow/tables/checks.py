"""Checks: a table's rules, its key and its references, counted over a frame."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import polars as pl

from faithflow.tables.schema import Reference, Table

Parents = Mapping[str, pl.LazyFrame]
"""The tables that a frame's references point to, by name; a table that is not in it is not looked up."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found. `failures` counts the rows that break it; `example` shows the key of one of them."""

    name: str
    doc: str
    passed: bool
    failures: int
    example: str | None


def checks(
    table: Table, frame: pl.DataFrame | pl.LazyFrame, parents: Parents = MappingProxyType({})
) -> list[CheckResult]:
    """Every check of the table over a frame that has its schema: the rules on rows, the key, the references.

    The names of the checks depend on the table and on which parents are given, never on the rows.
    A lazy frame is read in streams, a few times; what stays in memory is its keys.
    """
    rows = frame.lazy()
    found = [*_broken_rules(table, rows), _repeated_keys(table, rows)]
    found += [_dangling(table, rows, ref, parents[ref.table]) for ref in table.references if ref.table in parents]
    return found


def _broken_rules(table: Table, rows: pl.LazyFrame) -> list[CheckResult]:
    counts: list[pl.Expr] = []
    for rule in table.rules:
        broken = rule.broken.fill_null(False)
        counts.append(broken.sum().alias(rule.name))
        counts.append(pl.struct(table.key).filter(broken).first().alias(f"{rule.name}:example"))
    row = rows.select(counts).collect(engine="streaming").row(0, named=True)
    return [_result(rule.name, rule.doc, row[rule.name], row[f"{rule.name}:example"]) for rule in table.rules]


def _repeated_keys(table: Table, rows: pl.LazyFrame) -> CheckResult:
    repeated = rows.select(table.key).group_by(table.key).len().filter(pl.col("len") > 1).collect(engine="streaming")
    surplus = int(repeated["len"].sum()) - repeated.height
    first = repeated.select(table.key).sort(table.key).row(0, named=True) if surplus else None
    return _result("unique_key", f"no two rows share ({', '.join(table.key)})", surplus, first)


def _dangling(table: Table, rows: pl.LazyFrame, reference: Reference, parent: pl.LazyFrame) -> CheckResult:
    columns = reference.columns
    known = parent.select(columns).unique()
    needed = rows.select(list(dict.fromkeys((*table.key, *columns))))
    lost = needed.join(known, on=columns, how="anti").collect(engine="streaming")
    first = lost.select(table.key).sort(table.key).row(0, named=True) if lost.height else None
    doc = f"({', '.join(columns)}) stands in {reference.table}"
    return _result(f"in_{reference.table}", doc, lost.height, first)


def _result(name: str, doc: str, failures: int, key: Mapping[str, object] | None) -> CheckResult:
    example = None if key is None or not failures else ", ".join(f"{column}={key[column]!r}" for column in key)
    return CheckResult(name, doc, failures == 0, failures, example)
