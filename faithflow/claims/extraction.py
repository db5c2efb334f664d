"""From an answer to its claims, sentence by sentence, or the claims that the user gave."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from faithflow.claims.anchoring import Anchors
from faithflow.claims.checkworthiness import is_checkworthy, is_lead_in, says_nothing_below
from faithflow.claims.claim import Claim, ClaimKind, claim_id
from faithflow.corpus.trace import GivenClaim, Trace
from faithflow.text.blocks import Block, BlockKind, blocks_of
from faithflow.text.plain import plain_row, plain_text
from faithflow.text.scripts import solid_length
from faithflow.text.sentences import block_sentences
from faithflow.text.spans import Span


@dataclass(frozen=True, slots=True)
class Extraction:
    """The claims of one answer, and the share (0 to 1) of its non-blank characters that lie in a claim of any kind."""

    claims: tuple[Claim, ...]
    covered_share: float


_TABLES = (BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW)
_BOLD_ALONE = re.compile(r"(\*\*|__)(?!\s)[^*_\n]{1,120}\1[ \t]*[:：]?$|(\*\*|__)[^*_\n]{1,120}[:：]\2$")
_LABEL_ALONE = re.compile(r"[^\s:：.!?][^:：.!?]{0,60}[:：]$")
_SECTION_NAME = re.compile(
    r"(?:[A-Z][\w’'&/-]*\s+){0,4}(?:Answers?|Insights|Summary|Overview|Findings|Conclusions?|Conflicts|Sources|References|Analysis|"
    r"Results|Background|Introduction|Process|Notes|Explanation|Recommendations|Definitions?|Details|Context|Points|Reasoning)$"
)


def claims_of(trace: Trace) -> Extraction:
    """The claims of a trace's answer: the user's own where they were given, else one for each sentence.

    Sentence by sentence every non-blank character of the answer lies in some claim (of whatever kind), so the covered
    share is 1.0; an answer without any character has no claims and a share of 1.0. A user's claim keeps its id and
    text; its span is None where the answer does not hold the text.
    """
    if trace.claims is not None:
        return _given(trace.answer, trace.claims)
    return extraction(trace.answer, _sentence_claims(trace.answer))


def extraction(answer: str, claims: Iterable[Claim]) -> Extraction:
    """The claims of an answer with the share of its non-blank characters that their spans cover."""
    kept = tuple(claims)
    total = solid_length(answer)
    if total == 0:
        return Extraction(kept, 1.0)
    covered = reached = 0
    spans = sorted((c.char_start, c.char_end) for c in kept if c.char_start is not None and c.char_end is not None)
    for start, end in spans:
        covered += solid_length(answer, max(start, reached), end)
        reached = max(reached, end)
    return Extraction(kept, covered / total)


def kind_of(text: str) -> ClaimKind:
    """The kind of a claim that someone else picked out of an answer: it is a statement or an abstention."""
    return ClaimKind.ABSTENTION if _abstains(text) else ClaimKind.STATEMENT


def _abstains(text: str, previous: str = "") -> bool:
    # Imported here: its patterns take a tenth of a second to compile, which the definitions' import need not pay.
    from faithflow.claims.abstention import is_abstention

    return is_abstention(text, previous)


def _given(answer: str, given: tuple[GivenClaim, ...]) -> Extraction:
    anchors = Anchors(answer)
    claims: list[Claim] = []
    for one in given:
        span = anchors.find(one.text)
        start, end = (span.start, span.end) if span else (None, None)
        claims.append(Claim(one.id, one.text, start, end, kind_of(plain_text(one.text))))
    return extraction(answer, claims)


def _sentence_claims(answer: str) -> list[Claim]:
    blocks = blocks_of(answer)
    claims: list[Claim] = []
    previous = ""
    untold_list: int | None = None  # the indent of the items below an abstaining lead-in, while they last
    section = ""  # the heading that stands above
    for number, block in enumerate(blocks):
        following = blocks[number + 1] if number + 1 < len(blocks) else None
        if block.kind is not BlockKind.ITEM or (untold_list is not None and block.indent < untold_list):
            untold_list = None
        spans = block_sentences(answer, block)
        for span in spans:
            text = _text_of(answer, block, span)
            is_last = span is spans[-1]
            kind = _kind(answer, block, span, text, previous, following if is_last else None, is_last)
            if kind is ClaimKind.HEADING:
                section = text
            if kind is ClaimKind.STATEMENT and (untold_list is not None or says_nothing_below(section, text)):
                kind = ClaimKind.NOT_CHECKWORTHY
            if is_last and kind is ClaimKind.ABSTENTION and text.endswith(":") and following is not None:
                untold_list = following.indent if following.kind is BlockKind.ITEM else None
            identity = claim_id(answer, span.start, span.end, text)
            claims.append(Claim(identity, text, span.start, span.end, kind))
            previous = text
    return claims


def _text_of(answer: str, block: Block, span: Span) -> str:
    """A claim's words: its characters without list marker, emphasis, link targets and source markers."""
    marked = answer[max(span.start, min(block.body, span.end)) : span.end]
    if block.kind is BlockKind.CODE:
        return marked
    if block.kind is BlockKind.TABLE_HEADER:
        marked = marked.splitlines()[0]
    plain = plain_row(marked) if block.kind in _TABLES else plain_text(marked)
    return plain or answer[span.start : span.end]


def _kind(
    answer: str, block: Block, span: Span, text: str, previous: str, following: Block | None, is_last: bool
) -> ClaimKind:
    if block.kind in (BlockKind.HEADING, BlockKind.TABLE_HEADER):
        return ClaimKind.HEADING
    if block.kind in (BlockKind.CODE, BlockKind.RULE):
        return ClaimKind.NOT_CHECKWORTHY
    is_whole = span.start == block.start and is_last
    if is_whole and following is not None and _is_title(answer[block.body : block.end], text, block, following):
        return ClaimKind.HEADING
    if _abstains(text, previous):
        return ClaimKind.ABSTENTION
    if is_lead_in(text) or not is_checkworthy(text):
        return ClaimKind.NOT_CHECKWORTHY
    return ClaimKind.STATEMENT


def _is_title(marked: str, text: str, block: Block, following: Block) -> bool:
    """Whether a block with more below it is but a title: bold and alone, a label with a colon, a section's name."""
    if block.kind is BlockKind.ITEM:
        holds_items = following.kind is BlockKind.ITEM and following.indent > block.indent
        return _BOLD_ALONE.match(marked) is not None and (holds_items or text.endswith((":", "：")))
    if _BOLD_ALONE.match(marked):
        return not text.endswith((".", "!", "?", "。"))
    return (_LABEL_ALONE.match(text) is not None and len(text.split()) <= 6) or _SECTION_NAME.match(text) is not None
