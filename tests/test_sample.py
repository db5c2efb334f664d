"""The bundled sample: rebuilt byte for byte, and rich enough to show every kind of outcome."""

from collections import Counter

import pytest

from faithflow.claims.extraction import claims_of
from faithflow.corpus.labels import label_rows
from faithflow.corpus.trace import Trace
from faithflow.corpus.traces import read_traces
from faithflow.judging.verdict import Label
from faithflow.sample import sample_traces
from faithflow.sample.build import marked_answer, sample_bytes, topics
from faithflow.text.sentences import sentence_spans


@pytest.fixture(scope="module")
def traces() -> list[Trace]:
    return list(read_traces(sample_traces()))


def test_building_it_again_gives_the_same_bytes():
    assert sample_bytes() == sample_traces().read_bytes(), "run: python -m faithflow.sample.build"


def test_it_reads_without_a_warning():
    assert read_traces(sample_traces()).warnings == ()


def test_it_holds_enough_questions_pipelines_and_strata(traces: list[Trace]):
    assert len({trace.question for trace in traces}) >= 44
    assert len(traces) >= 132
    assert set(Counter(trace.pipeline for trace in traces)) == {"vanilla", "graphrag", "web", "multi_tool"}
    assert set(Counter(trace.stratum for trace in traces)) == {"1", "2", "3+"}
    assert any(trace.repeat for trace in traces)


def test_every_question_was_put_to_three_pipelines_or_more(traces: list[Trace]):
    asked: dict[str, set[str]] = {}
    for trace in traces:
        asked.setdefault(trace.question, set()).add(trace.pipeline)
    assert {question: names for question, names in asked.items() if len(names) < 3} == {}


def test_every_verdict_stands_among_its_labels(traces: list[Trace]):
    counts = Counter(label.verdict for trace in traces for label in trace.labels or ())
    assert set(counts) == {label.value for label in Label}
    assert min(counts.values()) >= 5
    assert all(trace.labels for trace in traces)


def test_every_source_and_the_lack_of_any_evidence_occur(traces: list[Trace]):
    assert {context.source for trace in traces for context in trace.contexts if context.source} == {
        "embedding",
        "graph",
        "web",
    }
    assert any(trace.contexts == () for trace in traces)
    assert any(trace.contexts and not trace.evidence for trace in traces)


def test_passages_are_shared_between_answers(traces: list[Trace]):
    shared = Counter(context.id for trace in traces for context in trace.contexts)
    assert sum(1 for uses in shared.values() if uses > 1) > 40


def test_no_passage_was_written_for_nothing():
    unused = [
        passage
        for topic in topics()
        for passage in topic.passages
        if not any(
            passage in found
            for question in topic.questions
            for answer in question.answers.values()
            for found in answer.evidence.values()
        )
    ]
    assert unused == []


@pytest.mark.parametrize(
    ("script", "first", "last"),
    [("Greek", "α", "ω"), ("Cyrillic", "а", "я"), ("Devanagari", "अ", "ह"), ("Han", "一", "龥"), ("Arabic", "ا", "ي")],
)
def test_other_scripts_are_there(traces: list[Trace], script: str, first: str, last: str):
    assert sum(any(first <= character <= last for character in trace.answer) for trace in traces) >= 4, script


def test_texts_that_address_the_judge_are_there_as_data(traces: list[Trace]):
    assert any("IGNORE ALL EARLIER INSTRUCTIONS" in c.text for trace in traces for c in trace.contexts)
    assert any("[END OF DATA]" in trace.answer for trace in traces)


def test_each_sentence_of_an_answer_meets_one_verdict_alone(traces: list[Trace]):
    mixed: list[tuple[str, str]] = []
    for trace in traces:
        for span in sentence_spans(trace.answer):
            met = {
                label.verdict
                for label in trace.labels or ()
                if label.start is not None
                and label.end is not None
                and trace.answer[max(label.start, span.start) : min(label.end, span.end)].strip()
            }
            if len(met) > 1:
                mixed.append((trace.id, trace.answer[span.start : span.end]))
    assert mixed == []


def test_lines_are_joined_and_labelled_where_they_end_up():
    marked = "# ## Found\n\n+ A is B [1].\nx C is D.\n\n# List:\n? - E\n/ - F\n"
    text, labels = marked_answer(marked, " ")
    assert text == "## Found\n\nA is B [1]. C is D.\n\nList:\n- E\n- F"
    assert [(text[label["start"] : label["end"]], label["verdict"]) for label in labels] == [  # type: ignore[misc]
        ("A is B [1].", "supported"),
        ("C is D.", "contradicted"),
        ("- E", "not_in_evidence"),
        ("- F", "justified_abstention"),
    ]


@pytest.mark.parametrize("line", ["A is B.", "+", "! A is B."])
def test_a_line_without_a_code_is_refused(line: str):
    with pytest.raises(ValueError, match="no code"):
        marked_answer(line, " ")


def test_the_labels_of_the_author_reach_the_claims(traces: list[Trace]):
    counts: Counter[str] = Counter()
    for trace in traces:
        rows = label_rows(trace, claims_of(trace).claims)
        assert {row.annotator for row in rows} <= {"author"}
        counts.update(row.verdict for row in rows)
    assert set(counts) == {label.value for label in Label}
