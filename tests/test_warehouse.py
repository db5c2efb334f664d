"""The warehouse replaces partitions whole, merges by key, and refuses what breaks a contract before it writes."""

import os
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from faithflow.errors import TableError
from faithflow.tables.registry import TABLES
from resources.parquet import scan_parquet, upsert_parquet, write_parquet
from resources.warehouse import Warehouse
from tests.table_rows import (
    CLAIMS_PARTITION,
    DAY,
    PARTITION,
    answer_row,
    call_row,
    claim_row,
    frame,
    trace_row,
    unscored,
    verdict_row,
)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Two answers with two claims each; no verdicts yet."""
    store = Warehouse(tmp_path / "warehouse")
    store.write("traces", frame("traces", [trace_row("t1"), trace_row("t2", pipeline="graphrag")]))
    answers = [answer_row("t1"), answer_row("t2", pipeline="graphrag")]
    store.write("judged_answers", frame("judged_answers", answers), CLAIMS_PARTITION)
    rows = [claim_row(trace, claim) for trace in ("t1", "t2") for claim in ("c1", "c2")]
    store.write("claims", frame("claims", rows), CLAIMS_PARTITION)
    return store


def test_a_partition_is_read_back_as_it_was_written(warehouse: Warehouse) -> None:
    rows = frame("verdicts", [verdict_row(), verdict_row("t2", **unscored())])
    written = warehouse.write("verdicts", rows, PARTITION)
    assert written.rows == 2
    assert written.path == warehouse.root / "verdicts/embedder=traces/judging_date=2026-03-01/part.parquet"
    assert warehouse.read("verdicts", PARTITION).equals(rows)
    assert pl.read_parquet(written.path, hive_partitioning=False).equals(rows)


def test_what_was_never_written_is_an_empty_frame_of_the_schema(tmp_path: Path) -> None:
    assert Warehouse(tmp_path).read("verdicts", {"embedder": "e5"}).equals(TABLES["verdicts"].empty())


def test_writing_replaces_the_partition_and_no_other(warehouse: Warehouse) -> None:
    other = {"embedder": "traces", "judging_date": "2026-03-02"}
    kept = frame("verdicts", [verdict_row(judging_date=DAY.replace(day=2))])
    warehouse.write("verdicts", kept, other)
    warehouse.write("verdicts", frame("verdicts", [verdict_row()]), PARTITION)
    latest = frame("verdicts", [verdict_row("t2")])
    warehouse.write("verdicts", latest, PARTITION)
    assert warehouse.read("verdicts", PARTITION).equals(latest)
    assert warehouse.read("verdicts", {"judging_date": "2026-03-02"}).equals(kept)
    assert warehouse.read("verdicts", CLAIMS_PARTITION).height == 2
    assert warehouse.read("verdicts", {"embedder": "e5"}).is_empty()


def test_equal_rows_in_another_order_have_an_equal_data_hash(warehouse: Warehouse) -> None:
    rows = frame("verdicts", [verdict_row(), verdict_row("t2")])
    first = warehouse.write("verdicts", rows, PARTITION)
    assert warehouse.write("verdicts", rows.reverse(), PARTITION).data_hash == first.data_hash
    assert warehouse.write("verdicts", rows[:1], PARTITION).data_hash != first.data_hash


@pytest.mark.parametrize("method", ["write", "upsert"])
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([verdict_row(), verdict_row()], "unique_key"),
        ([verdict_row(claim_id="c9")], r"stands in claims.*claim_id='c9'"),
        ([verdict_row(verdict=None)], "verdict_exactly_if_scored"),
        ([verdict_row(embedder="e5")], "embedder='e5' in the partition embedder='traces'"),
        ([verdict_row(judging_date=DAY.replace(day=2))], "judging_date='2026-03-02' in the partition"),
    ],
)
def test_a_refused_frame_leaves_the_old_partition(
    warehouse: Warehouse, method: str, rows: list[dict[str, Any]], message: str
) -> None:
    old = warehouse.write("verdicts", frame("verdicts", [verdict_row()]), PARTITION)
    before = old.path.read_bytes()
    with pytest.raises(TableError, match=message):
        getattr(warehouse, method)("verdicts", frame("verdicts", rows), PARTITION)
    assert old.path.read_bytes() == before
    assert [path.name for path in old.path.parent.iterdir() if not path.name.endswith(".lock")] == ["part.parquet"]


def test_claims_of_an_answer_that_is_not_there_are_refused(warehouse: Warehouse) -> None:
    with pytest.raises(TableError, match=r"\(trace_id\) stands in judged_answers: broken by 1 row"):
        warehouse.write("claims", frame("claims", [claim_row("t9")]), CLAIMS_PARTITION)


def test_verdicts_refer_to_the_claims_of_their_own_embedder(warehouse: Warehouse) -> None:
    with pytest.raises(TableError, match="stands in claims"):
        warehouse.write("verdicts", frame("verdicts", [verdict_row(embedder="e5")]), PARTITION | {"embedder": "e5"})


def test_a_table_is_written_by_its_whole_partition_alone(warehouse: Warehouse) -> None:
    with pytest.raises(TableError, match="give judging_date"):
        warehouse.write("verdicts", frame("verdicts", [verdict_row()]), {"embedder": "traces"})
    with pytest.raises(TableError, match="'embedder' is no partition column"):
        warehouse.read("traces", {"embedder": "traces"})


@pytest.mark.parametrize("value", ["../up", "..", "", "a/b", "a b", ".hidden", "*", "a\n", "x" * 101, "/etc"])
def test_a_partition_value_is_a_slug_and_never_a_path(warehouse: Warehouse, value: str) -> None:
    with pytest.raises(TableError, match="is no slug"):
        warehouse.read("claims", {"embedder": value})


@pytest.mark.parametrize("value", ["2026-3-1", "20260301", "yesterday", "2026-02-30", "2026-W09-7", "../x"])
def test_a_judging_date_is_an_iso_date(warehouse: Warehouse, value: str) -> None:
    with pytest.raises(TableError, match="is no date"):
        warehouse.read("verdicts", {"embedder": "traces", "judging_date": value})


def test_upsert_replaces_rows_of_the_same_key_and_keeps_the_others(warehouse: Warehouse) -> None:
    warehouse.write("verdicts", frame("verdicts", [verdict_row(), verdict_row("t2")]), PARTITION)
    new = [verdict_row("t2", verdict="contradicted", score=0), verdict_row("t2", judge="semantic")]
    written = warehouse.upsert("verdicts", frame("verdicts", new), PARTITION)
    assert written.rows == 3
    assert warehouse.read("verdicts", PARTITION).equals(frame("verdicts", [verdict_row(), *new]))


def test_a_failure_never_replaces_a_verdict_but_a_verdict_replaces_a_failure(warehouse: Warehouse) -> None:
    first = [verdict_row(), verdict_row("t2", **unscored("timeout"))]
    warehouse.upsert("verdicts", frame("verdicts", first), PARTITION)
    second = [verdict_row(**unscored("refusal")), verdict_row("t2")]
    warehouse.upsert("verdicts", frame("verdicts", second), PARTITION)
    assert warehouse.read("verdicts", PARTITION).equals(frame("verdicts", [verdict_row(), verdict_row("t2")]))


def test_a_newer_failure_replaces_an_older_one(warehouse: Warehouse) -> None:
    for reason in ("timeout", "refusal"):
        warehouse.upsert("verdicts", frame("verdicts", [verdict_row(**unscored(reason))]), PARTITION)
    assert warehouse.read("verdicts", PARTITION)["reason"].to_list() == ["refusal"]


def test_leftovers_of_a_killed_writer_are_never_read_and_go_after_an_hour(warehouse: Warehouse) -> None:
    written = warehouse.write("verdicts", frame("verdicts", [verdict_row()]), PARTITION)
    old, fresh = (written.path.with_name(f".part.parquet.{name}.tmp") for name in ("old", "fresh"))
    for leftover in (old, fresh):
        leftover.write_bytes(b"half a file")
    os.utime(old, (time.time() - 4000,) * 2)
    assert warehouse.read("verdicts").height == 1
    warehouse.upsert("verdicts", frame("verdicts", [verdict_row("t2")]), PARTITION)
    assert not old.exists()
    assert fresh.exists()


def test_a_file_that_is_no_parquet_is_named(warehouse: Warehouse) -> None:
    written = warehouse.write("verdicts", frame("verdicts", [verdict_row()]), PARTITION)
    written.path.write_bytes(b"something else")
    with pytest.raises(TableError, match=r"verdicts.* cannot be read as the table"):
        warehouse.read("verdicts")
    with pytest.raises(TableError, match=r"part\.parquet cannot be read as the table"):
        warehouse.upsert("verdicts", frame("verdicts", [verdict_row("t2")]), PARTITION)


def test_an_older_file_without_a_later_column_is_read_with_nulls(warehouse: Warehouse) -> None:
    rows = frame("verdicts", [verdict_row()])
    written = warehouse.write("verdicts", rows, PARTITION)
    rows.drop("attribution").write_parquet(written.path)
    assert warehouse.read("verdicts").equals(rows)
    warehouse.upsert("verdicts", frame("verdicts", [verdict_row("t2")]), PARTITION)
    assert warehouse.read("verdicts").height == 2


def test_the_root_may_hold_characters_that_patterns_use(tmp_path: Path) -> None:
    (tmp_path / "ab").mkdir()
    store = Warehouse(tmp_path / "[a]*? é")
    store.write("traces", frame("traces", [trace_row()]))
    assert store.upsert("traces", frame("traces", [trace_row("t2")])).rows == 2
    assert store.read("traces").height == 2
    store.write("judged_answers", frame("judged_answers", [answer_row()]), CLAIMS_PARTITION)
    store.write("claims", frame("claims", [claim_row()]), CLAIMS_PARTITION)
    store.write("verdicts", frame("verdicts", [verdict_row(**unscored())]), PARTITION)
    assert store.query("unscored_by_reason")["unscored"].to_list() == [1]


def test_one_file_alone_is_written_and_merged_as_a_partition_is(tmp_path: Path) -> None:
    path = tmp_path / "calls.parquet"
    write_parquet(path, "calls", frame("calls", [call_row()]))
    failed = call_row("k2", status="failed", reason="timeout", reply=None)
    assert upsert_parquet(path, "calls", frame("calls", [failed])).rows == 2
    assert scan_parquet(TABLES["calls"], [path]).collect().equals(frame("calls", [call_row(), failed]))
    with pytest.raises(TableError, match="reason_exactly_if_failed"):
        upsert_parquet(path, "calls", frame("calls", [call_row("k3", status="failed")]))


def test_a_lazy_frame_over_many_files_is_merged_at_once(tmp_path: Path) -> None:
    parts = [tmp_path / f"{i}.parquet" for i in range(3)]
    for i, part in enumerate(parts):
        frame("calls", [call_row(f"k{i}")]).write_parquet(part)
    written = upsert_parquet(tmp_path / "calls.parquet", "calls", pl.scan_parquet(parts))
    assert written.rows == 3


def test_the_checks_of_a_stored_partition_find_what_came_to_dangle_later(warehouse: Warehouse) -> None:
    warehouse.write("verdicts", frame("verdicts", [verdict_row(), verdict_row("t2")]), PARTITION)
    assert all(check.passed for check in warehouse.check("verdicts", PARTITION))
    warehouse.write("claims", frame("claims", [claim_row()]), CLAIMS_PARTITION)
    failed = [check for check in warehouse.check("verdicts", PARTITION) if not check.passed]
    assert [(check.name, check.failures) for check in failed] == [("in_claims", 1)]


keys = st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from(["lexical", "semantic"]))
batch = st.dictionaries(keys, st.tuples(st.booleans(), st.text(max_size=3)), max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.lists(batch, min_size=1, max_size=4))
def test_any_sequence_of_merges_ends_as_a_dictionary_would(
    tmp_path: Path, batches: list[dict[tuple[str, str, str], tuple[bool, str]]]
) -> None:
    path = tmp_path / "verdicts.parquet"
    path.unlink(missing_ok=True)
    expected: dict[tuple[str, str, str], dict[str, Any]] = {}
    for changes in batches:
        rows = {
            key: verdict_row(*key, justification=words, **({} if scored else unscored()))
            for key, (scored, words) in changes.items()
        }
        upsert_parquet(path, "verdicts", frame("verdicts", list(rows.values())))
        for key, row in rows.items():
            if key not in expected or row["status"] == "scored" or expected[key]["status"] == "unscored":
                expected[key] = row
    found = scan_parquet(TABLES["verdicts"], [path]).collect().sort(TABLES["verdicts"].key)
    assert found.equals(frame("verdicts", list(expected.values())).sort(TABLES["verdicts"].key))
