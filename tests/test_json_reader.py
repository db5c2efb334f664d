"""Reading JSON that a model wrote."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from faithflow.llm.json_reader import has_object, read_items, read_object

VALID = {"verdicts": [{"id": "c1", "verdict": "supported"}]}


def is_reply(value: dict[str, Any]) -> bool:
    return "verdicts" in value


def test_a_fenced_object_is_read() -> None:
    assert read_object(f"Here it is:\n```json\n{json.dumps(VALID, indent=2)}\n```\nBye.", is_reply) == VALID


def test_a_brace_inside_a_string_does_not_end_the_object() -> None:
    assert read_object('{"verdicts": [], "note": "a } and a { b"}', is_reply) == {
        "verdicts": [],
        "note": "a } and a { b",
    }


def test_a_bracketed_word_before_the_object_does_no_harm() -> None:
    assert read_object(f"[draft] {json.dumps(VALID)}", is_reply) == VALID


def test_a_think_block_that_is_no_json_is_passed_over() -> None:
    assert read_object(f"<think>{{x}}</think>{json.dumps(VALID)}", is_reply) == VALID


def test_a_draft_inside_a_think_block_is_no_reply() -> None:
    assert read_object(f"<think>{json.dumps(VALID)}</think> I give up.", is_reply) is None


def test_an_unclosed_think_block_holds_no_reply() -> None:
    assert read_object(f"<think>maybe {json.dumps(VALID)}", is_reply) is None


def test_think_tags_inside_a_string_stay() -> None:
    value = {"verdicts": [], "note": "the text <think> and </think> is quoted"}
    assert read_object(json.dumps(value), is_reply) == value


def test_a_raw_newline_inside_a_string_is_read() -> None:
    assert read_object('{"verdicts": [], "note": "two\nlines"}', is_reply) == {"verdicts": [], "note": "two\nlines"}


def test_the_last_valid_object_wins() -> None:
    first, last = {"verdicts": [1]}, {"verdicts": [2]}
    assert read_object(f"{json.dumps(first)} better: {json.dumps(last)} {{}}", is_reply) == last


def test_whole_items_of_a_cut_object_are_found() -> None:
    cut = '{"verdicts": [{"id": "c1", "verdict": "supported"}, {"id": "c2", "verd'
    assert read_items(cut, lambda item: "verdict" in item) == [{"id": "c1", "verdict": "supported"}]


def test_code_stays_text() -> None:
    assert not has_object("__import__('os').system('true')")


def test_a_hostile_run_of_braces_ends_soon() -> None:
    assert read_object('{"a":' * 200_000, is_reply) is None


@given(st.text())
def test_no_text_raises(text: str) -> None:
    read_object(text, is_reply)
    has_object(text)


@given(
    st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.text())),
    st.text(alphabet=st.characters(exclude_characters="{<")),
    st.text(alphabet=st.characters(exclude_characters="{<")),
)
def test_an_object_is_found_between_any_words(value: dict[str, Any], before: str, after: str) -> None:
    assert read_object(before + json.dumps(value) + after, lambda _: True) == value
