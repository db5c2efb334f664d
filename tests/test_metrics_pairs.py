"""Agreement of judges and people as rows: pairwise complete, four-way beside two-way, cells and totals."""

import json

import polars as pl
import pytest

from faithflow.metrics.opinions import with_groups
from faithflow.metrics.pairs import agreement_frame, judge_pairs, pair_row
from faithflow.stats.agreement import compare
from faithflow.tables.contract import validate
from faithflow.tables.registry import table
from tests.table_rows import DAY, frame, trace_row, unscored, verdict_row

FOUR = ("supported", "conditionally_supported", "contradicted", "not_in_evidence")


def verdicts(*rows):
    return frame("verdicts", list(rows))


def said(judge, words):
    """One claim an answer; a None is unscored."""
    return [
        verdict_row(f"t{n}", "c", judge, **(unscored() if word is None else {"verdict": word}))
        for n, word in enumerate(words)
    ]


def traces(n, **groups):
    return frame("traces", [trace_row(f"t{i}", **{key: of(i) for key, of in groups.items()}) for i in range(n)])


def rows_of(frame):
    return {(a, b): pair_row(a, b, claims) for a, b, claims in judge_pairs(frame)}


def test_supported_against_not_and_the_four_way_table_stand_side_by_side():
    a = ["supported", "supported", "contradicted", "not_in_evidence", "conditionally_supported"]
    b = ["supported", "contradicted", "not_in_evidence", "not_in_evidence", "supported"]
    row = rows_of(verdicts(*said("a", a), *said("b", b)))["a", "b"]
    assert row["n"] == 5
    assert row["labels"] == ["supported", "not_supported"]
    assert row["table"] == [[1, 1], [1, 2]]
    assert row["raw"] == pytest.approx(3 / 5)
    assert row["four_way"]["labels"] == list(FOUR)
    assert row["four_way"]["table"] == [[1, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1]]
    assert row["four_way"]["raw"] == pytest.approx(2 / 5)


def test_a_judge_that_misses_half_the_items_is_compared_on_the_other_half_alone():
    words = ["supported", "contradicted", "supported", "supported", "contradicted", "supported"]
    half = [word if n % 2 else None for n, word in enumerate(words)]
    absent = [row for row in said("d", words) if row["trace_id"] in ("t0", "t5")]
    found = rows_of(verdicts(*said("a", words), *said("b", words[::-1]), *said("c", half), *absent))
    assert {pair: row["n"] for pair, row in found.items()} == {
        **{("a", "b"): 6, ("a", "c"): 3, ("a", "d"): 2, ("b", "c"): 3, ("b", "d"): 2, ("c", "d"): 1},
    }
    # put to both and not scored by one is told apart from never put to one
    assert found["a", "c"]["unscored"] == 3
    assert found["a", "d"]["unscored"] == 0
    assert found["a", "c"]["raw"] == 1


def test_two_judges_who_call_all_supported_have_no_kappa_beside_agreement_1_and_ac1_1():
    row = rows_of(verdicts(*said("a", ["supported"] * 9), *said("b", ["supported"] * 9)))["a", "b"]
    assert (row["raw"], row["kappa"], row["kappa_interval"], row["ac1"]) == (1, None, None, 1)
    assert row["table"] == [[9, 0], [0, 0]]


def test_judges_without_a_common_claim_have_a_row_that_says_so():
    row = rows_of(verdicts(verdict_row("t1", judge="a"), verdict_row("t2", judge="b")))["a", "b"]
    assert (row["n"], row["raw"], row["kappa"], row["ac1"], row["mcnemar_p"]) == (0, None, None, None, None)


def test_claims_of_one_answer_are_one_cluster():
    words = ["supported", "contradicted"] * 6
    rows = [verdict_row(f"t{n // 4}", f"c{n % 4}", "a", verdict=word) for n, word in enumerate(words)]
    rows += [verdict_row(f"t{n // 4}", f"c{n % 4}", "b", verdict="supported") for n in range(12)]
    row = rows_of(verdicts(*rows))["a", "b"]
    assert row["clusters"] == 3
    assert row["mcnemar_p"] == 2 * 0.5**3
    assert row["mcnemar_p_independent"] == pytest.approx(2 * 0.5**6)


def agreement(labels=None):
    a = ["supported", "contradicted", "supported", "supported", None, "not_in_evidence"] * 4
    b = ["supported", "supported", "contradicted", "supported", "supported", "not_in_evidence"] * 4
    known = traces(24, pipeline=lambda n: f"p{n % 2}", stratum=lambda n: f"s{n % 3}")
    return agreement_frame(with_groups(verdicts(*said("a", a), *said("b", b)), known), labels, "traces", DAY), a, b


def test_the_agreement_table_has_every_cell_and_its_totals():
    found, _, _ = agreement()
    assert found.schema == table("agreement").schema
    assert found.select("pipeline", "stratum").rows() == [
        *(("*", stratum) for stratum in ("*", "s0", "s1", "s2")),
        *(("p0", stratum) for stratum in ("*", "s0", "s1", "s2")),
        *(("p1", stratum) for stratum in ("*", "s0", "s1", "s2")),
    ]
    total = found.row(0, named=True)
    cells = found.filter(pl.col("pipeline") != "*", pl.col("stratum") != "*")
    for column in ("n", "n11", "n10", "n01", "n00"):
        assert cells[column].sum() == total[column]


def test_a_row_of_the_agreement_table_is_the_comparison_of_the_two_lists():
    found, a, b = agreement()
    total = found.row(0, named=True)
    as_two = [[None if word is None else str(word == "supported") for word in words] for words in (a, b)]
    expected = compare(*as_two, ("True", "False"), range(24))
    assert total["n"] == expected.n == 20
    assert (total["kappa"], total["ac1"], total["ac1_se"]) == (expected.kappa, expected.ac1, expected.ac1_se)
    assert (total["kappa_low"], total["kappa_high"]) == expected.kappa_interval
    assert (total["ac1_low"], total["ac1_high"]) == expected.ac1_interval
    assert [[total["n11"], total["n10"]], [total["n01"], total["n00"]]] == [list(row) for row in expected.table]
    four = json.loads(total["four_way"])
    assert four["labels"] == list(FOUR)
    assert sum(map(sum, four["table"])) == 20


def test_people_stand_in_the_agreement_table_as_raters():
    rows = [(f"t{n}", "c", who, "supported") for n in range(6) for who in ("ann", "bob")]
    labels = pl.DataFrame(rows, schema=["trace_id", "claim_id", "annotator", "verdict"], orient="row")
    found, _, _ = agreement(labels)
    pairs = found.filter(pipeline="*", stratum="*").select("a", "b", "n").rows()
    assert pairs == [
        *(("a", "b", 20), ("human:ann", "a", 5), ("human:ann", "b", 6), ("human:bob", "a", 5)),
        *(("human:bob", "b", 6), ("human:ann", "human:bob", 6)),
    ]


def test_the_agreement_table_keeps_its_contract():
    found, _, _ = agreement()
    validate(table("agreement"), found, {})
