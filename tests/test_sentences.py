"""What holds for the sentences of any text whatever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.text.scripts import solid_length, trim
from faithflow.text.sentences import sentence_spans

ANYTHING = st.one_of(
    st.text(max_size=400),
    st.text(st.sampled_from("aB1. \n\r.!?。؟।…-*_#>|`~[]()（）<br/>\"'“”«»\u200b\ufeff;:,"), max_size=200),
)
HOSTILE = [". ", "?!", "()", ").", "(.", "[", "a.[1]", ".[1]", "[1](x) ", "**a", 'a."', "a\n", "- ", "-\n", "~~~\n"]
HOSTILE += ["```\n", "```py\n", "|-|\n", "a|b\n", "a. ", "Dr. A", "A. ", "a. (b 1) ", "a. (1(", ">", "# a\n", "\u200b"]
HOSTILE += [
    "---\n",
    "a\n---",
    "<br",
    "<br>",
    "α;",
    "1. ",
    "1.",
    "a。）",
    "¹",
    "\u2028",
    "\x85",
    " ",
    ".",
    "(",
    "*",
    '"',
    "#",
]


@given(ANYTHING)
def test_spans_are_ordered_disjoint_trimmed_and_cover_all_that_is_no_blank(text: str) -> None:
    end = 0
    covered = 0
    for span in sentence_spans(text):
        assert end <= span.start < span.end <= len(text)
        assert trim(text, span.start, span.end) == (span.start, span.end)
        covered += solid_length(text, span.start, span.end)
        end = span.end
    assert covered == solid_length(text)


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_text_of_any_size_is_split_like_a_small_one(piece: str) -> None:
    # A quadratic step would need minutes for a text of this length, and the run's limit would end it.
    text = piece * (200_000 // len(piece))
    assert sum(solid_length(text, span.start, span.end) for span in sentence_spans(text)) == solid_length(text)


def test_a_sentence_of_any_length_stays_whole() -> None:
    text = "The list holds " + ", ".join(f"item {number}" for number in range(20_000)) + "."
    assert [span.of(text) for span in sentence_spans(text)] == [text]
