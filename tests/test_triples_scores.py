"""Precision, recall and F1 of triples, with what is unscored and what is not known."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.graph.triple_gold import Fact
from faithflow.graph.triple_rows import Row, missed_unknown_row, scored_row, unscored_row
from faithflow.judging.verdict import Reason
from faithflow.metrics.triples import scores_of, triple_scores
from faithflow.tables.graph import TRIPLE_VERDICTS
from faithflow.tables.records import frame_of


def rows(document: str, judge: str = "j", **counts: int) -> list[Row]:
    """Rows of one document: so many of each label, `unscored` ones among them."""
    made: list[Row] = []
    for label, count in counts.items():
        for number in range(count):
            fact = Fact(f"{label} {number}", "R", "x")
            identity = f"{document} {label} {number}"
            if label == "unscored":
                made.append(unscored_row(document, identity, fact, Reason.TIMEOUT, judge))
            else:
                made.append(scored_row(document, identity, fact, label, "", judge))
    return made


def scores(*parts: list[Row]) -> dict[str, Any]:
    return triple_scores(frame_of(TRIPLE_VERDICTS, [row for part in parts for row in part]))


def test_the_published_counts_give_the_published_figures() -> None:
    """Table 1 of Papageorgiou et al. 2025: 1589 correct, 2 hallucinated, 63 missed."""
    assert [round(value or 0, 3) for value in scores_of(1589, 2, 63)] == [0.999, 0.962, 0.980]


def test_counts_are_pooled_over_documents_and_shown_by_document() -> None:
    found = scores(rows("d", correct=3, hallucinated=1), rows("e", correct=1, missed=2))["j"]
    assert (found["documents"], found["evaluated"], found["correct"], found["missed"]) == (2, 5, 4, 2)
    assert (found["precision"], found["recall"]) == (4 / 5, 4 / 6)
    assert found["f1"] == pytest.approx(2 * (4 / 5) * (4 / 6) / (4 / 5 + 4 / 6))
    assert found["by_document"]["d"]["precision"] == 0.75
    assert found["by_document"]["e"]["recall"] == pytest.approx(1 / 3)
    low, high = found["precision_interval"]
    assert low < 4 / 5 < high


def test_judges_are_not_pooled() -> None:
    found = scores(rows("d", "j", correct=1), rows("d", "k", hallucinated=1))
    assert (found["j"]["precision"], found["k"]["precision"]) == (1.0, 0.0)


def test_unscored_triples_are_counted_by_reason_and_only_move_the_bounds() -> None:
    found = scores(rows("d", correct=2, hallucinated=1, missed=1, unscored=1))["j"]
    assert found["unscored"] == {"timeout": 1}
    assert (found["precision"], found["precision_bounds"]) == (2 / 3, [2 / 4, 3 / 4])
    assert (found["recall"], found["recall_bounds"]) == (2 / 3, [2 / 3, 3 / 4])


def test_a_document_whose_missed_facts_are_unknown_is_in_no_recall() -> None:
    unknown = [*rows("e", correct=5), missed_unknown_row("e", Reason.PARSE, "j")]
    found = scores(rows("d", correct=1, missed=1), unknown)["j"]
    assert (found["precision"], found["recall"], found["missed_unknown"], found["unscored"]) == (1.0, 0.5, 1, {})
    assert found["by_document"]["e"]["recall"] is None


def test_what_is_undefined_is_none() -> None:
    found = scores(rows("d", unscored=2))["j"]
    assert (found["precision"], found["recall"], found["f1"]) == (None, None, None)
    assert (found["precision_bounds"], found["precision_interval"]) == ([0.0, 1.0], None)
    assert scores(rows("d", missed=2))["j"]["recall"] == 0.0
    assert triple_scores(frame_of(TRIPLE_VERDICTS, [])) == {}


def test_the_usage_of_a_document_counts_once() -> None:
    usage: Row = {"latency_s": 1.5, "prompt_tokens": 10, "completion_tokens": 4}
    found = scores([row | usage for row in rows("d", correct=3)], [row | usage for row in rows("e", correct=1)])["j"]
    assert (found["latency_s"], found["prompt_tokens"], found["completion_tokens"]) == (3.0, 20, 8)
    assert scores(rows("d", correct=1))["j"]["latency_s"] is None


def test_a_triple_with_two_rows_of_one_judge_is_refused() -> None:
    with pytest.raises(ValueError, match="two rows"):
        scores(rows("d", correct=1), rows("d", correct=1))


@settings(deadline=None)
@given(st.tuples(*[st.integers(0, 9)] * 4))
def test_the_figures_lie_within_their_bounds_and_rows_may_come_in_any_order(counts: tuple[int, ...]) -> None:
    correct, hallucinated, missed, unscored = counts
    made = rows("d", correct=correct, hallucinated=hallucinated, missed=missed, unscored=unscored)
    frame = frame_of(TRIPLE_VERDICTS, made)
    found = triple_scores(frame)
    assert found == triple_scores(frame.sort(pl.col("triple_id"), descending=True))
    for each in found.values():
        for name in ("precision", "recall"):
            if each[name] is not None:
                low, high = each[f"{name}_bounds"]
                assert low <= each[name] <= high
