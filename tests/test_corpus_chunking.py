"""Documents cut into passages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.corpus.chunking import passages_of
from faithflow.corpus.document import Document, Passage
from faithflow.errors import CorpusError
from faithflow.text.unicode import is_blank

_PIECES = st.sampled_from(
    [
        *("A word. ", "Two sentences stand here. And one more! ", "Art. 5(2) of Dr. No. ", "é. ", "第三条。", "x" * 70),
        *("\n\n", "\n", " ", "\t", "\u200b", "\x07", "\u2028"),
        *("# Heading\n\n", "- an item\n", "| a | b |\n", "```\ncode\n```\n", "1. "),
    ]
)
_TEXTS = st.lists(_PIECES | st.text(max_size=20), max_size=40).map("".join)


def cut(text: str, max_chars: int = 1000, overlap: int = 0) -> list[Passage]:
    return passages_of(Document("D", "text", "", text), max_chars, overlap)


@given(_TEXTS, st.integers(1, 120), st.data())
@settings(max_examples=400, deadline=None)
def test_passages_hold_all_that_is_seen_at_their_offsets_within_the_cap(
    text: str, max_chars: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, max_chars - 1))
    passages = cut(text, max_chars, overlap)
    covered: set[int] = set()
    for position, passage in enumerate(passages):
        assert passage.position == position
        assert passage.text == text[passage.char_start : passage.char_end]
        assert not is_blank(passage.text)
        assert len(passage.text) <= max_chars + overlap
        covered.update(range(passage.char_start, passage.char_end))
    assert not [i for i, char in enumerate(text) if i not in covered and not is_blank(char)]
    assert len({passage.passage_id for passage in passages}) == len(passages)


@given(_TEXTS, st.integers(1, 120))
@settings(max_examples=200, deadline=None)
def test_passages_without_overlap_are_disjoint_and_in_order(text: str, max_chars: int) -> None:
    ends = 0
    for passage in cut(text, max_chars):
        assert passage.char_start >= ends
        ends = passage.char_end


def test_a_paragraph_of_up_to_the_cap_is_never_cut() -> None:
    paragraph = "It stands. " * 9 + "It ends."
    passages = cut(f"A first one, short.\n\n{paragraph}\n\nA last one.", len(paragraph))
    assert [passage.text for passage in passages] == ["A first one, short.", paragraph, "A last one."]


def test_small_paragraphs_share_a_passage() -> None:
    assert [passage.text for passage in cut("One.\n\nTwo.\n\nThree.", 11)] == ["One.\n\nTwo.", "Three."]


def test_a_long_paragraph_is_cut_at_sentence_ends() -> None:
    text = "The first sentence is here. The second one follows. The third ends it."
    assert [passage.text for passage in cut(text, 55)] == [
        "The first sentence is here. The second one follows.",
        "The third ends it.",
    ]


def test_a_sentence_longer_than_the_cap_is_cut_at_blanks() -> None:
    assert [passage.text for passage in cut("alpha beta gamma delta", 12)] == ["alpha beta", "gamma delta"]


def test_a_word_longer_than_the_cap_is_cut_where_it_must_be() -> None:
    assert [passage.text for passage in cut("a" * 25, 10)] == ["a" * 10, "a" * 10, "a" * 5]


def test_a_heading_goes_with_what_follows_it() -> None:
    passages = cut("Some words before it.\n\n# The heading\n\nWords that follow, some.", 42)
    assert [passage.text for passage in passages] == [
        "Some words before it.",
        "# The heading\n\nWords that follow, some.",
    ]


def test_overlap_begins_at_a_sentence_of_the_passage_before() -> None:
    text = "The first is here. The second follows.\n\nThe third ends it."
    passages = cut(text, 40, overlap=25)
    assert [passage.text for passage in passages] == [
        "The first is here. The second follows.",
        "The second follows.\n\nThe third ends it.",
    ]


def test_a_blank_document_has_no_passages() -> None:
    assert cut(" \n\n​\t\x0b") == []


def test_a_text_of_one_line_of_a_million_characters_is_cut_in_reasonable_time() -> None:
    assert len(cut("word " * 200_000)) == 1000


@pytest.mark.parametrize(("max_chars", "overlap"), [(0, 0), (10, 10), (10, -1)])
def test_sizes_that_make_no_sense_are_refused(max_chars: int, overlap: int) -> None:
    with pytest.raises(CorpusError, match="overlap"):
        cut("Words.", max_chars, overlap)
