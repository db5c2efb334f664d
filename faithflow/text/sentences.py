"""Sentences with their exact positions, in many scripts, of plain or Markdown text.

Own rules: of six libraries tried, none splits Markdown and other scripts as well, and most are slow (docs/claims.md).
"""

import re

from faithflow.text.abbreviations import BEFORE_NUMBER, MAY_BE_LAST, MONTHS, NEVER_LAST, ORDINAL_LEADS, STARTERS
from faithflow.text.blocks import Block, BlockKind, blocks_of
from faithflow.text.scripts import ARMENIAN, CJK, FULL_STOPS, GREEK, ZERO_WIDTH, trim
from faithflow.text.spans import Span

_BREAK_TAG = r"</?(?:br|p|li|ul|ol|h[1-6]|div|tr|table)\b[^<>]{0,200}>"
_STOP = re.compile(
    rf"[{FULL_STOPS}][.!?…{FULL_STOPS}]*|[.!?…‥‼⁇⁈⁉]+[.!?…{FULL_STOPS}]*|(?<=[{GREEK}]);|(?<=[{ARMENIAN}]):|{_BREAK_TAG}",
    re.IGNORECASE,
)
_CLOSERS = re.compile(
    rf"(?:[\"'”’“»›)\]}}*_`」』）】〉》〗〙｝］{ZERO_WIDTH}]|</[a-z]{{1,8}}>|[ \u00a0\u202f]»){{0,64}}", re.IGNORECASE
)
_OPENERS = re.compile(rf"[\"'“‘«‹„‚(\[{{*_`「『（【〈《¿¡{ZERO_WIDTH}]{{0,16}}")
_SPACES = re.compile(rf"[\s{ZERO_WIDTH}]*")
_GAP = re.compile(r"[ \t\u00a0]{0,4}")
_TOKEN = re.compile(r"[^\s(\[\"'“‘«*_/–—]*$")
_NEXT_WORD = re.compile(r"[^\W_]+")
_ALNUM = re.compile(r"[^\W_]")
_UPPER_INSIDE = re.compile(r"[a-z]{1,2}[A-Z]")
_GLUED = re.compile(r"[A-Z][a-z]+[ ,]|\d{1,2}[.)] ")
_ROMAN = re.compile(r"[IVXLC]+\b")
_CJK_NEXT = re.compile(rf"[{CJK}]")
_ENUMERATOR = re.compile(r"[\W_]*(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})$")
_LISTED = re.compile(r":\s?\d{1,2}$")
_LETTER = re.compile(r"[^\W\d_]")

# What cites a source: [1], [E1,E3], [^2], 【4†x】, superscripts, and (…) that name a numbered source.
_BRACKET_CITATION = re.compile(
    r"\[(?:\^?\d|(?:[^\W\d_]{1,14}[-_]){0,4}[^\W\d_]{1,14}[ ._#-]?\d)[^\[\]\n]{0,60}\](?:\([^()\s]{1,500}\))?"
    r"|【\d[^】\n]{0,40}】|[¹²³⁰⁴-⁹]{1,4}|<sup>[^<>]{1,20}</sup>"
)
_LINK_CITATION = re.compile(
    r"\(?\[(?:sources?|refs?|references?|link|see|quelle|fuente|fonte|источник|来源|[\w.-]{1,60}\.[a-z]{2,6})[^\[\]\n]{0,80}\]"
    r"\([^()\s]{1,500}\)\)?",
    re.IGNORECASE,
)
_NAMED_CITATION = re.compile(r"\((?:[^()\n]|\([^()\n]{0,40}\)){1,240}\)")
_NAMES_A_SOURCE = re.compile(
    r"\b(?:art(?:icle|icles|s)?|recitals?|annex|passages?|sources?|contexts?|docs?|documents?|sections?|chapters?|"
    r"regulation|directive|pages?|pp?|para(?:graph)?s?|see|cf|ibid|quelle|artikel|fuente|fonte|artículo|articolo)\b[^()]*\d"
    r"|^\((?:see|cf\.|source|quelle|e?\d)",
    re.IGNORECASE,
)
_SENTENCE_INSIDE = re.compile(r"[.!?]\)$")


def sentence_spans(text: str) -> list[Span]:
    """The sentences of plain or Markdown text: trimmed, in order, disjoint; time linear in the text's length.

    A heading, a table row and a code fence are one span each; a list item begins a new one, its marker included.
    A citation behind a stop belongs to the sentence before it. Every character that is no blank lies in some span.
    """
    return [span for block in blocks_of(text) for span in block_sentences(text, block)]


def block_sentences(text: str, block: Block) -> list[Span]:
    """The sentences of one block; a block that is no prose is one span."""
    if block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM):
        return _split(text, block)
    return [Span(block.start, block.end)]


def _split(text: str, block: Block) -> list[Span]:
    end = block.end
    brackets = _brackets(text, block.body, end)
    caseless = not any(map(str.isupper, text[block.body : end]))
    spans: list[Span] = []
    start = block.start
    looked = block.body  # alphanumerics were sought up to here
    solid = False  # and one was found in the sentence at hand
    open_bracket = 0
    for stop in _STOP.finditer(text, block.body, end):
        if stop.start() < start:
            continue
        solid = solid or _ALNUM.search(text, max(looked, start), stop.start()) is not None
        looked = stop.start()
        if not solid:
            continue
        closed = _closers_end(text, stop, end)
        while open_bracket < len(brackets) and brackets[open_bracket][1] < closed:
            open_bracket += 1
        if open_bracket < len(brackets) and max(start, block.body) < brackets[open_bracket][0] < closed:
            continue
        cited = _citations_end(text, closed, end)
        if not _is_end(text, max(start, block.body), stop, closed, cited, end, caseless):
            continue
        first, last = trim(text, start, cited)
        spans.append(Span(first, last))
        start, looked, solid = cited, max(looked, cited), False
    first, last = trim(text, start, end)
    if first < last:
        if spans and _ALNUM.search(text, first, last) is None:
            spans[-1] = Span(spans[-1].start, last)
        else:
            spans.append(Span(first, last))
    return spans


def _closers_end(text: str, stop: re.Match[str], end: int) -> int:
    """Behind the quotes, brackets and emphasis marks that close at a stop; marks that open a next word stay out."""
    match = _CLOSERS.match(text, stop.end(), end)
    position = match.end() if match else stop.end()
    if position < end and _ALNUM.match(text[position]):
        while position > stop.end() and text[position - 1] in "\"'“«» *_`":
            position -= 1
    return position


def _brackets(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The outermost pairs of round and square brackets of at most 400 characters, in order."""
    pairs: list[tuple[int, int]] = []
    opened: list[tuple[int, str]] = []
    for match in _BRACKET.finditer(text, start, end):
        position, mark = match.start(), match[0]
        if mark in _CLOSING:
            opened.append((position, _CLOSING[mark]))
        elif opened and opened[-1][1] == mark:
            begin, _ = opened.pop()
            if position - begin <= 400:
                while pairs and pairs[-1][0] > begin:
                    pairs.pop()
                pairs.append((begin, position))
    return pairs


_BRACKET = re.compile(r"[()\[\]（）]")
_CLOSING = {"(": ")", "[": "]", "（": "）"}


def _citations_end(text: str, position: int, end: int) -> int:
    """Where the citations end that follow a stop; the position itself where none does."""
    while True:
        gap = _GAP.match(text, position, end)
        begin = gap.end() if gap else position
        found = _BRACKET_CITATION.match(text, begin, end) or _LINK_CITATION.match(text, begin, end)
        if found is None:
            named = _NAMED_CITATION.match(text, begin, end) if text.startswith("(", begin) else None
            if named is None or not _NAMES_A_SOURCE.search(named[0]) or _SENTENCE_INSIDE.search(named[0]):
                return position
            found = named
        position = found.end()
        if text.startswith(".", position) and not text.startswith("..", position):
            position += 1
        closers = _CLOSERS.match(text, position, end)
        position = closers.end() if closers else position


def _is_end(text: str, start: int, stop: re.Match[str], closed: int, cited: int, end: int, caseless: bool) -> bool:
    """Whether a sentence ends at a stop. `closed`: behind its quotes and brackets; `cited`: behind its citations."""
    blanks = _SPACES.match(text, cited, end)
    following = blanks.end() if blanks else cited
    if following >= end:
        return True
    mark = stop[0]
    opener = _OPENERS.match(text, following, end)
    word_at = opener.end() if opener else following
    character = text[word_at] if word_at < end else ""
    if mark[0] == "<":
        return True
    if mark[0] in FULL_STOPS:
        return closed == stop.end() or not (text[following] in "と、，,;；" or text[closed - 1] in "）)")
    if following == cited:
        return _is_glued_end(text, start, stop, following, end)
    if mark in (";", ":"):
        return True
    if text[following] in ",;:)]}%&=/" or (text[following] in "-–—" and not _dash_begins(text, following, end)):
        return False
    if character.islower() and not caseless and not _UPPER_INSIDE.match(text, word_at, end):
        return False
    if mark != ".":
        return True
    return _is_full_stop(text, start, stop.start(), word_at, end, cited > closed)


def _dash_begins(text: str, position: int, end: int) -> bool:
    """Whether a dash opens a new item ("- Next"): a blank and a capital follow."""
    return position + 2 < end and text[position + 1].isspace() and text[position + 2].isupper()


def _is_glued_end(text: str, start: int, stop: re.Match[str], following: int, end: int) -> bool:
    """A stop without a space behind it: an end between CJK characters, and in "word.Next word" of two real words."""
    before = text[stop.start() - 1] if stop.start() > start else ""
    if _CJK_NEXT.match(before) and _CJK_NEXT.match(text, following, end):
        return True
    if len(stop[0]) > 1 and "." in stop[0]:
        return False
    token = _token_before(text, start, stop.start())
    glued = _GLUED.match(text, following, end)
    if glued is not None and glued[0][0].isdigit():
        return following > stop.end() or token.isalpha()
    if glued is None or not token.isalpha() or not token[1:].islower():
        return False
    return len(token) >= 3 or glued[0][:-1] in STARTERS


def _token_before(text: str, start: int, stop: int) -> str:
    token = _TOKEN.search(text[max(start, stop - 40) : stop])
    return token[0] if token else ""


def _is_full_stop(text: str, start: int, stop: int, word_at: int, end: int, is_cited: bool) -> bool:
    """Whether a single dot with a space behind it ends a sentence, by the words on its two sides."""
    if stop - start <= 8 and _ENUMERATOR.match(text, start, stop):
        return False
    token = _token_before(text, start, stop)
    lowered = token.lower()
    match = _NEXT_WORD.match(text, word_at, end)
    word = match[0] if match else ""
    starts = word in STARTERS and not text.startswith(".", word_at + len(word))
    if lowered in NEVER_LAST:
        return False
    if lowered in BEFORE_NUMBER and (word[:1].isdigit() or _ROMAN.match(text, word_at, end) or text[word_at] == "§"):
        return False
    if lowered in MAY_BE_LAST:
        return (starts or lowered in ("etc", "usw")) and not word[:1].isdigit()
    if _LISTED.search(text[max(start, stop - 4) : stop]):
        return False
    if token.isdigit():
        return not (len(token) <= 2 and _is_ordinal(text, start, stop - len(token), word))
    if len(token) == 1 and _LETTER.match(token) and not _CJK_NEXT.match(token):
        return starts or is_cited
    parts = token.split(".")
    if len(parts) > 1 and all(0 < len(part) <= 2 and part.isalpha() for part in parts):
        return starts
    return True


def _is_ordinal(text: str, start: int, number_at: int, word: str) -> bool:
    """Whether a number with a dot is an ordinal: before a month, or behind a German or Nordic article."""
    if word.lower() in MONTHS:
        return True
    before = _token_before(text, start, max(start, number_at - 1)).lower()
    if before not in ORDINAL_LEADS or not word[:1].isupper():
        return False
    lead = text[max(start, number_at - 12) : number_at].split()
    return lead[-2:-1] != ["I"]
