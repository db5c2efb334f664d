"""Test and retest in the summary and in the table: repeats of one date, per judge, pipeline and stratum."""

import pytest

from faithflow.metrics.opinions import with_groups
from faithflow.metrics.stability import stability_frame, stability_summary
from faithflow.tables.contract import validate
from faithflow.tables.registry import table
from tests.table_rows import DAY, frame, trace_row, unscored, verdict_row

WORDS = {"y": {"verdict": "supported"}, "n": {"verdict": "contradicted"}, "i": {"verdict": "not_in_evidence"}}
WORDS["-"] = unscored()


def asked(judge, *repeats):
    """Each repeat's letters, one an answer."""
    return [
        verdict_row(f"t{n}", "c", judge, repeat=repeat, **WORDS[letter])
        for repeat, letters in enumerate(repeats)
        for n, letter in enumerate(letters)
    ]


def grouped(rows, answers):
    known = [trace_row(f"t{n}", pipeline=f"p{n % 2}") for n in range(answers)]
    return with_groups(frame("verdicts", rows), frame("traces", known))


def test_a_flip_is_between_supported_and_not():
    found = stability_summary(frame("verdicts", asked("a", "yyni-", "ynini")))["a"]
    assert (found["repeats"], found["n"]) == (2, 4)
    assert found["flip_rate"] == pytest.approx(1 / 4)
    assert found["interval"][0] < 1 / 4 < found["interval"][1]
    assert found["pairs"][0]["table"] == [[1, 1], [0, 2]]
    assert found["kappa"] == pytest.approx(found["pairs"][0]["kappa"])


def test_a_judge_asked_once_has_no_stability():
    found = stability_summary(frame("verdicts", [*asked("a", "yyn"), *asked("b", "yyn", "yyy", "nyy")]))
    assert list(found) == ["b"]
    assert [pair["repeats"] for pair in found["b"]["pairs"]] == [[0, 1], [0, 2], [1, 2]]


def test_a_judge_that_always_says_yes_has_no_kappa_with_itself():
    found = stability_summary(frame("verdicts", asked("a", "yyyy", "yyyy")))["a"]
    assert (found["flip_rate"], found["kappa"], found["ac1"]) == (0, None, 1)


def test_the_stability_table_has_every_cell_and_keeps_its_contract():
    rows = [*asked("a", "yynnyn", "ynnnyy"), *asked("b", "yynnyn"), *asked("c", "------", "yyyyyy")]
    found = stability_frame(grouped(rows, 6), "traces", DAY)
    validate(table("stability"), found, {})
    assert found.select("judge", "pipeline", "n").rows() == [
        *(("a", "*", 6), ("a", "*", 6), ("a", "p0", 3), ("a", "p0", 3), ("a", "p1", 3), ("a", "p1", 3)),
        *(("c", "*", 0), ("c", "*", 0), ("c", "p0", 0), ("c", "p0", 0), ("c", "p1", 0), ("c", "p1", 0)),
    ]
    whole = found.row(0, named=True)
    assert whole["flip_rate"] == pytest.approx(2 / 6)
    assert whole["flip_low"] < 2 / 6 < whole["flip_high"]
    assert found.filter(judge="c")["flip_rate"].null_count() == 6
