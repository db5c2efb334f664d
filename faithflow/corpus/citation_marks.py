"""The marks by which answers cite: brackets with labels and ranges, Markdown and HTML links, addresses."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from faithflow.text.spans import Span

MAX_RANGE = 50
"""A range of labels that is longer is one citation of nothing, however many labels it spans."""

PIPELINE_PREFIX = "E"
"""The letter of the labels that pipelines give; "[E9]" cites, and wrongly, also where no label with it was given."""

# longer numbers in brackets are years, standards and amounts
_LARGEST = 999

# a bracket may be broken over two lines, as text of a fixed width is
_BRACKET = re.compile(
    r"\[([^\[\]\n]{1,300}(?:\n[^\[\]\n]{0,300})?)\]|【([^【】\n]{1,100})】|［([^［］\n]{1,100})］|〔([^〔〕\n]{1,100})〕"
)
_PARENTHESIS = re.compile(r"\(([^()\[\]\n]{1,200})\)")
# [1]–[3], as IEEE's style has a range
_SPAN = re.compile(r"\[([A-Za-z]{0,3}\d{1,12})\]([-–])\[([A-Za-z]{0,3}\d{1,12})\]")
# Raised numbers, one or several, after a stop or a word of four letters: "km²" and "x²" are none
_AFTER = r"(?:(?<=[.,;:!?)\]\"”’»])|(?<=[^\W\d_]{4}))"
_RAISED = re.compile(
    rf"{_AFTER}([⁰¹²³⁴-⁹]{{1,3}}(?:[,⁻–-][⁰¹²³⁴-⁹]{{1,3}}){{0,20}})(?!\w)|{_AFTER}<sup>([^<>\n]{{1,60}})</sup>"
)
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_LINK = re.compile(
    r"(!?)\[((?:[^\[\]\n]|\[[^\[\]\n]{0,100}\]){0,300})\]"
    r"\([ \t]{0,8}<?((?:[^\s()<>]|\([^\s()<>]{0,200}\)){1,2000})>?(?:[ \t]{1,8}[\"'(][^\n]{0,200}?[\"')])?[ \t]{0,8}\)"
)
_ANCHOR = re.compile(
    r"<a\b[^<>]{0,500}?\bhref\s{0,8}=\s{0,8}(?:\"([^\"<>]{1,2000})\"|'([^'<>]{1,2000})')[^<>]{0,500}>(.{0,500}?)</a\s{0,8}>",
    re.IGNORECASE | re.DOTALL,
)
_ADDRESS = re.compile(r"<?(https?://(?:[^\s<>\"'()\[\]{}]|\([^\s<>\"'()\[\]{}]{0,200}\)){1,2000})>?", re.IGNORECASE)
_CODE = re.compile(r"(?m)^[ \t]{0,3}```.*?(?:^[ \t]{0,3}```|\Z)|`[^`\n]{1,300}`", re.DOTALL)

_WORD = r"(?:(sources?|evidence|documents?|docs?|passages?|references?|refs?|contexts?|chunks?)[ .:#]{0,3})?"
_LABEL = re.compile(
    rf"{_WORD}\^?([A-Za-z]{{0,3}})(\d{{1,12}})(?:[ ]?(?:-|–|—|\bto\b)[ ]?([A-Za-z]{{0,3}})(\d{{1,12}}))?(?:†.*)?",
    re.IGNORECASE,
)
AROUND = " []\\*_.:\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""What Markdown and typesetting put around a label: escapes, emphasis, characters without width."""
_APART = re.compile(r"[ /|]+")
_SEPARATOR = re.compile(r"[ ]?(?:[,;&，；、]|\band\b)[ ]?(?:and\b[ ]?)?")

# x[0], row_ids[1], items[3] = …: an index; `France[1]` and `in 2024[1]` are citations
_INDEXED = re.compile(r"(?:(?<!\w)[a-z]|_\w*)$")
_ASSIGNED = re.compile(r"[ ]?(?:=(?!=)|[-+*/]=|\+\+)|\(|\.\w+\(")


class Mask:
    """The places of a text that were read already."""

    def __init__(self, length: int) -> None:
        self._read = bytearray(length)

    def add(self, span: Span) -> None:
        self._read[span.start : span.end] = b"\1" * (span.end - span.start)

    def __contains__(self, place: int) -> bool:
        return self._read[place] == 1


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in an answer that may cite: `content` is what stands in the brackets or is a link's text.

    `address` is where a link leads, None for brackets; for an address that stands alone `content` is "".
    """

    span: Span
    content: str
    address: str | None = None
    is_parenthesis: bool = False
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A numbered label, as it was written; `number` is None for a range that names nothing. `is_named`: it has a
    prefix, or a word such as "Source" before it."""

    written: str
    prefix: str
    number: int | None
    is_named: bool


def marks_in(answer: str) -> Iterator[Mark]:
    """The marks of an answer: links first, then ranges, brackets, raised numbers and parentheses outside of them.
    Images are none."""
    code, links = Mask(len(answer)), Mask(len(answer))
    for match in _CODE.finditer(answer):
        code.add(Span(*match.span()))
    yield from _links(answer, links)
    for match in _SPAN.finditer(answer):
        if match.start() not in links and match.start() not in code:
            span = Span(*match.span())
            links.add(span)
            yield Mark(span, "".join(match.groups()))
    for pattern in (_BRACKET, _RAISED, _PARENTHESIS):
        for match in pattern.finditer(answer):
            if match.start() not in links:
                content = next(group for group in match.groups() if group is not None)
                content = content.translate(_DIGITS) if pattern is _RAISED else " ".join(content.split())
                is_code = match.start() in code or (pattern is _BRACKET and _is_index(answer, match))
                yield Mark(Span(*match.span()), content, None, pattern is _PARENTHESIS, is_code)


def addresses_in(answer: str) -> list[Span]:
    """Where addresses stand, in links or alone: an id within one is no citation of its own."""
    return [Span(*match.span(1)) for match in _ADDRESS.finditer(answer)]


def items_in(content: str) -> list[str]:
    """What a bracket lists, by , ; & and "and"."""
    return [item for item in map(str.strip, _SEPARATOR.split(content)) if item]


def labels_in(item: str, prefixes: frozenset[str]) -> list[Label]:
    """The labels that one item of a bracket gives, several for a range; empty where it is no label.

    A range has a hyphen, a dash or "to"; a word such as "Source" may stand before a label. `prefixes` are the letters,
    in upper case, with which labels may begin. A bare number of four digits or more is no label. A range that runs
    backwards or over more than MAX_RANGE labels is one label without a number.
    """
    item = item.strip(AROUND)
    match = _LABEL.fullmatch(item)
    if match is None:
        # "E1 E2" and "E1/E2", but no bare numbers: "10 000" is one
        parts = _APART.split(item)
        apart = [labels_in(part, prefixes) for part in parts] if 1 < len(parts) <= MAX_RANGE else []
        named = bool(apart) and all(labels and labels[0].prefix for labels in apart)
        return [label for labels in apart for label in labels] if named else []
    word, prefix, first, last_prefix, last = match.groups()
    is_named = bool(word or prefix)
    same = (last_prefix or prefix).upper() == prefix.upper()
    if prefix.upper() not in prefixes | {""} or not same or int(first) > _LARGEST:
        return []
    if last is None:
        return [Label(prefix + first, prefix.upper(), int(first), is_named)]
    if not 0 <= int(last) - int(first) < MAX_RANGE:
        return [Label(item, prefix.upper(), None, is_named)]
    return [Label(f"{prefix}{n}", prefix.upper(), n, is_named) for n in range(int(first), int(last) + 1)]


def _links(answer: str, taken: Mask) -> Iterator[Mark]:
    for match in _LINK.finditer(answer):
        span = Span(*match.span())
        taken.add(span)
        if not match[1]:
            yield Mark(span, match[2], match[3])
    for match in _ANCHOR.finditer(answer):
        if match.start() not in taken:
            span = Span(*match.span())
            taken.add(span)
            yield Mark(span, match[3], html.unescape(match[1] or match[2]))
    for match in _ADDRESS.finditer(answer):
        if match.start(1) not in taken:
            address = match[1].rstrip(".,;:!?*_")
            span = Span(match.start(1), match.start(1) + len(address))
            taken.add(span)
            yield Mark(span, "", address)


def _is_index(answer: str, match: re.Match[str]) -> bool:
    before = answer[max(0, match.start() - 80) : match.start()]
    if not before or not (before[-1].isalnum() or before[-1] == "_"):
        return False
    return _INDEXED.search(before) is not None or _ASSIGNED.match(answer, match.end()) is not None
