"""People's labels: the words, the shapes, and what they say of claims."""

import json
from pathlib import Path

import pytest

from faithflow.claims.claim import Claim, ClaimKind
from faithflow.corpus.labels import LabelRow, label_rows, verdict_of
from faithflow.corpus.trace import Label, Trace
from faithflow.corpus.traces import read_traces

ANSWER = "Fees fall. Caps rise by 5%. I cannot say more."


def read(tmp_path: Path, **fields: object) -> tuple[Trace, list[str]]:
    path = tmp_path / "traces.jsonl"
    path.write_text(json.dumps({"id": "t", "question": "", "answer": ANSWER, **fields}), encoding="utf-8")
    traces = read_traces(path)
    return next(iter(traces)), [warning.message for warning in traces.warnings]


def claim(text: str, kind: ClaimKind = ClaimKind.STATEMENT, name: str | None = None) -> Claim:
    start = ANSWER.index(text)
    return Claim(name or text, text, start, start + len(text), kind)


FEES, CAPS = claim("Fees fall."), claim("Caps rise by 5%.")
SILENT = claim("I cannot say more.", ClaimKind.ABSTENTION)


def trace_with(*labels: Label) -> Trace:
    return Trace("t", "", ANSWER, (), labels=labels)


def span(text: str, verdict: str, annotator: str = "human") -> Label:
    start = ANSWER.index(text)
    return Label(verdict, annotator, start=start, end=start + len(text))


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        ("Supported", "supported"),
        ("faithful", "supported"),
        ("Entailment", "supported"),
        ("yes", "supported"),
        (True, "supported"),
        (1, "supported"),
        (1.0, "supported"),
        ("1", "supported"),
        ("conditionally-supported", "conditionally_supported"),
        ("partially_supported", "not_in_evidence"),
        ("Contradiction", "contradicted"),
        ("Evident Conflict", "contradicted"),
        ("Subtle Conflict", "contradicted"),
        ("Evident Baseless Info", "not_in_evidence"),
        ("Subtle Baseless Info", "not_in_evidence"),
        ("neutral", "not_in_evidence"),
        ("not supported", "not_in_evidence"),
        ("hallucinated", "not_in_evidence"),
        ("no", "not_in_evidence"),
        (False, "not_in_evidence"),
        (0, "not_in_evidence"),
        ("justified_abstention", "justified_abstention"),
        ("unjustified_abstention", "unjustified_abstention"),
    ],
)
def test_label_words_of_known_data_sets_are_understood(word: object, verdict: str):
    assert verdict_of(word) == verdict  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["", "untrue", "unsupportedly", "maybe", 2, 0.5, None, ["yes"], {"a": 1}])
def test_other_words_are_not_guessed(word: object):
    assert verdict_of(word) is None  # type: ignore[arg-type]


def test_ragtruth_span_objects_are_read_as_they_are(tmp_path: Path):
    item = {
        "start": 11,
        "end": 27,
        "text": "Caps rise by 5%.",
        "meta": "EVIDENT CONFLICT\nthe source says 4%",
        "label_type": "Evident Conflict",
        "implicit_true": False,
        "due_to_null": False,
    }
    trace, warnings = read(tmp_path, labels=[item])
    assert trace.labels == (Label("contradicted", "human", start=11, end=27),)
    assert warnings == []


@pytest.mark.parametrize("key", ["claim_id", "claim", "id"])
def test_a_label_names_its_claim_in_three_ways(tmp_path: Path, key: str):
    trace, _ = read(tmp_path, claims=[{"id": "7", "text": "x"}], labels=[{key: 7, "label": "no", "annotator": "eva"}])
    assert trace.labels == (Label("not_in_evidence", "eva", claim_id="7"),)


def test_labels_left_out_are_unlike_labels_that_found_nothing(tmp_path: Path):
    assert read(tmp_path)[0].labels is None
    assert read(tmp_path, labels=None)[0].labels is None
    assert read(tmp_path, labels=[])[0].labels == ()


@pytest.mark.parametrize(
    ("labels", "warning"),
    [
        ({"start": 0}, "labels that are no list"),
        ("supported", "labels that are no list"),
        (["supported"], "labels that are no objects"),
        ([{"start": 0, "end": 4}], 'labels without "verdict"'),
        ([{"start": 0, "end": 4, "verdict": "meh"}], 'labels with the verdict "meh", which is not known'),
        ([{"start": 0, "end": 4, "verdict": "yes", "label": "no"}], '"label" and "label_type" differ'),
        ([{"verdict": "no"}], 'neither "start" and "end" nor "claim_id"'),
        ([{"start": 0, "end": 999, "verdict": "no"}], "do not lie in the answer"),
        ([{"start": 5, "end": 5, "verdict": "no"}], "do not lie in the answer"),
        ([{"start": -3, "end": 5, "verdict": "no"}], "do not lie in the answer"),
        ([{"start": 1, "end": 5, "text": "Fees", "verdict": "no"}], "is not what stands there"),
    ],
)
def test_labels_that_are_not_understood_are_counted_and_not_used(tmp_path: Path, labels: object, warning: str):
    trace, warnings = read(tmp_path, labels=labels)
    assert trace.labels is None
    assert len(warnings) == 1
    assert warning in warnings[0]


def test_one_lost_span_takes_the_other_spans_of_the_answer_with_it(tmp_path: Path):
    labels = [{"start": 0, "end": 10, "verdict": "yes"}, {"start": 11, "end": 999, "verdict": "no"}]
    assert read(tmp_path, labels=labels)[0].labels is None


def test_one_lost_claim_label_leaves_the_others(tmp_path: Path):
    labels = [{"id": "a", "label": "yes"}, {"id": "b", "label": "meh"}, {"id": "zz", "label": "no"}]
    trace, warnings = read(tmp_path, claims=[{"id": "a", "text": "x"}, {"id": "b", "text": "y"}], labels=labels)
    assert trace.labels == (Label("supported", "human", claim_id="a"),)
    assert len(warnings) == 2
    assert "claim ids that the trace does not have" in warnings[1]


def test_no_labels_give_no_rows_and_an_empty_list_supports_every_statement():
    assert label_rows(Trace("t", "", ANSWER, ()), [FEES]) == []
    assert label_rows(trace_with(), [FEES, CAPS, SILENT]) == [
        LabelRow("t", "Fees fall.", "human", "supported"),
        LabelRow("t", "Caps rise by 5%.", "human", "supported"),
    ]


def test_a_claim_takes_the_verdict_of_the_span_it_shares_a_character_with():
    rows = label_rows(trace_with(span("rise", "not_in_evidence")), [FEES, CAPS])
    assert [row.verdict for row in rows] == ["supported", "not_in_evidence"]


def test_a_span_that_reaches_a_claim_by_white_space_alone_does_not_touch_it():
    label = Label("contradicted", start=0, end=11)
    wide = Claim("wide", "Caps rise by 5%.", 10, 27, ClaimKind.STATEMENT)
    assert [row.verdict for row in label_rows(trace_with(label), [wide])] == ["supported"]


@pytest.mark.parametrize(
    ("verdicts", "gravest"),
    [
        (("not_in_evidence", "contradicted"), "contradicted"),
        (("supported", "not_in_evidence"), "not_in_evidence"),
        (("supported", "conditionally_supported"), "conditionally_supported"),
    ],
)
def test_of_several_spans_on_one_claim_the_gravest_counts(verdicts: tuple[str, str], gravest: str):
    labels = [span("Caps", verdicts[0]), span("5%", verdicts[1])]
    assert [row.verdict for row in label_rows(trace_with(*labels), [CAPS])] == [gravest]


def test_abstentions_are_labelled_only_where_a_span_says_so():
    assert label_rows(trace_with(span("Fees", "contradicted")), [SILENT]) == []
    rows = label_rows(trace_with(span("I cannot say more.", "justified_abstention")), [FEES, SILENT])
    assert [row.verdict for row in rows] == ["supported", "justified_abstention"]


def test_people_are_kept_apart():
    labels = [span("Fees", "contradicted", "eva"), span("Caps", "not_in_evidence", "ole")]
    rows = label_rows(trace_with(*labels), [FEES, CAPS])
    assert [(row.claim_id, row.annotator, row.verdict) for row in rows] == [
        ("Fees fall.", "eva", "contradicted"),
        ("Fees fall.", "ole", "supported"),
        ("Caps rise by 5%.", "eva", "supported"),
        ("Caps rise by 5%.", "ole", "not_in_evidence"),
    ]


def test_claim_labels_speak_of_their_claims_alone():
    labels = [Label("contradicted", claim_id="Fees fall."), Label("supported", claim_id="gone")]
    assert label_rows(trace_with(*labels), [FEES, CAPS]) == [LabelRow("t", "Fees fall.", "human", "contradicted")]


def test_a_claim_label_goes_before_a_span_of_the_same_person():
    labels = [span("Fees", "contradicted"), Label("supported", claim_id="Fees fall.")]
    assert label_rows(trace_with(*labels), [FEES])[0].verdict == "supported"


def test_claims_that_are_not_judged_or_have_no_place_get_no_row_from_spans():
    heading = claim("Fees fall.", ClaimKind.HEADING)
    placeless = Claim("x", "Fees fall.", None, None, ClaimKind.STATEMENT)
    assert label_rows(trace_with(span("Fees", "contradicted")), [heading, placeless]) == []
