"""A document that does not fit a judge's context window is shown in parts, complete and cut between sentences."""

from collections.abc import Sequence

from faithflow.graph.triple_gold import Fact
from faithflow.graph.triple_prompt import AskedTriple, judge_messages
from faithflow.llm.tokens import estimate_prompt, estimate_tokens
from faithflow.text.sentences import sentence_spans

# What a judge writes for one triple (id, label, a sentence), and for the facts that it finds missing.
TOKENS_PER_TRIPLE = 70
TOKENS_FOR_MISSED = 900

# Triples of one ask: with more of them models begin to drop some.
MOST_TRIPLES = 100

# A part that would leave less room than this for the text is none: then fewer triples go with it.
_LEAST_TEXT = 300


class TooLongError(Exception):
    """One triple alone leaves no room for text in the judge's window."""


def batches(asked: Sequence[AskedTriple], title: str, context_window: int | None) -> list[list[AskedTriple]]:
    """The triples in runs that leave room for text; one empty run where there are none, as facts may be missed.

    Raises TooLongError where a triple alone leaves no room.
    """
    if not asked:
        return [[]]
    runs: list[list[AskedTriple]] = []
    for each in asked:
        tried = [*runs[-1], each] if runs else [each]
        if runs and len(tried) <= MOST_TRIPLES and room_for_text(title, tried, context_window, share=2) >= _LEAST_TEXT:
            runs[-1] = tried
        else:
            runs.append([each])
            if room_for_text(title, [each], context_window) < _LEAST_TEXT:
                raise TooLongError
    return runs


def room_for_text(title: str, asked: Sequence[AskedTriple], context_window: int | None, share: int = 1) -> int:
    """The tokens that prompt, triples and reply leave for the text; with `share` 2 triples take half at most."""
    if context_window is None:
        return 10**9
    fixed = estimate_prompt(judge_messages(title, "", ()))
    triples = estimate_prompt(judge_messages("", "", asked)) - estimate_prompt(judge_messages("", "", ()))
    reply = TOKENS_FOR_MISSED + TOKENS_PER_TRIPLE * len(asked)
    free = context_window - fixed - TOKENS_FOR_MISSED
    used = triples + reply - TOKENS_FOR_MISSED
    return free - used if used <= free // share else 0


def parts_of(text: str, room: int) -> list[str]:
    """A text whole where it fits, else in runs of sentences; a sentence that is too long is halved."""
    if estimate_tokens(text) <= room:
        return [text]
    cuts = [span.start for span in sentence_spans(text)][1:]
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    runs: list[str] = []
    used = 0
    for bit in (bit for piece in pieces for bit in _bits(piece, room)):
        # one more: white space that was cut in two counts as a run on either side
        size = estimate_tokens(bit) + 1
        if runs and used + size <= room:
            runs[-1] += bit
            used += size
        else:
            runs.append(bit)
            used = size
    return runs


def _bits(piece: str, room: int) -> list[str]:
    if estimate_tokens(piece) + 1 <= room or len(piece) < 2:
        return [piece]
    half = len(piece) // 2
    return [*_bits(piece[:half], room), *_bits(piece[half:], room)]


def numbered(facts: Sequence[Fact]) -> list[AskedTriple]:
    """The triples under their local ids."""
    return [AskedTriple(f"t{number}", fact) for number, fact in enumerate(facts, start=1)]
