"""The statements of sql/ over the warehouse, and the published DuckDB file."""

import datetime as dt
import math
from pathlib import Path

import duckdb
import polars as pl
import pytest

import sql
from faithflow.errors import TableError
from faithflow.metrics.trends import trends
from faithflow.stats.intervals import clustered_rate
from faithflow.tables.checks import checks
from faithflow.tables.registry import TABLES
from resources.warehouse import Warehouse
from tests.table_rows import (
    CLAIMS_PARTITION,
    DAY,
    PARTITION,
    answer_row,
    call_row,
    claim_row,
    frame,
    unscored,
    verdict_row,
)

NOT = {"verdict": "not_in_evidence", "score": 0}
ABSTAINED = {"kind": "abstention", "verdict": "justified_abstention", "score": -1}
CANNOT = {"kind": "abstention", "verdict": None, "score": None, "status": "not_applicable", "reason": "abstention"}


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Six answers, judged by lexical on two dates and by semantic on one."""
    store = Warehouse(tmp_path / "warehouse")
    traces = [f"t{i}" for i in range(1, 7)]
    pipelines = ["vanilla", "vanilla", "graphrag", "graphrag", "graphrag", "graphrag"]
    answers = [answer_row(t, pipeline=p) for t, p in zip(traces, pipelines, strict=True)]
    store.write("judged_answers", frame("judged_answers", answers), CLAIMS_PARTITION)
    store.write("traces", frame("judged_answers", answers).drop("embedder"))
    store.write("claims", frame("claims", [claim_row(t, c) for t in traces for c in ("c1", "c2")]), CLAIMS_PARTITION)
    labels = [{"trace_id": "t1", "claim_id": "c1", "annotator": "ann", "verdict": "contradicted"}]
    store.write("labels", frame("labels", labels))
    rows = [
        verdict_row("t1", "c1"),
        verdict_row("t1", "c2"),
        verdict_row("t2", "c1"),
        verdict_row("t2", "c2", **NOT),
        verdict_row("t3", "c1"),
        verdict_row("t3", "c2", **unscored("timeout")),
        verdict_row("t4", "c1", **unscored("refusal")),
        verdict_row("t4", "c2", **unscored("timeout")),
        verdict_row("t5", "c1"),
        verdict_row("t5", "c2", **ABSTAINED),
        verdict_row("t6", "c1", **CANNOT),
    ]
    rows += [verdict_row("t1", "c1", judge="semantic"), verdict_row("t2", "c1", judge="semantic", **NOT)]
    store.write("verdicts", frame("verdicts", rows), PARTITION)
    store.write("answer_verdicts", store.query("answer_verdicts", **PARTITION), PARTITION)
    tomorrow = DAY + dt.timedelta(days=1)
    later = PARTITION | {"judging_date": tomorrow.isoformat()}
    store.write("verdicts", frame("verdicts", [verdict_row("t1", **NOT, judging_date=tomorrow)]), later)
    store.write("answer_verdicts", store.query("answer_verdicts", **later), later)
    calls = [
        call_row(),
        call_row("k2", status="failed", reason="timeout", prompt_tokens=0, completion_tokens=0, cost=None),
        call_row("k3", judge="unpriced", cost=None),
        call_row("k4", judge="free", prompt_tokens=0, completion_tokens=0, cost=None),
    ]
    store.write("calls", frame("calls", calls), PARTITION)
    return store


def test_answer_verdicts_count_each_answer_and_call_it_faithful_only_if_all_is_known(warehouse: Warehouse) -> None:
    rows = warehouse.read("answer_verdicts", PARTITION).filter(pl.col("judge") == "lexical")
    by_trace = {row["trace_id"]: row for row in rows.iter_rows(named=True)}
    counts = ("claims", "scored", "rated", "supported", "contradicted", "unscored", "abstentions", "rate", "faithful")
    assert {trace: tuple(row[name] for name in counts) for trace, row in by_trace.items()} == {
        "t1": (2, 2, 2, 2, 0, 0, 0, 1.0, True),
        "t2": (2, 2, 2, 1, 0, 0, 0, 0.5, False),
        "t3": (2, 1, 1, 1, 0, 1, 0, 1.0, None),
        "t4": (2, 0, 0, 0, 0, 2, 0, None, None),
        "t5": (2, 2, 1, 1, 0, 0, 1, 1.0, True),
        "t6": (1, 0, 0, 0, 0, 0, 1, None, None),
    }
    assert by_trace["t3"]["pipeline"] == "graphrag"


def test_trends_keep_dates_judges_and_pipelines_apart_with_clustered_intervals(warehouse: Warehouse) -> None:
    made = trends(warehouse.query("trends", embedder="traces"))
    warehouse.write("trends", made, CLAIMS_PARTITION)
    rows = {(str(r["judging_date"]), r["judge"], r["pipeline"]): r for r in made.iter_rows(named=True)}
    assert sorted(rows) == [
        ("2026-03-01", "lexical", "graphrag"),
        ("2026-03-01", "lexical", "vanilla"),
        ("2026-03-01", "semantic", "vanilla"),
        ("2026-03-02", "lexical", "vanilla"),
    ]
    vanilla = rows["2026-03-01", "lexical", "vanilla"]
    assert (vanilla["claims"], vanilla["rated"], vanilla["supported"], vanilla["rate"]) == (4, 4, 3, 0.75)
    expected = clustered_rate([1, 1, 1, 0], [0, 0, 1, 1])
    assert expected is not None
    assert math.isclose(vanilla["low"], expected.low)
    assert math.isclose(vanilla["high"], expected.high)
    graphrag = rows["2026-03-01", "lexical", "graphrag"]
    assert (graphrag["claims"], graphrag["scored"], graphrag["rated"], graphrag["unscored"]) == (7, 3, 2, 3)


def test_support_rates_are_bounded_by_what_is_unscored(warehouse: Warehouse) -> None:
    rows = warehouse.query("support_rates").filter(
        pl.col("judge") == "lexical", pl.col("pipeline") == "graphrag", pl.col("judging_date") == DAY
    )
    row = rows.row(0, named=True)
    assert (row["rated"], row["supported"], row["unscored"], row["rate"]) == (2, 2, 3, 1.0)
    assert (row["low_bound"], row["high_bound"]) == (0.4, 1.0)


def test_unscored_rows_are_counted_by_reason(warehouse: Warehouse) -> None:
    rows = warehouse.query("unscored_by_reason").select("judge", "reason", "unscored", "claims").rows()
    assert rows == [("lexical", "timeout", 2, 11), ("lexical", "refusal", 1, 11)]


def test_an_unknown_price_makes_the_cost_unknown_and_a_free_call_costs_nothing(warehouse: Warehouse) -> None:
    rows = warehouse.query("cost_by_judge").select("judge", "calls", "failed", "prompt_tokens", "cost").rows()
    assert rows == [("free", 1, 0, 0, 0.0), ("lexical", 2, 1, 100, 0.001), ("unpriced", 1, 0, 100, None)]


def test_disagreements_pair_judges_of_one_date_by_id(warehouse: Warehouse) -> None:
    rows = warehouse.query("disagreements").select("trace_id", "claim_id", "judge_a", "judge_b", "verdict_b").rows()
    assert rows == [("t2", "c1", "lexical", "semantic", "not_in_evidence")]


def test_claims_that_people_labelled_otherwise_are_listed(warehouse: Warehouse) -> None:
    rows = warehouse.query("against_labels").select("judging_date", "trace_id", "judge", "verdict", "label").rows()
    assert rows == [
        (DAY, "t1", "lexical", "supported", "contradicted"),
        (DAY, "t1", "semantic", "supported", "contradicted"),
    ]


@pytest.mark.parametrize("name", sql.names())
def test_each_statement_is_one_statement_and_runs_on_an_empty_warehouse(tmp_path: Path, name: str) -> None:
    statements = duckdb.extract_statements(sql.load(name))
    assert len(statements) == 1
    parameters = {parameter: PARTITION[parameter] for parameter in statements[0].named_parameters}
    assert Warehouse(tmp_path).query(name, **parameters).is_empty()


@pytest.mark.parametrize("name", [name for name in sql.names() if name in TABLES and name != "trends"])
def test_a_statement_named_for_a_table_makes_that_table(warehouse: Warehouse, name: str) -> None:
    made = warehouse.query(name, **PARTITION)
    assert made.schema == TABLES[name].schema
    assert all(check.passed for check in checks(TABLES[name], made, {}))


def test_a_parameter_is_a_value_and_never_a_piece_of_the_statement(warehouse: Warehouse) -> None:
    assert warehouse.query("trends", embedder="traces' OR '1'='1").is_empty()


@pytest.mark.parametrize("given", [{}, {"embedder": "traces", "extra": 1}, {"embeder": "traces"}])
def test_missing_and_unknown_parameters_are_refused(warehouse: Warehouse, given: dict[str, str]) -> None:
    with pytest.raises(TableError, match="'trends' takes the parameters embedder; given: "):
        warehouse.query("trends", **given)


def test_an_unknown_statement_is_refused_with_the_known_ones(warehouse: Warehouse) -> None:
    with pytest.raises(LookupError, match="disagreements"):
        warehouse.query("../verdicts")


def test_an_answer_whose_trace_is_gone_is_not_dropped_in_silence(warehouse: Warehouse) -> None:
    warehouse.write("judged_answers", frame("judged_answers", [answer_row("t1")]), CLAIMS_PARTITION)
    made = warehouse.query("answer_verdicts", **PARTITION)
    assert made["trace_id"].n_unique() == 6
    with pytest.raises(TableError, match="no_nulls"):
        warehouse.write("answer_verdicts", made, PARTITION)


def test_the_published_file_holds_every_table_and_view_with_comments(warehouse: Warehouse, tmp_path: Path) -> None:
    target = warehouse.publish(tmp_path / "faithflow.duckdb")
    with duckdb.connect(str(target), read_only=True) as connection:
        kinds = dict(connection.sql("SELECT table_name, table_type FROM information_schema.tables").fetchall())
        views = {name for name in sql.names() if name not in TABLES}
        assert kinds == dict.fromkeys(TABLES, "BASE TABLE") | dict.fromkeys(views, "VIEW")
        connection.execute("SET TimeZone = 'UTC'")
        for name in TABLES:
            assert connection.sql(f"FROM {name}").pl().equals(warehouse.read(name))
        for view in views:
            assert connection.sql(f"FROM {view}").pl().equals(warehouse.query(view))
        comments = connection.sql("SELECT comment FROM duckdb_columns() WHERE table_name = 'verdicts'").fetchall()
        assert [comment for (comment,) in comments] == [column.doc for column in TABLES["verdicts"].columns]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".faithflow.duckdb.lock", target.name, "warehouse"]


def test_a_reader_of_the_old_published_file_goes_on_and_a_new_one_sees_the_new(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    target = warehouse.publish(tmp_path / "faithflow.duckdb")
    count = "SELECT count(*) FROM verdicts"
    with duckdb.connect(str(target), read_only=True) as reader:
        before = reader.sql(count).fetchall()
        warehouse.upsert("verdicts", frame("verdicts", [verdict_row("t6", "c2")]), PARTITION)
        warehouse.publish(target)
        assert reader.sql(count).fetchall() == before
        assert reader.sql("SELECT count(justification) FROM verdicts").fetchall() != []
    with duckdb.connect(str(target), read_only=True) as reader:
        assert reader.sql(count).fetchall() == [(before[0][0] + 1,)]


def test_a_failed_publication_leaves_the_old_file(warehouse: Warehouse, tmp_path: Path) -> None:
    target = warehouse.publish(tmp_path / "faithflow.duckdb")
    before = target.read_bytes()
    warehouse.files("claims")[0].write_bytes(b"something else")
    with pytest.raises(TableError, match="claims"):
        warehouse.publish(target)
    assert target.read_bytes() == before
    assert not list(tmp_path.glob(".faithflow.duckdb.*.tmp*"))


def test_what_a_crashed_writer_left_beside_the_old_file_does_not_reach_the_new_one(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    target = tmp_path / "faithflow.duckdb"
    log = tmp_path / "faithflow.duckdb.wal"
    log.write_bytes(b"\x00" * 64)
    warehouse.publish(target)
    assert not log.exists()
    with duckdb.connect(str(target), read_only=True) as reader:
        assert reader.sql("SELECT count(*) FROM traces").fetchall() == [(6,)]
