"""Traces files in: what is read, what is refused with which words, and that memory stays flat."""

import gzip
import json
import os
import tracemalloc
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from faithflow.corpus.jsonl import LineError, parse_object
from faithflow.corpus.record import trace_of
from faithflow.corpus.trace import Trace
from faithflow.corpus.traces import read_traces
from faithflow.errors import TraceError
from faithflow.identity import content_id

GOOD = {"id": "t1", "question": "Q?", "answer": "A.", "contexts": ["P."]}


def jsonl(path: Path, records: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def one(path: Path, **fields: object):
    (trace,) = read_traces(jsonl(path, [{**GOOD, **fields}]))
    return trace


def refused(path: Path, *records: object) -> str:
    with pytest.raises(TraceError) as caught:
        read_traces(jsonl(path, records))
    return str(caught.value)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "traces.jsonl"


def test_a_full_trace_is_read_field_by_field(file: Path):
    trace = one(
        file,
        contexts=[{"id": "p7", "text": "P.", "source": "graph"}, "Q."],
        pipeline="graphrag",
        stratum="2-hop",
        repeat=2,
        citations=["p7", 3],
        claims=[{"id": 5, "text": "A."}],
        gold={"answer": "G"},
        labels=[{"claim_id": "5", "verdict": "contradicted", "annotator": "eva"}],
    )
    assert (trace.id, trace.question, trace.answer) == ("t1", "Q?", "A.")
    assert [(c.id, c.text, c.source) for c in trace.contexts] == [
        ("p7", "P.", "graph"),
        (content_id("p", "Q."), "Q.", None),
    ]
    assert (trace.pipeline, trace.stratum, trace.repeat, trace.citations) == ("graphrag", "2-hop", 2, ("p7", "3"))
    assert trace.claims is not None
    assert (trace.claims[0].id, trace.claims[0].text) == ("5", "A.")
    assert trace.gold == {"answer": "G"}
    assert trace.labels is not None
    assert (trace.labels[0].verdict, trace.labels[0].annotator, trace.labels[0].claim_id) == (
        "contradicted",
        "eva",
        "5",
    )


def test_what_is_left_out_has_the_defaults_of_the_record(file: Path):
    trace = one(file, pipeline=None, stratum="", repeat=None, citations=None, claims=None, gold=None, labels=None)
    assert (trace.pipeline, trace.stratum, trace.repeat) == ("default", "all", 0)
    assert (trace.citations, trace.claims, trace.gold, trace.labels) == (None, None, None, None)


@pytest.mark.parametrize(
    "record",
    [
        {"user_input": "Q?", "response": "A.", "retrieved_contexts": ["P."], "reference": "G"},
        {"input": "Q?", "actual_output": "A.", "retrieval_context": ["P."], "expected_output": "G"},
        {"question": "Q?", "answer": "A.", "contexts": ["P."], "ground_truth": "G"},
    ],
)
def test_records_of_common_tools_are_read_as_our_own(file: Path, record: dict[str, object]):
    (trace,) = read_traces(jsonl(file, [record]))
    assert (trace.question, trace.answer, trace.contexts[0].text, trace.gold) == ("Q?", "A.", "P.", {"answer": "G"})


def test_a_name_and_its_alias_may_agree_but_not_differ(file: Path):
    assert one(file, response="A.", user_input=None).answer == "A."
    assert '"answer" and "response" name the same field and differ' in refused(file, {**GOOD, "response": "B."})
    assert '"gold.answer" and "reference"' in refused(file, {**GOOD, "gold": {"answer": "x"}, "reference": "y"})


def test_an_alias_of_gold_joins_the_gold_that_is_there(file: Path):
    assert one(file, gold={"hops": 2}, reference="G").gold == {"hops": 2, "answer": "G"}


def test_bad_lines_are_named_by_number_and_reason_and_stop_the_reading(file: Path):
    file.write_bytes(b'\n{"question": "Q"}\n' + json.dumps(GOOD).encode() + b'\n{"question": \n[1]\n"text"\n')
    with pytest.raises(TraceError) as caught:
        read_traces(file)
    message = str(caught.value)
    assert '4 bad lines\n  line 2: no "answer"\n  line 4: not JSON' in message
    assert "line 5: a JSON object was expected, one a line; this line holds a list" in message
    assert "--skip-bad" in message


def test_of_many_bad_lines_twenty_are_shown_and_the_rest_counted(file: Path):
    message = refused(file, *[{"question": "Q"}] * 33)
    assert message.count('no "answer"') == 20
    assert "and 13 more" in message


def test_skip_bad_keeps_the_bad_lines_out_and_reports_them(file: Path):
    jsonl(file, [{"question": "Q"}, GOOD, GOOD])
    traces = read_traces(file, skip_bad=True)
    assert [trace.id for trace in traces] == ["t1"]
    assert traces.count == 1
    assert [str(bad) for bad in traces.bad] == [
        'line 1: no "answer"',
        'line 3: the id "t1" stands on line 2 already; ids must be unique in the file',
    ]


def test_a_file_in_which_every_line_is_bad_is_refused_even_with_skip_bad(file: Path):
    jsonl(file, [{"question": "Q"}])
    with pytest.raises(TraceError, match='line 1: no "answer"'):
        read_traces(file, skip_bad=True)


def test_an_empty_file_is_refused(file: Path):
    file.write_bytes(b"\xef\xbb\xbf\r\n \n")
    with pytest.raises(TraceError, match="holds no traces"):
        read_traces(file)


def test_a_byte_order_mark_blank_lines_windows_ends_and_a_missing_last_end_are_fine(file: Path):
    lines = [json.dumps({**GOOD, "id": str(n)}).encode() for n in range(3)]
    file.write_bytes(b"\xef\xbb\xbf" + lines[0] + b"\r\n\r\n  \n" + lines[1] + b"\n" + lines[2])
    assert [trace.id for trace in read_traces(file)] == ["0", "1", "2"]


def test_a_line_separator_inside_a_text_breaks_no_record(file: Path):
    file.write_text(json.dumps({**GOOD, "answer": "a\u2028b\u0085c"}, ensure_ascii=False), encoding="utf-8")
    assert next(iter(read_traces(file))).answer == "a\u2028b\u0085c"


def test_gzip_is_read_and_a_cut_one_refused(tmp_path: Path):
    path = tmp_path / "traces.jsonl.gz"
    packed = gzip.compress("".join(json.dumps({**GOOD, "id": n}) + "\n" for n in range(500)).encode())
    path.write_bytes(packed)
    assert read_traces(path).count == 500
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(TraceError, match="gzip file is damaged or cut"):
        read_traces(path)


def test_bytes_that_are_no_utf8_are_named_by_line_and_place(file: Path):
    file.write_bytes(json.dumps(GOOD).encode() + b'\n{"question": "caf\xe9", "answer": ""}\n')
    with pytest.raises(TraceError, match="line 2: not UTF-8: byte 0xe9 at byte 18"):
        read_traces(file)


def test_a_utf16_file_is_named_as_such(file: Path):
    file.write_text(json.dumps(GOOD), encoding="utf-16")
    with pytest.raises(TraceError, match="UTF-16"):
        read_traces(file)


@pytest.mark.parametrize("text", [json.dumps([GOOD]), json.dumps([GOOD], indent=1)])
def test_a_json_array_is_told_apart(file: Path, text: str):
    file.write_text(text)
    with pytest.raises(TraceError, match="one JSON array, not JSON Lines"):
        read_traces(file, skip_bad=True)


def test_an_indented_object_is_told_apart(file: Path):
    file.write_text(json.dumps(GOOD, indent=1))
    with pytest.raises(TraceError, match="spread over several lines"):
        read_traces(file)


@pytest.mark.parametrize("missing", ["nowhere.jsonl", "."])
def test_a_file_that_is_not_there_or_no_file_is_named(tmp_path: Path, missing: str):
    with pytest.raises(TraceError, match=r"cannot be read|not a file"):
        read_traces(tmp_path / missing)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"question": "a", "question": "b"}', 'the key "question" stands twice'),
        (b'{"contexts": [{"text": "a", "text": "a"}]}', 'the key "text" stands twice'),
        (b'{"repeat": NaN}', "NaN is not JSON; write null"),
        (b'{"repeat": -Infinity}', "-Infinity is not JSON"),
        (b'{"repeat": 1e999}', "1e999 is too large"),
        (b'{"id": ' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"a": 1} {"b": 2}', "not JSON: Extra data"),
        (b"{'question': 'a'}", "not JSON"),
    ],
)
def test_lines_that_lenient_readers_let_pass_are_refused(line: bytes, reason: str):
    with pytest.raises(LineError) as caught:
        parse_object(line)
    assert reason in str(caught.value)


def test_half_a_character_is_replaced_one_for_one_and_counted(file: Path):
    file.write_text(r'{"question": "\ud83d\ude00", "answer": "a\ud83d b", "contexts": ["\udc00"]}')
    traces = read_traces(file)
    (trace,) = traces
    assert (trace.question, trace.answer, trace.contexts[0].text) == ("😀", "a\ufffd b", "\ufffd")
    assert "lone surrogate" in str(traces.warnings[0])


def test_numbers_as_ids_are_kept_as_text_and_clash_with_the_same_text(file: Path):
    assert one(file, id=12).id == "12"
    assert 'line 2: the id "12" stands on line 1 already' in refused(file, {**GOOD, "id": 12}, {**GOOD, "id": "12"})


def test_a_missing_id_becomes_a_hash_of_the_whole_trace(file: Path):
    bare = {"question": "Q?", "answer": "A.", "contexts": ["P."]}
    variants = [
        bare,
        {**bare, "answer": "B."},
        {**bare, "contexts": []},
        {**bare, "pipeline": "p"},
        {**bare, "repeat": 1},
    ]
    ids = [trace.id for trace in read_traces(jsonl(file, variants))]
    assert len(set(ids)) == len(variants)
    assert [trace.id for trace in read_traces(file)] == ids


def test_the_same_trace_twice_without_ids_is_refused_with_both_lines(file: Path):
    bare = {"question": "Q?", "answer": "A."}
    message = refused(file, bare, bare)
    assert 'line 2: the same trace as line 1; give each an "id", or number them by "repeat"' in message


@pytest.mark.parametrize("contexts", [None, [], [""], [None], [{"text": None}], "missing"])
def test_no_evidence_in_any_shape_is_no_evidence(file: Path, contexts: object):
    record = {key: value for key, value in {**GOOD, "contexts": contexts}.items() if value != "missing"}
    (trace,) = read_traces(jsonl(file, [record]))
    assert trace.evidence == ()


@pytest.mark.parametrize("answer", [None, ""])
def test_an_empty_answer_is_a_trace(file: Path, answer: str | None):
    assert one(file, answer=answer, question=None).answer == ""


def test_a_passage_listed_twice_is_kept_once_and_counted(file: Path):
    traces = read_traces(jsonl(file, [{**GOOD, "contexts": ["P.", {"text": "P.", "source": "web"}]}]))
    (trace,) = traces
    assert len(trace.contexts) == 1
    assert [str(warning) for warning in traces.warnings] == [
        "a passage listed twice in one trace, kept once (1 times, first on line 1)"
    ]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"question": 3}, '"question" must be text, not a number'),
        ({"question": ["hi"]}, '"question" must be text, not a list'),
        ({"answer": {"a": 1}}, '"answer" must be text, not an object'),
        ({"contexts": "P."}, '"contexts" must be a list, not text'),
        ({"contexts": [3]}, 'contexts[0] must be text or an object with "text", not a number'),
        ({"contexts": [{"id": "x"}]}, 'contexts[0] has no "text"'),
        ({"contexts": [{"text": 1}]}, "contexts[0].text must be text"),
        (
            {"contexts": [{"id": "x", "text": "a"}, {"id": "x", "text": "b"}]},
            'contexts[1]: the id "x" was given to another',
        ),
        ({"pipeline": ["a"]}, '"pipeline" must be text or a number, not a list'),
        ({"stratum": "*"}, '"stratum" must not be "*"'),
        ({"repeat": -1}, '"repeat" must be a whole number'),
        ({"repeat": 1.5}, '"repeat" must be a whole number'),
        ({"repeat": True}, '"repeat" must be a whole number'),
        ({"id": True}, '"id" must be text or a number, not true or false'),
        ({"citations": "p1"}, '"citations" must be a list, not text'),
        ({"claims": [{"id": "c"}]}, "claims[0] must be text"),
        ({"claims": [{"id": 1, "text": "a"}, {"id": "1", "text": "b"}]}, "claims[1] has the same id as claims[0]"),
        ({"claims": ["a", "a"]}, "claims[1] is the same text as claims[0]"),
        ({"gold": "G"}, '"gold" must be an object, not text'),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(file: Path, fields: dict[str, object], reason: str):
    assert f"line 1: {reason}" in refused(file, {**GOOD, **fields})


def test_a_mistyped_required_field_is_guessed(file: Path):
    assert 'no "answer"; did you mean it by "anwser"?' in refused(file, {"question": "Q", "anwser": "A"})


def test_unknown_keys_are_counted_with_the_near_name_and_private_ones_passed_over(file: Path):
    records = [{**GOOD, "id": n, "pipline": "x", "zzz": 1, "_note": "mine"} for n in range(3)]
    warnings = [str(warning) for warning in read_traces(jsonl(file, records)).warnings]
    assert warnings == [
        'unknown key "pipline" (did you mean "pipeline"?), ignored (3 times, first on line 1)',
        'unknown key "zzz", ignored (3 times, first on line 1)',
    ]


def test_a_new_unknown_key_on_every_line_fills_no_memory(file: Path):
    warnings = read_traces(jsonl(file, [{**GOOD, "id": n, f"key{n:04}": 1} for n in range(300)])).warnings
    assert len(warnings) == 101
    assert warnings[-1].count == 200


def test_a_file_that_changed_after_the_check_is_not_read(file: Path):
    traces = read_traces(jsonl(file, [GOOD]))
    jsonl(file, [{**GOOD, "answer": "Another answer."}])
    with pytest.raises(TraceError, match="changed while it was in use"):
        list(traces)


def test_a_line_that_goes_bad_while_it_is_read_is_a_changed_file(file: Path):
    traces = read_traces(jsonl(file, [GOOD]))
    os.truncate(file, 10)
    os.utime(file, ns=(traces.stamp[1], traces.stamp[1]))
    stale = type(traces)(traces.path, traces.count, traces.bad, traces.warnings, (10, traces.stamp[1]))
    with pytest.raises(TraceError, match="changed while it was in use"):
        list(stale)


def test_memory_is_flat_in_the_number_of_traces(file: Path):
    def peak(count: int) -> int:
        jsonl(file, ({**GOOD, "id": str(n), "answer": "word " * 400} for n in range(count)))
        tracemalloc.start()
        traces = read_traces(file)
        assert sum(1 for _ in traces) == count
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    small, large = peak(200), peak(4000)
    # 3,800 more traces are 7.6 MB of answers; their ids and line numbers are some 200 bytes each
    assert large - small < 1_500_000


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = (
    scalars
    | st.lists(scalars, max_size=2)
    | st.lists(st.dictionaries(st.sampled_from(["id", "text", "start", "end", "verdict"]), scalars), max_size=2)
)
field_names = st.sampled_from(
    ["id", "question", "answer", "contexts", "pipeline", "stratum", "repeat", "citations", "claims", "gold", "labels"]
)


def outcome(line: bytes) -> Trace | str:
    """The trace of a line, or the reason why there is none."""
    try:
        return trace_of(parse_object(line)[0])[0]
    except LineError as error:
        return str(error)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(field_names, values))
def test_any_record_gives_a_trace_with_unique_context_ids_or_a_reason(record: dict[str, object]):
    result = outcome(json.dumps(record).encode())
    assert result
    if isinstance(result, Trace):
        assert result.id
        assert len({context.id for context in result.contexts}) == len(result.contexts)


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_give_a_reason_and_no_crash(line: bytes):
    assert isinstance(outcome(line), str)


@settings(deadline=None)
@given(st.lists(st.text(min_size=1), min_size=1, max_size=4), st.text(), st.text())
def test_what_is_written_is_what_is_read(passages: list[str], question: str, answer: str):
    record = {"question": question, "answer": answer, "contexts": passages}
    trace, _ = trace_of(parse_object(json.dumps(record, ensure_ascii=False).encode())[0])
    assert (trace.question, trace.answer) == (question, answer)
    assert [context.text for context in trace.contexts] == list(dict.fromkeys(passages))
