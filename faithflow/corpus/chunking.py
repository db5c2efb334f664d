"""Documents cut into passages: at the ends of blocks, else of sentences, else of words."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise

from faithflow.corpus.document import Document, Passage
from faithflow.errors import CorpusError
from faithflow.text.blocks import BlockKind, blocks_of
from faithflow.text.scripts import trim
from faithflow.text.sentences import block_sentences, sentence_spans
from faithflow.text.spans import Span
from faithflow.text.unicode import is_blank


def passages_of(document: Document, max_chars: int = 1000, overlap: int = 0) -> list[Passage]:
    """The document's passages, in order; every character that is no blank lies in one, and none is blank.

    Neighbouring blocks (paragraphs, list items, …) share a passage up to `max_chars` characters, a heading goes with
    what follows it, and a block of up to `max_chars` is never cut. A longer one is cut at sentence ends, a longer
    sentence at blanks, a longer word anywhere. With `overlap` a passage begins up to that many characters earlier, at
    a sentence's start where one lies there, else at a word's: it then has up to `max_chars + overlap` characters.
    Raises CorpusError where `max_chars` is below 1, or `overlap` is negative or not below `max_chars`.
    """
    if max_chars < 1 or not 0 <= overlap < max_chars:
        raise CorpusError(
            f"passages of {max_chars} characters that overlap by {overlap}: max_chars must be above 0, "
            "and overlap from 0 to below max_chars"
        )
    text = document.text
    cores = _packed(text, _pieces(text, max_chars), max_chars)
    if overlap:
        sentences = [sentence.start for sentence in sentence_spans(text)]
        cores = [*cores[:1], *(_extended(text, a, b, sentences, overlap) for a, b in pairwise(cores))]
    document_id = document.document_id
    return [Passage(document_id, i, core.start, core.end, core.of(text)) for i, core in enumerate(cores)]


def _pieces(text: str, max_chars: int) -> Iterator[tuple[bool, Span]]:
    """What is not cut further, each of at most `max_chars` characters, and whether it is a heading."""
    for block in blocks_of(text):
        heading = block.kind is BlockKind.HEADING
        if block.end - block.start <= max_chars:
            yield heading, Span(block.start, block.end)
            continue
        for sentence in block_sentences(text, block):
            for piece in _words(text, sentence, max_chars):
                yield heading, piece


def _words(text: str, sentence: Span, max_chars: int) -> Iterator[Span]:
    """A sentence cut at blanks into pieces of at most `max_chars` characters."""
    start = sentence.start
    while sentence.end - start > max_chars:
        limit = start + max_chars
        cut = limit
        while cut > start and not text[cut].isspace():
            cut -= 1
        cut = cut if cut > start else limit
        first, last = trim(text, start, cut)
        if first < last:
            yield Span(first, last)
        start, _ = trim(text, cut, sentence.end)
    if start < sentence.end:
        yield Span(start, sentence.end)


def _packed(text: str, pieces: Iterable[tuple[bool, Span]], max_chars: int) -> list[Span]:
    """Neighbouring pieces joined up to `max_chars`; headings at a passage's end begin the next one."""
    packed: list[Span] = []
    held: list[tuple[bool, Span]] = []
    for heading, piece in pieces:
        if held and piece.end - held[0][1].start > max_chars:
            kept = len(held)
            while kept and held[kept - 1][0] and piece.end - held[kept - 1][1].start <= max_chars:
                kept -= 1
            if kept == 0:
                kept = len(held)
            packed.append(Span(held[0][1].start, held[kept - 1][1].end))
            held = held[kept:]
        held.append((heading, piece))
    if held:
        packed.append(Span(held[0][1].start, held[-1][1].end))
    return [span for span in packed if not is_blank(span.of(text))]


def _extended(text: str, before: Span, core: Span, sentences: list[int], overlap: int) -> Span:
    """The core from up to `overlap` characters before its start, never from the passage before's own start on."""
    earliest = max(core.start - overlap, before.start + 1)
    at = bisect_left(sentences, earliest)
    if at < len(sentences) and sentences[at] < core.start:
        return Span(sentences[at], core.end)
    start = earliest
    while start < core.start and not text[start - 1].isspace():
        start += 1
    return Span(trim(text, start, core.end)[0], core.end)
