"""Citations to scores: attachment to sentences, scores of one answer, and the table over pipelines and strata."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.corpus.citation_vocabulary import Citable, Vocabulary
from faithflow.corpus.citations import ContextItem, cited
from faithflow.metrics.answer_scores import (
    citation_quality,
    cited_units,
    context_precision,
    quality,
    retrieval_recall,
    strict_quality,
)
from faithflow.metrics.attachment import attach
from faithflow.metrics.citation_scores import citation_scores, citations_frame
from faithflow.stats.bootstrap import mean_interval
from faithflow.tables.answering import ANSWERS, CITATION_SCORES, CITATIONS, RETRIEVALS
from faithflow.tables.checks import checks
from faithflow.tables.corpus import QUESTIONS
from faithflow.tables.records import frame_of
from faithflow.text.sentences import sentence_spans
from faithflow.text.spans import Span

CORPUS = Vocabulary(Citable(f"SRD-{n}", f"Requirement {n}", "", f"p{n}") for n in range(1, 9))
CONTEXT = [ContextItem(f"p{n}", f"E{n}", f"SRD-{n}") for n in (1, 2, 3, 4)]


def citations(answer, context=CONTEXT):
    return cited(answer, context, CORPUS)


def attached(answer, policy, sentences=None):
    """What each sentence cites, as labels."""
    sentences = sentence_spans(answer) if sentences is None else sentences
    return [[c.cited for c in own] for own in attach(answer, sentences, citations(answer), policy)]


def strict(answer, gold):
    return strict_quality(answer, sentence_spans(answer), citations(answer), gold)


@pytest.mark.parametrize(("policy", "expected"), [("left", [["1"], []]), ("strict", [[], ["1"]])])
@pytest.mark.parametrize("split", [None, [Span(0, 7), Span(8, 19)]])
def test_a_citation_between_two_sentences_goes_where_the_policy_says_however_they_were_split(policy, expected, split):
    assert attached("A is B. [1] C is D.", policy, split) == expected


@pytest.mark.parametrize("policy", ["left", "strict"])
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Boats sail [1]. Trains run [2].", [["1"], ["2"]]),
        ("Boats sail. Trains run. [1][2]", [[], ["1", "2"]]),
        ("Boats sail. [1]\nTrains run.", [["1"], []]),
        ("SRD-1 says so. So does SRD-2.", [["SRD-1"], ["SRD-2"]]),
        ("[1] says that boats sail.", [["1"]]),
    ],
)
def test_a_citation_within_a_sentence_or_behind_the_last_of_a_line_belongs_to_it(answer, expected, policy):
    assert attached(answer, policy) == expected


def test_several_marks_behind_a_stop_go_the_same_way():
    assert attached('It "sails." [1] (E2) [3, 4] Trains run.', "left") == [["1", "E2", "3", "4"], []]
    assert attached('It "sails." [1] (E2) [3, 4] Trains run.', "strict") == [[], ["1", "E2", "3", "4"]]


def test_without_sentences_nothing_is_attached():
    assert attach("[1]", [], citations("[1]"), "left") == []


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["A is B", ". ", "[1]", "\n", " SRD-2", "(", "E1)", "“", "!"]), max_size=30).map("".join)
)
def test_every_citation_belongs_to_exactly_one_sentence(answer):
    found, sentences = citations(answer), sentence_spans(answer)
    for policy in ("strict", "left"):
        together = [c for own in attach(answer, sentences, found, policy) for c in own]
        assert sorted(together, key=repr) == (sorted(found, key=repr) if sentences else [])


def test_two_matches_of_two_found_and_four_wanted():
    found = quality(2, 2, 2, 4)
    assert (found.precision, found.recall) == (1.0, 0.5)
    assert found.f1 == pytest.approx(0.667, abs=5e-4)


def test_without_gold_nothing_is_defined():
    with pytest.raises(ValueError, match="no gold"):
        quality(0, 1, 0, 0)


def test_invalid_citations_lower_precision_and_not_recall():
    found = citation_quality(citations("Sail [1], [2], [9] and SRD-99; by SRD-8."), {"p1", "p2"})
    assert (found.precision, found.recall) == (2 / 5, 1.0)


def test_a_gold_passage_that_the_context_lacked_is_no_hit():
    found = citation_quality(citations("By SRD-8 it sails."), {"p8"})
    assert (found.precision, found.recall, found.f1) == (0.0, 0.0, 0.0)


def test_repeated_citations_count_once():
    found = citations("Sail [1][1]. Again [E1] and SRD-1, [9][9].")
    assert len(cited_units(found)) == 2
    assert citation_quality(found, {"p1"}).precision == 0.5


def test_a_document_of_several_passages_is_one_thing_cited():
    context = [ContextItem("p1", "E1", "SRD-1"), ContextItem("p1b", "E2", "SRD-1")]
    found = citation_quality(citations("By SRD-1 it sails.", context), {"p1b"})
    assert (found.precision, found.recall) == (1.0, 1.0)


def test_an_answer_that_cites_nothing_has_no_precision_and_recall_0():
    found = citation_quality(citations("Boats sail."), {"p1"})
    assert (found.precision, found.recall, found.f1) == (None, 0.0, 0.0)


def test_strict_takes_sentences_for_recall_and_a_gold_citation_for_support():
    found = strict("Boats sail [1]. Trains run [3]. Planes fly.", {"p1", "p2"})
    assert (found.precision, found.recall) == (1 / 2, 1 / 3)


def test_strict_drops_a_sentence_with_an_invalid_citation_whole():
    found = strict("Boats sail [1][9]. Trains run [2].", {"p1", "p2"})
    assert (found.precision, found.recall) == (1.0, 1 / 2)
    assert citation_quality(citations("Boats sail [1][9]. Trains run [2]."), {"p1", "p2"}).recall == 1.0


def test_strict_reads_three_citations_of_a_sentence():
    assert strict("Boats sail [2][3][4][1].", {"p1"}).recall == 0.0
    assert strict("Boats sail [2][3][1][4].", {"p1"}).recall == 1.0


def test_strict_counts_a_repeated_citation_each_time():
    assert strict("Boats sail [1][1][2].", {"p1"}).precision == 2 / 3


def test_strict_gives_0_where_nothing_is_cited_and_nothing_without_a_sentence():
    found = strict("Final Answer: inconclusive", {"p1"})
    assert (found.precision, found.recall, found.f1) == (0.0, 0.0, 0.0)
    assert strict("", {"p1"}).f1 is None


def test_the_context_is_scored_apart_from_what_is_cited():
    assert context_precision(["p1", "p1", "p2", "p3", "p4"], {"p1", "p9"}) == 1 / 4
    assert retrieval_recall(["p1", "p2"], {"p1", "p9"}) == 1 / 2
    assert context_precision([], {"p1"}) is None
    assert retrieval_recall([], {"p1"}) == 0.0


ids = st.sets(st.sampled_from(["p1", "p2", "p3", "p4"]))


@given(st.lists(st.integers(0, 9), max_size=8), ids.filter(bool))
def test_scores_lie_in_0_and_1_and_f1_between_precision_and_recall(labels, gold):
    answer = " ".join(f"Boats sail [{n}]." for n in labels)
    for found in (citation_quality(citations(answer), gold), strict(answer, gold)):
        known = [value for value in (found.precision, found.recall) if value is not None]
        assert all(0 <= value <= 1 for value in known)
        if found.f1:
            assert min(known) - 1e-12 <= found.f1 <= max(known) + 1e-12


def test_the_bootstrap_interval_of_the_mean_agrees_with_theory_and_repeats_itself():
    values = [0.0, 1.0] * 100
    low, high = mean_interval(values)
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.5 / 200**0.5, 0.5 + 1.96 * 0.5 / 200**0.5), abs=0.01)
    assert mean_interval(values) == (low, high)


@pytest.mark.parametrize("values", [[], [0.5], [1.0, 1.0, 1.0]])
def test_resampling_says_nothing_of_one_value_or_equal_ones(values):
    assert mean_interval(values) is None


@given(st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=2, max_size=12))
@settings(deadline=None, max_examples=30)
def test_the_bootstrap_interval_holds_the_mean(values):
    interval = mean_interval(values)
    if interval is not None:
        assert 0 <= interval.low <= sum(values) / len(values) + 1e-12
        assert interval.high <= 1
        assert interval.low < interval.high


def answer_row(number, question, text, status="answered", pipeline="vanilla", repeat=0):
    return {
        "answer_id": f"a{number}",
        "question_id": question,
        "pipeline": pipeline,
        "generator": "g",
        "repeat": repeat,
        "answer": text,
        "status": status,
        "reason": "timeout" if status == "failed" else None,
        "request_key": None,
        "calls": 1,
        "prompt_tokens": 0,
        "completion_tokens": 0,
        "cost": 0.0,
        "latency_s": 0.0,
        "as_of": dt.date(2026, 3, 1),
    }


def retrieval_row(answer_id, n, kept=True, step=0):
    return {
        "answer_id": answer_id,
        "step": step,
        "tool": "search",
        "query": "",
        "rank": n,
        "score": None,
        "passage_id": f"p{n}",
        "path": [],
        "via": "",
        "links": [],
        "kept": kept,
        "position": n - 1 if kept else None,
        "label": f"E{n}" if kept else None,
        "cite_as": f"[E{n}]" if kept else None,
        "cut": None if kept else "cap",
        "source": "embedding",
        "document_id": f"d{n}",
        "reference": f"SRD-{n}",
        "title": f"Requirement {n}",
        "date": "",
        "source_url": "",
        "text": "",
    }


def question_row(name, gold, stratum):
    row = {"question_id": name, "question": name, "topic": "", "stratum": stratum}
    return {**row, "gold_passage_ids": gold, "gold_answer": None, "corpus": "c"}


QUESTION_ROWS = [
    question_row("q1", ["p1"], "1"),
    question_row("q2", ["p1", "p2"], "2"),
    question_row("q3", [], "2"),
    question_row("q4", None, "2"),
]


def tables(answer_rows, question_rows=QUESTION_ROWS):
    answers = frame_of(ANSWERS, answer_rows, embedder="e5")
    rows = [
        retrieval_row(row["answer_id"], n, kept=n < 5)
        for row in answer_rows
        if row["status"] != "failed"
        for n in range(1, 9)
    ]
    retrievals = frame_of(RETRIEVALS, rows, embedder="e5")
    cites = citations_frame(answers, retrievals, CORPUS, "e5")
    scores = citation_scores(answers, cites, retrievals, frame_of(QUESTIONS, question_rows), "e5")
    return cites, scores


def row_of(scores, stratum, pipeline="vanilla"):
    return scores.filter(pipeline=pipeline, stratum=stratum).row(0, named=True)


MIXED = [
    answer_row(1, "q1", "Boats sail [E1]."),
    answer_row(2, "q2", "Boats sail [E1]. Trains run [E3][E9]."),
    answer_row(3, "q2", "Final Answer: inconclusive", "inconclusive", repeat=1),
    answer_row(4, "q1", "", "failed", repeat=1),
    answer_row(5, "q3", "Final Answer: inconclusive", "inconclusive"),
    answer_row(6, "q4", "Boats sail [E1]."),
]


def test_the_tables_keep_their_contracts():
    cites, scores = tables(MIXED)
    found = [*checks(CITATIONS, cites), *checks(CITATION_SCORES, scores)]
    assert [result.name for result in found if not result.passed] == []


def test_the_context_of_an_answer_is_what_the_generator_was_given():
    cites, _ = tables([answer_row(1, "q1", "By SRD-4 and SRD-5.")])
    assert cites.select("cited", "passage_id", "valid").rows() == [("SRD-4", "p4", True), ("SRD-5", "p5", False)]


def test_a_stratum_has_the_means_of_its_answers():
    _, scores = tables(MIXED)
    two = row_of(scores, "2")
    assert (two["n"], two["failed"], two["inconclusive"], two["invalid_citations"]) == (2, 0, 1, 1)
    assert two["citation_precision"] == pytest.approx(1 / 3)
    assert two["citation_recall"] == pytest.approx((0.5 + 0) / 2)
    assert two["citation_f1"] == pytest.approx((0.4 + 0) / 2)
    assert two["context_precision"] == pytest.approx(2 / 4)
    assert two["retrieval_recall"] == 1.0
    assert (two["mean_context"], two["mean_cited"]) == (4.0, 1.5)


def test_failed_answers_are_counted_and_in_no_mean():
    _, scores = tables(MIXED)
    one = row_of(scores, "1")
    assert (one["n"], one["failed"], one["citation_f1"], one["mean_cited"]) == (2, 1, 1.0, 1.0)


def test_questions_without_gold_enter_no_row():
    _, scores = tables(MIXED[4:])
    assert scores.height == 0


def test_a_pipeline_whose_answers_all_failed_has_no_scores_and_is_there():
    _, scores = tables([answer_row(1, "q1", "", "failed")])
    one = row_of(scores, "all")
    assert (one["n"], one["failed"]) == (1, 1)
    assert all(one[name] is None for name in ("citation_precision", "citation_f1", "strict_f1", "retrieval_recall"))


def test_the_row_over_all_strata_holds_each_answer_once():
    _, scores = tables(MIXED)
    assert row_of(scores, "all")["n"] == row_of(scores, "1")["n"] + row_of(scores, "2")["n"]
    rows = [question_row("q1", ["p1"], "all"), question_row("q2", ["p2"], "2")]
    _, mixed = tables(MIXED[:2], rows)
    assert (row_of(mixed, "all")["n"], row_of(mixed, "2")["n"]) == (2, 1)


def test_pipelines_are_never_pooled():
    _, scores = tables([*MIXED, answer_row(7, "q1", "Boats sail [E2].", pipeline="graphrag")])
    assert row_of(scores, "1", "graphrag")["citation_precision"] == 0.0
    assert row_of(scores, "1")["citation_precision"] == 1.0


def test_the_interval_of_f1_resamples_questions_and_not_repeats():
    rows = [answer_row(n, "q1", f"Boats sail [E{1 + n % 2}].", repeat=n) for n in range(20)]
    _, scores = tables(rows)
    one = row_of(scores, "1")
    assert one["citation_f1"] == 0.5
    assert one["citation_f1_low"] is None
