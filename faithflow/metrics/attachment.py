"""Which sentence a citation belongs to, under a declared policy."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

from faithflow.corpus.citations import Citation
from faithflow.text.spans import Span

Policy = Literal["strict", "left"]

_STOPS = ".!?…。！？।"
_CLOSERS = "\"'”’»)*_"
_OPENERS = " \t([{,;*_"
_PUNCTUATION = " \t)]}.,;:*_"


def attach(
    answer: str, sentences: Sequence[Span], citations: Sequence[Citation], policy: Policy
) -> list[list[Citation]]:
    """For each sentence, in order, the citations that belong to it; `sentences` are disjoint and sorted.

    A citation within a sentence, also right before its stop, belongs to it under both policies. They differ on one
    behind a stop, as in "A is B. [1] C is D.": `left` gives [1] to the statement before it, "A is B."; `strict` to the
    text that follows it on the line, "C is D.", as a splitter does that knows no citations; where nothing follows on
    the line, to the sentence before. Neither depends on how the splitter deals with citations. Without any sentence
    there is nothing to belong to.
    """
    attached: list[list[Citation]] = [[] for _ in sentences]
    if not sentences:
        return attached
    starts = [sentence.start for sentence in sentences]
    ordered = sorted(citations, key=lambda c: (c.char_start, c.char_end))
    before = _before(answer, ordered)
    after = _after(answer, ordered)
    for citation in citations:
        stop = _stop(answer, before[citation.char_start])
        place = citation.char_start
        if stop is not None:
            following = after[citation.char_end]
            is_last = following == len(answer) or answer[following] == "\n"
            place = stop if policy == "left" or is_last else following
        attached[max(bisect_right(starts, place) - 1, 0)].append(citation)
    return attached


def _before(answer: str, ordered: Sequence[Citation]) -> dict[int, int]:
    """For each mark's start the place behind the text before it: blanks, brackets and other marks are passed over."""
    ends = {citation.char_end: citation.char_start for citation in ordered}
    found: dict[int, int] = {}
    for citation in ordered:
        place = citation.char_start
        while place > 0:
            if place in ends and ends[place] < citation.char_start:
                place = found[ends[place]]
                break
            if answer[place - 1] not in _OPENERS:
                break
            place -= 1
        found[citation.char_start] = place
    return found


def _after(answer: str, ordered: Sequence[Citation]) -> dict[int, int]:
    """For each mark's end the place of the text after it, passing over the same."""
    starts = {citation.char_start: citation.char_end for citation in ordered}
    found: dict[int, int] = {}
    for citation in reversed(ordered):
        place = citation.char_end
        while place < len(answer):
            if starts.get(place, 0) > citation.char_end:
                place = found[starts[place]]
                break
            if answer[place] not in _PUNCTUATION and answer[place] not in _OPENERS:
                break
            place += 1
        found[citation.char_end] = place
    return found


def _stop(answer: str, place: int) -> int | None:
    """Where the stop is that the text before `place` ends in, quotes and brackets behind it passed over."""
    last = place - 1
    while last >= 0 and answer[last] in _CLOSERS:
        last -= 1
    return last if last >= 0 and answer[last] in _STOPS else None
