"""Who said what of which claim: joined by id, abstentions and unscored rows apart."""

import datetime as dt

import polars as pl
import pytest

from faithflow.metrics.opinions import cells, judge_opinions, label_opinions, latest_date, side_by_side, with_groups
from tests.table_rows import frame, trace_row, unscored, verdict_row


def verdicts(*rows):
    return frame("verdicts", list(rows))


def traces(*rows):
    return frame("traces", list(rows) or [trace_row("t1")])


def test_the_latest_date_is_the_newest_judging_date():
    rows = verdicts(verdict_row(), verdict_row(judging_date=dt.date(2026, 2, 28)))
    assert latest_date(rows) == dt.date(2026, 3, 1)
    assert latest_date(rows.clear()) is None


def test_verdicts_take_pipeline_and_stratum_from_their_trace():
    rows = with_groups(
        verdicts(verdict_row("t2"), verdict_row("t1")),
        traces(trace_row("t1", pipeline="web"), trace_row("t2", stratum="2-hop")),
    )
    assert rows.select("trace_id", "pipeline", "stratum").rows() == [("t2", "vanilla", "2-hop"), ("t1", "web", "1-hop")]


def test_a_verdict_of_an_unknown_trace_is_an_error_that_names_it():
    with pytest.raises(ValueError, match="'t9' has verdicts and is not in traces"):
        with_groups(verdicts(verdict_row("t9")), traces())


def test_a_trace_that_stands_twice_is_an_error():
    with pytest.raises(ValueError, match="'t1' stands twice"):
        with_groups(verdicts(verdict_row()), traces(trace_row("t1"), trace_row("t1", pipeline="web")))


@pytest.mark.parametrize("column", ["pipeline", "stratum"])
def test_the_name_of_the_totals_is_not_free_for_a_group(column):
    with pytest.raises(ValueError, match="kept for totals"):
        with_groups(verdicts(verdict_row()), traces(trace_row("t1", **{column: "*"})))


def test_a_judges_opinions_are_its_statements_with_unscored_ones_as_null():
    rows = verdicts(
        verdict_row(claim_id="c1"),
        verdict_row(claim_id="c2", **unscored()),
        verdict_row(claim_id="c3", kind="abstention", verdict="justified_abstention", score=-1),
        verdict_row(claim_id="c4", kind="abstention", **unscored("abstention") | {"status": "not_applicable"}),
        verdict_row(claim_id="c5", kind="abstention", **unscored()),
        verdict_row(claim_id="c6", judge="other"),
    )
    found = judge_opinions(rows, "lexical")
    assert found.select("claim_id", "verdict").rows() == [("c1", "supported"), ("c2", None)]


def test_two_rows_of_a_judge_on_one_claim_in_one_repeat_are_an_error():
    with pytest.raises(ValueError, match=r"'lexical' has two rows on .*'c1'"):
        judge_opinions(verdicts(verdict_row(), verdict_row(verdict="contradicted")), "lexical")


def test_two_labels_of_one_person_on_one_claim_are_an_error():
    row = {"trace_id": "t1", "claim_id": "c1", "annotator": "ann", "verdict": "supported"}
    with pytest.raises(ValueError, match="annotator 'ann' has two rows"):
        label_opinions(pl.DataFrame([row, row | {"verdict": "contradicted"}]), "ann")


def opinions(*rows):
    schema = {"trace_id": pl.String, "claim_id": pl.String, "repeat": pl.Int64, "verdict": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def test_two_judges_stand_side_by_side_by_id_and_not_by_position():
    a = opinions(("t1", "c1", 0, "supported"), ("t1", "c2", 0, "contradicted"), ("t2", "c1", 0, "supported"))
    b = opinions(("t2", "c1", 0, "contradicted"), ("t1", "c2", 0, "supported"))
    assert side_by_side(a, b).rows() == [
        ("t1", "c2", "contradicted", "supported"),
        ("t2", "c1", "supported", "contradicted"),
    ]


def test_the_first_repeat_in_which_both_judges_have_a_verdict_counts():
    a = opinions(("t", "c", 0, None), ("t", "c", 1, "supported"), ("t", "c", 2, "contradicted"))
    b = opinions(("t", "c", 0, "supported"), ("t", "c", 1, "contradicted"), ("t", "c", 2, "supported"))
    assert side_by_side(a, b).rows() == [("t", "c", "supported", "contradicted")]


def test_a_claim_that_one_judge_never_scored_stays_with_a_null():
    a = opinions(("t", "c", 0, None), ("t", "c", 1, None))
    b = opinions(("t", "c", 0, "supported"), ("t", "c", 1, "supported"))
    assert side_by_side(a, b)["verdict_a"].to_list() == [None]


def test_a_label_meets_the_judges_first_scored_repeat():
    judge = opinions(("t", "c", 0, None), ("t", "c", 1, "contradicted"), ("t", "c", 2, "supported"))
    label = opinions(("t", "c", 0, "supported")).drop("repeat")
    assert side_by_side(label, judge).rows() == [("t", "c", "supported", "contradicted")]


def test_cells_are_each_pipeline_and_stratum_and_their_totals():
    rows = pl.DataFrame({"pipeline": ["web", "web", "graph"], "stratum": ["1", "2", "1"]})
    found = {(pipeline, stratum): cell.height for pipeline, stratum, cell in cells(rows)}
    assert found == {
        **{("*", "*"): 3, ("*", "1"): 2, ("*", "2"): 1, ("graph", "*"): 1, ("graph", "1"): 1},
        **{("web", "*"): 2, ("web", "1"): 1, ("web", "2"): 1},
    }
