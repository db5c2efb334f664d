"""The report's sections on the systems under test: there with their tables, absent without, undefined said as such."""

import dataclasses
import datetime as dt

import polars as pl
import pytest

from faithflow.metrics.opinions import IS_SCORED, IS_STATEMENT, IS_SUPPORTED
from faithflow.report.citations import at_a_glance, retrieved_and_cited
from faithflow.report.page import render_html, render_markdown
from faithflow.tables.answering import ANSWERS, CITATION_SCORES
from faithflow.tables.records import frame_of
from tests.report_fixture import report_data


def answers(data, **changes):
    """An answer of a system under test for each trace of the fixture; `changes` hold for the first."""
    rows = []
    for trace in data.traces.sort("trace_id").iter_rows(named=True):
        row = {
            "answer_id": trace["trace_id"],
            "question_id": trace["trace_id"],
            "pipeline": trace["pipeline"],
            "generator": "extractive",
            "repeat": 0,
            "answer": trace["answer"],
            "status": "answered",
            "reason": None,
            "request_key": None,
            "calls": 2,
            "prompt_tokens": 1000,
            "completion_tokens": 10,
            "cost": 0.5,
            "latency_s": 1.25,
            "as_of": dt.date(2026, 3, 1),
        }
        rows.append(row if rows else row | changes)
    return frame_of(ANSWERS, rows, embedder="e5-small")


def scores(*changes):
    row = {
        "pipeline": "vanilla",
        "stratum": "all",
        "n": 30,
        "failed": 1,
        "inconclusive": 2,
        "citation_precision": 0.625,
        "citation_recall": 0.5,
        "citation_f1": 0.55,
        "citation_f1_low": 0.4,
        "citation_f1_high": 0.7,
        "strict_precision": 0.375,
        "strict_recall": 0.25,
        "strict_f1": 0.3,
        "context_precision": 0.125,
        "retrieval_recall": 0.875,
        "mean_context": 14.5,
        "mean_cited": 3.25,
        "invalid_citations": 7,
    }
    return frame_of(CITATION_SCORES, [row | change for change in changes or ({},)], embedder="e5-small")


@pytest.fixture(scope="module")
def data():
    return report_data()


def with_tables(data, answers_frame=None, *changes):
    frame = answers(data) if answers_frame is None else answers_frame
    return dataclasses.replace(data, answers=frame, citation_scores=scores(*changes))


def texts(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_a_report_without_systems_under_test_has_neither_section(data):
    html = render_html(data)
    assert "Pipelines at a glance" not in html
    assert "What was retrieved" not in html


def test_a_report_with_them_has_both_as_page_and_as_markdown(data):
    own = with_tables(data)
    for page in (render_html(own), render_markdown(own)):
        assert "Pipelines at a glance" in page
        assert "What was retrieved, what was cited" in page
        assert "e5-small" in page


def test_empty_tables_make_no_section(data):
    none = frame_of(ANSWERS, [], embedder="e5-small")
    empty = dataclasses.replace(data, answers=none, citation_scores=scores().clear())
    assert at_a_glance(empty) is None
    assert retrieved_and_cited(empty) is None


def test_a_glance_counts_answers_by_status_and_sums_what_they_took(data):
    own = with_tables(data, answers(data, status="failed", reason="timeout", answer=""))
    section = at_a_glance(own)
    of_graph, of_vanilla = texts(section.tables[0])
    assert of_graph[:5] == ["e5-small", "graph", "6", "0", "0"]
    assert of_vanilla[:5] == ["e5-small", "vanilla", "5", "0", "1"]
    _, took = texts(section.details[0].tables[0])
    assert took == ["e5-small", "vanilla", "12", "6,000", "60", "3.00", "1.25 s"]


def test_a_glance_shows_the_supported_share_of_each_judge_with_its_n(data):
    (table,) = at_a_glance(with_tables(data)).tables
    rated = data.verdicts.join(data.traces.filter(pipeline="vanilla"), on="trace_id", how="semi").filter(
        IS_SCORED & IS_STATEMENT, judge="gpt"
    )
    supported = rated.filter(IS_SUPPORTED).height
    assert supported
    assert texts(table)[1][5].startswith(f"{supported} of {rated.height} (")


def test_a_glance_says_undefined_where_a_pipeline_has_no_citation_scores(data):
    (table,) = at_a_glance(with_tables(data)).tables
    graph, vanilla = (row[7] for row in texts(table))
    assert graph == "undefined"
    assert vanilla == "55.0% (40.0 to 70.0%)"


def test_a_cost_without_a_price_is_unknown_and_not_0(data):
    ((table,),) = (part.tables for part in at_a_glance(with_tables(data, answers(data, cost=None))).details)
    assert [row[-2] for row in texts(table)] == ["3.00", "unknown"]


def test_the_context_and_the_citations_stand_side_by_side(data):
    section = retrieved_and_cited(with_tables(data))
    (row,) = texts(section.tables[0])
    assert row[:2] == ["e5-small", "vanilla"]
    assert row[2:13] == ["30", "1", "2", "14.5", "12.5%", "87.5%", "3.2", "7", "62.5%", "50.0%", "55.0%"]
    assert row[-1] == "40.0 to 70.0%"


def test_undefined_scores_are_said_as_undefined(data):
    names = ("citation_precision", "citation_recall", "citation_f1", "citation_f1_low", "citation_f1_high")
    nothing = dict.fromkeys((*names, "context_precision", "retrieval_recall", "mean_context", "mean_cited"))
    section = retrieved_and_cited(with_tables(data, None, nothing))
    (row,) = texts(section.tables[0])
    assert row.count("undefined") == 8
    assert "0.0%" not in row


def test_strata_and_the_strict_treatment_are_folded_away(data):
    section = retrieved_and_cited(with_tables(data, None, {}, {"stratum": "1"}, {"stratum": "2"}))
    assert len(section.tables[0].rows) == 1
    by_stratum, strict = section.details
    assert [row[2] for row in texts(by_stratum.tables[0])] == ["1", "2"]
    assert texts(strict.tables[0]) == [["e5-small", "vanilla", "37.5%", "25.0%", "30.0%"]]


def test_scores_of_one_stratum_have_no_table_of_strata(data):
    (strict,) = retrieved_and_cited(with_tables(data)).details
    assert "ALCE" in strict.title


def test_names_of_pipelines_are_text_on_the_page(data):
    hostile = "<script>alert(1)</script>"
    own = with_tables(data, answers(data).with_columns(pl.lit(hostile).alias("pipeline")), {"pipeline": hostile})
    assert hostile not in render_html(own)
