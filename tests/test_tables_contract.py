"""A frame that breaks its table's contract is refused, with the table, the demand, a count and an example."""

import datetime as dt
import random
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.errors import TableError
from faithflow.tables.checks import checks
from faithflow.tables.contract import validate
from faithflow.tables.hashing import data_hash
from faithflow.tables.records import frame_of
from faithflow.tables.registry import TABLES
from tests.table_rows import DAY, call_row, claim_row, frame, trace_row, unscored, verdict_row

VERDICTS = TABLES["verdicts"]
CLAIMS = TABLES["claims"]


def check_verdict(**changes: Any) -> None:
    validate(VERDICTS, frame("verdicts", [verdict_row(), verdict_row("t2", **changes)]), {})


@pytest.mark.parametrize(
    ("name", "row"),
    [("traces", trace_row()), ("claims", claim_row()), ("verdicts", verdict_row()), ("calls", call_row())],
)
def test_a_right_frame_passes_unchanged(name: str, row: dict[str, Any]) -> None:
    right = frame(name, [row])
    assert validate(TABLES[name], right, {}).collect().equals(right)


def test_columns_may_stand_in_any_order() -> None:
    right = frame("claims", [claim_row()])
    shuffled = right.select(reversed(right.columns))
    assert validate(CLAIMS, shuffled, {}).collect().equals(right)


def test_an_empty_frame_passes_every_check() -> None:
    for described in TABLES.values():
        assert validate(described, described.empty(), {}).collect().is_empty()


def test_a_missing_and_a_foreign_column_are_both_named() -> None:
    wrong = frame("claims", [claim_row()]).rename({"kind": "sort"})
    with pytest.raises(TableError, match=r"(?s)'claims'.*'kind' is missing.*'sort' is not one of"):
        validate(CLAIMS, wrong, {})


@pytest.mark.parametrize(
    ("column", "dtype"),
    [("claim", pl.Int64), ("covered_share", pl.Float32), ("char_start", pl.Float64), ("char_start", pl.UInt64)],
)
def test_a_wrong_type_is_refused_and_never_cast(column: str, dtype: type[pl.DataType]) -> None:
    wrong = frame("claims", [claim_row(claim="7")]).with_columns(pl.col(column).cast(dtype))
    with pytest.raises(TableError, match=f"column '{column}' is {dtype.__name__}"):
        validate(CLAIMS, wrong, {})


def test_dates_as_text_and_times_without_a_zone_are_refused() -> None:
    right = frame("verdicts", [verdict_row()])
    for wrong in (
        right.with_columns(pl.col("judging_date").cast(pl.String)),
        right.with_columns(pl.col("judged_at").dt.replace_time_zone(None)),
        right.with_columns(pl.col("judged_at").dt.cast_time_unit("ns")),
    ):
        with pytest.raises(TableError, match="'judg"):
            validate(VERDICTS, wrong, {})


@pytest.mark.parametrize("dtype", [pl.Int8, pl.Int16, pl.Int32, pl.UInt8, pl.UInt16, pl.UInt32])
def test_narrower_integers_are_widened(dtype: type[pl.DataType]) -> None:
    right = frame("claims", [claim_row()])
    narrow = right.with_columns(pl.col("char_start", "char_end").cast(dtype))
    assert validate(CLAIMS, narrow, {}).collect().equals(right)


def test_columns_of_nulls_and_of_empty_lists_take_their_type() -> None:
    right = frame("traces", [trace_row(contexts=[])])
    untyped = right.with_columns(
        pl.lit(None).alias("gold"), pl.Series("citations", [None]), pl.Series("contexts", [[]], dtype=pl.List(pl.Null))
    )
    assert validate(TABLES["traces"], untyped, {}).collect().equals(right)


def test_a_repeated_key_is_refused_with_count_and_example() -> None:
    rows = [verdict_row(), verdict_row(), verdict_row(repeat=1)]
    with pytest.raises(TableError, match=r"(?s)trace_id, claim_id, judge, repeat.*by 1 row.*trace_id='t1'.*unique_key"):
        validate(VERDICTS, frame("verdicts", rows), {})


@pytest.mark.parametrize(
    ("rule", "changes"),
    [
        ("verdict_exactly_if_scored", {"verdict": None}),
        ("verdict_exactly_if_scored", unscored() | {"verdict": "supported"}),
        ("reason_if_not_scored", unscored() | {"reason": None}),
        ("scored_without_failure", {"reason": "timeout"}),
        ("score_only_if_scored", unscored() | {"score": 0}),
        ("verdict_fits_kind", {"verdict": "justified_abstention"}),
        ("verdict_fits_kind", {"kind": "abstention"}),
        ("status_known", {"status": "done"}),
        ("reason_known", unscored("bad luck")),
        ("verdict_known", {"verdict": "Supported"}),
        ("kind_known", {"kind": "heading"}),
        ("confidence_range", {"confidence": 1.1}),
        ("finite_numbers", {"confidence": float("nan")}),
        ("char_start_order", {"char_start": 9, "char_end": 8}),
        ("char_start_with_char_end", {"char_end": None}),
        ("not_negative", {"char_start": -1}),
        ("no_nulls", {"claim": None}),
    ],
)
def test_a_row_that_breaks_a_rule_is_refused_by_the_rule_s_name(rule: str, changes: dict[str, Any]) -> None:
    with pytest.raises(TableError, match=rf"by 1 row\(s\), for example trace_id='t2'.*\[{rule}\]"):
        check_verdict(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        unscored(),
        {"status": "not_applicable", "reason": "abstention", "verdict": None, "score": None, "kind": "abstention"},
        {"kind": "abstention", "verdict": "unjustified_abstention", "score": -2},
        {"verdict": "not_in_evidence", "reason": "empty_evidence", "score": 0},
        {"char_start": None, "char_end": None, "confidence": None},
    ],
)
def test_every_rightful_kind_of_row_passes(changes: dict[str, Any]) -> None:
    check_verdict(**changes)


def test_a_dangling_id_is_refused_where_the_parent_is_given() -> None:
    parents = {"claims": frame("claims", [claim_row()]).lazy()}
    with pytest.raises(TableError, match=r"\(trace_id, claim_id\) stands in claims: broken by 1 row.*claim_id='c2'"):
        validate(VERDICTS, frame("verdicts", [verdict_row(), verdict_row(claim_id="c2")]), parents)


def test_the_error_tells_every_broken_demand_at_once() -> None:
    rows = [verdict_row(verdict=None), verdict_row(confidence=2.0)]
    with pytest.raises(TableError) as caught:
        validate(VERDICTS, frame("verdicts", rows), {})
    assert all(name in str(caught.value) for name in ("verdict_exactly_if_scored", "confidence_range", "unique_key"))


def test_checks_count_failures_and_pass_the_rest() -> None:
    rows = [verdict_row(claim_id=f"c{i}", verdict=None if i < 3 else "supported") for i in range(5)]
    results = {check.name: check for check in checks(VERDICTS, frame("verdicts", rows), {})}
    failed = results["verdict_exactly_if_scored"]
    assert (failed.passed, failed.failures) == (False, 3)
    assert failed.example is not None
    assert "claim_id='c0'" in failed.example
    assert all(check.passed and check.example is None for name, check in results.items() if name != failed.name)


def test_a_rate_must_be_supported_of_rated() -> None:
    row = {
        "judging_date": DAY,
        "judge": "lexical",
        "pipeline": "vanilla",
        "claims": 4,
        "scored": 3,
        "rated": 3,
        "supported": 2,
        "rate": 2 / 3,
        "low": 0.1,
        "high": 0.9,
        "unscored": 1,
        "embedder": "traces",
    }
    validate(TABLES["trends"], frame("trends", [row]), {})
    for wrong in ({"rate": 0.5}, {"rate": None}, {"rated": 0, "supported": 0, "scored": 0, "rate": 0.0}):
        with pytest.raises(TableError, match="rate_is_supported_of_rated"):
            validate(TABLES["trends"], frame("trends", [row | wrong]), {})


def test_records_may_be_dataclasses_with_fixed_columns() -> None:
    from faithflow.judging.verdict import Verdict

    row = verdict_row(evidence_ids=("p1",), flags=())
    embedder = row.pop("embedder")
    made = frame_of(VERDICTS, [Verdict(**row)], embedder=embedder)
    assert made.equals(frame("verdicts", [verdict_row()]))


def test_no_records_make_an_empty_frame_of_the_schema() -> None:
    assert frame_of(CLAIMS, [], embedder="traces").equals(CLAIMS.empty())


@pytest.mark.parametrize(
    "changes",
    [
        {"claim": 7},
        {"char_start": 1.0},
        {"covered_share": "1"},
        {"char_start": 2**70},
    ],
)
def test_a_record_with_a_value_of_another_type_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(TableError, match=f"'claims': column '{next(iter(changes))}'"):
        frame("claims", [claim_row(), claim_row(claim_id="c2", **changes)])


def test_a_record_with_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(TableError, match="time without a zone"):
        frame("verdicts", [verdict_row(judged_at=dt.datetime(2026, 3, 1))])


def test_a_record_that_lacks_or_adds_a_column_is_refused() -> None:
    row = claim_row()
    row["sort"] = row.pop("kind")
    with pytest.raises(TableError, match="record 1 lacks or adds columns: kind, sort"):
        frame("claims", [claim_row(), row])


def test_lone_surrogates_become_one_replacement_character_each() -> None:
    made = frame("traces", [trace_row(answer="a\ud800b", contexts=[{"id": "p", "text": "\udfff", "source": None}])])
    assert made.item(0, "answer") == "a�b"
    assert made.item(0, "contexts")[0]["text"] == "�"


texts = st.text(max_size=8)


@settings(deadline=None)
@given(
    st.lists(st.tuples(texts, texts, st.integers(0, 2), st.floats(0, 1)), max_size=20), st.randoms(), st.integers(1, 7)
)
def test_the_data_hash_depends_on_the_rows_alone(
    items: list[tuple[str, str, int, float]], shuffler: random.Random, size: int
) -> None:
    rows = [verdict_row(a, b, repeat=c, confidence=d) for a, b, c, d in items]
    whole = frame("verdicts", rows)
    shuffler.shuffle(rows)
    other = frame("verdicts", rows)
    batches = [other[start : start + size] for start in range(0, other.height, size)]
    assert data_hash(VERDICTS.schema, [whole]) == data_hash(VERDICTS.schema, batches)
    if rows:
        changed = frame("verdicts", [rows[0] | {"claim": rows[0]["claim"] + "!"}, *rows[1:]])
        assert data_hash(VERDICTS.schema, [changed]) != data_hash(VERDICTS.schema, [whole])
        assert data_hash(VERDICTS.schema, [whole, whole[:1]]) != data_hash(VERDICTS.schema, [whole])


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.integers(0, 1)), max_size=8))
def test_a_frame_is_accepted_exactly_if_its_keys_are_unique(keys: list[tuple[str, str, int]]) -> None:
    rows = frame("verdicts", [verdict_row(trace, claim, repeat=repeat) for trace, claim, repeat in keys])
    if len(set(keys)) == len(keys):
        assert validate(VERDICTS, rows, {}).collect().height == len(keys)
    else:
        with pytest.raises(TableError, match=rf"by {len(keys) - len(set(keys))} row"):
            validate(VERDICTS, rows, {})


@settings(deadline=None)
@given(
    st.sampled_from(["scored", "unscored", "not_applicable"]),
    st.sampled_from([None, "supported", "contradicted"]),
    st.sampled_from([None, "timeout", "empty_evidence"]),
)
def test_a_failure_never_passes_as_a_score(status: str, verdict: str | None, reason: str | None) -> None:
    row = verdict_row(status=status, verdict=verdict, reason=reason, score=None)
    is_right = (
        verdict is not None and reason in (None, "empty_evidence")
        if status == "scored"
        else verdict is None and reason is not None
    )
    try:
        validate(VERDICTS, frame("verdicts", [row]), {})
    except TableError:
        assert not is_right
    else:
        assert is_right
