"""The registry describes each table once, and everything else is made from it."""

from dataclasses import fields
from pathlib import Path

import polars as pl
import pytest

from faithflow.errors import TableError
from faithflow.judging.verdict import Verdict
from faithflow.llm.model import Call
from faithflow.tables.page import render
from faithflow.tables.registry import TABLES, table
from faithflow.tables.schema import Table

every_table = pytest.mark.parametrize("described", TABLES.values(), ids=list(TABLES))


@every_table
def test_key_and_partition_columns_are_columns_that_are_never_null(described: Table) -> None:
    columns = {column.name: column for column in described.columns}
    for name in (*described.key, *described.partition):
        assert not columns[name].nullable


@every_table
def test_references_point_to_columns_of_both_tables(described: Table) -> None:
    for reference in described.references:
        assert set(reference.columns) <= set(described.schema) & set(TABLES[reference.table].schema)
        assert set(TABLES[reference.table].partition) <= set(described.partition)


@every_table
def test_every_rule_can_be_evaluated_on_the_schema_and_has_a_name_of_its_own(described: Table) -> None:
    names = [rule.name for rule in described.rules]
    assert len(set(names)) == len(names)
    assert all(name.replace("_", "").isalnum() for name in names)
    result = described.empty().select(rule.broken.alias(rule.name) for rule in described.rules)
    assert set(result.dtypes) == {pl.Boolean()}


@every_table
def test_every_column_says_what_it_means(described: Table) -> None:
    assert all(column.doc.endswith(".") for column in described.columns)


def test_verdicts_has_the_fields_of_a_verdict_in_their_order() -> None:
    names = [field.name for field in fields(Verdict)]
    assert list(TABLES["verdicts"].schema)[: len(names)] == names


def test_calls_has_the_fields_of_a_call_in_their_order() -> None:
    names = [field.name for field in fields(Call)]
    assert list(TABLES["calls"].schema)[: len(names)] == names


def test_an_unknown_table_gets_the_near_name() -> None:
    with pytest.raises(TableError, match="did you mean 'verdicts'"):
        table("verdict")


def test_the_page_of_tables_is_current() -> None:
    page = Path(__file__).parent.parent / "docs" / "tables.md"
    assert page.read_text(encoding="utf-8") == render(), (
        "make it anew: python -m faithflow.tables.page > docs/tables.md"
    )
